//! The OpenAPI document: complete, and only changed on purpose.

use crate::access::ENDPOINTS;
use crate::harness::Service;
use test_support::on_sqlite;

#[tokio::test]
async fn the_document_is_as_committed() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi.json").no_key().send().await.ok();
        assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
        insta::assert_json_snapshot!("openapi", document);
        let text = document.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().expect("a name");
            assert!(document["components"]["schemas"][name].is_object(), "{name} is not in the document");
        }
    })
    .await;
}

#[tokio::test]
async fn every_endpoint_has_a_line_in_the_tables_of_permissions() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi.json").no_key().send().await.ok();
        let mut documented = Vec::new();
        for (path, methods) in document["paths"].as_object().expect("paths") {
            for method in methods.as_object().expect("methods").keys() {
                documented.push((method.to_uppercase(), path.clone()));
            }
        }
        documented.sort();
        let mut tested: Vec<(String, String)> =
            ENDPOINTS.iter().map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned())).collect();
        tested.sort();
        assert_eq!(documented, tested);
        let mut guarded: Vec<(String, String)> =
            morsel::routes::ROUTES.iter().map(|route| (route.method.to_string(), route.path.to_owned())).collect();
        guarded.sort();
        assert_eq!(documented, guarded);
        for (method, path, scope) in ENDPOINTS {
            let route = morsel::routes::find(&method.parse().expect("a method"), path).expect("a route");
            assert_eq!(route.scope.map(store::Scope::name), scope, "{method} {path}");
        }
    })
    .await;
}
