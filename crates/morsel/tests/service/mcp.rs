//! The Model Context Protocol over HTTP: both kinds of revisions, tools, resources, and who may use them.

#![allow(clippy::needless_pass_by_value, reason = "so that a call reads well with whatever its arguments are made of")]

use std::net::SocketAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use morsel::config::Settings;
use serde_json::{Value, json};
use store::Mode;

use crate::harness::{Call, Reply, Service};
use test_support::{on_both, on_sqlite};

const READ_TOOLS: [&str; 5] = ["estimate_meal", "search_foods", "get_food", "lookup_barcode", "compare_foods"];
const RECIPE_TOOLS: [&str; 3] = ["list_recipes", "save_recipe", "delete_recipe"];

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// A request in the revisions that begin with `initialize`.
fn send<'a>(service: &'a Service, method: &str, params: Value) -> Call<'a> {
    service.post("/mcp", request(method, params)).header("mcp-protocol-version", "2025-11-25")
}

/// A request in the revision that does not.
fn send_stateless<'a>(service: &'a Service, method: &str, mut params: Value) -> Call<'a> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
    let call = service.post("/mcp", request(method, params));
    let call = call.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
    match name {
        Some(name) => call.header("mcp-name", &name),
        None => call,
    }
}

/// Calls a tool and returns its result.
async fn call(service: &Service, name: &str, arguments: Value) -> Value {
    let reply = send(service, "tools/call", json!({"name": name, "arguments": arguments})).send().await;
    result(&reply)
}

#[track_caller]
fn result(reply: &Reply) -> Value {
    let body = reply.ok();
    assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(7)), "{body}");
    assert!(body["result"].is_object(), "{body}");
    body["result"].clone()
}

/// The text of a tool's result, which is short.
#[track_caller]
fn text(result: &Value) -> &str {
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!((1..=5).contains(&text.lines().count()), "{text}");
    text
}

/// The code of a JSON-RPC error.
#[track_caller]
fn error(reply: &Reply, status: u16) -> i64 {
    assert_eq!(reply.status, status, "{}", reply.text());
    let body = reply.json();
    assert_eq!(body["jsonrpc"], "2.0");
    assert!(body["error"]["message"].as_str().is_some_and(|message| message.ends_with('.')), "{body}");
    body["error"]["code"].as_i64().expect("a code")
}

/// The sentence of a tool that refused its arguments.
async fn refusal(service: &Service, name: &str, arguments: Value) -> String {
    let result = call(service, name, arguments).await;
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none());
    text(&result).to_owned()
}

fn names(result: &Value) -> Vec<String> {
    let tools = result["tools"].as_array().expect("tools");
    tools.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned).collect()
}

#[tokio::test]
async fn a_client_connects_with_a_handshake() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (asked, spoken) in [
            ("2025-11-25", "2025-11-25"),
            ("2025-06-18", "2025-06-18"),
            ("2024-11-05", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
        ] {
            let params =
                json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
            let reply = service.post("/mcp", request("initialize", params)).send().await;
            let connected = result(&reply);
            assert_eq!(connected["protocolVersion"], spoken);
            assert_eq!(connected["serverInfo"]["name"], "morsel");
            assert_eq!(connected["capabilities"], json!({"tools": {}, "resources": {}}));
            assert!(connected.get("resultType").is_none(), "{connected}");
            assert_eq!(reply.header("content-type"), Some("application/json"));
            assert_eq!(reply.header("mcp-session-id"), None);
            assert!(reply.header("x-ratelimit-remaining").is_some() && reply.header("x-request-id").is_some());
        }
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let reply = service.post("/mcp", begun).send().await;
        assert_eq!((reply.status, reply.text()), (202, String::new()));
        assert_eq!(result(&send(&service, "ping", json!({})).send().await), json!({}));
        assert_eq!(error(&send(&service, "prompts/list", json!({})).send().await, 200), -32601);
        let listed = result(&send(&service, "tools/list", json!({})).send().await);
        assert_eq!(names(&listed), [READ_TOOLS.as_slice(), &RECIPE_TOOLS].concat());
        for tool in listed["tools"].as_array().expect("tools") {
            assert_eq!(
                (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
                (&json!("object"), &json!("object"))
            );
            let name = tool["name"].as_str().expect("a name");
            let annotations = &tool["annotations"];
            let is_write = ["save_recipe", "delete_recipe"].contains(&name);
            assert_eq!(annotations["readOnlyHint"], !is_write, "{name}");
            assert_eq!(annotations["destructiveHint"] == true, name == "delete_recipe", "{name}");
            assert!(!tool.to_string().contains("#/components"), "{tool}");
        }
        for method in ["GET", "DELETE"] {
            let reply = service.call(method, "/mcp").header("accept", "text/event-stream").send().await;
            assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "there are no streams and sessions");
        }
    })
    .await;
}

