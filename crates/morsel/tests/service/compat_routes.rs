//! The routes in the dialects of other services: all documented, and none without a key.

use std::collections::{BTreeSet, HashSet};

use morsel::routes::COMPAT_ROUTES;
use store::Mode;

use crate::harness::Service;
use crate::openapi::assert_schemas_are_there;
use test_support::on_sqlite;

#[tokio::test]
async fn every_route_is_documented_under_a_name_of_its_own() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi-compat.json").no_key().send().await.ok();
        let (mut documented, mut names) = (BTreeSet::new(), HashSet::new());
        for (path, methods) in document["paths"].as_object().expect("paths") {
            for (method, operation) in methods.as_object().expect("methods") {
                documented.insert(format!("{} {path}", method.to_uppercase()));
                let name = operation["operationId"].as_str().expect("a name");
                assert!(names.insert(name.to_owned()), "two operations are called {name}");
            }
        }
        let guarded: BTreeSet<String> = COMPAT_ROUTES.iter().map(|route| route.name.to_owned()).collect();
        assert_eq!(documented, guarded);
        assert_schemas_are_there(&document);
    })
    .await;
}

#[tokio::test]
async fn no_route_lets_the_wrong_ones_in() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (count, route) in COMPAT_ROUTES.iter().enumerate() {
            let path = route.path.replace("{version}", "v2").replace("{code}", "1").replace("{fdc_id}", "1");
            // An address of its own for each route: failed keys are counted by address.
            let call = || service.call(route.method.as_str(), &path).body("{}").from([10, 0, 1, count as u8]);
            // Each dialect says so with a status of its own.
            let is_refused = |status: u16| matches!(status, 401 | 403);
            assert!(is_refused(call().no_key().send().await.status), "{}", route.name);
            assert!(is_refused(call().key("svc_live_wrong").send().await.status), "{}", route.name);
            if let Some(scope) = route.scope {
                let others = store::Scope::ALL.into_iter().filter(|other| *other != scope).map(store::Scope::name);
                let (_, lacking) = service.key(Mode::Live, &others.collect::<Vec<_>>()).await;
                assert_eq!(call().key(&lacking).send().await.status, 403, "{}", route.name);
                let (_, only) = service.key(Mode::Live, &[scope.name()]).await;
                assert!(!is_refused(call().key(&only).send().await.status), "{}", route.name);
            }
        }
    })
    .await;
}
