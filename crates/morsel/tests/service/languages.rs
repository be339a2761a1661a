//! Texts and queries in other languages.

use serde_json::{Value, json};

use crate::estimates::events;
use crate::harness::Service;
use test_support::on_sqlite;

fn body(text: &str) -> Value {
    json!({"messages": [{"role": "user", "content": text}], "include": ["language", "unresolved"]})
}

fn names(answer: &Value) -> Vec<&str> {
    let items = answer["items"].as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(|item| item["name"].as_str()).collect()
}

#[tokio::test]
async fn the_language_is_detected_on_both_endpoints() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (text, language, foods) in [
            ("dos plátanos y una manzana", "es", vec!["Plátano", "Manzana"]),
            ("100 g Hähnchenbrust und ein Apfel", "de", vec!["Hähnchenbrust", "Apfel"]),
            ("two bananas", "en", vec!["Banana, raw"]),
        ] {
            let answer = service.post("/v1/estimate/sync", body(text)).send().await.ok();
            assert_eq!((&answer["language"], names(&answer)), (&json!(language), foods), "{text}");
            let stream = service.post("/v1/estimate", body(text)).send().await;
            let (_, done) = events(&stream).pop().expect("events");
            assert_eq!((&done["language"], &done["items"]), (&json!(language), &answer["items"]), "{text}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_language_can_be_said() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut said = body("pan");
        said["language"] = json!("es-MX");
        let answer = service.post("/v1/estimate/sync", &said).send().await.ok();
        assert_eq!(answer["language"], json!("es"));
        for wrong in [json!("xx"), json!("klingon"), json!("e".repeat(40)), json!(3)] {
            said["language"] = wrong.clone();
            let reply = service.post("/v1/estimate/sync", &said).send().await;
            let error = reply.json();
            assert_eq!((reply.status, &error["param"]), (400, &json!("language")), "{wrong}: {error}");
        }
        said["language"] = Value::Null;
        assert_eq!(service.post("/v1/estimate/sync", &said).send().await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn the_header_decides_what_could_be_of_several_languages() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (header, language) in
            [("es-MX,es;q=0.9,en;q=0.8", "es"), ("en-US,en;q=0.9,es;q=0.5", "en"), ("*;q=x,,;", "en")]
        {
            let request = service.post("/v1/estimate/sync", body("pan")).header("accept-language", header);
            assert_eq!(request.send().await.ok()["language"], json!(language), "{header}");
        }
        let clear = service.post("/v1/estimate/sync", body("two eggs and toast")).header("accept-language", "fr");
        assert_eq!(clear.send().await.ok()["language"], json!("en"));
    })
    .await;
}

#[tokio::test]
async fn unknown_languages_find_nothing_and_say_so() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let answer = service.post("/v1/estimate/sync", body("kaksi kananmunaa ja paahtoleipä")).send().await.ok();
        assert!(names(&answer).is_empty());
        assert_ne!(answer["unresolved"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn foods_are_found_by_their_names_in_other_languages() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let spanish = service.get("/v1/foods?q=pechuga+de+pollo&limit=1").send().await.ok();
        assert_eq!(spanish["foods"][0]["source"], json!("usda"));
        assert_eq!(spanish["foods"][0]["name"], json!("Pechuga de pollo"));
        assert_eq!(spanish["query"], json!("pechuga de pollo"));
        let wrong = service.get("/v1/foods?q=pan&language=xx").send().await;
        assert_eq!(
            (wrong.status, &wrong.json()["param"], &wrong.json()["foods"]),
            (400, &json!("language"), &json!([]))
        );
    })
    .await;
}