#[tokio::test]
async fn a_client_needs_no_handshake() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let discovered = result(&send_stateless(&service, "server/discover", json!({})).send().await);
        assert_eq!(discovered["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
        assert_eq!(discovered["capabilities"], json!({"tools": {}, "resources": {}}));
        let listed = result(&send_stateless(&service, "tools/list", json!({})).send().await);
        for result in [&discovered, &listed] {
            assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("private")));
            assert!(result["ttlMs"].is_u64());
            assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "morsel");
        }
        let meal = json!({"name": "estimate_meal", "arguments": {"text": "two eggs"}});
        let estimated = result(&send_stateless(&service, "tools/call", meal).send().await);
        assert_eq!(estimated["structuredContent"], service.estimate("two eggs").await);
        assert_eq!(estimated["resultType"], "complete");
        assert_eq!(error(&send_stateless(&service, "ping", json!({})).send().await, 404), -32601, "no longer a method");
        let missing = send_stateless(&service, "resources/read", json!({"uri": "morsel://foods/none"})).send().await;
        assert_eq!(error(&missing, 200), -32602);
    })
    .await;
}

#[tokio::test]
async fn headers_must_say_what_the_body_says() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = request("tools/call", json!({"name": "list_recipes", "_meta": meta}));
        let encoded = format!("=?base64?{}?=", STANDARD.encode("list_recipes"));
        for (version, method, name, status, code) in [
            ("2026-07-28", "tools/call", "list_recipes", 200, None),
            ("2026-07-28", "tools/call", encoded.as_str(), 200, None),
            ("2026-07-28", "tools/call", "delete_recipe", 400, Some(-32020)),
            ("2026-07-28", "tools/list", "list_recipes", 400, Some(-32020)),
            ("2025-11-25", "tools/call", "list_recipes", 400, Some(-32020)),
        ] {
            let call = service.post("/mcp", &body).header("mcp-protocol-version", version);
            let reply = call.header("mcp-method", method).header("mcp-name", name).send().await;
            assert_eq!(reply.status, status, "{version} {method} {name}: {}", reply.text());
            assert_eq!(reply.json()["error"]["code"].as_i64(), code);
        }
        let bare = service.post("/mcp", &body).header("mcp-protocol-version", "2026-07-28");
        assert_eq!(error(&bare.send().await, 400), -32020, "all headers are required");
        let plain = service.post("/mcp", request("tools/list", json!({}))).header("mcp-protocol-version", "2026-07-28");
        assert_eq!(error(&plain.send().await, 400), -32602, "what the client can do is required");
        let unknown =
            service.post("/mcp", request("tools/list", json!({}))).header("mcp-protocol-version", "1900-01-01");
        let unknown = unknown.send().await;
        assert_eq!(error(&unknown, 400), -32022);
        assert_eq!(unknown.json()["error"]["data"]["requested"], "1900-01-01");
        assert_eq!(unknown.json()["error"]["data"]["supported"][0], "2026-07-28");
    })
    .await;
}

