//! A service below a path of its host: nothing that it sends leads out of that path.

use std::collections::{BTreeSet, VecDeque};

use morsel::config::Settings;
use serde_json::json;

use crate::harness::{Reply, Service};
use crate::images::png;
use crate::visitor::Visitor;
use test_support::on_sqlite;

const BASE: &str = "/apps/morsel";

fn below() -> Settings {
    Settings {
        base_path: Some(BASE.to_owned()),
        plan_limits: Some(vec!["pages=100000".to_owned()]),
        ..Settings::default()
    }
}

/// The values of the attributes that browsers follow.
fn links(html: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for name in ["href", "src", "action", "formaction", "data-path"] {
        for piece in html.split(&format!(" {name}=\"")).skip(1) {
            let value = piece.split('"').next().expect("a value").replace("&#38;", "&");
            found.push((name, value));
        }
    }
    found
}

/// Checks that no link, redirect or cookie leads out of the base path, and returns the pages that are linked.
#[track_caller]
fn check(path: &str, reply: &Reply) -> Vec<String> {
    let is_below = |value: &str| value == BASE || value.starts_with(&format!("{BASE}/"));
    if let Some(location) = reply.header("location") {
        assert!(is_below(location), "{path} redirects to {location}");
    }
    if let Some(cookie) = reply.header("set-cookie") {
        assert!(cookie.contains(&format!("; Path={BASE};")), "{path}: {cookie}");
    }
    if !reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        return Vec::new();
    }
    let mut pages = Vec::new();
    for (name, value) in links(&reply.text()) {
        let leads_nowhere = value.starts_with('#') || value.starts_with("data:") || value.starts_with("otpauth:");
        if leads_nowhere || value.starts_with("https://") || value.starts_with("http://") {
            continue;
        }
        assert!(is_below(&value), "{path} has {name}=\"{value}\"");
        if name == "href" || name == "src" {
            pages.push(value.split('#').next().unwrap_or_default().to_owned());
        }
    }
    pages
}

#[tokio::test]
async fn every_page_that_can_be_reached_stays_below_the_path() {
    on_sqlite(async |database| {
        let service = Service::with(database, below()).await;
        service.recipe(json!({"name": "Soup", "calories": 100})).await;
        service.app.store.accounts().set_owner(&service.account.id, true).await.expect("an owner");
        let visitor = Visitor::signed_in(&service, &service.account).await;
        for visitor in [Visitor::new(&service), visitor] {
            let mut waiting = VecDeque::from([BASE.to_owned(), format!("{BASE}/sign-in?next=/keys")]);
            let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
            while let Some(path) = waiting.pop_front() {
                let reply = visitor.open(&path).await;
                assert!(matches!(reply.status, 200 | 303), "{path}: {} {}", reply.status, reply.text());
                let mut next = check(&path, &reply);
                next.extend(reply.header("location").map(str::to_owned));
                for page in next {
                    if seen.len() < 300 && seen.insert(page.clone()) {
                        waiting.push_back(page);
                    }
                }
            }
            let count = if visitor.cookie.is_some() { 30 } else { 8 };
            assert!(seen.len() >= count, "{seen:?}");
        }
        let missing = Visitor::new(&service).open(&format!("{BASE}/nowhere")).await;
        assert_eq!(missing.status, 404);
        assert!(check("an error", &missing).contains(&format!("{BASE}/")), "{}", missing.text());
    })
    .await;
}

