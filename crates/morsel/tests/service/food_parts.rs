//! Foods by their ids and corrections of items in the messages of an estimate, on both endpoints.

use serde_json::{Value, json};

use crate::estimates::events;
use crate::harness::{Reply, Service};
use test_support::{on_both, on_sqlite};

/// Greek yogurt, with a serving of 150 g.
const YOGURT: &str = "fndds_11400010";

fn user(content: impl Into<Value>) -> Value {
    json!({"role": "user", "content": content.into()})
}

fn food(id: &str, quantity: f64, unit: &str) -> Value {
    json!({"type": "food", "food_id": id, "quantity": quantity, "unit": unit})
}

/// Sends messages to both endpoints, which must agree, and returns the response of the one without a stream.
async fn ask(service: &Service, messages: &[Value]) -> Reply {
    let body = json!({"messages": messages, "include": ["source", "grams", "tier", "recipe", "unresolved"]});
    let reply = service.post("/v1/estimate/sync", &body).send().await;
    let stream = service.post("/v1/estimate", &body).send().await;
    assert_eq!(stream.status, reply.status, "{}", stream.text());
    if reply.status == 200 {
        let (answer, events) = (reply.json(), events(&stream));
        let (name, done) = events.last().expect("events");
        assert_eq!((name.as_str(), &done["items"]), ("done", &answer["items"]));
        assert_eq!((&done["totals"], &done["unresolved"]), (&answer["totals"], &answer["unresolved"]));
    } else {
        let (one, other) = (reply.json(), stream.json());
        assert_eq!((&one["param"], &one["error"], &one["code"]), (&other["param"], &other["error"], &other["code"]));
    }
    reply
}

fn count(answer: &Value) -> usize {
    answer["items"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_food_by_its_id_is_something_to_eat() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let answer = ask(&service, &[user(vec![food(YOGURT, 300.0, "g")])]).await.ok();
        let item = &answer["items"][0];
        assert_eq!(
            (count(&answer), &item["name"], &item["source"]["food_id"]),
            (1, &json!("Greek yogurt"), &json!(YOGURT))
        );
        assert_eq!((&item["quantity"], &item["unit"]), (&json!(300.0), &json!("g")));
        assert_eq!((&item["grams"], &item["tier"]), (&json!({"grams": 300.0, "how": "mass"}), &json!("measured")));
        assert_eq!(item["calories"], answer["totals"]["calories"]);
        // In JSON 1 and 1.0 are the same number, and fields of other parts are ignored.
        let corrected = user(vec![json!({"type": "correction", "item": 1.0, "quantity": 150})]);
        let corrected = ask(&service, &[user(vec![food(YOGURT, 300.0, "g")]), corrected]).await.ok();
        assert_eq!(corrected["items"][0]["quantity"], json!(150.0));
        let ignored = user(vec![json!({"type": "text", "text": "an egg", "item": 223.0})]);
        assert_eq!(count(&ask(&service, &[ignored]).await.ok()), 1);
        let half = ask(&service, &[user(vec![json!({"type": "correction", "item": 1.5})])]).await;
        assert_eq!(
            (half.status, &half.json()["error"]),
            (400, &json!("“messages[0].content[0].item” must be a whole number."))
        );
        // Without a unit: the serving that the food shows.
        let plain = ask(&service, &[user(vec![json!({"type": "food", "food_id": YOGURT})])]).await.ok();
        let twice = ask(&service, &[user(vec![json!({"type": "food", "food_id": YOGURT, "quantity": 2})])]).await.ok();
        assert_eq!(
            (&plain["items"][0]["grams"]["grams"], &plain["items"][0]["unit"]),
            (&json!(150.0), &json!("serving"))
        );
        assert_eq!(twice["items"][0]["grams"]["grams"], json!(300.0));
        assert_eq!(plain["items"][0]["tier"], "estimated");
    })
    .await;
}

