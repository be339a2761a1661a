//! What programs that speak FoodData Central's dialect send, and the fields that they read.

use std::collections::HashSet;

use serde_json::{Value, json};
use store::{Mode, Plan};

use crate::harness::Service;
use test_support::on_sqlite;

fn foods(answer: &Value) -> &Vec<Value> {
    answer["foods"].as_array().expect("foods")
}

/// The amount of a nutrient, by its id, in a food of a search.
fn value_of(food: &Value, id: u32) -> Option<f64> {
    let nutrients = food["foodNutrients"].as_array().expect("nutrients");
    nutrients.iter().find(|row| row["nutrientId"] == id).and_then(|row| row["value"].as_f64())
}

#[tokio::test]
async fn a_search_has_the_fields_that_programs_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let path = format!("/fdc/v1/foods/search?api_key={}&query=banana&pageSize=25&pageNumber=2", service.key);
        let answer = service.get(&path).no_key().send().await.ok();
        assert_eq!(
            (&answer["totalHits"], &answer["currentPage"], &answer["totalPages"]),
            (&json!(100), &json!(2), &json!(4))
        );
        let criteria = &answer["foodSearchCriteria"];
        assert_eq!(
            (&criteria["query"], &criteria["pageNumber"], &criteria["pageSize"]),
            (&json!("banana"), &json!(2), &json!(25))
        );
        assert_eq!(foods(&answer).len(), 25);
        for food in foods(&answer) {
            assert!(food["fdcId"].as_u64().is_some_and(|id| id < 1 << 31), "{food}");
            assert!(food["description"].is_string() && food["servingSize"].is_number(), "{food}");
            assert!(food["foodMeasures"].is_array() && food["householdServingFullText"].is_string(), "{food}");
            assert!(food.as_object().expect("an object").values().all(|value| !value.is_null()), "{food}");
            let energy = &food["foodNutrients"][0];
            assert_eq!((&energy["nutrientId"], &energy["nutrientNumber"]), (&json!(1008), &json!("208")), "{food}");
            assert_eq!((&energy["nutrientName"], &energy["unitName"]), (&json!("Energy"), &json!("KCAL")));
            assert!(energy["value"].is_number(), "{food}");
        }
        let first =
            service.get("/fdc/v1/foods/search?query=banana&pageSize=1").header("x-api-key", &service.key).no_key();
        let first = foods(&first.send().await.ok())[0].clone();
        assert_eq!((&first["description"], &first["dataType"]), (&json!("Banana, raw"), &json!("Survey (FNDDS)")));
        let measures = first["foodMeasures"].as_array().expect("measures");
        assert!(
            measures.iter().any(|row| row["disseminationText"] == "1 banana" && row["gramWeight"] == 126.0),
            "{first}"
        );
        assert!(value_of(&first, 1092).is_some_and(|potassium| potassium > 200.0), "in milligrams: {first}");
        let posted = json!({"query": "banana", "pageSize": 25, "pageNumber": 2});
        assert_eq!(service.post("/fdc/v1/foods/search", posted).send().await.ok(), answer, "the same as a body");
    })
    .await;
}