#[tokio::test]
async fn tools_return_the_bodies_of_the_api() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let meal = call(&service, "estimate_meal", json!({"text": "two eggs and a slice of toast"})).await;
        assert_eq!(meal["isError"], false);
        assert_eq!(meal["structuredContent"], service.estimate("two eggs and a slice of toast").await);
        assert!(text(&meal).contains("egg") && text(&meal).contains("Total: "), "{}", text(&meal));
        let body = json!({"messages": [{"role": "user", "content": "dos huevos y zzqx"}], "include": ["source", "language", "unresolved"], "language": "es"});
        let rest = service.post("/v1/estimate/sync", body).send().await.ok();
        let arguments = json!({"text": "dos huevos y zzqx", "include": ["source", "language", "unresolved"], "language": "es"});
        assert_eq!(call(&service, "estimate_meal", arguments).await["structuredContent"], rest);

        let feast = "an egg, an apple, a banana, 100 g rice, 30 g cheddar, a carrot, a slice of toast and zzqx";
        let feast = call(&service, "estimate_meal", json!({"text": feast})).await;
        for part in ["Also: ", "; ", "Total: ", "Not recognized: zzqx"] {
            assert!(text(&feast).contains(part), "{part}: {}", text(&feast));
        }

        let found = call(&service, "search_foods", json!({"query": "greek yogurt", "limit": 7})).await;
        let rest = service.get("/v1/foods?q=greek+yogurt&limit=7").send().await.ok();
        assert_eq!(found["structuredContent"], rest);
        let ids: Vec<&str> = rest["foods"].as_array().expect("foods").iter().filter_map(|food| food["id"].as_str()).collect();
        assert!(text(&found).contains(ids[0]) && text(&found).ends_with("and 3 more"), "{}", text(&found));

        let food = call(&service, "get_food", json!({"id": ids[0]})).await;
        let rest = service.get(&format!("/v1/foods/{}", ids[0])).send().await.ok();
        assert_eq!(food["structuredContent"], rest);
        let milk = call(&service, "get_food", json!({"id": "fndds_11100000", "amount": 500, "unit": "g"})).await;
        let amount = &milk["structuredContent"]["amount"];
        assert_eq!((&amount["quantity"], &amount["unit"], &amount["grams"]["grams"]), (&json!(500.0), &json!("g"), &json!(500.0)));
        assert!(amount["nutrients"].is_object() && text(&milk).contains("In 500 g: "), "{milk}");
        let cups = call(&service, "get_food", json!({"id": "fndds_11100000", "amount": 2})).await;
        assert_eq!(cups["structuredContent"]["amount"]["calories"], 254.0, "of servings: {cups}");

        let compared = call(&service, "compare_foods", json!({"ids": ["fndds_11100000", ids[0]], "basis": "100g"})).await;
        let rows = &compared["structuredContent"]["foods"];
        assert_eq!((&rows[0]["serving_grams"], &rows[1]["serving_grams"]), (&json!(100.0), &json!(100.0)));
        let served = call(&service, "compare_foods", json!({"ids": [ids[1], ids[0]], "basis": "serving"})).await;
        let rest = service.get("/v1/foods?q=greek+yogurt&limit=2").send().await.ok();
        assert_eq!(served["structuredContent"]["foods"], json!([rest["foods"][1], rest["foods"][0]]));
    })
    .await;
}

#[tokio::test]
async fn a_barcode_is_looked_up() {
    on_sqlite(async |database| {
        crate::guide::import_product(database.folder.path());
        let service = Service::on(database).await;
        let product = service.get("/v1/foods/barcode/4006381333931").send().await.ok();
        for gtin in ["4006381333931", " 04006381333931 "] {
            let found = call(&service, "lookup_barcode", json!({"gtin": gtin})).await;
            assert_eq!(found["structuredContent"], product);
            assert!(text(&found).contains("by Grunau"), "{}", text(&found));
        }
        let biscuits =
            call(&service, "lookup_barcode", json!({"gtin": "4006381333931", "amount": 2, "unit": "biscuits"}));
        assert_eq!(biscuits.await["structuredContent"]["amount"]["grams"]["grams"], 25.0);
    })
    .await;
}

