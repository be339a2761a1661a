//! Nutritionix: the requests that its clients send, and the fields that they read.

use serde_json::{Value, json};

use crate::harness::{Call, Service};
use test_support::on_sqlite;

const NATURAL: &str = "/v2/natural/nutrients";

/// A request with the headers of a Nutritionix client.
fn client<'a>(service: &Service, call: Call<'a>) -> Call<'a> {
    let call = call.no_key().header("x-app-id", "0a1b2c3d").header("x-app-key", &service.key);
    call.header("x-remote-user-id", "0")
}

async fn natural(service: &Service, body: Value) -> Vec<Value> {
    let reply = client(service, service.post(NATURAL, body)).header("content-type", "application/json").send().await;
    reply.ok()["foods"].as_array().expect("foods").clone()
}

fn attribute(food: &Value, id: u64) -> Option<f64> {
    let nutrients = food["full_nutrients"].as_array().expect("nutrients");
    nutrients.iter().find(|nutrient| nutrient["attr_id"] == id).and_then(|nutrient| nutrient["value"].as_f64())
}

#[tokio::test]
async fn a_text_becomes_foods_with_all_fields() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let foods = natural(
            &service,
            json!({"query": "2 eggs and a slice of bread", "timezone": "US/Eastern", "use_raw_foods": true}),
        )
        .await;
        assert_eq!(foods.len(), 2, "{foods:?}");
        let egg = &foods[0];
        let expected = [
            "alt_measures",
            "brand_name",
            "consumed_at",
            "food_name",
            "full_nutrients",
            "lat",
            "lng",
            "meal_type",
            "metadata",
            "ndb_no",
            "nf_calories",
            "nf_cholesterol",
            "nf_dietary_fiber",
            "nf_p",
            "nf_potassium",
            "nf_protein",
            "nf_saturated_fat",
            "nf_sodium",
            "nf_sugars",
            "nf_total_carbohydrate",
            "nf_total_fat",
            "nix_brand_id",
            "nix_brand_name",
            "nix_item_id",
            "nix_item_name",
            "photo",
            "serving_qty",
            "serving_unit",
            "serving_weight_grams",
            "source",
            "sub_recipe",
            "tags",
            "upc",
        ];
        let mut fields: Vec<&str> = egg.as_object().expect("an object").keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, expected);
        let own = service.estimate("2 eggs and a slice of bread").await;
        assert_eq!((&egg["serving_qty"], &egg["serving_unit"]), (&json!(2.0), &json!("egg")));
        assert_eq!(
            (&egg["nf_calories"], &egg["nf_protein"]),
            (&own["items"][0]["calories"], &own["items"][0]["protein"])
        );
        assert_eq!(
            (attribute(egg, 208), attribute(egg, 203)),
            (egg["nf_calories"].as_f64(), egg["nf_protein"].as_f64())
        );
        // Those that SparkyFitness reads.
        for id in [208, 203, 205, 204, 606, 601, 307, 306, 291, 269, 401, 301, 303] {
            assert!(attribute(egg, id).is_some(), "{id}: {egg}");
        }
        assert!(
            egg["photo"]["thumb"].as_str().is_some_and(|url| url == "http://food.test/compat/nutritionix/food.png")
        );
        assert_eq!(egg["consumed_at"], "2026-05-04T10:20:30+00:00");
        assert!(egg["alt_measures"].as_array().is_some_and(|measures| {
            measures.iter().all(|measure| measure["serving_weight"].is_f64() && measure["measure"].is_string())
        }));
        assert!(egg["tags"]["quantity"].is_string() && egg["tags"]["tag_id"].is_u64());
        let picture = service.get("/compat/nutritionix/food.png").no_key().send().await;
        assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    })
    .await;
}

