//! Recipes over HTTP, by the rows of the contract and what it leaves open.

use serde_json::{Value, json};

use crate::harness::Service;
use test_support::on_both;

#[tokio::test]
async fn a_recipe_is_created_read_changed_and_deleted() {
    on_both(async |database| {
        let service = Service::on(database).await;
        assert_eq!(service.get("/v1/recipes").send().await.ok(), json!({"recipes": []}));
        let reply = service.post("/v1/recipes", json!({"name": " Mom's Lasagna ", "calories": 412.5})).send().await;
        assert_eq!(reply.status, 201);
        let created = reply.json();
        let id = created["id"].as_str().expect("an id").to_owned();
        assert_eq!(created, json!({"id": id, "name": "Mom's Lasagna", "message": "Recipe created"}));
        let path = format!("/v1/recipes/{id}");
        let recipe = service.get(&path).send().await.ok();
        assert_eq!(recipe["calories"], 412.5);
        assert_eq!(
            (&recipe["protein"], &recipe["serving_description"], &recipe["aliases"]),
            (&json!(0.0), &Value::Null, &json!([]))
        );
        assert_eq!(recipe["created_at"], recipe["updated_at"]);
        assert!(recipe["created_at"].as_str().is_some_and(|time| time.ends_with('Z')));
        assert_eq!(
            service.get("/v1/recipes").send().await.ok()["recipes"],
            json!([recipe]),
            "as it stands in the list"
        );
        let change = json!({"protein": 20, "aliases": ["lasagna"], "serving_description": "1 slice (350 g)"});
        let changed = service.call("PUT", &path).body(change.to_string()).send().await.ok();
        assert_eq!(changed, json!({"id": id, "message": "Recipe updated"}));
        let now = service.get(&path).send().await.ok();
        assert_eq!(
            (&now["name"], &now["calories"], &now["protein"]),
            (&json!("Mom's Lasagna"), &json!(412.5), &json!(20.0))
        );
        assert_eq!(now["created_at"], recipe["created_at"]);
        service.call("PUT", &path).body("{}").send().await.ok();
        assert_eq!(service.get(&path).send().await.ok(), now, "nothing sent, nothing changed");
        let clear = json!({"aliases": null, "serving_description": null, "protein": null, "unknown": 5});
        service.call("PUT", &path).body(clear.to_string()).send().await.ok();
        let cleared = service.get(&path).send().await.ok();
        assert_eq!(
            (&cleared["serving_description"], &cleared["aliases"], &cleared["protein"]),
            (&Value::Null, &json!([]), &json!(0.0))
        );
        assert_eq!(service.call("DELETE", &path).send().await.ok(), json!({"message": "Recipe deleted"}));
        for method in ["GET", "PUT", "DELETE"] {
            assert_eq!(service.call(method, &path).body("{}").send().await.error(404), "not_found", "{method}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_list_has_the_newest_first() {
    on_both(async |database| {
        let service = Service::on(database).await;
        for name in ["one", "two", "two", "three"] {
            service.recipe(json!({"name": name})).await;
        }
        let list = service.get("/v1/recipes").send().await.ok();
        let names: Vec<&str> =
            list["recipes"].as_array().expect("a list").iter().filter_map(|r| r["name"].as_str()).collect();
        assert_eq!(names, ["three", "two", "two", "one"], "duplicate names are allowed");
    })
    .await;
}

#[tokio::test]
async fn bad_fields_are_named() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let id = service.recipe(json!({"name": "Soup"})).await;
        let path = format!("/v1/recipes/{id}");
        let before = service.get(&path).send().await.ok();
        let mut cases = vec![
            (json!({"name": ""}), "name"),
            (json!({"name": "  "}), "name"),
            (json!({"name": "x".repeat(201)}), "name"),
            (json!({"name": 5}), "name"),
            (json!({"name": "nul \u{0} inside"}), "name"),
            (json!({"name": "x", "serving_description": "x".repeat(501)}), "serving_description"),
            (json!({"name": "x", "serving_description": ["x"]}), "serving_description"),
            (json!({"name": "x", "aliases": "y"}), "aliases"),
            (json!({"name": "x", "aliases": vec!["y"; 51]}), "aliases"),
            (json!({"name": "x", "aliases": ["y", " "]}), "aliases[1]"),
            (json!({"name": "x", "aliases": ["x".repeat(201)]}), "aliases[0]"),
            (json!({"name": "x", "aliases": [7]}), "aliases[0]"),
        ];
        for field in ["calories", "protein", "carbs", "fat"] {
            for value in [json!(-0.1), json!(100_000.1), json!("5"), json!(true), json!([])] {
                cases.push((json!({"name": "x", field: value}), field));
            }
        }
        for (body, param) in cases {
            assert_eq!(service.post("/v1/recipes", &body).send().await.bad(400), param, "{body}");
            assert_eq!(service.call("PUT", &path).body(body.to_string()).send().await.bad(400), param, "{body}");
        }
        assert_eq!(service.post("/v1/recipes", json!({"calories": 5})).send().await.bad(400), "name");
        assert_eq!(service.post("/v1/recipes", "{\"name\": \"x\", \"fat\": 1e999}").send().await.error(400), "invalid_json");
        assert_eq!(service.get(&path).send().await.ok(), before, "nothing half-written");
        assert_eq!(service.get("/v1/recipes").send().await.ok()["recipes"].as_array().map(Vec::len), Some(1));
        let largest = json!({"name": "é".repeat(200), "calories": 100_000, "aliases": vec!["a"; 50], "serving_description": "s".repeat(500)});
        service.recipe(largest).await;
    })
    .await;
}

#[tokio::test]
async fn unknown_and_malformed_ids_are_not_found() {
    on_both(async |database| {
        let service = Service::on(database).await;
        for id in
            ["rcp_0000000000000000000000", "1", "rcp_", "..", "%00", "acc_0000000000000000000000", &"x".repeat(5_000)]
        {
            assert_eq!(service.get(&format!("/v1/recipes/{id}")).send().await.error(404), "not_found", "{id}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_account_has_at_most_a_thousand_recipes() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let new = || test_support::a_recipe("many");
        for _ in 0..999 {
            let (now, rng) = (service.app.now(), &mut store::Rng::system());
            service.app.store.recipes().create(&service.account.id, new(), 1_000, now, rng, None).await.expect("saved");
        }
        service.recipe(json!({"name": "the last"})).await;
        let refused = service.post("/v1/recipes", json!({"name": "one too many"})).send().await;
        assert_eq!(refused.error(400), "recipe_limit");
        assert_eq!(service.get("/v1/recipes").send().await.ok()["recipes"].as_array().map(Vec::len), Some(1_000));
    })
    .await;
}

#[tokio::test]
async fn a_recipe_is_made_of_ingredients() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let bowl = json!({"name": "Power Bowl", "fat": 9.9, "ingredients": {"servings": 2, "foods": [
            {"food_id": "fndds_56205008", "quantity": 300},
            {"food_id": "fndds_31103010", "quantity": 2, "unit": "1 egg"},
        ]}});
        let id = service.recipe(bowl).await;
        let path = format!("/v1/recipes/{id}");
        let plain = service.get(&path).send().await.ok();
        assert!(plain.get("ingredients").is_none(), "{plain}");
        assert_eq!((&plain["fat"], &plain["serving_description"]), (&json!(9.9), &json!("1 serving (200 g)")));
        let whole = service.get(&format!("{path}?include=ingredients")).send().await.ok();
        let made_of = &whole["ingredients"];
        assert_eq!((&made_of["per"], &made_of["servings"]), (&json!("serving"), &json!(2.0)));
        let egg = &made_of["foods"][1];
        assert_eq!((&egg["grams"], &egg["unit"], &egg["quantity"]), (&json!(100.0), &json!("1 egg"), &json!(2.0)));
        let sum: f64 = (0..2).filter_map(|at| made_of["foods"][at]["calories"].as_f64()).sum();
        assert!((whole["calories"].as_f64().expect("a number") - sum / 2.0).abs() <= 1.0, "{whole}");
        // Other changes leave them as they are.
        assert_eq!(service.call("PUT", &path).body(json!({"name": "Bowl"}).to_string()).send().await.status, 200);
        assert_eq!(service.get(&format!("{path}?include=ingredients")).send().await.ok()["ingredients"], *made_of);
        let forget = json!({"ingredients": null}).to_string();
        assert_eq!(service.call("PUT", &path).body(forget).send().await.status, 200);
        let after = service.get(&format!("{path}?include=ingredients")).send().await.ok();
        assert_eq!((&after["ingredients"], &after["calories"]), (&json!(null), &whole["calories"]));
        assert_eq!(service.get(&format!("{path}?include=magic")).send().await.bad(400), "include");
        for (foods, servings, param) in [
            (json!([{"food_id": "sr_nothing", "quantity": 1}]), json!(1), "ingredients.foods[0].food_id"),
            (json!([{"food_id": "fndds_31103010", "quantity": -1}]), json!(1), "ingredients.foods[0].quantity"),
            (
                json!([{"food_id": "fndds_31103010", "quantity": 1, "unit": "1 ton"}]),
                json!(1),
                "ingredients.foods[0].unit",
            ),
            (json!([]), json!(0), "ingredients.servings"),
            (json!("eggs"), json!(1), "ingredients.foods"),
        ] {
            let body = json!({"name": "Bowl", "ingredients": {"servings": servings, "foods": foods}});
            assert_eq!(service.post("/v1/recipes", body).send().await.bad(400), param);
        }
    })
    .await;
}
