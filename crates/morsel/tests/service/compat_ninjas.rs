//! CalorieNinjas and API Ninjas: the fields that their clients read.

use serde_json::{Value, json};

use crate::harness::Service;
use test_support::on_sqlite;

const CALORIE_NINJAS: &str = "/compat/calorieninjas/v1/nutrition";
const API_NINJAS: &str = "/compat/apininjas/v1/nutrition";
const FIELDS: [&str; 12] = [
    "calories",
    "carbohydrates_total_g",
    "cholesterol_mg",
    "fat_saturated_g",
    "fat_total_g",
    "fiber_g",
    "name",
    "potassium_mg",
    "protein_g",
    "serving_size_g",
    "sodium_mg",
    "sugar_g",
];

async fn items(service: &Service, query: &str) -> Vec<Value> {
    let path = format!("{CALORIE_NINJAS}?{query}");
    let reply = service.get(&path).no_key().header("x-api-key", &service.key).send().await;
    reply.ok()["items"].as_array().expect("items").clone()
}

#[tokio::test]
async fn a_text_becomes_rows_in_both_forms() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let rows = items(&service, "query=3%20eggs%20and%20100g%20of%20rice").await;
        assert_eq!(rows.len(), 2);
        for row in &rows {
            let mut fields: Vec<&str> = row.as_object().expect("an object").keys().map(String::as_str).collect();
            fields.sort_unstable();
            assert_eq!(fields, FIELDS);
            assert!(
                FIELDS.iter().all(|field| *field == "name" || row[field].is_f64() || row[field].is_null()),
                "{row}"
            );
        }
        assert_eq!(rows[1]["serving_size_g"], 100.0);
        let own = service.estimate("3 eggs and 100g of rice").await;
        // As a learner's project adds them up, and as one that shows a table reads them.
        let sum: f64 = rows.iter().filter_map(|row| row["calories"].as_f64()).sum();
        assert_eq!(Some(sum), own["totals"]["calories"].as_f64());
        assert_eq!(rows[0]["protein_g"], own["items"][0]["protein"]);
        assert!(rows[0]["cholesterol_mg"].as_f64() > Some(300.0), "{}", rows[0]);
        let bare = service.get(&format!("{API_NINJAS}?query=3+eggs+and+100g+of+rice")).send().await.ok();
        assert_eq!(bare, json!(rows), "a bare array, and Bearer works too");
    })
    .await;
}

#[tokio::test]
async fn no_amount_is_a_portion_or_100_g() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let portion = items(&service, "query=toast%20with%20butter%20and%202%20eggs").await;
        let hundred = items(&service, "query=toast%20with%20butter%20and%202%20eggs&default=100g").await;
        assert_ne!(portion[0]["serving_size_g"], 100.0);
        assert_eq!((&hundred[0]["serving_size_g"], &hundred[1]["serving_size_g"]), (&json!(100.0), &json!(100.0)));
        assert_eq!(portion[2], hundred[2], "2 eggs are an amount");
        let ratio = hundred[0]["calories"].as_f64().expect("kcal") / portion[0]["calories"].as_f64().expect("kcal");
        assert!((ratio - 100.0 / portion[0]["serving_size_g"].as_f64().expect("grams")).abs() < 0.02);
    })
    .await;
}

#[tokio::test]
async fn unknown_is_null_and_nothing_found_is_empty() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        service.recipe(json!({"name": "Power Bowl", "calories": 500, "protein": 30})).await;
        let bowl = items(&service, "query=a%20power%20bowl").await;
        assert_eq!((&bowl[0]["calories"], &bowl[0]["sodium_mg"]), (&json!(500.0), &Value::Null), "{bowl:?}");
        assert!(items(&service, "query=hello").await.is_empty());
        assert_eq!(service.get(&format!("{API_NINJAS}?query=hello")).send().await.ok(), json!([]));
    })
    .await;
}

#[tokio::test]
async fn errors_have_the_form_that_clients_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let long = format!("?query={}", "a".repeat(1_501));
        for (query, status) in [("", 400), ("?query=", 400), (long.as_str(), 400), ("?query=egg&default=50g", 400)] {
            for place in [CALORIE_NINJAS, API_NINJAS] {
                let reply = service.get(&format!("{place}{query}")).send().await;
                assert_eq!(reply.status, status, "{query}");
                let body = reply.json();
                assert!(body["error"].is_string() && body["message"] == body["error"], "{body}");
            }
        }
        let reply = service.get(&format!("{API_NINJAS}?query=egg")).no_key().send().await;
        assert!(reply.status == 401 && reply.json()["error"].as_str().is_some_and(|text| text.contains("X-Api-Key")));
    })
    .await;
}
