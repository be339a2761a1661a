//! Many meals in one request.

use serde_json::{Value, json};
use store::Plan;
use test_support::on_sqlite;

use crate::harness::Service;

const PATH: &str = "/v1/estimate/batch";

fn inputs(count: usize) -> Value {
    json!({"inputs": (0..count).map(|number| json!({"text": format!("{} eggs", number + 1)})).collect::<Vec<_>>()})
}

#[tokio::test]
async fn every_input_gets_the_answer_it_would_get_alone() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        service.recipe(json!({"name": "Power Bowl", "calories": 512, "protein": 30, "carbs": 60, "fat": 15})).await;
        let body = json!({"include": ["grams"], "inputs": [
            {"id": "breakfast", "text": "two eggs and toast"},
            {"text": "a power bowl", "messages": null},
            {"id": "talk", "text": null, "messages": [
                {"role": "user", "content": "a large latte"},
                {"role": "user", "content": "make it two"},
            ]},
            {"id": "empty", "text": ""},
        ]});
        let reply = service.post(PATH, &body).send().await;
        assert!(reply.header("x-engine-version").is_some());
        let results = reply.ok()["results"].as_array().expect("an array").clone();
        let ids: Vec<&str> = results.iter().filter_map(|result| result["id"].as_str()).collect();
        assert_eq!(ids, ["breakfast", "2", "talk", "empty"]);
        for (input, result) in body["inputs"].as_array().expect("an array").iter().zip(&results) {
            let messages = match &input["text"] {
                Value::String(text) => json!([{"role": "user", "content": text}]),
                _ => input["messages"].clone(),
            };
            let alone = json!({"messages": messages, "include": ["grams"]});
            let alone = service.post("/v1/estimate/sync", alone).send().await.ok();
            assert_eq!((&result["items"], &result["totals"]), (&alone["items"], &alone["totals"]), "{input}");
            assert_eq!(result["status"], 200);
        }
        assert_eq!(results[1]["totals"]["calories"], 512.0);
    })
    .await;
}

#[tokio::test]
async fn a_mistake_in_one_input_does_not_cost_the_others() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"inputs": [
            {"id": "both", "text": "an egg", "messages": []},
            {"id": "none"},
            {"id": "long", "text": "a".repeat(8_001)},
            {"id": "x".repeat(201), "text": "an egg"},
            {"id": "silent", "messages": [{"role": "system", "content": "an egg"}]},
            {"id": "good", "text": "an egg"},
        ]});
        let results = service.post(PATH, body).send().await.ok()["results"].as_array().expect("an array").clone();
        let params = ["inputs[0]", "inputs[1]", "inputs[2].messages", "inputs[3].id", "inputs[4].messages"];
        for (result, param) in results.iter().zip(params) {
            assert_eq!((&result["status"], &result["error"]["param"]), (&json!(400), &json!(param)), "{result}");
            assert_eq!(result["error"]["code"], "invalid_request");
            assert!(result["items"].is_null() && result["error"]["error"].is_string());
        }
        assert_eq!(results[5]["status"], 200);
    })
    .await;
}

#[tokio::test]
async fn a_body_that_is_not_a_batch_is_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (body, param) in [
            (json!({}), "inputs"),
            (json!({"inputs": []}), "inputs"),
            (json!({"inputs": ["an egg"]}), "inputs[0]"),
            (json!({"inputs": [{"text": 5}]}), "inputs[0].text"),
            (inputs(101), "inputs"),
        ] {
            let reply = service.post(PATH, &body).send().await;
            assert_eq!(reply.error(400), "invalid_request");
            assert_eq!(reply.json()["param"], param, "{body}");
        }
        let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
        let photos = json!({"messages": [{"role": "user", "content": [image.clone(), image.clone(), image]}]});
        let reply = service.post(PATH, json!({"inputs": [photos.clone(), photos]})).send().await;
        assert!(reply.json()["error"].as_str().is_some_and(|error| error.contains("5 images")), "{}", reply.text());
    })
    .await;
}

