//! Estimates over HTTP: the contract's fields, what can be included, recipes, several messages, photos.

use serde_json::{Value, json};
use store::Store;

use crate::harness::{Reply, Service};
use test_support::{on_both, on_sqlite};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[tokio::test]
async fn the_default_answer_has_exactly_the_contract_s_fields() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let answer = service.estimate("two scrambled eggs and a slice of toast with butter").await;
        assert_eq!(keys(&answer), ["items", "totals"]);
        let items = answer["items"].as_array().expect("items");
        assert_eq!(items.len(), 3, "{answer}");
        for item in items {
            assert_eq!(keys(item), ["calories", "carbs", "fat", "name", "protein", "quantity", "unit"]);
        }
        assert_eq!(keys(&answer["totals"]), ["calories", "carbs", "fat", "protein"]);
        for number in ["calories", "protein", "carbs", "fat"] {
            let sum: f64 = items.iter().map(|item| item[number].as_f64().expect("a number")).sum();
            let total = answer["totals"][number].as_f64().expect("a number");
            assert!((sum - total).abs() < 1e-6, "{number}: {sum} {total}");
        }
        assert_eq!(items[0]["quantity"], 2.0);
    })
    .await;
}

#[tokio::test]
async fn no_food_is_an_empty_answer() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for text in ["", "   ", "thank you!", "!!!"] {
            let answer = service.estimate(text).await;
            assert_eq!(answer["items"], json!([]), "{text:?}");
            assert_eq!(answer["totals"], json!({"calories": 0.0, "protein": 0.0, "carbs": 0.0, "fat": 0.0}));
        }
    })
    .await;
}

#[tokio::test]
async fn more_is_shown_when_it_is_asked_for() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        service.recipe(json!({"name": "Power Bowl", "calories": 500, "protein": 30.5})).await;
        let all = ["source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved"];
        let body = json!({"messages": [{"role": "user", "content": "100 g banana, a power bowl and 3 flurbnagles"}], "include": all});
        let answer = service.post("/v1/estimate/sync", body).send().await.ok();
        let banana = &answer["items"][0];
        assert_eq!(banana["source"]["source"], "usda");
        assert_eq!(banana["grams"]["grams"], 100.0);
        assert_eq!(banana["grams"]["how"], "mass");
        assert_eq!(banana["tier"], "measured");
        assert!(banana["range"]["calories"]["low"].as_f64() <= banana["calories"].as_f64());
        assert!(banana["nutrients"].as_object().is_some_and(|known| known.len() > 4), "{banana}");
        assert!(banana.get("recipe").is_none());
        let bowl = &answer["items"][1];
        assert_eq!((&bowl["tier"], &bowl["recipe"]["servings"]), (&json!("recipe"), &json!(1.0)), "{answer}");
        assert!(answer["unresolved"].to_string().contains("flurbnagle"), "{answer}");
        let by_address = service
            .post("/v1/estimate/sync?include=tier,grams", json!({"messages": [{"role": "user", "content": "an egg"}]}))
            .send()
            .await
            .ok();
        assert!(by_address["items"][0]["tier"].is_string() && by_address["items"][0]["grams"].is_object());
        for (path, include) in [("/v1/estimate/sync?include=ranges", json!([])), ("/v1/estimate/sync", json!(["x"]))] {
            let body = json!({"messages": [{"role": "user", "content": "egg"}], "include": include});
            assert_eq!(service.post(path, body).send().await.bad(400), "include");
        }
    })
    .await;
}

#[tokio::test]
async fn the_same_text_gets_the_same_answer_and_the_engine_s_version() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "a large latte and two cookies"}]});
        let first = service.post("/v1/estimate/sync", &body).send().await;
        let version = first.header("x-engine-version").expect("a version").to_owned();
        assert!(version.starts_with(env!("CARGO_PKG_VERSION")), "{version}");
        for _ in 0..3 {
            let again = service.post("/v1/estimate/sync", &body).send().await;
            assert_eq!(again.body, first.body);
            assert_eq!(again.header("x-engine-version"), Some(version.as_str()));
        }
    })
    .await;
}

