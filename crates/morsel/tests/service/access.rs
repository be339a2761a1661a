//! Who gets in: keys, scopes, accounts.

use std::time::Duration;

use jiff::SignedDuration;
use serde_json::json;
use store::{Grace, KeyId, Mode, NewKey, Rng, Scopes, Store};

use crate::harness::Service;
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn a_request_without_a_key_is_told_where_to_put_it() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for call in [
            service.get("/v1/foods?q=egg").no_key(),
            service.get("/v1/foods?q=egg").authorization(""),
            service.get("/v1/foods?q=egg").authorization("Bearer"),
            service.get("/v1/foods?q=egg").authorization("Basic dTpw"),
            service.get("/v1/nowhere").no_key(),
        ] {
            let reply = call.send().await;
            assert_eq!(reply.error(401), "missing_key");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            assert_eq!(reply.header("x-ratelimit-limit"), None, "only valid keys have a limit");
        }
    })
    .await;
}

#[tokio::test]
async fn wrong_keys_are_refused() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let other_end = if service.key.ends_with('x') { 'y' } else { 'x' };
        let changed = format!("{}{other_end}", &service.key[..service.key.len() - 1]);
        let other = store::KeyText::generate(Mode::Live, &mut Rng::seeded(9));
        for key in ["nonsense", &changed, other.as_str(), "svc_live_"] {
            assert_eq!(service.get("/v1/foods?q=egg").key(key).send().await.error(401), "invalid_key", "{key}");
        }
        assert_eq!(
            service.get("/v1/foods?q=egg").authorization(&format!("bearer {}", service.key)).send().await.status,
            200
        );
    })
    .await;
}

#[tokio::test]
async fn a_key_revoked_by_another_process_fails_on_the_next_request() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let elsewhere = Store::open(&database.location).await.expect("a second process");
        for _ in 0..20 {
            let (key, text) = service.key(Mode::Live, &["foods:read"]).await;
            assert_eq!(service.get("/v1/foods?q=egg").key(&text).send().await.status, 200);
            assert_eq!(service.get("/v1/foods?q=egg").key(&text).send().await.status, 200, "from memory");
            elsewhere.keys().revoke(&key.account_id, &key.id, service.app.now()).await.expect("revoked");
            assert_eq!(service.get("/v1/foods?q=egg").key(&text).send().await.error(401), "revoked_key");
        }
    })
    .await;
}

#[tokio::test]
async fn an_expired_key_is_told_so() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let now = service.app.now();
        let expires_at = Some(now + SignedDuration::from_secs(60));
        let new = NewKey { mode: Mode::Live, label: None, scopes: Scopes::all(), expires_at };
        let keys = service.app.store.keys();
        let (_, key) = keys.create(&service.account.id, new, now, &mut Rng::system()).await.expect("a key");
        service.advance(Duration::from_secs(59));
        assert_eq!(service.get("/v1/recipes").key(key.as_str()).send().await.status, 200);
        service.advance(Duration::from_secs(1));
        assert_eq!(service.get("/v1/recipes").key(key.as_str()).send().await.error(401), "expired_key");
    })
    .await;
}

#[tokio::test]
async fn a_rolled_key_works_until_its_grace_ends() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let keys = service.app.store.keys();
        for (grace, old_status) in [(Grace::Now, 401), (Grace::Hour, 200)] {
            let (key, old) = service.key(Mode::Test, &["recipes:read"]).await;
            let rng = &mut Rng::system();
            let id = KeyId::generate(rng);
            let rolled = keys.rotate(&service.account.id, &key.id, &id, grace, service.app.now(), rng).await;
            let (_, new) = rolled.expect("a key");
            assert_eq!(service.get("/v1/recipes").key(new.as_str()).send().await.status, 200);
            assert_eq!(service.get("/v1/foods?q=egg").key(new.as_str()).send().await.error(403), "insufficient_scope");
            assert_eq!(service.get("/v1/recipes").key(&old).send().await.status, old_status, "{grace:?}");
            service.advance(Duration::from_hours(1));
            assert_eq!(service.get("/v1/recipes").key(&old).send().await.status, 401, "{grace:?}");
            assert_eq!(service.get("/v1/recipes").key(new.as_str()).send().await.status, 200);
        }
    })
    .await;
}

#[tokio::test]
async fn test_keys_get_the_same_answers_and_say_so() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, test) = service.key(Mode::Test, &["estimate"]).await;
        let body = json!({"messages": [{"role": "user", "content": "two eggs and toast"}]});
        let live = service.post("/v1/estimate/sync", &body).send().await;
        let test = service.post("/v1/estimate/sync", &body).key(&test).send().await;
        assert_eq!(live.ok(), test.ok());
        assert_eq!((live.header("x-mode"), test.header("x-mode")), (None, Some("test")));
    })
    .await;
}