#[tokio::test]
async fn signing_in_and_forms_stay_below_the_path() {
    on_sqlite(async |database| {
        let service = Service::with(database, below()).await;
        let mut visitor = Visitor::signed_in(&service, &service.account).await;
        let created = visitor.send(&format!("{BASE}/recipes"), &[("name", "Soup"), ("calories", "100")]).await;
        assert_eq!(created.header("location"), Some("/apps/morsel/recipes?flash=recipe-created"));
        let out = visitor.send(&format!("{BASE}/sign-out"), &[]).await;
        check("signing out", &out);
        let sent = Visitor::new(&service).open(&format!("{BASE}/keys?a=b")).await;
        assert_eq!(sent.header("location"), Some("/apps/morsel/sign-in?next=%2Fkeys%3Fa%3Db"), "without the base path");
        let from =
            Visitor::new(&service).call("POST", &format!("{BASE}/sign-out")).header("origin", "http://food.test");
        assert_eq!(from.send().await.status, 303, "the origin has no path");
        let elsewhere = Visitor::new(&service).call("POST", "/sign-out").header("origin", "http://evil.test");
        assert_eq!(elsewhere.send().await.status, 403);
    })
    .await;
}

#[tokio::test]
async fn the_api_is_below_the_path_and_names_it() {
    on_sqlite(async |database| {
        let service = Service::with(database, below()).await;
        let body = json!({"messages": [{"role": "user", "content": "an egg"}]});
        let reply = service.post(&format!("{BASE}/v1/estimate/sync"), body).send().await;
        assert_eq!(reply.ok()["items"][0]["quantity"], 1.0);
        let upload = service.post(&format!("{BASE}/v1/upload/base64"), json!({"image": png(64, 64)})).send().await.ok();
        let path =
            upload["url"].as_str().and_then(|url| url.strip_prefix("http://food.test")).expect("a URL").to_owned();
        assert!(path.starts_with("/apps/morsel/v1/images/"), "{path}");
        assert_eq!(service.get(&path).send().await.header("content-type"), Some("image/jpeg"));
        let document = service.get(&format!("{BASE}/openapi.json")).no_key().send().await.ok();
        assert_eq!(document["servers"], json!([{"url": BASE}]));
        let introduction = service.get(&format!("{BASE}/llms.txt")).no_key().send().await.text();
        assert!(introduction.contains("http://food.test/apps/morsel/docs.md"), "{introduction}");
        let guide = service.get(&format!("{BASE}/docs.md")).no_key().send().await.text();
        assert!(guide.contains("http://food.test/apps/morsel/v1/estimate/sync"), "{guide}");
        let form = format!("user_id=cook&password={}", service.key);
        let signed_in = service.post(&format!("{BASE}/cgi/session.pl"), form).no_key().send().await;
        assert!(signed_in.header("set-cookie").is_some(), "{}", signed_in.text());
        check("the form of another service", &signed_in);
        assert_eq!(service.get("/apps/morsels/v1/foods?q=egg").send().await.status, 404);
        for path in ["/healthz", "/readyz", "/apps/morsel/healthz"] {
            assert_eq!(service.get(path).no_key().send().await.status, 200, "{path}");
        }
        let metrics = service.get("/metrics").no_key().send().await.text();
        assert!(metrics.contains("route=\"POST /v1/estimate/sync\""), "routes are counted without the path: {metrics}");
    })
    .await;
}

#[tokio::test]
async fn under_https_the_cookie_is_bound_to_the_path() {
    on_sqlite(async |database| {
        let settings = Settings { base_url: Some("https://food.test/apps/morsel".to_owned()), ..Settings::default() };
        let service = Service::with(database, settings).await;
        let (app, account) = (&service.app, &service.account);
        let until = app.now() + jiff::SignedDuration::from_secs(60);
        let link =
            app.store.sessions().create_link(&account.id, until, app.now(), &mut app.rng()).await.expect("a link");
        let reply = Visitor::new(&service).send(&format!("{BASE}/sign-in/{link}"), &[]).await;
        let cookie = reply.header("set-cookie").expect("a cookie");
        assert!(cookie.starts_with("__Secure-morsel_session=") && cookie.contains("; Path=/apps/morsel;"), "{cookie}");
        assert!(cookie.ends_with("; Secure"), "{cookie}");
    })
    .await;
}