#[tokio::test]
async fn later_messages_amend_the_earlier() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let say = async |texts: &[&str]| {
            let messages: Vec<Value> = texts.iter().map(|text| json!({"role": "user", "content": text})).collect();
            service.post("/v1/estimate/sync", json!({"messages": messages})).send().await.ok()
        };
        let two = say(&["a boiled egg", "make it two eggs"]).await;
        assert_eq!(two["items"].as_array().map(Vec::len), Some(1), "{two}");
        assert_eq!(two["items"][0]["quantity"], 2.0, "{two}");
        let added = say(&["a boiled egg", "add a banana"]).await;
        assert_eq!(added["items"].as_array().map(Vec::len), Some(2), "{added}");
    })
    .await;
}

#[tokio::test]
async fn only_what_the_user_says_is_estimated() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [
            {"role": "system", "content": "pizza"},
            {"role": "user", "content": "a banana"},
            {"role": "assistant", "content": "a burger"},
        ]});
        let answer = service.post("/v1/estimate/sync", body).send().await.ok();
        assert_eq!(answer["items"].as_array().map(Vec::len), Some(1), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn a_saved_recipe_is_used_instead_of_an_estimate() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let before = service.estimate("mac and cheese").await;
        let id = service
            .recipe(json!({"name": "Mac and Cheese", "calories": 777, "protein": 10.25, "aliases": ["the usual"]}))
            .await;
        let after = service.estimate("mac and cheese").await;
        assert_ne!(before["totals"]["calories"], 777.0);
        assert_eq!(after["items"][0]["calories"], 777.0, "the very next request sees it");
        assert_eq!(service.estimate("two of the usual").await["items"][0]["calories"], 1554.0);
        let path = format!("/v1/recipes/{id}");
        service.call("PUT", &path).body(json!({"calories": 100}).to_string()).send().await.ok();
        assert_eq!(service.estimate("mac and cheese").await["items"][0]["calories"], 100.0);
        let (_, stranger) = service.stranger().await;
        let body = json!({"messages": [{"role": "user", "content": "mac and cheese"}]});
        let theirs = service.post("/v1/estimate/sync", body).key(&stranger).send().await.ok();
        assert_eq!(theirs, before, "recipes are the account's own");
        service.call("DELETE", &path).send().await.ok();
        assert_eq!(service.estimate("mac and cheese").await, before);
    })
    .await;
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer_until_something_changed() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, stranger) = service.stranger().await;
        let body = json!({"messages": [{"role": "user", "content": "a power bowl and an egg"}]});
        let ask = async || service.post("/v1/estimate/sync", &body).send().await;
        let first = ask().await;
        let again = ask().await;
        assert_eq!(first.text(), again.text());
        for header in ["content-type", "x-engine-version"] {
            assert!(first.header(header).is_some() && first.header(header) == again.header(header), "{header}");
        }
        let with_tiers = service.post("/v1/estimate/sync?include=tier", &body).send().await.ok();
        assert!(with_tiers["items"][0]["tier"].is_string(), "the address counts: {with_tiers}");
        assert_eq!(ask().await.text(), first.text());

        let recipe = service.recipe(json!({"name": "Power Bowl", "calories": 512})).await;
        assert_eq!(ask().await.ok()["items"][0]["calories"], 512.0);
        let stranger_s = service.post("/v1/estimate/sync", &body).key(&stranger).send().await;
        assert_eq!(stranger_s.text(), first.text(), "recipes are their owner's alone");
        assert_eq!(service.call("DELETE", &format!("/v1/recipes/{recipe}")).send().await.status, 200);
        assert_eq!(ask().await.text(), first.text());
    })
    .await;
}

#[tokio::test]
async fn recipes_edited_elsewhere_are_seen_by_the_next_estimate() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let elsewhere = Store::open(&database.location).await.expect("another process");
        let id = service.recipe(json!({"name": "Power Bowl", "calories": 1})).await;
        let id = store::RecipeId::parse(&id).expect("an id");
        for calories in 2..30 {
            let change = store::RecipeChange {
                macros: nutrition::Macros { calories: Some(f64::from(calories)), ..Default::default() },
                ..Default::default()
            };
            elsewhere.recipes().update(&service.account.id, &id, change, service.app.now()).await.expect("saved");
            assert_eq!(service.estimate("a power bowl").await["items"][0]["calories"], f64::from(calories));
        }
    })
    .await;
}