#[tokio::test]
async fn foods_mix_with_words_in_order() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mixed = vec![
            json!({"type": "text", "text": "two eggs"}),
            food(YOGURT, 100.0, "g"),
            json!({"type": "text", "text": "make it 200 g"}),
        ];
        let answer = ask(&service, &[user(mixed)]).await.ok();
        assert_eq!((count(&answer), &answer["items"][1]["grams"]["grams"]), (2, &json!(200.0)), "{answer}");
        let later = [user("two eggs"), user(vec![food(YOGURT, 100.0, "g")]), user("remove the eggs")];
        let answer = ask(&service, &later).await.ok();
        assert_eq!((count(&answer), &answer["items"][0]["name"]), (1, &json!("Greek yogurt")), "{answer}");
        let ignored = [json!({"role": "assistant", "content": [food("nonsense", 1.0, "g")]}), user("an egg")];
        assert_eq!(count(&ask(&service, &ignored).await.ok()), 1, "only what the user says counts");
    })
    .await;
}

#[tokio::test]
async fn corrections_change_and_remove_items_by_their_number() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let correct = async |correction: Value| {
            let mut part = json!({"type": "correction"});
            part.as_object_mut().expect("an object").extend(correction.as_object().expect("an object").clone());
            ask(&service, &[user("two eggs and a slice of toast"), user(vec![part])]).await
        };
        let amount = correct(json!({"item": 1, "quantity": 3})).await.ok();
        assert_eq!((&amount["items"][0]["quantity"], count(&amount)), (&json!(3.0), 2), "{amount}");
        let grams = correct(json!({"item": 2, "quantity": 40, "unit": "g"})).await.ok();
        assert_eq!(
            (&grams["items"][1]["grams"]["grams"], &grams["items"][1]["tier"]),
            (&json!(40.0), &json!("measured"))
        );
        let swapped = correct(json!({"item": 2, "food_id": YOGURT, "quantity": 50, "unit": "g"})).await.ok();
        assert_eq!((&swapped["items"][1]["name"], count(&swapped)), (&json!("Greek yogurt"), 2));
        let removed = correct(json!({"item": 1, "quantity": 0})).await.ok();
        assert_eq!((count(&removed), &removed["items"][0]["name"]), (1, &amount["items"][1]["name"]));
        let missing = correct(json!({"item": 3, "quantity": 1})).await;
        assert_eq!(missing.error(400), "item_not_found");
        assert_eq!(missing.json()["param"], "messages[1].content[0].item");
        assert!(missing.text().contains("there are 2 items so far"), "{}", missing.text());
    })
    .await;
}

#[tokio::test]
async fn the_answer_depends_on_every_field_of_a_part() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let calories = async |content: Value| {
            let answer = ask(&service, &[user("two eggs"), user(content)]).await.ok();
            answer["totals"]["calories"].as_f64().expect("a number")
        };
        let text = json!({"type": "text", "text": "make it 500 g"});
        let seen = [
            calories(json!([food(YOGURT, 100.0, "g")])).await,
            calories(json!([food(YOGURT, 200.0, "g")])).await,
            calories(json!([food(YOGURT, 200.0, "cup")])).await,
            calories(json!([food("sr_09040", 200.0, "g")])).await,
            calories(json!([food(YOGURT, 100.0, "g"), text])).await,
            calories(json!([text, food(YOGURT, 100.0, "g")])).await,
            calories(json!([{"type": "correction", "item": 1, "food_id": YOGURT, "quantity": 200, "unit": "g"}])).await,
        ];
        for (at, one) in seen.iter().enumerate() {
            assert!(seen[at + 1..].iter().all(|other| (one - other).abs() > 0.5), "{seen:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn recipes_by_their_ids_are_the_account_s_own() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let fields = json!({"name": "Mom's Lasagna", "calories": 400, "serving_description": "1 slice (350 g)"});
        let id = service.recipe(fields).await;
        let half = ask(&service, &[user(vec![food(&id, 175.0, "g")])]).await.ok();
        let item = &half["items"][0];
        assert_eq!(
            (&item["calories"], &item["tier"], &item["recipe"]["id"]),
            (&json!(200.0), &json!("recipe"), &json!(id))
        );
        let more = [user("mom's lasagna"), user(vec![json!({"type": "correction", "item": 1, "quantity": 3})])];
        assert_eq!(ask(&service, &more).await.ok()["items"][0]["calories"], 1200.0);
        let wrong = ask(&service, &[user(vec![food(&id, 1.0, "cup")])]).await;
        assert_eq!(wrong.bad(400), "messages[0].content[0].unit");
        let (_, stranger) = service.stranger().await;
        let body = json!({"messages": [user(vec![food(&id, 1.0, "slice")])]});
        let theirs = service.post("/v1/estimate/sync", body).key(&stranger).send().await;
        assert_eq!(theirs.error(400), "food_not_found", "nobody learns of others' recipes");
        service.call("DELETE", &format!("/v1/recipes/{id}")).send().await.ok();
        let gone = ask(&service, &[user(vec![food(&id, 175.0, "g")])]).await;
        assert_eq!(gone.error(400), "food_not_found");
    })
    .await;
}

