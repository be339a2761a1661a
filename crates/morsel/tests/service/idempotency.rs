//! `Idempotency-Key`: the same request twice is done once.

use serde_json::json;

use crate::harness::Service;
use test_support::on_both;

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
            assert_eq!(first.text(), again.text(), "{path}");
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
                409 => assert_eq!(reply.error(409), "idempotency_in_progress"),
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