#[tokio::test]
async fn searches_are_filtered_and_sorted() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let search = async |query: &str| service.get(&format!("/fdc/v1/foods/search?{query}")).send().await.ok();
        for (data_type, least) in [("Foundation", 3), ("SR Legacy", 50), ("Survey (FNDDS)", 50), ("Branded", 50)] {
            let answer = search(&format!("query=milk&dataType={}", data_type.replace(' ', "%20"))).await;
            assert!(
                answer["totalHits"].as_u64().is_some_and(|hits| hits >= least),
                "{data_type}: {}",
                answer["totalHits"]
            );
            assert!(foods(&answer).iter().all(|food| food["dataType"] == data_type), "{data_type}");
            assert_eq!(answer["foodSearchCriteria"]["dataType"], json!([data_type]));
        }
        let types = |answer: &Value| -> HashSet<String> {
            foods(answer).iter().map(|food| food["dataType"].as_str().expect("a type").to_owned()).collect()
        };
        let two = ["Foundation".to_owned(), "SR Legacy".to_owned()].into();
        assert_eq!(types(&search("query=milk&dataType=Foundation,SR%20Legacy").await), two);
        assert_eq!(types(&search("query=milk&dataType=Foundation&dataType=SR%20Legacy").await), two, "repeated");
        assert_eq!(search("query=milk&dataType=Experimental").await["totalHits"], 0);

        let names = |answer: &Value| -> Vec<String> {
            foods(answer).iter().map(|food| food["description"].as_str().expect("a name").to_lowercase()).collect()
        };
        let sorted = names(&search("query=milk&sortBy=lowercaseDescription.keyword&sortOrder=asc&pageSize=200").await);
        assert!(sorted.len() == 100 && sorted.is_sorted(), "{sorted:?}");
        let mut reversed =
            names(&search("query=milk&sortBy=lowercaseDescription.keyword&sortOrder=desc&pageSize=200").await);
        reversed.reverse();
        assert_eq!(sorted.len(), reversed.len());
        assert!(reversed.is_sorted());
        let ids = search("query=milk&sortBy=fdcId&pageSize=200").await;
        assert!(foods(&ids).iter().map(|food| food["fdcId"].as_u64()).is_sorted());

        let branded = search("query=greek%20yogurt&brandOwner=chobani").await;
        assert!(!foods(&branded).is_empty() && foods(&branded).iter().all(|food| food["brandOwner"] == "Chobani"));
        for product in foods(&branded) {
            let code = product["gtinUpc"].as_str().expect("a barcode");
            let found = search(&format!("query={code}&dataType=Branded")).await;
            assert_eq!((&found["totalHits"], &foods(&found)[0]["fdcId"]), (&json!(1), &product["fdcId"]), "{code}");
        }
        let all_words = search("query=banana%20bread&requireAllWords=true").await;
        assert!(!foods(&all_words).is_empty());
        assert!(names(&all_words).iter().all(|name| name.contains("banana") && name.contains("bread")), "{all_words}");
        for nothing in ["", "query=", "query=qqzzxxyy", "query=4000000000006"] {
            let answer = search(nothing).await;
            assert_eq!((&answer["totalHits"], &answer["foods"]), (&json!(0), &json!([])), "{nothing}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_food_is_found_by_its_id_in_both_formats() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let found = service.get("/fdc/v1/foods/search?query=banana&pageSize=1").send().await.ok();
        let found = &foods(&found)[0];
        let id = found["fdcId"].as_u64().expect("an id");
        let full = service.get(&format!("/fdc/v1/food/{id}")).send().await.ok();
        assert_eq!(
            (&full["fdcId"], &full["description"], &full["dataType"]),
            (&found["fdcId"], &found["description"], &found["dataType"])
        );
        let energy = &full["foodNutrients"][0];
        assert_eq!(
            energy["nutrient"],
            json!({"id": 1008, "number": "208", "name": "Energy", "rank": 0, "unitName": "kcal"})
        );
        assert_eq!((energy["amount"].as_f64(), &energy["type"]), (value_of(found, 1008), &json!("FoodNutrient")));
        let portion = &full["foodPortions"][0];
        assert!(portion["gramWeight"].is_number() && portion["amount"].is_number(), "{portion}");
        assert!(portion["portionDescription"].is_string() && portion["measureUnit"]["name"].is_string(), "{portion}");
        assert!(full["foodCategory"]["description"].is_string(), "{full}");

        let path = format!("/fdc/v1/food/{id}?format=abridged&nutrients=203,204,208");
        let abridged = service.get(&path).send().await.ok();
        let rows = abridged["foodNutrients"].as_array().expect("nutrients");
        let numbers: Vec<&Value> = rows.iter().map(|row| &row["number"]).collect();
        assert_eq!(numbers, ["208", "203", "204"]);
        assert_eq!((&rows[0]["name"], &rows[0]["unitName"]), (&json!("Energy"), &json!("KCAL")));
        assert!(rows[0]["amount"].is_number() && abridged.get("foodPortions").is_none(), "{abridged}");

        let butter = service.get("/fdc/v1/food/1001").send().await.ok();
        assert_eq!(
            (&butter["dataType"], &butter["ndbNumber"]),
            (&json!("SR Legacy"), &json!(1001)),
            "by its NDB number"
        );
        let milk = service.get("/fdc/v1/food/11111000").send().await.ok();
        assert_eq!(milk["foodCode"], "11111000", "by its code in FNDDS");
        let foundation =
            service.get("/fdc/v1/foods/search?query=milk&dataType=Foundation&pageSize=1").send().await.ok();
        let id = foods(&foundation)[0]["fdcId"].as_u64().expect("an id");
        assert!(id < 100_000_000, "the id that USDA gave it");
        assert_eq!(service.get(&format!("/fdc/v1/food/{id}")).send().await.ok()["fdcId"], id);
    })
    .await;
}