#[tokio::test]
async fn a_photo_is_sent_in_base64_or_by_its_url() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let data_url = crate::images::png(64, 64);
        let (_, encoded) = data_url.split_once(',').expect("a data URL");
        let content =
            json!([{"type": "image_url", "image_url": {"url": data_url}}, {"type": "text", "text": "an apple"}]);
        let rest = service.post("/v1/estimate/sync", json!({"messages": [{"role": "user", "content": content}]}));
        let rest = rest.send().await.ok();
        let url = service.post("/v1/upload/base64", json!({"image": data_url})).send().await.ok()["url"].clone();
        for arguments in [
            json!({"image_base64": encoded, "text": "an apple"}),
            json!({"image_base64": data_url, "text": "an apple"}),
            json!({"image_url": data_url, "text": "an apple"}),
            json!({"image_url": url, "text": "an apple"}),
        ] {
            assert_eq!(call(&service, "estimate_meal", arguments.clone()).await["structuredContent"], rest);
        }
        // Large messages are read elsewhere.
        let padded = json!({"image_url": url, "text": "an apple", "padding": "x".repeat(100_000)});
        assert_eq!(call(&service, "estimate_meal", padded).await["structuredContent"], rest);
        for (arguments, part) in [
            (json!({"image_base64": "aGVsbG8gd29ybGQgaGVsbG8="}), "JPEG, PNG or WebP"),
            (json!({"image_base64": "data:image/png;base64,%%%"}), "base64"),
            (json!({"image_url": "https://example.com/a.jpg"}), "not fetched"),
            (json!({"image_url": format!("{}x", url.as_str().expect("a URL"))}), "not found"),
        ] {
            let sentence = refusal(&service, "estimate_meal", arguments).await;
            assert!(sentence.contains(part), "{sentence}");
        }
    })
    .await;
}

#[tokio::test]
async fn recipes_are_saved_used_and_deleted() {
    on_both(async |database| {
        let service = Service::on(database).await;
        assert_eq!(text(&call(&service, "list_recipes", json!({})).await), "No recipes are saved.");
        let shake = json!({"name": "Morning shake", "calories": 321, "protein": 30, "aliases": ["my shake"]});
        let saved = call(&service, "save_recipe", shake.clone()).await;
        let id = saved["structuredContent"]["id"].as_str().expect("an id").to_owned();
        assert_eq!(saved["structuredContent"], json!({"id": id, "name": "Morning shake", "message": "Recipe created"}));
        let again = call(&service, "save_recipe", json!({"name": " morning SHAKE", "fat": 5})).await;
        assert_eq!(
            (&again["structuredContent"]["id"], &again["structuredContent"]["message"]),
            (&json!(id), &json!("Recipe updated"))
        );
        let renamed = call(&service, "save_recipe", json!({"id": id, "name": "Evening shake"})).await;
        assert_eq!(renamed["structuredContent"]["id"], id.as_str());
        let listed = call(&service, "list_recipes", json!({})).await;
        assert_eq!(listed["structuredContent"], service.get("/v1/recipes").send().await.ok());
        let recipes = &listed["structuredContent"]["recipes"];
        assert_eq!(recipes.as_array().map(Vec::len), Some(1), "saving twice is saving once");
        assert_eq!((&recipes[0]["calories"], &recipes[0]["fat"]), (&json!(321.0), &json!(5.0)), "the rest stays");
        let meal = call(&service, "estimate_meal", json!({"text": "my shake"})).await;
        assert_eq!(meal["structuredContent"]["totals"]["calories"], 321.0);
        let read = result(&send(&service, "resources/read", json!({"uri": "morsel://recipes"})).send().await);
        let body: Value = serde_json::from_str(read["contents"][0]["text"].as_str().expect("a text")).expect("JSON");
        assert_eq!(body, listed["structuredContent"]);

        let (_, stranger) = service.stranger().await;
        let params = json!({"name": "delete_recipe", "arguments": {"id": id}});
        let reply = send(&service, "tools/call", params).key(&stranger).send().await;
        assert_eq!(result(&reply)["isError"], true, "not theirs");
        let deleted = call(&service, "delete_recipe", json!({"id": id})).await;
        assert_eq!(deleted["structuredContent"], json!({"message": "Recipe deleted"}));
        assert!(refusal(&service, "delete_recipe", json!({"id": id})).await.contains("not found"));
        assert!(refusal(&service, "save_recipe", json!({"id": id, "name": "x"})).await.contains("not found"));
        assert!(refusal(&service, "save_recipe", json!({"calories": 5})).await.contains("“name” is missing"));
    })
    .await;
}

