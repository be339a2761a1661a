//! Food search over HTTP.

use serde_json::{Value, json};

use crate::harness::Service;
use test_support::on_sqlite;

#[tokio::test]
async fn a_search_answers_in_the_contract_s_form() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let answer = service.get("/v1/foods?q=%20greek+yogurt%20").send().await.ok();
        assert_eq!(answer["query"], "greek yogurt");
        let foods = answer["foods"].as_array().expect("foods");
        assert_eq!(foods.len(), 20);
        let fields = [
            "brand",
            "calories",
            "carbs",
            "fat",
            "fiber",
            "id",
            "name",
            "protein",
            "serving_description",
            "serving_grams",
            "source",
        ];
        for food in foods {
            let mut keys: Vec<&str> = food.as_object().expect("an object").keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(keys, fields);
            assert!(food["brand"].is_null() || food["brand"].is_string());
        }
        assert_eq!(service.get("/v1/foods?q=greek+yogurt").send().await.ok(), answer, "remembered");
    })
    .await;
}

#[tokio::test]
async fn limits_and_sources_are_obeyed() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let count = async |path: &str| service.get(path).send().await.ok()["foods"].as_array().expect("foods").len();
        assert_eq!(count("/v1/foods?q=milk&limit=3").await, 3);
        assert_eq!(count("/v1/foods?q=milk&limit=100").await, 100);
        assert_eq!(count("/v1/foods?q=milk&limit=101").await, 100);
        assert_eq!(count("/v1/foods?q=milk&limit=99999999999999999999999").await, 100);
        assert_eq!(count("/v1/foods?q=qqzzxxyy").await, 0);
        for (source, query) in [
            ("usda", "milk"),
            ("branded", "milk"),
            ("dish", "chicken"),
            ("bls", "milk"),
            ("cofid", "milk"),
            ("cnf", "milk"),
        ] {
            let answer = service.get(&format!("/v1/foods?q={query}&source={source}")).send().await.ok();
            let all: Vec<&Value> =
                answer["foods"].as_array().expect("foods").iter().map(|food| &food["source"]).collect();
            assert!(!all.is_empty() && all.iter().all(|found| *found == source), "{all:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn bad_searches_are_refused_with_an_empty_list() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (path, param) in [
            ("/v1/foods", "q"),
            ("/v1/foods?q=", "q"),
            ("/v1/foods?q=a", "q"),
            ("/v1/foods?q=%20%20a%20%20", "q"),
            ("/v1/foods?q=%C3%A9", "q"),
            ("/v1/foods?q=egg&limit=0", "limit"),
            ("/v1/foods?q=egg&limit=-1", "limit"),
            ("/v1/foods?q=egg&limit=ten", "limit"),
            ("/v1/foods?q=egg&limit=1.5", "limit"),
            ("/v1/foods?q=egg&limit=", "limit"),
            ("/v1/foods?q=egg&source=magic", "source"),
        ] {
            let reply = service.get(path).send().await;
            assert_eq!(reply.bad(400), param, "{path}");
            assert_eq!(reply.json()["foods"], json!([]), "{path}");
        }
        let short = service.get("/v1/foods?q=a").send().await.json();
        assert!(short["error"].as_str().is_some_and(|text| text.contains("at least 2 characters")), "{short}");
        assert_eq!(service.get("/v1/foods?q=%E5%8D%B5%E5%8D%B5").send().await.status, 200, "two characters, six bytes");
    })
    .await;
}

#[tokio::test]
async fn a_food_tells_everything_by_id() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let found = service.get("/v1/foods?q=banana&limit=1").send().await.ok()["foods"][0].clone();
        let id = found["id"].as_str().expect("an id");
        let food = service.get(&format!("/v1/foods/{id}")).send().await.ok();
        assert_eq!((&food["name"], &food["calories"]), (&found["name"], &found["calories"]));
        assert!(food["portions"].as_array().is_some_and(|portions| portions.len() > 2), "{food}");
        assert!(food["nutrients_per_100g"].as_object().is_some_and(|known| known.len() > 5), "{food}");
        assert_eq!(service.get("/v1/foods/fd_nothing").send().await.bad(404), "id");
        assert_eq!(service.get("/v1/foods/barcode/abc").send().await.bad(400), "gtin");
        assert_eq!(service.get("/v1/foods/barcode/4000000000006").send().await.bad(404), "gtin");
    })
    .await;
}

#[tokio::test]
async fn a_food_of_another_table_names_its_source() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let roll = service.get("/v1/foods/bls_B511000").send().await.ok();
        assert_eq!((&roll["source"], &roll["origin"], &roll["country"]), (&json!("bls"), &json!("bls"), &json!("DE")));
        assert!(roll["attribution"].as_str().is_some_and(|text| text.contains("Max Rubner-Institut")), "{roll}");
        assert_eq!(roll["local_names"]["de"], json!(["Weizenbrötchen"]));
        let values = &roll["nutrients_per_100g"];
        let value = |name: &str| values[name].as_f64().expect("a number");
        assert!((value("carbs") - value("available_carbs") - value("fiber")).abs() < 0.002, "{values}");

        let poutine = service.get("/v1/foods/cnf_501999").send().await.ok();
        assert_eq!(poutine["nutrients_per_100g"]["carbs"], json!(15.25), "as Health Canada published it");
        assert!(poutine["nutrients_per_100g"]["available_carbs"].is_null(), "{poutine}");

        let body = json!({"messages": [{"role": "user", "content": "100 g sea buckthorn juice"}]});
        let path = "/v1/estimate/sync?include=source,nutrients";
        let item = service.post(path, body).send().await.ok()["items"][0].clone();
        assert_eq!(item["source"]["source"], "fineli", "{item}");
        assert!(item["source"]["attribution"].as_str().is_some_and(|text| text.contains("Fineli")), "{item}");
        assert!(item["nutrients"]["available_carbs"].is_number(), "{item}");

        let milk = service.get("/v1/foods?q=whole+milk&limit=1").send().await.ok()["foods"][0].clone();
        let milk = service.get(&format!("/v1/foods/{}", milk["id"].as_str().expect("an id"))).send().await.ok();
        assert!(milk.get("attribution").is_none() && milk.get("local_names").is_none(), "{milk}");
    })
    .await;
}