#[tokio::test]
async fn several_foods_come_in_one_answer() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ids = |answer: &Value| -> Vec<u64> {
            let rows = answer.as_array().expect("foods");
            rows.iter().map(|food| food["fdcId"].as_u64().expect("an id")).collect()
        };
        let first = service.get("/fdc/v1/foods/search?query=milk&pageSize=3").send().await.ok();
        let wanted: Vec<u64> = foods(&first).iter().map(|food| food["fdcId"].as_u64().expect("an id")).collect();
        let [a, b, c] = wanted[..] else { panic!("three foods") };
        let path = format!("/fdc/v1/foods?fdcIds={a},{b}&fdcIds={c}&fdcIds=4000000000&format=abridged");
        assert_eq!(ids(&service.get(&path).send().await.ok()), wanted, "unknown ones are left out");
        let body = json!({"fdcIds": wanted, "format": "abridged", "nutrients": [203]});
        let posted = service.post("/fdc/v1/foods", body).send().await.ok();
        assert_eq!(ids(&posted), wanted);
        assert_eq!(posted[0]["foodNutrients"].as_array().map(Vec::len), Some(1));
        let many = vec!["1001"; 21].join(",");
        for wrong in ["", "fdcIds=", &format!("fdcIds={many}"), "fdcIds=1001&format=xml"] {
            let reply = service.get(&format!("/fdc/v1/foods?{wrong}")).send().await;
            assert_eq!((reply.status, reply.json()["error"]["code"].is_string()), (400, true), "{wrong}");
        }
        assert_eq!(service.get("/fdc/v1/foods?fdcIds=x").send().await.ok(), json!([]));

        let page = async |number: u32| {
            service
                .get(&format!("/fdc/v1/foods/list?dataType=Foundation&pageSize=200&pageNumber={number}"))
                .send()
                .await
                .ok()
        };
        let (one, two) = (page(1).await, page(2).await);
        assert_eq!((ids(&one).len(), ids(&two).len()), (200, 86), "the Foundation Foods");
        assert!(ids(&one).iter().all(|id| !ids(&two).contains(id)));
        assert!(one[0]["foodNutrients"][0]["number"].is_string(), "{}", one[0]);
        assert_eq!(page(1_000).await, json!([]));
    })
    .await;
}

#[tokio::test]
async fn errors_have_the_codes_that_programs_compare() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, other) = service.key(Mode::Live, &["estimate"]).await;
        for (path, status, code) in [
            ("/fdc/v1/foods/search?query=egg", 403, "API_KEY_MISSING"),
            ("/fdc/v1/foods/search?query=egg&api_key=DEMO_KEY", 403, "API_KEY_INVALID"),
            ("/fdc/v1/food/1001?api_key=DEMO_KEY", 403, "API_KEY_INVALID"),
            (&format!("/fdc/v1/food/1001?api_key={other}"), 403, "API_KEY_UNAUTHORIZED"),
            (&format!("/fdc/v1/food/4000000000?api_key={}", service.key), 404, "not_found"),
            (&format!("/fdc/v1/food/99999999999999999999999?api_key={}", service.key), 404, "not_found"),
            (&format!("/fdc/v1/food/banana?api_key={}", service.key), 404, "not_found"),
            (&format!("/fdc/v1/food/-1?api_key={}", service.key), 404, "not_found"),
            (&format!("/fdc/v1/nothing?api_key={}", service.key), 404, "not_found"),
            (&format!("/fdc/v1/foods/search?query=egg&dataType=Magic&api_key={}", service.key), 400, "invalid_request"),
            (&format!("/fdc/v1/foods/search?query=egg&sortBy=price&api_key={}", service.key), 400, "invalid_request"),
        ] {
            let reply = service.get(path).no_key().send().await;
            assert_eq!((reply.status, &reply.json()["error"]["code"]), (status, &json!(code)), "{path}");
            assert!(!reply.text().contains(&service.key), "{}", reply.text());
        }
        for body in ["", "[1]", "{\"query\":"] {
            let reply = service.post("/fdc/v1/foods/search", body).send().await;
            assert_eq!((reply.status, reply.json()["error"]["message"].is_string()), (400, true), "{body}");
        }
        for odd in
            [json!({"query": {"a": 1}, "dataType": {}, "pageSize": -1}), json!({"query": 5, "pageNumber": 1e300})]
        {
            assert_eq!(service.post("/fdc/v1/foods/search", odd).send().await.status, 200);
        }
        service.app.store.accounts().set_plan(&service.account.id, Plan::Free).await.expect("written");
        let mut last = 0;
        for _ in 0..70 {
            let reply = service.get("/fdc/v1/foods/search?query=egg").send().await;
            last = reply.status;
            if last == 429 {
                assert_eq!(reply.json()["error"]["code"], "OVER_RATE_LIMIT");
                break;
            }
        }
        assert_eq!(last, 429);
    })
    .await;
}
