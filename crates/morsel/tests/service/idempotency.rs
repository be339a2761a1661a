//! `Idempotency-Key`: the same request twice is done once.

use serde_json::json;

use crate::harness::Service;
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn the_same_key_and_body_get_the_first_answer_again() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let create = |body: &str| service.post("/v1/recipes", body).header("idempotency-key", "k1");
        let first = create(r#"{"name": "Soup"}"#).send().await;
        let again = create(r#"{"name": "Soup"}"#).send().await;
        assert_eq!((first.status, again.status), (201, 201));
        assert_eq!(first.body, again.body);
        assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), (None, Some("true")));
        assert!(again.header("x-ratelimit-remaining").is_some());
        assert_eq!(create(r#"{"name": "Stew"}"#).send().await.error(422), "idempotency_mismatch");
        assert_eq!(service.get("/v1/recipes").send().await.ok()["recipes"].as_array().map(Vec::len), Some(1));
        let (_, stranger) = service.stranger().await;
        assert_eq!(create(r#"{"name": "Stew"}"#).key(&stranger).send().await.status, 201, "keys are an account's own");
    })
    .await;
}

/// The text of a response without the id of a stream: a repeated stream has one of its own.
fn without_id(text: &str) -> String {
    let Some(start) = text.find("\"id\":\"est_") else { return text.to_owned() };
    let end = start + text[start..].find(',').expect("another field");
    [&text[..start], &text[end..]].concat()
}

#[tokio::test]
async fn estimates_streams_and_refusals_are_repeated_too() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "two eggs"}]});
        for (path, body, status) in [
            ("/v1/estimate/sync", body.to_string(), 200),
            ("/v1/estimate", body.to_string(), 200),
            ("/v1/recipes", "{}".to_owned(), 400),
        ] {
            let call = || service.post(path, &body).header("idempotency-key", path);
            let (first, again) = (call().send().await, call().send().await);
            assert_eq!((first.status, again.status), (status, status), "{path} {}", first.text());
            assert_eq!(without_id(&first.text()), without_id(&again.text()), "{path}");
            assert_eq!(first.header("content-type"), again.header("content-type"));
            assert_eq!(again.header("idempotent-replayed"), Some("true"));
        }
    })
    .await;
}

#[tokio::test]
async fn of_many_at_once_one_is_done() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let calls = (0..16)
            .map(|_| service.post("/v1/recipes", json!({"name": "Soup"})).header("idempotency-key", "once").send());
        let replies = futures_util::future::join_all(calls).await;
        for reply in &replies {
            match reply.status {
                201 => {}
                409 => {
                    assert_eq!(reply.error(409), "idempotency_in_progress");
                    assert_eq!(
                        reply.header("retry-after"),
                        Some("60"),
                        "the seconds until the key is free in any case"
                    );
                }
                other => panic!("{other}: {}", reply.text()),
            }
        }
        assert!(replies.iter().any(|reply| reply.status == 201));
        assert_eq!(service.get("/v1/recipes").send().await.ok()["recipes"].as_array().map(Vec::len), Some(1));
    })
    .await;
}

#[tokio::test]
async fn senseless_keys_are_refused() {
    on_both(async |database| {
        let service = Service::on(database).await;
        for key in ["", "a b", &"x".repeat(256)] {
            let reply = service.post("/v1/recipes", json!({"name": "x"})).header("idempotency-key", key).send().await;
            assert_eq!(reply.error(400), "invalid_idempotency_key", "{key}");
        }
        assert_eq!(service.get("/v1/recipes").header("idempotency-key", "a b").send().await.status, 200, "POST only");
    })
    .await;
}

/// The bytes that the database has.
async fn bytes(service: &Service) -> u64 {
    service.app.store.figures().await.expect("read").bytes
}

#[tokio::test]
async fn estimates_are_computed_again_and_not_stored() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let lines = "egg\n".repeat(1_990);
        let body = json!({"messages": [{"role": "user", "content": lines}]}).to_string();
        let before = bytes(&service).await;
        for n in 0..5 {
            let call = || {
                let path = "/v1/estimate/sync?include=source,alternatives";
                service.post(path, &body).header("idempotency-key", &format!("key {n}").replace(' ', "-"))
            };
            let (first, again) = (call().send().await, call().send().await);
            assert_eq!((first.status, again.status), (200, 200), "{}", first.text());
            assert!(first.body.len() > 15_000, "{}", first.body.len());
            assert!(first.body == again.body, "the same response");
            assert_eq!(
                (first.header("idempotent-replayed"), again.header("idempotent-replayed")),
                (None, Some("true"))
            );
        }
        assert!(bytes(&service).await - before < 200_000, "{}", bytes(&service).await - before);
        let other = body.replace("egg", "tea");
        let mismatch = service.post("/v1/estimate/sync?include=source,alternatives", other);
        assert_eq!(mismatch.header("idempotency-key", "key-0").send().await.error(422), "idempotency_mismatch");
    })
    .await;
}

#[tokio::test]
async fn a_repeated_estimate_knows_the_recipes_of_today() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "my power bowl"}]});
        let call = async || service.post("/v1/estimate/sync", &body).header("idempotency-key", "k").send().await;
        let first = call().await;
        service.recipe(json!({"name": "my power bowl", "calories": 512})).await;
        let again = call().await;
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_ne!(first.ok()["totals"]["calories"], json!(512.0));
        assert_eq!(again.ok()["totals"]["calories"], json!(512.0));
    })
    .await;
}

#[tokio::test]
async fn what_is_not_found_is_not_stored() {
    on_both(async |database| {
        let service = Service::on(database).await;
        for path in ["/v1/nothing", "/v1/recipes/rcp_1/share"] {
            for _ in 0..2 {
                let reply = service.post(path, "{}").header("idempotency-key", "k").send().await;
                assert_eq!((reply.error(404), reply.header("idempotent-replayed")), ("not_found".to_owned(), None));
            }
        }
        let reply = service.post("/v1/foods", "{}").header("idempotency-key", "k").send().await;
        assert_eq!(reply.status, 405);
        let created = service.post("/v1/recipes", json!({"name": "Soup"})).header("idempotency-key", "k").send().await;
        assert_eq!(created.status, 201, "the key is still free");
    })
    .await;
}
