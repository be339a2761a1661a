//! Chat completions: models, keys, bad requests and limits.

use serde_json::{Value, json};
use store::Mode;

use crate::compat_chat::PATH;
use crate::harness::{Reply, Service};
use crate::images::png;
use test_support::on_sqlite;

/// The error of a reply, in the form that clients of language models read: type, code and field.
#[track_caller]
fn error(reply: &Reply, status: u16) -> (String, String, Option<String>) {
    assert_eq!(reply.status, status, "{}", reply.text());
    let error = reply.json()["error"].clone();
    assert!(error["message"].as_str().is_some_and(|message| message.ends_with(['.', '…'])), "{error}");
    let text = |field: &str| error[field].as_str().map(str::to_owned);
    (text("type").expect("a type"), text("code").expect("a code"), text("param"))
}

#[allow(clippy::needless_pass_by_value, reason = "so that a call reads well")]
fn user(content: Value) -> Value {
    json!({"messages": [{"role": "user", "content": content}]})
}

#[tokio::test]
async fn there_is_one_model() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let row = json!({"id": "morsel", "object": "model", "created": 0, "owned_by": "morsel"});
        assert_eq!(service.get("/v1/models").send().await.ok(), json!({"object": "list", "data": [row]}));
        assert_eq!(service.get("/v1/models/morsel").send().await.ok(), row);
        let missing = error(&service.get("/v1/models/gpt-4o").send().await, 404);
        assert_eq!(missing, ("not_found_error".to_owned(), "model_not_found".to_owned(), Some("model".to_owned())));
    })
    .await;
}

#[tokio::test]
async fn keys_and_scopes_are_those_of_estimates() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ask = || service.post(PATH, user(json!("an egg")));
        assert_eq!(error(&ask().no_key().send().await, 401).0, "authentication_error");
        assert_eq!(error(&ask().key("sk-proj-123").send().await, 401).1, "invalid_key");
        let (_, foods) = service.key(Mode::Live, &["foods:read"]).await;
        assert_eq!(error(&ask().key(&foods).send().await, 403).1, "insufficient_scope");
        let (_, test) = service.key(Mode::Test, &["estimate"]).await;
        let reply = ask().key(&test).send().await;
        assert_eq!((reply.status, reply.header("x-mode")), (200, Some("test")));
        assert!(reply.header("x-ratelimit-remaining").is_some() && reply.header("x-engine-version").is_some());
        service.recipe(json!({"name": "Power Bowl", "calories": 512})).await;
        let bowl = service.post(PATH, user(json!("a power bowl"))).send().await.ok();
        assert!(
            bowl["choices"][0]["message"]["content"].as_str().is_some_and(|text| text.contains("512 kcal")),
            "{bowl}"
        );
        let (_, stranger) = service.stranger().await;
        let theirs = service.post(PATH, user(json!("a power bowl"))).key(&stranger).send().await.ok();
        assert!(!theirs.to_string().contains("512 kcal"), "recipes belong to their account");
    })
    .await;
}