#[tokio::test]
async fn foods_stand_beside_photos() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let image = json!({"type": "image_url", "image_url": {"url": crate::images::png(64, 64)}});
        let silent = ask(&service, &[user(vec![image.clone(), food(YOGURT, 100.0, "g")])]).await.ok();
        assert_eq!((count(&silent), &silent["unresolved"]), (1, &json!(["image 1"])), "{silent}");
        let correction = json!({"type": "correction", "item": 1, "quantity": 50, "unit": "g"});
        let words = json!({"type": "text", "text": "an egg"});
        let answer = ask(&service, &[user(vec![image, words]), user(vec![correction])]).await.ok();
        assert_eq!((count(&answer), &answer["items"][0]["grams"]["grams"]), (1, &json!(50.0)), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn bad_parts_are_refused_before_anything_is_sent() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let unknown = ask(&service, &[user("an egg"), user(vec![food("sr_0", 1.0, "g")])]).await;
        assert_eq!(unknown.error(400), "food_not_found");
        assert_eq!(unknown.json()["param"], "messages[1].content[0].food_id");
        let in_chat = [json!({"role": "assistant", "content": "hi"}), user(vec![food("label", 1.0, "g")])];
        assert_eq!(ask(&service, &in_chat).await.bad(400), "messages[1].content[0].food_id", "counted in the body");
        for (part, field) in [
            (json!({"type": "food", "food_id": YOGURT, "quantity": -1}), "quantity"),
            (json!({"type": "food", "food_id": YOGURT, "quantity": 1e6}), "quantity"),
            (json!({"type": "food", "food_id": YOGURT, "quantity": "two"}), "quantity"),
            (json!({"type": "food", "food_id": YOGURT, "unit": "flurb"}), "unit"),
            (json!({"type": "food", "food_id": YOGURT, "unit": "3 g"}), "unit"),
            (json!({"type": "food", "food_id": YOGURT, "unit": ["g"]}), "unit"),
            (json!({"type": "food", "food_id": "\u{0}'; --"}), "food_id"),
            (json!({"type": "correction", "item": 0, "quantity": 1}), "item"),
            (json!({"type": "correction", "item": 1e300, "quantity": 1}), "item"),
        ] {
            let reply = ask(&service, &[user(vec![part.clone()])]).await;
            assert_eq!(reply.bad(400), format!("messages[0].content[0].{field}"), "{part}");
        }
        let huge = "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"food\",\"food_id\":\"a\",\"quantity\":1e999}]}]}";
        service.post("/v1/estimate/sync", huge).send().await.error(400);
        let many = vec![food(YOGURT, 1.0, "g"); 100];
        assert_eq!(count(&ask(&service, &[user(many.clone())]).await.ok()), 100);
        assert_eq!(ask(&service, &[user(many), user(vec![food(YOGURT, 1.0, "g")])]).await.bad(400), "messages");
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_response() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let correction = json!({"type": "correction", "item": 1, "quantity": 3});
        let body = json!({"messages": [user("two eggs"), user(vec![correction])]});
        let bad = json!({"messages": [user(vec![food("sr_0", 1.0, "g")])]});
        for path in ["/v1/estimate/sync", "/v1/estimate"] {
            for (body, status) in [(&body, 200), (&bad, 400)] {
                let key = format!("{path}-{status}");
                let call = || service.post(path, body).header("idempotency-key", &key);
                let (first, again) = (call().send().await, call().send().await);
                assert_eq!((first.status, again.status), (status, status), "{}", first.text());
            }
            let items = |reply: &Reply| reply.text().split("\"items\"").nth(1).map(str::to_owned);
            let plain = service.post(path, &body).send().await;
            let again = service.post(path, &body).send().await;
            assert_eq!((items(&plain), plain.status), (items(&again), 200), "from the cache");
        }
    })
    .await;
}
