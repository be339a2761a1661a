//! The OpenAPI document: complete, and only changed on purpose.

use std::collections::BTreeSet;

use serde_json::{Value, json};

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
        assert_schemas_are_there(&document);
    })
    .await;
}

/// Checks that a document has every schema that it refers to.
pub fn assert_schemas_are_there(document: &Value) {
    let text = document.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().expect("a name");
        assert!(document["components"]["schemas"][name].is_object(), "{name} is not in the document");
    }
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

#[tokio::test]
async fn every_operation_has_an_id_of_its_own() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi.json").no_key().send().await.ok();
        let operation = |(method, path, _): &(&str, &str, _)| &document["paths"][path][method.to_lowercase()];
        let ids: BTreeSet<&str> =
            ENDPOINTS.iter().map(|endpoint| operation(endpoint)["operationId"].as_str().expect("an id")).collect();
        assert_eq!(ids.len(), ENDPOINTS.len(), "generators name functions after them: {ids:?}");
    })
    .await;
}

/// The schema of a parameter.
fn parameter<'a>(document: &'a Value, path: &str, name: &str) -> &'a Value {
    let operation = document["paths"][path].as_object().and_then(|item| item.values().next()).expect("an operation");
    let parameters = operation["parameters"].as_array().expect("parameters");
    &parameters.iter().find(|parameter| parameter["name"] == name).expect("a parameter of this name")["schema"]
}

#[tokio::test]
async fn every_operation_names_the_errors_that_all_can_have() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi.json").no_key().send().await.ok();
        for (method, path, _) in ENDPOINTS {
            let responses = &document["paths"][path][method.to_lowercase()]["responses"];
            let mut statuses = vec!["400", "401", "403", "429", "500", "503"];
            if matches!(method, "POST" | "PUT") {
                statuses.extend(["408", "413"]);
            }
            if method == "POST" {
                statuses.extend(["409", "422"]);
            }
            if path.contains('{') {
                statuses.push("404");
            }
            for status in statuses {
                assert!(responses[status]["content"]["application/json"].is_object(), "{method} {path} {status}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn every_rule_is_kept_by_the_service() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let document = service.get("/openapi.json").no_key().send().await.ok();
        assert_eq!(parameter(&document, "/v1/foods", "limit")["minimum"], 1);
        assert!(parameter(&document, "/v1/foods", "limit")["format"].is_null(), "numbers of any size count");
        assert!(parameter(&document, "/v1/recipes/{id}", "id")["pattern"].is_string());
        let huge = "9".repeat(60);
        for (query, status) in [
            ("q=egg&limit=1".to_owned(), 200),
            (format!("q=egg&limit={huge}"), 200),
            ("q=egg&limit=0".to_owned(), 400),
            ("q=egg&limit=00".to_owned(), 400),
            ("q=egg&limit=%2B5".to_owned(), 400),
            ("q=egg&limit=1.0".to_owned(), 400),
            ("q=%20e%20".to_owned(), 400),
            ("q=eg&source=usda".to_owned(), 200),
            ("q=eg&source=USDA".to_owned(), 400),
            ("q=eg&source=".to_owned(), 200),
        ] {
            assert_eq!(service.get(&format!("/v1/foods?{query}")).send().await.status, status, "{query}");
        }
        let sources = parameter(&document, "/v1/foods", "source")["enum"].as_array().cloned().unwrap_or_default();
        assert!(sources.len() > 2, "{sources:?}");
        for source in sources.iter().filter_map(Value::as_str) {
            let reply = service.get(&format!("/v1/foods?q=egg&source={source}")).send().await;
            assert_eq!(reply.status, 200, "{source}");
        }
        let refusal = service.get("/v1/foods?q=egg&source=none").send().await.json()["error"].to_string();
        let named = refusal.matches(", ").count() + 1;
        assert_eq!(named + 1, sources.len(), "all that the error names, and none: {refusal}");
        let user = |content: Value| json!({"role": "user", "content": content});
        for (body, status) in [
            (json!({"messages": [user(json!("an egg"))]}), 200),
            (json!({"messages": [user(json!([{"type": "text", "text": "an egg", "image_url": null}]))]}), 200),
            (json!({"messages": [user(json!([]))]}), 200),
            (json!({"messages": [user(json!("an egg")), user(json!([{"type": "correction", "item": 1, "quantity": 2}]))]}), 200),
            (json!({"messages": [user(json!("an egg")), user(json!([{"type": "correction", "item": 1}]))]}), 400),
            (json!({"messages": [user(json!("an egg")), user(json!([{"type": "correction", "item": 1, "food_id": ""}]))]}), 400),
            (json!({"messages": [user(json!([{"type": "text"}]))]}), 400),
            (json!({"messages": [user(json!([{"type": "image_url", "text": "an egg"}]))]}), 400),
            (json!({"messages": [user(json!({"type": "text", "text": "an egg"}))]}), 400),
            (json!({"messages": [{"role": "system", "content": "an egg"}]}), 400),
            (json!({"messages": []}), 400),
        ] {
            assert_eq!(service.post("/v1/estimate/sync", &body).send().await.status, status, "{body}");
        }
        for (body, status) in [
            (json!({"name": "x"}), 201),
            (json!({"name": "x", "calories": null, "aliases": null, "serving_description": ""}), 201),
            (json!({}), 400),
            (json!({"name": null}), 400),
            (json!({"name": "\u{3000}"}), 400),
            (json!({"name": "a\u{7}b"}), 400),
            (json!({"name": "x", "aliases": [""]}), 400),
            (json!({"name": "x", "fat": -0.1}), 400),
            (json!({"name": "x", "ingredients": {"foods": [{"food_id": "sr_09040", "quantity": 1}]}}), 201),
            (json!({"name": "x", "ingredients": {"foods": [{"food_id": "", "quantity": 1}]}}), 400),
            (json!({"name": "x", "ingredients": {"foods": [{"food_id": "x".repeat(201), "quantity": 1}]}}), 400),
            (json!({"name": "x", "ingredients": {"foods": [{"food_id": "sr_09040", "quantity": 1, "unit": ""}]}}), 400),
        ] {
            assert_eq!(service.post("/v1/recipes", &body).send().await.status, status, "{body}");
        }
    })
    .await;
}