#[tokio::test]
async fn after_many_wrong_keys_an_address_is_refused_with_wrong_keys_only() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let recipes = |key: &str| service.get("/v1/recipes").key(key).from([10, 1, 1, 1]).send();
        for _ in 0..100 {
            let missing = service.get("/v1/recipes").no_key().from([10, 1, 1, 1]).send().await;
            assert_eq!(missing.error(401), "missing_key", "a missing key does not count");
        }
        for _ in 0..30 {
            assert_eq!(recipes("svc_live_guess").await.error(401), "invalid_key");
        }
        for _ in 0..3 {
            assert_eq!(recipes("svc_live_guess").await.error(429), "too_many_failed_keys");
            assert_eq!(recipes(&service.key).await.status, 200, "a valid key is never refused for its address");
        }
        let elsewhere = service.get("/v1/recipes").key("svc_live_guess").from([10, 1, 1, 2]).send().await;
        assert_eq!(elsewhere.error(401), "invalid_key", "other addresses are counted apart");
        service.advance(Duration::from_mins(1));
        assert_eq!(recipes("svc_live_guess").await.error(401), "invalid_key", "in the next minute");
    })
    .await;
}

/// Every endpoint × every way not to be let in. A test in `openapi` holds the list against the document.
pub const ENDPOINTS: [(&str, &str, Option<&str>); 14] = [
    ("POST", "/v1/estimate", Some("estimate")),
    ("POST", "/v1/estimate/sync", Some("estimate")),
    ("POST", "/v1/estimate/batch", Some("estimate")),
    ("POST", "/v1/upload/base64", Some("upload")),
    ("GET", "/v1/foods", Some("foods:read")),
    ("GET", "/v1/foods/{id}", Some("foods:read")),
    ("GET", "/v1/foods/barcode/{gtin}", Some("foods:read")),
    ("GET", "/v1/recipes", Some("recipes:read")),
    ("POST", "/v1/recipes", Some("recipes:write")),
    ("GET", "/v1/recipes/{id}", Some("recipes:read")),
    ("PUT", "/v1/recipes/{id}", Some("recipes:write")),
    ("DELETE", "/v1/recipes/{id}", Some("recipes:write")),
    ("GET", "/v1/images/{id}", None),
    ("DELETE", "/v1/images/{id}", Some("upload")),
];

const SCOPES: [&str; 5] = ["estimate", "upload", "foods:read", "recipes:read", "recipes:write"];

#[tokio::test]
async fn no_endpoint_lets_the_wrong_ones_in() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let recipe = service.recipe(json!({"name": "Mine"})).await;
        let image = service.post("/v1/upload/base64", json!({"image": crate::images::png(64, 64)})).send().await.ok();
        let image = image["url"].as_str().expect("a url").rsplit('/').next().expect("an id").to_owned();
        let (_, stranger) = service.stranger().await;
        let (revoked, revoked_text) = service.key(Mode::Live, &SCOPES).await;
        service.app.store.keys().revoke(&service.account.id, &revoked.id, service.app.now()).await.expect("revoked");
        let now = service.app.now();
        let past = NewKey { mode: Mode::Live, label: None, scopes: Scopes::all(), expires_at: Some(now) };
        let expired = service.app.store.keys().create(&service.account.id, past, now, &mut Rng::system()).await;
        let (_, expired) = expired.expect("a key");
        for (count, (method, path, scope)) in ENDPOINTS.into_iter().enumerate() {
            let id = if path.contains("images") { &image } else { &recipe };
            let address = path.replace("{id}", id).replace("{gtin}", "00012345");
            // An address of its own for each endpoint: failed keys are counted by address.
            let call = || service.call(method, &address).body("{}").from([10, 0, 1, count as u8]);
            assert_eq!(call().no_key().send().await.error(401), "missing_key", "{method} {path}");
            assert_eq!(call().key("svc_live_wrong").send().await.error(401), "invalid_key", "{method} {path}");
            assert_eq!(call().key(&revoked_text).send().await.error(401), "revoked_key", "{method} {path}");
            assert_eq!(call().key(expired.as_str()).send().await.error(401), "expired_key", "{method} {path}");
            if let Some(scope) = scope {
                let others: Vec<&str> = SCOPES.into_iter().filter(|other| *other != scope).collect();
                let (_, lacking) = service.key(Mode::Live, &others).await;
                let reply = call().key(&lacking).send().await;
                assert_eq!(reply.error(403), "insufficient_scope", "{method} {path}");
                assert!(reply.header("x-ratelimit-remaining").is_some());
                let (_, only) = service.key(Mode::Live, &[scope]).await;
                if !path.starts_with("/v1/recipes/") && method != "DELETE" {
                    assert_ne!(call().key(&only).send().await.status, 403, "{method} {path}");
                }
            }
            if path.starts_with("/v1/recipes/") || path.starts_with("/v1/images/") {
                assert_eq!(call().key(&stranger).send().await.error(403), "other_account", "{method} {path}");
            }
        }
        assert_eq!(service.get(&format!("/v1/recipes/{recipe}")).send().await.status, 200, "nothing was lost");
        assert_eq!(service.get(&format!("/v1/images/{image}")).send().await.status, 200, "nothing was lost");
    })
    .await;
}
