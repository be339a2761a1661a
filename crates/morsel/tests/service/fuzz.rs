//! Any body, query, key and cookie: an answer in the documented form, never a panic and never a server error.

use std::path::Path;
use std::time::Duration;

use fuzz_corpus::{Corpus, Inputs};
use serde_json::Value;
use test_support::on_sqlite;

use crate::harness::{Reply, Service};

/// Requests after which the clock moves on a minute, so that no quota ends a long run.
const REQUESTS_A_MINUTE: usize = 500;

fn corpus(target: &str) -> Inputs {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    let words = [
        "{\"messages\":[",
        "{\"role\":\"user\",\"content\":\"",
        "\"}",
        "]}",
        "\"type\":\"text\"",
        "\"image_url\"",
        "\"include\":[\"grams\"]",
        "\"aliases\":[",
        "\"calories\":",
        "null",
        "1e400",
        "\\ud800",
        "data:image/png;base64,",
        "Bearer ",
        "svc_live_",
        "session=",
        "; ",
        "%ff",
        "limit=",
        "source=usda",
        "\"method\":\"tools/call\"",
        "\"arguments\":{",
        "\"id\":",
        "\"params\":[",
    ];
    Corpus::new(folder).words(words).max_bytes(6_000).cases(60).inputs()
}

/// Checks an answer: a success, or an error in the contract's form.
fn check(reply: &Reply) -> (u16, String) {
    assert!(reply.status < 500, "{}: {}", reply.status, reply.text());
    let code = if reply.status < 400 { String::new() } else { reply.error(reply.status) };
    (reply.status, code)
}

/// Checks that every event of a stream is one JSON object that repeats its name.
fn check_stream(reply: &Reply) {
    for event in reply.text().split("\n\n").filter(|event| !event.is_empty()) {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let data: Value = serde_json::from_str(field("data:").expect("data")).expect("JSON");
        assert_eq!(data["type"].as_str(), field("event:"), "{event}");
        assert!(event.lines().count() == 2, "{event}");
    }
}

/// The printable characters of an input, which a header or an address can have.
fn printable(input: &[u8]) -> String {
    input.iter().filter(|byte| (0x21..0x7F).contains(*byte)).map(|&byte| char::from(byte)).collect()
}

#[tokio::test]
async fn bodies() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let recipe =
            service.recipe(serde_json::json!({"name": "x", "calories": 1, "protein": 1, "carbs": 1, "fat": 1})).await;
        let mut inputs = corpus("bodies");
        let mut sent = 0;
        while let Some(input) = inputs.next() {
            for (method, path) in [
                ("POST", "/v1/estimate/sync".to_owned()),
                ("POST", "/v1/estimate".to_owned()),
                ("POST", "/v1/upload/base64".to_owned()),
                ("POST", "/v1/recipes".to_owned()),
                ("PUT", format!("/v1/recipes/{recipe}")),
            ] {
                let reply = service.call(method, &path).body(input.clone()).send().await;
                let found = check(&reply);
                if reply.header("content-type") == Some("text/event-stream") {
                    check_stream(&reply);
                }
                inputs.led_to((path, found));
                sent += 1;
                if sent % REQUESTS_A_MINUTE == 0 {
                    service.advance(Duration::from_mins(1));
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn messages() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut inputs = corpus("messages");
        let mut sent = 0;
        while let Some(input) = inputs.next() {
            let arguments = String::from_utf8_lossy(&input).into_owned();
            let arguments = arguments.split_once("\"arguments\":").map_or("{}", |(_, arguments)| arguments);
            let call = |tool: &str| {
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}"#)
            };
            let calls = ["search_foods", "lookup_barcode", "delete_recipe"].map(|tool| call(tool).into_bytes());
            for body in calls.into_iter().chain([input]) {
                let reply = service.post("/mcp", "").body(body).send().await;
                assert!(reply.status < 500, "{}: {}", reply.status, reply.text());
                let code = if reply.status == 202 {
                    Value::Null
                } else {
                    let answer = reply.json();
                    assert!(answer["jsonrpc"] == "2.0" && answer.get("id").is_some(), "{answer}");
                    assert!(answer.get("error").is_some() != answer.get("result").is_some(), "{answer}");
                    answer["error"]["code"].clone()
                };
                inputs.led_to((reply.status, code.to_string()));
                sent += 1;
                if sent % REQUESTS_A_MINUTE == 0 {
                    service.advance(Duration::from_mins(1));
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn data_urls() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut inputs = corpus("data_urls");
        while let Some(input) = inputs.next() {
            let url = String::from_utf8_lossy(&input);
            let upload = service.post("/v1/upload/base64", serde_json::json!({"image": url})).send().await;
            let part = serde_json::json!([{"type": "image_url", "image_url": {"url": url}}]);
            let body = serde_json::json!({"messages": [{"role": "user", "content": part}]});
            let estimate = service.post("/v1/estimate/sync", body).send().await;
            inputs.led_to((check(&upload), check(&estimate)));
        }
    })
    .await;
}

#[tokio::test]
async fn queries_and_paths() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut inputs = corpus("queries");
        while let Some(input) = inputs.next() {
            let text: String = printable(&input).replace('#', "").chars().take(2_000).collect();
            let (path, query) = text.split_once('?').unwrap_or(("", &text));
            let path = path.replace(['/', '?'], "");
            for path in [format!("/v1/foods?{query}"), format!("/v1/foods/{path}"), format!("/v1/recipes/{path}")] {
                // What is no address at all never reaches the service.
                if path.parse::<axum::http::Uri>().is_ok() {
                    let reply = service.get(&path).send().await;
                    let is_listing = path.trim_end_matches('/').ends_with("recipes");
                    inputs.led_to(if is_listing { (reply.status, String::new()) } else { check_query(&reply) });
                }
            }
        }
    })
    .await;
}

/// Errors of a search have an empty list beside them.
fn check_query(reply: &Reply) -> (u16, String) {
    assert!(reply.status < 500, "{}: {}", reply.status, reply.text());
    let code = reply.json()["code"].as_str().unwrap_or_default().to_owned();
    assert!(reply.status < 400 || !code.is_empty(), "{}", reply.text());
    (reply.status, code)
}

#[tokio::test]
async fn keys_and_cookies() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut inputs = corpus("keys");
        let mut sent = 0u8;
        while let Some(input) = inputs.next() {
            let text: String = printable(&input).chars().take(1_000).collect();
            sent = sent.wrapping_add(1);
            // From changing addresses, since wrong keys of one address are soon refused.
            let call = service.get("/v1/foods?q=milk").authorization(&text).from([10, 0, 0, sent]);
            let key = call.send().await;
            let allowed = [&service.key, &format!("Bearer {}", service.key), &format!("bearer {}", service.key)];
            assert!(
                key.status != 200 || allowed.iter().any(|known| text.contains(known.trim_start_matches("Bearer "))),
                "{text}"
            );
            let page = service.get("/recipes").no_key().header("cookie", &text).send().await;
            assert!(page.status < 500 && page.status != 200, "{}", page.status);
            inputs.led_to((check(&key), page.status));
        }
    })
    .await;
}