#[tokio::test]
async fn resources_are_listed_and_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let resources = result(&send(&service, "resources/list", json!({})).send().await);
        assert_eq!(resources["resources"][0]["uri"], "morsel://recipes");
        let templates = result(&send(&service, "resources/templates/list", json!({})).send().await);
        assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "morsel://foods/{id}");
        let uri = "morsel://foods/fndds_11100000";
        let read = result(&send(&service, "resources/read", json!({"uri": uri})).send().await);
        let content = &read["contents"][0];
        assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!("application/json")));
        let food: Value = serde_json::from_str(content["text"].as_str().expect("a text")).expect("JSON");
        assert_eq!(food, service.get("/v1/foods/fndds_11100000").send().await.ok());
        for uri in ["morsel://foods/none", "morsel://foods/", "file:///etc/passwd", ""] {
            let reply = send(&service, "resources/read", json!({"uri": uri})).send().await;
            assert_eq!(error(&reply, 200), -32002, "{uri}");
        }
        assert_eq!(error(&send(&service, "resources/read", json!({})).send().await, 200), -32602);
    })
    .await;
}

#[tokio::test]
async fn a_key_sees_and_calls_only_what_its_scopes_permit() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (scopes, tools, resources) in [
            (vec!["estimate"], vec!["estimate_meal"], 0),
            (vec!["foods:read"], READ_TOOLS[1..].to_vec(), 0),
            (vec!["recipes:read"], vec!["list_recipes"], 1),
            (vec!["recipes:write"], vec!["save_recipe", "delete_recipe"], 0),
            (vec!["upload"], vec![], 0),
        ] {
            let (_, key) = service.key(Mode::Live, &scopes).await;
            let listed = result(&send(&service, "tools/list", json!({})).key(&key).send().await);
            assert_eq!(names(&listed), tools, "{scopes:?}");
            let listed = result(&send(&service, "resources/list", json!({})).key(&key).send().await);
            assert_eq!(listed["resources"].as_array().map(Vec::len), Some(resources), "{scopes:?}");
            for tool in READ_TOOLS.iter().chain(&RECIPE_TOOLS).filter(|tool| !tools.contains(tool)) {
                let params = json!({"name": tool, "arguments": {}});
                let reply = send(&service, "tools/call", params).key(&key).send().await;
                assert_eq!(error(&reply, 403), 403, "{tool}");
                assert_eq!(
                    (&reply.json()["id"], &reply.json()["error"]["data"]["code"]),
                    (&json!(7), &json!("insufficient_scope"))
                );
            }
        }
        let (_, key) = service.key(Mode::Live, &["estimate"]).await;
        for uri in ["morsel://recipes", "morsel://foods/fndds_11100000"] {
            let reply = send(&service, "resources/read", json!({"uri": uri})).key(&key).send().await;
            assert_eq!(error(&reply, 403), 403);
        }
    })
    .await;
}