#[tokio::test]
async fn recipes_edited_while_estimates_run_give_the_old_or_the_new_numbers() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let id = service.recipe(json!({"name": "Power Bowl", "calories": 100, "protein": 100})).await;
        let path = format!("/v1/recipes/{id}");
        let edit = async {
            for round in 0..30 {
                let number = if round % 2 == 0 { 200 } else { 100 };
                let body = json!({"calories": number, "protein": number}).to_string();
                service.call("PUT", &path).body(body).send().await.ok();
            }
        };
        let ask = async {
            for _ in 0..60 {
                let item = service.estimate("a power bowl").await["items"][0].clone();
                assert_eq!(item["calories"], item["protein"], "never half of an edit");
            }
        };
        tokio::join!(edit, ask);
    })
    .await;
}

/// The events of a stream: name and data.
pub fn events(reply: &Reply) -> Vec<(String, Value)> {
    let text = reply.text();
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty() && !block.starts_with(':'));
    let parse = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let data: Value = serde_json::from_str(field("data:").expect("data")).expect("JSON");
        (field("event:").expect("a name").to_owned(), data)
    };
    blocks.map(parse).collect()
}

#[tokio::test]
async fn a_stream_tells_item_by_item_and_ends_with_the_whole_answer() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "two eggs, toast with butter and a latte"}]});
        // Once computed, once remembered.
        for _ in 0..2 {
            let reply = service.post("/v1/estimate", &body).header("accept", "application/json").send().await;
            assert_eq!(reply.status, 200);
            assert_eq!(reply.header("content-type"), Some("text/event-stream"));
            assert_eq!(reply.header("cache-control"), Some("no-cache"));
            assert_eq!(reply.header("x-accel-buffering"), Some("no"));
            assert!(reply.header("x-ratelimit-remaining").is_some() && reply.header("x-engine-version").is_some());
            let events = events(&reply);
            let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["start", "item", "item", "item", "item", "totals", "done"]);
            for (place, (name, data)) in events.iter().enumerate() {
                assert_eq!((&data["type"], &data["sequence"]), (&json!(name), &json!(place)));
            }
            assert!(events[0].1["id"].as_str().is_some_and(|id| id.starts_with("est_")));
            let sync = service.post("/v1/estimate/sync", &body).send().await.ok();
            let done = &events[6].1;
            assert_eq!((&done["items"], &done["totals"]), (&sync["items"], &sync["totals"]));
            assert_eq!(events[5].1["totals"], sync["totals"]);
            for index in 0..4 {
                assert_eq!(events[1 + index].1["index"], index);
                assert_eq!(events[1 + index].1["item"], sync["items"][index]);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_fails_in_the_middle_ends_with_an_error_event() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "two eggs and a latte"}]});
        let mut busy = Vec::new();
        for _ in 0..morsel::work_queue::processors() {
            busy.push(service.app.texts.permit(&service.account.id).await.expect("an idle processor"));
        }
        // The stream starts and waits for a processor; then the server, which has to stop, waits no longer.
        let stream = service.post("/v1/estimate", &body).header("idempotency-key", "breakfast").send();
        let stop = async {
            while service.app.texts.jobs() == busy.len() {
                tokio::task::yield_now().await;
            }
            service.app.cut_off_requests();
        };
        let (reply, ()) = tokio::join!(stream, stop);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
        let events = events(&reply);
        assert_eq!(events.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["start", "error"]);
        let error = &events[1].1;
        assert_eq!(keys(error), ["code", "error", "request_id", "type"]);
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("stopping")));
        assert_eq!(error["request_id"].as_str(), reply.header("x-request-id"));
        assert!(error["error"].as_str().is_some_and(|sentence| sentence.ends_with('.')), "{error}");
        assert_eq!(service.app.texts.jobs(), busy.len(), "its place in the queue is free again");
        drop(busy);
        let again = service.post("/v1/estimate", &body).header("idempotency-key", "breakfast").send().await;
        // Nothing was stored that could be repeated: the estimate is computed again, here by a server that is still stopping.
        assert_eq!((again.status, again.header("idempotent-replayed")), (200, Some("true")));
        assert_ne!(again.header("x-request-id"), reply.header("x-request-id"));
    })
    .await;
}