#[tokio::test]
async fn each_input_counts_against_the_limit_and_in_the_usage() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        service.app.store.accounts().set_plan(&service.account.id, Plan::Free).await.expect("on a plan");
        let limit: u64 = {
            let reply = service.get("/v1/foods?q=egg").send().await;
            reply.header("x-ratelimit-limit").and_then(|limit| limit.parse().ok()).expect("a limit")
        };
        let reply = service.post(PATH, inputs(10)).send().await;
        assert_eq!(reply.header("x-ratelimit-remaining"), Some(&*(limit - 11).to_string()));
        let reply = service.post(PATH, inputs(100)).send().await;
        let results = reply.ok()["results"].as_array().expect("an array").clone();
        let passed = results.iter().filter(|result| result["status"] == 200).count() as u64;
        assert_eq!(passed, limit - 11, "as many as were left");
        assert!(results.iter().skip(passed as usize).all(|result| result["status"] == 429));
        assert_eq!(results[99]["error"]["code"], "rate_limit_exceeded");
        assert_eq!(service.post(PATH, inputs(1)).send().await.error(429), "rate_limit_exceeded");
        service.app.usage.flush(&service.app.store).await.expect("written");
        let today = service.app.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let counted = service.app.store.usage().daily(&service.account.id, today, today).await.expect("read");
        let total: u64 = counted.iter().map(|day| day.requests).sum();
        assert_eq!(total, limit + 1, "the refused request is one of them");
    })
    .await;
}

#[tokio::test]
async fn results_come_line_by_line_on_request() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let reply = service.post(PATH, inputs(3)).header("accept", "application/x-ndjson").send().await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/x-ndjson")));
        let lines: Vec<Value> =
            reply.text().lines().map(|line| serde_json::from_str(line).expect("JSON a line")).collect();
        let whole = service.post(PATH, inputs(3)).send().await.ok();
        assert_eq!(json!(lines), whole["results"]);
        assert_eq!(service.app.streams.held(), 0, "a stream that was read is closed");
    })
    .await;
}

#[tokio::test]
async fn a_table_comes_back_with_the_columns_of_the_estimate() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let table = "\u{feff}id,text,amount,unit\r\n1,\"rice, cooked\",150,g\r\n2,zzxxqq wwvv,,\r\n3,two eggs\r\n";
        let call = |path: &str, body: &str| {
            service.call("POST", path).header("content-type", "text/csv; charset=utf-8").body(body.to_owned())
        };
        let reply = call(PATH, table).send().await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/csv; charset=utf-8")));
        let text = reply.text();
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let names = rows.headers().expect("names").clone();
        let expected =
            ["text", "amount", "unit", "calories", "protein", "carbs", "fat", "foods", "unresolved", "error"];
        assert_eq!(names.iter().skip(1).collect::<Vec<_>>(), expected);
        let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
        let alone = service.estimate("150 g rice, cooked").await;
        assert_eq!(rows[0][4].parse::<f64>().ok(), alone["totals"]["calories"].as_f64(), "{text}");
        assert_eq!((&rows[1][4], &rows[1][8]), ("0", ""), "{text}");
        assert_eq!(&rows[2][4], "143", "{text}");
        let other = call(&format!("{PATH}?column=meal"), "meal\ntwo eggs\n").send().await;
        assert!(other.text().contains("143"), "{}", other.text());
        for (body, problem) in [("", "column"), ("id,meal\n1,egg\n", "“text”"), ("text\n\"egg", "line")] {
            let reply = call(PATH, body).send().await;
            if reply.status == 200 {
                continue;
            }
            assert_eq!(reply.error(400), "invalid_csv", "{body}");
            assert!(reply.json()["error"].as_str().is_some_and(|error| error.contains(problem)), "{}", reply.text());
        }
        let many = format!("text\n{}", "egg\n".repeat(101));
        assert_eq!(call(PATH, &many).send().await.error(400), "invalid_csv");
    })
    .await;
}

#[tokio::test]
async fn inputs_that_a_stream_still_needs_count_as_memory() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let text = "an egg and a slice of toast, ".repeat(100);
        let body = json!({"inputs": vec![json!({"text": text}); 100]});
        let response = service.post(PATH, body).header("accept", "application/x-ndjson").begin().await;
        assert_eq!(response.status(), 200);
        assert!(service.app.memory.held() > 100_000, "{}", service.app.memory.held());
        drop(response);
        assert_eq!(service.app.memory.held(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_table_has_a_size() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let table = |bytes: usize| format!("text,note\negg,{}\n", "x".repeat(bytes));
        let call = |body: String| service.call("POST", PATH).header("content-type", "text/csv").body(body);
        assert_eq!(call(table(1 << 20)).send().await.status, 200);
        assert_eq!(call(table(4 << 20)).send().await.error(413), "too_large");
    })
    .await;
}