#[tokio::test]
async fn forms_work_and_parameters_are_honored() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let form = client(
            &service,
            service.post(
                NATURAL,
                "query=200g+rice&num_servings=2&consumed_at=2026-05-01T08%3A00%3A00-04%3A00&meal_type=1",
            ),
        );
        let form = form.header("content-type", "application/x-www-form-urlencoded").send().await.ok();
        let rice = &form["foods"][0];
        assert_eq!((&rice["serving_weight_grams"], &rice["meal_type"]), (&json!(100.0), &json!(1)), "for two: {rice}");
        assert_eq!(rice["consumed_at"], "2026-05-01T08:00:00-04:00");
        let whole = natural(&service, json!({"query": "200g rice"})).await;
        let (half, all) =
            (rice["nf_calories"].as_f64().expect("kcal"), whole[0]["nf_calories"].as_f64().expect("kcal"));
        assert!((half * 2.0 - all).abs() < 0.1);
        let parts = natural(&service, json!({"query": "2 eggs and a banana"})).await;
        let sum = natural(
            &service,
            json!({"query": "2 eggs and a banana", "aggregate": "My breakfast", "num_servings": "1"}),
        )
        .await;
        assert_eq!((sum.len(), &sum[0]["food_name"]), (1, &json!("My breakfast")));
        let calories: f64 = parts.iter().filter_map(|food| food["nf_calories"].as_f64()).sum();
        assert_eq!((sum[0]["nf_calories"].as_f64(), attribute(&sum[0], 208)), (Some(calories), Some(calories)));
        let lines = json!({"query": "2 eggs\n3 flurbnagles", "line_delimited": true});
        let lines = client(&service, service.post(NATURAL, lines)).send().await.ok();
        assert_eq!(lines["foods"].as_array().map(Vec::len), Some(1), "{lines}");
        assert!(
            lines["errors"][0]["original_text"].as_str().is_some_and(|text| text.contains("flurbnagle")),
            "{lines}"
        );
        let german = natural(&service, json!({"query": "zwei Eier", "locale": "de_DE"})).await;
        assert_eq!(german[0]["serving_qty"], 2.0, "{german:?}");
    })
    .await;
}

#[tokio::test]
async fn nothing_recognized_is_the_message_that_clients_compare() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let nothing = client(&service, service.post(NATURAL, json!({"query": "hello"}))).send().await;
        assert_eq!((nothing.status, &nothing.json()["message"]), (404, &json!("We couldn't match any of your foods")));
        for body in [
            json!({}),
            json!({"query": ""}),
            json!({"query": "egg", "num_servings": 0}),
            json!({"query": "a".repeat(8_001)}),
        ] {
            let reply = client(&service, service.post(NATURAL, &body)).send().await;
            assert!(reply.status == 400 && reply.json()["message"].is_string(), "{body}: {}", reply.text());
        }
        let no_key = service.post(NATURAL, json!({"query": "egg"})).no_key().send().await;
        assert!(
            no_key.status == 401 && no_key.json()["message"].as_str().is_some_and(|text| text.contains("x-app-key"))
        );
        let exercise =
            client(&service, service.post("/v2/natural/exercise", json!({"query": "ran 3 miles"}))).send().await;
        assert_eq!(exercise.status, 404);
    })
    .await;
}

#[tokio::test]
async fn foods_are_searched_while_typing_and_found_by_id() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let instant =
            async |query: &str| client(&service, service.get(&format!("/v2/search/instant?{query}"))).send().await;
        let found = instant("query=greek%20yogurt").await.ok();
        let (common, branded) = (&found["common"][0], &found["branded"][0]);
        assert!(common["food_name"].as_str().is_some_and(|name| name.contains("Greek yogurt")), "{common}");
        for field in ["food_name", "serving_unit", "tag_name", "tag_id", "locale"] {
            assert!(common[field].is_string(), "{field}: {common}");
        }
        for field in
            ["food_name", "serving_unit", "nix_brand_id", "brand_name_item_name", "brand_name", "nix_item_id", "locale"]
        {
            assert!(branded[field].is_string(), "{field}: {branded}");
        }
        for row in [common, branded] {
            assert!(
                row["photo"]["thumb"].as_str().is_some_and(|url| url.starts_with("http://food.test/"))
                    && row["serving_qty"].is_f64(),
                "{row}"
            );
            assert!(row.get("full_nutrients").is_none());
        }
        assert!(branded["nf_calories"].is_f64() && branded["region"].is_u64() && branded["brand_type"].is_u64());
        let only = instant("query=greek%20yogurt&branded=false&detailed=true").await.ok();
        assert_eq!(only["branded"], json!([]));
        assert!(attribute(&only["common"][0], 208).is_some());
        // What was found can be logged by its name.
        let name = common["food_name"].as_str().expect("a name");
        assert!(!natural(&service, json!({"query": name})).await.is_empty());
        let id = branded["nix_item_id"].as_str().expect("an id");
        let item = client(&service, service.get(&format!("/v2/search/item?nix_item_id={id}"))).send().await.ok();
        assert_eq!(item["foods"][0]["nix_item_id"], json!(id));
        let posted = client(&service, service.post("/v2/search/item", json!({"nix_item_id": id}))).send().await.ok();
        assert_eq!(posted, item);
        assert_eq!(instant("query=g").await.ok(), json!({"common": [], "branded": []}));
        assert_eq!(instant("").await.status, 400);
        for (query, status) in [("nix_item_id=none", 404), ("upc=4000000000006", 404), ("upc=x", 404), ("", 400)] {
            let reply = client(&service, service.get(&format!("/v2/search/item?{query}"))).send().await;
            assert!(reply.status == status && reply.json()["message"].is_string(), "{query}");
        }
    })
    .await;
}