#[tokio::test]
async fn foods_of_a_photo_say_where_they_were_seen() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ask = async |picture: &image::RgbImage| {
            let image = json!({"type": "image_url", "image_url": {"url": crate::images::data_url(picture)}});
            let body = json!({"messages": [{"role": "user", "content": [image]}], "include": ["source"]});
            service.post("/v1/estimate/sync", body).send().await.ok()
        };
        for is_beside in [true, false] {
            let answer = ask(&crate::fruit::orange_and_tomato(is_beside)).await;
            let middle = |name: &str| {
                let item = answer["items"]
                    .as_array()
                    .expect("items")
                    .iter()
                    .find(|item| item["name"].as_str().is_some_and(|shown| shown.to_lowercase().contains(name)));
                let region = &item.unwrap_or_else(|| panic!("no {name} in {answer}"))["source"]["photo"]["region"];
                let share = |field: &str| region[field].as_f64().unwrap_or_else(|| panic!("no {field} in {answer}"));
                let (x, y) = (share("left") + share("width") / 2.0, share("top") + share("height") / 2.0);
                if is_beside { x } else { y }
            };
            assert!(middle("orange") < 0.45 && middle("tomato") > 0.55, "{answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_photo_that_is_not_clear_asks_back_until_it_is_answered() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut plum = crate::fruit::table(400, 400);
        crate::fruit::draw(&mut plum, &crate::fruit::UNCLEAR, (200.0, 200.0), 90.0);
        let image = json!({"type": "image_url", "image_url": {"url": crate::images::data_url(&plum)}});
        let photo = json!({"role": "user", "content": [image]});
        let ask = async |messages: Value| {
            let body = json!({"messages": messages, "include": ["unresolved", "range", "alternatives"]});
            service.post("/v1/estimate/sync", body).send().await.ok()
        };
        let unsure = ask(json!([photo])).await;
        let question = unsure["unresolved"][0].as_str().unwrap_or_else(|| panic!("no question in {unsure}"));
        assert!(question.starts_with("image 1: ") && question.contains(" or ") && question.ends_with('?'), "{unsure}");
        assert_eq!(unsure["unresolved"].as_array().map(Vec::len), Some(1), "{unsure}");
        let calories = &unsure["items"][0]["range"]["calories"];
        let (low, high) = (calories["low"].as_f64().expect("low"), calories["high"].as_f64().expect("high"));
        assert!(high > 2.0 * low, "{unsure}");
        assert!(unsure["items"][0]["alternatives"].as_array().is_some_and(|others| !others.is_empty()), "{unsure}");
        let answered = ask(json!([photo, {"role": "user", "content": "it was a plum"}])).await;
        assert_eq!(answered["unresolved"], json!([]), "{answered}");
        assert!(answered["items"][0]["name"].as_str().is_some_and(|name| name.contains("Plum")), "{answered}");
        let stream = json!({"messages": [photo], "include": ["unresolved"]});
        let streamed = service.post("/v1/estimate", stream).send().await;
        assert!(String::from_utf8_lossy(&streamed.body).contains(question), "the stream asks too");
    })
    .await;
}

#[tokio::test]
async fn photos_are_accepted_and_what_is_not_said_is_unresolved() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let url = service.post("/v1/upload/base64", json!({"image": crate::images::png(64, 64)})).send().await.ok();
        let url = url["url"].as_str().expect("a url").to_owned();
        let image = |url: &str| json!({"type": "image_url", "image_url": {"url": url}});
        let ask = async |content: Value| {
            let body = json!({"messages": [{"role": "user", "content": content}], "include": ["unresolved"]});
            service.post("/v1/estimate/sync", body).send().await
        };
        let silent = ask(json!([image(&url)])).await.ok();
        assert_eq!((&silent["items"], &silent["unresolved"]), (&json!([]), &json!(["image 1"])));
        let told = ask(json!([image(&url), {"type": "text", "text": "two eggs"}])).await.ok();
        assert_eq!((told["items"].as_array().map(Vec::len), &told["unresolved"]), (Some(1), &json!([])));
        let inline = ask(json!([image(&crate::images::png(64, 64))])).await.ok();
        assert_eq!(inline["unresolved"], json!(["image 1"]));
        let param = "messages[0].content[0].image_url.url";
        assert_eq!(ask(json!([image("https://example.com/cat.jpg")])).await.bad(400), param);
        assert_eq!(ask(json!([image("data:image/png;base64,AAAA")])).await.bad(400), param);
        let other_end = if url.ends_with('x') { 'y' } else { 'x' };
        let gone = format!("{}{other_end}", &url[..url.len() - 1]);
        assert_eq!(ask(json!([image(&gone)])).await.error(400), "image_not_found");
        let (_, stranger) = service.stranger().await;
        let body = json!({"messages": [{"role": "user", "content": [image(&url)]}]});
        let theirs = service.post("/v1/estimate/sync", body).key(&stranger).send().await;
        assert_eq!(theirs.error(403), "other_account");
    })
    .await;
}