#[tokio::test]
async fn bad_requests_name_the_field_at_fault() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let with = |name: &str, value: Value| {
            let mut body = user(json!("an egg"));
            body[name] = value;
            body
        };
        let function =
            |parameters: Value| json!([{"type": "function", "function": {"name": "log", "parameters": parameters}}]);
        let format = |format: Value| with("response_format", format);
        for (body, param) in [
            (json!({}), "messages"),
            (json!({"messages": []}), "messages"),
            (json!({"messages": [{"role": "system", "content": "be brief"}]}), "messages"),
            (json!({"messages": [{"role": "cook", "content": "egg"}]}), "messages[0].role"),
            (user(json!(5)), "messages[0].content"),
            (user(json!([{"type": "input_audio"}])), "messages[0].content[0].type"),
            (user(json!([{"type": "text"}])), "messages[0].content[0].text"),
            (user(json!([{"type": "image_url"}])), "messages[0].content[0].image_url.url"),
            (
                user(json!([{"type": "image_url", "image_url": {"url": "https://example.com/a.jpg"}}])),
                "messages[0].content[0].image_url.url",
            ),
            (
                user(json!([{"type": "image_url", "image_url": "data:image/png;base64,AAAA"}])),
                "messages[0].content[0].image_url.url",
            ),
            (with("n", json!(0)), "n"),
            (with("n", json!(9)), "n"),
            (with("stream", json!("yes")), "stream"),
            (with("tools", function(json!({"type": "meal"}))), "tools[0].function.parameters.type"),
            (
                with("tools", function(json!({"properties": {"a": {"items": 5}}}))),
                "tools[0].function.parameters.properties.a.items",
            ),
            (with("tool_choice", json!("required")), "tool_choice"),
            (with("tool_choice", json!("sometimes")), "tool_choice"),
            (with("tool_choice", json!({"type": "function", "function": {"name": "gone"}})), "tool_choice"),
            (with("function_call", json!({"name": "gone"})), ""),
            (format(json!({"type": "xml"})), "response_format.type"),
            (format(json!({"type": "json_schema"})), "response_format.json_schema.schema"),
            (
                format(json!({"type": "json_schema", "json_schema": {"name": "x", "schema": 5}})),
                "response_format.json_schema.schema",
            ),
        ] {
            let reply = service.post(PATH, &body).send().await;
            if param.is_empty() {
                assert_eq!(reply.status, 200, "{body}");
                continue;
            }
            let (kind, _, found) = error(&reply, 400);
            assert_eq!((kind.as_str(), found.as_deref()), ("invalid_request_error", Some(param)), "{body}");
        }
        let reply = service.call("POST", PATH).body("{\"messages\": [").send().await;
        assert_eq!(error(&reply, 400).1, "invalid_json");
        assert_eq!(service.get(PATH).send().await.status, 405);
    })
    .await;
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_choices_are_repeated() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut body = user(json!("two eggs"));
        for (name, value) in [
            ("temperature", json!(0.7)),
            ("max_tokens", json!(1)),
            ("logprobs", json!(null)),
            ("seed", json!(1)),
            ("metadata", json!({"a": "b"})),
            ("tools", json!(null)),
            ("tool_choice", json!(null)),
            ("response_format", json!(null)),
            ("stream_options", json!(null)),
            ("n", json!(3)),
        ] {
            body[name] = value;
        }
        let answer = service.post(PATH, &body).send().await.ok();
        let choices = answer["choices"].as_array().expect("choices");
        assert_eq!(choices.len(), 3);
        assert_eq!((&choices[2]["index"], &choices[2]["message"]), (&json!(2), &choices[0]["message"]));
    })
    .await;
}

#[tokio::test]
async fn sizes_are_limited() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ask = async |body: Value| service.post(PATH, body).send().await;
        let long_system =
            json!([{"role": "system", "content": "Be brief. ".repeat(3_200)}, {"role": "user", "content": "an egg"}]);
        assert_eq!(ask(json!({"messages": long_system})).await.status, 200, "prompts may be long");
        let long = format!("{} an egg", "x ".repeat(4_000));
        assert_eq!(error(&ask(user(json!(long))).await, 400).1, "context_length_exceeded");
        let prompt = format!("User description (optional): \"an egg\"\n{}", "Rules are many. ".repeat(1_000));
        let labeled = ask(user(json!(prompt))).await.ok();
        assert!(labeled.to_string().contains("egg"), "only the words of the user count: {labeled}");
        let huge = "a".repeat(200_001);
        assert_eq!(
            error(
                &ask(json!({"messages": [{"role": "system", "content": huge}, {"role": "user", "content": "egg"}]}))
                    .await,
                400
            )
            .2
            .as_deref(),
            Some("messages")
        );
        let image = json!({"type": "image_url", "image_url": {"url": png(8, 8)}});
        assert_eq!(error(&ask(user(json!(vec![image; 6]))).await, 400).2.as_deref(), Some("messages[0].content"));
        let history: Vec<Value> = (0..120)
            .map(|count| json!({"role": "user", "content": format!("{count} eggs {}", "x ".repeat(200))}))
            .collect();
        assert_eq!(ask(json!({"messages": history})).await.status, 200, "old messages are forgotten");
        let schema = |schema: Value| {
            let mut body = user(json!("2 eggs, toast, butter, jam, milk, coffee, rice, beans, ham, cheese".repeat(20)));
            body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema}});
            body
        };
        let deep =
            (0..60).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"a": inner}}));
        assert_eq!(error(&ask(schema(deep)).await, 400).2.as_deref(), Some("response_format.json_schema.schema"));
        let wide: serde_json::Map<String, Value> =
            (0..1_500).map(|count| (format!("calories{count}"), json!({"type": "number"}))).collect();
        assert_eq!(
            error(&ask(schema(json!({"properties": wide}))).await, 400).2.as_deref(),
            Some("response_format.json_schema.schema")
        );
        let myself: serde_json::Map<String, Value> =
            (0..60).map(|count| (format!("meal_{count}"), json!({"$ref": "#"}))).collect();
        let mut endless = json!({"type": "object", "properties": myself});
        endless["properties"]["calories"] = json!({"type": "number"});
        assert_eq!(error(&ask(schema(endless)).await, 400).2.as_deref(), Some("response_format"), "it would never end");
    })
    .await;
}