#[tokio::test]
async fn the_key_is_in_a_header_or_in_the_path() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ping = request("ping", json!({}));
        let with_header = service.post("/mcp", &ping).no_key().header("x-api-key", &service.key);
        let in_path = service.post(&format!("/mcp/{}", service.key), &ping).no_key();
        for call in [service.post("/mcp", &ping), with_header, in_path] {
            assert_eq!(result(&call.send().await), json!({}));
        }
        for call in [
            service.post("/mcp", &ping).no_key(),
            service.post("/mcp", &ping).key("svc_live_wrong"),
            service.post("/mcp/svc_live_wrong", &ping).no_key(),
            service.get("/mcp").no_key(),
        ] {
            let reply = call.send().await;
            assert_eq!(error(&reply, 401), 401);
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            assert!(!reply.text().contains("svc_live_wrong"), "{}", reply.text());
        }
        let used = service.app.store.keys();
        service.app.usage.flush(&service.app.store).await.expect("written");
        let key = &used.list(&service.account.id).await.expect("keys")[0];
        assert!(key.last_used_at.is_some(), "requests are counted");
    })
    .await;
}

#[tokio::test]
async fn pages_of_others_are_refused_and_public_names_are_not() {
    on_sqlite(async |database| {
        let listen = Some(SocketAddr::from(([127, 0, 0, 1], 8080)));
        let settings = Settings {
            listen,
            base_url: Some("https://food.test".to_owned()),
            cors_origins: Some(vec!["https://app.test".to_owned()]),
            ..Settings::default()
        };
        let service = Service::with(database, settings).await;
        for (origin, status) in [
            ("https://food.test", 200),
            ("https://app.test", 200),
            ("http://localhost:5173", 200),
            ("https://evil.test", 403),
            ("https://food.test.evil.test", 403),
            ("https://app.test.evil.test", 403),
            ("null", 403),
            ("", 403),
        ] {
            let reply = send(&service, "ping", json!({})).header("origin", origin).send().await;
            assert_eq!(reply.status, status, "{origin}: {}", reply.text());
        }
        for host in ["food.test", "food.test:443", "localhost:8080", "any.test"] {
            assert_eq!(send(&service, "ping", json!({})).header("host", host).send().await.status, 200, "{host}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_not_a_request_is_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ping = request("ping", json!({})).to_string();
        for (body, code) in [
            (String::new(), -32700),
            ("{".to_owned(), -32700),
            ("\u{0}".to_owned(), -32700),
            (format!("[{ping}]"), -32600),
            ("5".to_owned(), -32600),
            ("{}".to_owned(), -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":1}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_owned(), -32600),
            (format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "x".repeat(2_000)), -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#.to_owned(), -32602),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}"#.to_owned(), -32602),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_food","arguments":[]}}"#
                    .to_owned(),
                -32602,
            ),
        ] {
            assert_eq!(error(&service.post("/mcp", &body).send().await, 400), code, "{body}");
        }
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":"a","method":"ping","x":{}{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
        let reply = service.post("/mcp", deep).send().await;
        assert!(reply.status == 200 || error(&reply, 400) == -32700, "{}", reply.text());
        for body in
            [r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, r#"{"jsonrpc":"2.0","method":"notifications/x","params":5}"#]
        {
            assert_eq!(service.post("/mcp", body).send().await.status, 202, "{body}");
        }
        let id = service.post("/mcp", r#"{"jsonrpc":"2.0","id":"é\u0041","method":"ping"}"#).send().await;
        assert_eq!(id.ok()["id"], "éA");
        let unknown = send(&service, "tools/call", json!({"name": "eat"})).send().await;
        assert_eq!(error(&unknown, 200), -32602);
    })
    .await;
}

#[tokio::test]
async fn bad_arguments_are_results_that_an_assistant_can_correct() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (tool, arguments, part) in [
            ("estimate_meal", json!({}), "Describe the meal"),
            ("estimate_meal", json!({"text": " "}), "Describe the meal"),
            ("estimate_meal", json!({"text": 5}), "“text” must be a string"),
            ("estimate_meal", json!({"text": "é".repeat(8_001)}), "at most 8000 characters"),
            ("estimate_meal", json!({"text": "egg", "include": ["weight"]}), "choose from source"),
            ("estimate_meal", json!({"text": "egg", "language": "tlh"}), "“language” must be"),
            ("search_foods", json!({}), "“query” is missing"),
            ("search_foods", json!({"query": "a"}), "at least 2 characters"),
            ("search_foods", json!({"query": "egg", "limit": 0}), "at least 1"),
            ("search_foods", json!({"query": "egg", "source": "moon"}), "“source” must be one of usda"),
            ("get_food", json!({"id": "none"}), "Food not found"),
            ("get_food", json!({"id": "fndds_11100000", "amount": 0}), "“amount” must be greater than 0"),
            ("get_food", json!({"id": "fndds_11100000", "unit": "parsec"}), "“unit” is not a measure"),
            ("lookup_barcode", json!({"gtin": "12"}), "6 to 14 digits"),
            ("lookup_barcode", json!({"gtin": "00000000000000"}), "No product"),
            ("compare_foods", json!({"ids": ["fndds_11100000"]}), "2 to 10 entries"),
            ("compare_foods", json!({"ids": ["fndds_11100000", "none"]}), "ids[1]"),
            ("compare_foods", json!({"ids": vec!["fndds_11100000"; 11]}), "at most 10 entries"),
            ("compare_foods", json!({"ids": ["a", "b"], "basis": "cup"}), "“100g” or “serving”"),
            ("save_recipe", json!({"name": "x", "calories": -1}), "“calories” must be"),
            ("delete_recipe", json!({}), "“id” is missing"),
        ] {
            let sentence = refusal(&service, tool, arguments.clone()).await;
            assert!(sentence.contains(part), "{tool} {arguments}: {sentence}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_rate_limit_is_that_of_the_account() {
    on_sqlite(async |database| {
        let limits = Settings { plan_limits: Some(vec!["scale=2".to_owned()]), ..Settings::default() };
        let service = Service::with(database, limits).await;
        assert_eq!(send(&service, "ping", json!({})).send().await.status, 200);
        assert_eq!(service.get("/v1/foods?q=egg").send().await.status, 200);
        let refused = send(&service, "ping", json!({})).send().await;
        assert_eq!(error(&refused, 429), 429);
        assert!(refused.header("retry-after").is_some());
        assert_eq!(refused.json()["error"]["data"]["code"], "rate_limit_exceeded");
    })
    .await;
}

#[tokio::test]
async fn names_in_input_schemas_are_those_that_exist() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let listed = result(&send(&service, "tools/list", json!({})).send().await);
        let schema = |tool: usize, field: &str| listed["tools"][tool]["inputSchema"]["properties"][field].clone();
        for name in schema(0, "include")["items"]["enum"].as_array().expect("names") {
            let meal = call(&service, "estimate_meal", json!({"text": "egg", "include": [name]})).await;
            assert_eq!(meal["isError"], false, "{name}");
        }
        let sentence = refusal(&service, "estimate_meal", json!({"text": "egg", "include": ["x"]})).await;
        assert_eq!(
            sentence.matches(", ").count() + 1,
            schema(0, "include")["items"]["enum"].as_array().map_or(0, Vec::len)
        );
        for name in schema(1, "source")["enum"].as_array().expect("names") {
            let found = call(&service, "search_foods", json!({"query": "egg", "source": name})).await;
            assert_eq!(found["isError"], false, "{name}");
        }
        let sentence = refusal(&service, "search_foods", json!({"query": "egg", "source": "x"})).await;
        assert_eq!(sentence.matches(", ").count() + 1, schema(1, "source")["enum"].as_array().map_or(0, Vec::len));
    })
    .await;
}
