//! The playground, the foods and the recipes as pages: with a session, without script, and never somebody else's.

use std::collections::BTreeSet;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use morsel::config::Settings;
use serde_json::json;

use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn the_playground_answers_a_session_and_nothing_else() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let meal = json!({"messages": [{"role": "user", "content": "two eggs and a banana"}], "include": ["tier"]});
        let call = || cook.call("POST", "/playground/estimate").body(meal.to_string());
        let reply = call().header("sec-fetch-site", "same-origin").send().await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let text = reply.text();
        assert_eq!(text.matches("<li class=\"item").count(), 2, "{text}");
        assert!(text.contains("2 <") || text.contains("eggs"), "{text}");
        assert!(
            text.contains("&quot;tier&quot;") && !text.contains("&quot;grams&quot;"),
            "the response as asked for: {text}"
        );
        assert_eq!(call().header("sec-fetch-site", "cross-site").send().await.status, 403);
        let key = service.call("POST", "/playground/estimate").body(meal.to_string()).send().await;
        assert_eq!(key.error(401), "not_signed_in", "a key is no session");
        let wrong = cook.call("POST", "/playground/estimate").header("sec-fetch-site", "same-origin").body("{}");
        assert_eq!(wrong.send().await.status, 400);
        // It is in nobody's statistics, since it was with no key.
        service.app.usage.flush(&service.app.store).await.expect("written");
        let today = service.app.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        assert!(service.app.store.usage().daily(&service.account.id, today, today).await.expect("read").is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_playground_is_limited_with_the_test_keys() {
    on_sqlite(async |database| {
        let limits = Settings { plan_limits: Some(vec!["scale=3".to_owned()]), ..Settings::default() };
        let service = Service::with(database, limits).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let mut statuses = Vec::new();
        for _ in 0..5 {
            let reply = cook.send("/playground", &[("text", "an egg")]).await;
            statuses.push(reply.status);
            assert!(reply.status == 200 || reply.text().contains("Try again in"), "{}", reply.text());
        }
        // A minute may begin in between.
        assert!(
            statuses.iter().filter(|status| **status == 200).count() >= 3 && statuses.contains(&422),
            "{statuses:?}"
        );
        assert_eq!(service.get("/v1/foods?q=egg").send().await.status, 200, "live keys have a window of their own");
    })
    .await;
}

#[tokio::test]
async fn a_photo_is_kept_as_the_accounts_own() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(64, 48).write_to(&mut bytes, image::ImageFormat::Png).expect("encoded");
        let send = |body: Vec<u8>| {
            cook.call("POST", "/playground/photo").header("sec-fetch-site", "same-origin").body(body).send()
        };
        let url = send(bytes.into_inner()).await.ok()["url"].as_str().expect("a URL").to_owned();
        let path = url.strip_prefix("http://food.test").expect("our address");
        assert_eq!(service.get(path).send().await.status, 200);
        let (_, stranger) = service.stranger().await;
        assert_eq!(service.get(path).key(&stranger).send().await.error(403), "other_account");
        assert_eq!(send(b"no picture".to_vec()).await.status, 400);
        assert_eq!(send(vec![0; 10_000_001]).await.status, 413);
    })
    .await;
}

#[tokio::test]
async fn recipes_are_kept_by_their_owner_alone() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let fields = [("name", "Mom's <Lasagna>"), ("calories", "620,5"), ("aliases", "the usual\n\n family dish ")];
        let saved = cook.send("/recipes", &fields).await;
        assert_eq!((saved.status, saved.header("location")), (303, Some("/recipes?flash=recipe-created")));
        let listed = service.get("/v1/recipes").send().await.ok();
        assert_eq!(listed["recipes"][0]["calories"], 620.5);
        assert_eq!(listed["recipes"][0]["aliases"], json!(["the usual", "family dish"]));
        let id = listed["recipes"][0]["id"].as_str().expect("an id").to_owned();
        let page = cook.page("/recipes").await;
        assert!(page.contains("Mom&#39;s &#60;Lasagna&#62;") && !page.contains("<Lasagna>"), "escaped");
        let long = "x".repeat(201);
        for (name, value, said) in [
            ("name", " ", "This must not be blank."),
            ("name", long.as_str(), "This may have at most 200 characters"),
            ("calories", "many", "Enter a number."),
            ("fat", "-1", "This must be a number from 0 to 100000."),
            ("aliases", long.as_str(), "Alias 1 may have at most 200 characters"),
        ] {
            let mut fields = vec![(name, value)];
            if name != "name" {
                fields.push(("name", "Soup"));
            }
            let refused = cook.send("/recipes", &fields).await;
            assert!(refused.status == 422 && refused.text().contains(said), "{name}: {}", refused.text());
        }
        let why = cook.page("/recipes?text=two+of+the+usual").await;
        assert!(why.contains("matches the alias “the usual”") && why.contains("1241 kcal"), "{why}");
        // Somebody else sees nothing of it, whatever they try.
        let (account, _) = service.stranger().await;
        let mut stranger = Visitor::signed_in(&service, &account).await;
        assert!(!stranger.page("/recipes").await.contains("Lasagna"));
        assert!(!stranger.page("/recipes?text=the+usual").await.contains("Lasagna"));
        assert_eq!(stranger.open(&format!("/recipes/{id}")).await.status, 404);
        assert_eq!(stranger.send(&format!("/recipes/{id}"), &[("name", "Mine")]).await.status, 404);
        assert_eq!(stranger.send(&format!("/recipes/{id}/delete"), &[]).await.status, 404);
        assert_eq!(cook.send(&format!("/recipes/{id}"), &[("name", "Lasagna")]).await.status, 303);
        let changed = service.get(&format!("/v1/recipes/{id}")).send().await.ok();
        assert_eq!((changed["name"].as_str(), changed["calories"].as_f64()), (Some("Lasagna"), Some(0.0)));
        assert_eq!(cook.send(&format!("/recipes/{id}/delete"), &[]).await.status, 303);
        assert_eq!(cook.open(&format!("/recipes/{id}")).await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn foods_are_shown_with_the_chosen_portion() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let found = cook.page("/foods?q=butter+salted&source=usda").await;
        assert!(found.contains("href=\"/foods/sr_01001\""), "{found}");
        let stick = cook.page("/foods/sr_01001?portion=113").await;
        assert!(stick.contains("per 113 g") && stick.contains("810 kcal"), "{stick}");
        assert!(
            cook.page("/foods/sr_01001?portion=113&grams=10").await.contains("per 10 g"),
            "typed grams take precedence"
        );
        assert!(cook.page("/foods/sr_01001?grams=lots").await.contains("Enter a number of grams up to 10,000."));
        assert_eq!(cook.open("/foods/nonsense").await.status, 404);
        let yogurt = cook.page("/foods?q=greek+yogurt&source=usda").await;
        assert!(yogurt.contains("1 container (5.3 oz) · 150 g"), "{yogurt}");
        let dish = cook.page("/foods/dish_aam_panna").await;
        for part in ["Composed by Morsel of USDA foods", "<dt>API source</dt><dd>dish</dd>", "<li>22 g Sugar</li>"] {
            assert!(dish.contains(part), "{part}: {dish}");
        }
        let products = cook.page("/foods?q=coca+cola&source=branded").await;
        assert!(products.contains("All values are 0") && products.contains("check the label"), "{products}");
        assert!(cook.page("/foods?q=%3Cscript%3E").await.contains("&#60;script&#62;"));
        assert_eq!(
            Visitor::new(&service).open("/foods?q=egg").await.header("location"),
            Some("/sign-in?next=%2Ffoods%3Fq%3Degg")
        );
    })
    .await;
}

#[tokio::test]
async fn the_photo_of_the_home_page_gets_the_answer_beside_it() {
    on_sqlite(async |database| {
        // Networks that are not optimized take a while on a busy machine.
        let service = Service::changed(database, Settings::default(), |_, environment| {
            environment.timeouts.response = Duration::from_mins(20);
        })
        .await;
        let visitor = Visitor::new(&service);
        let page = visitor.page("/").await;
        let text = page.split("You say: </span>“").nth(1).and_then(|rest| rest.split('”').next()).expect("a text");
        let url = page.split("<img src=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a photo");
        let photo = visitor.open(url).await;
        assert_eq!((photo.status, photo.header("content-type")), (200, Some("image/webp")));
        let data = format!("data:image/webp;base64,{}", STANDARD.encode(&photo.body));
        let parts = json!([{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": data}}]);
        let body = json!({"messages": [{"role": "user", "content": parts}], "include": ["grams"]});
        let answer = service.post("/v1/estimate/sync", body).send().await.ok();
        let item = &answer["items"][0];
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        for shown in [
            format!("<strong>{}</strong>", item["name"].as_str().expect("a name")),
            format!("{} servings · {} g", number(&item["quantity"]), number(&item["grams"]["grams"])),
            format!("<strong>{}</strong> kcal", number(&answer["totals"]["calories"])),
            format!("{} g protein", number(&answer["totals"]["protein"])),
            format!("{} g carbs", number(&answer["totals"]["carbs"])),
            format!("{} g fat", number(&answer["totals"]["fat"])),
        ] {
            assert!(page.contains(&shown), "{shown}: {answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_home_page_is_light() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let visitor = Visitor::new(&service);
        let fetch = async |path: &str| {
            let reply = visitor.call("GET", path).header("accept-encoding", "gzip").send().await;
            assert_eq!(reply.status, 200, "{path}");
            reply.body.len()
        };
        let page = visitor.page("/").await;
        let parts = page.split('"').filter(|part| part.starts_with("/assets/") && !part.contains(".woff2"));
        let assets: BTreeSet<&str> = parts.map(|part| part.split('#').next().unwrap_or(part)).collect();
        let mut bytes = fetch("/").await;
        for asset in &assets {
            bytes += fetch(asset).await;
        }
        assert!(assets.len() > 8 && bytes < 60_000, "{bytes} bytes of {assets:?}");
    })
    .await;
}

#[tokio::test]
async fn visitors_try_the_demo_within_its_limit() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let visitor = Visitor::new(&service);
        let call = |text: &str| {
            let body = format!("text={}", text.replace(' ', "+"));
            let call = service.call("POST", "/demo").no_key().from([192, 0, 2, 7]);
            call.header("content-type", "application/x-www-form-urlencoded").body(body).send()
        };
        let answer = call("two eggs").await.ok();
        assert_eq!((answer["items"][0]["quantity"].as_f64(), answer["language"].as_str()), (Some(2.0), Some("en")));
        assert_eq!(call(&"x".repeat(501)).await.status, 400);
        let page = visitor.page("/").await;
        assert!(page.contains("og:title") && page.contains("<li class=\"item"), "{page}");
        let mut statuses = Vec::new();
        for _ in 0..25 {
            statuses.push(call("an egg").await.status);
        }
        assert!(statuses.starts_with(&[200; 10]) && statuses.ends_with(&[429]), "{statuses:?}");
        let rules = visitor.open("/robots.txt").await.text();
        assert!(rules.contains("Disallow: /\n"), "{rules}");
    })
    .await;
}

#[tokio::test]
async fn a_recipe_is_made_of_ingredients_and_edited_again() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let pasted =
            cook.send("/recipes", &[("do", "add"), ("name", "Toast"), ("pasted", "10 g of butter\nxqzw")]).await;
        assert_eq!(pasted.status, 200);
        let page = pasted.text();
        assert!(page.contains("Not understood") && page.contains("xqzw") && page.contains("value=\"Toast\""), "{page}");
        let food = |amount, unit| [("food", "sr_01001"), ("food_name", "Butter"), ("amount", amount), ("unit", unit)];
        let found = cook.send("/recipes", &[("do", "find"), ("find", "butter salted")]).await.text();
        assert!(found.contains("name=\"pick\" value=\""), "{found}");
        let picked = cook.send("/recipes", &[("pick", "sr_01001"), ("name", "Toast")]).await.text();
        assert!(picked.contains("name=\"food\" value=\"sr_01001\""), "{picked}");
        let rows = [food("100", "g"), food("20", "g")].concat();
        let all = [&rows[..], &[("servings", "2"), ("basis", "serving"), ("name", "Toast"), ("fat", "1")][..]].concat();
        assert_eq!(cook.send("/recipes", &all).await.status, 303);
        let saved = service.get("/v1/recipes").send().await.ok()["recipes"][0].clone();
        // Half of 120 g at 717 kcal per 100 g; the fat was entered.
        assert_eq!((saved["calories"].as_f64(), saved["fat"].as_f64()), (Some(430.0), Some(1.0)), "{saved}");
        assert_eq!(saved["serving_description"], "1 serving (60 g)");
        assert_eq!(
            saved.as_object().map(serde_json::Map::len),
            Some(10),
            "the API shows the contract's fields: {saved}"
        );
        let path = format!("/recipes/{}", saved["id"].as_str().expect("an id"));
        let page = cook.page(&path).await;
        assert_eq!(page.matches("name=\"food\" value=\"sr_01001\"").count(), 2);
        assert!(page.contains("name=\"servings\" value=\"2\"") && page.contains("430 kcal"), "{page}");
        let fewer = [&rows[..], &[("remove", "0"), ("name", "Toast")][..]].concat();
        assert_eq!(cook.send(&path, &fewer).await.text().matches("name=\"food\" value").count(), 1);
        let hundred = [&rows[..], &[("basis", "100g"), ("name", "Toast")][..]].concat();
        assert_eq!(cook.send(&path, &hundred).await.status, 303);
        assert_eq!(service.get("/v1/recipes").send().await.ok()["recipes"][0]["calories"], 717.0);
        service.recipe(json!({"name": "Apple pie", "calories": 5})).await;
        let place = |page: &str, name: &str| page.find(&format!(">{name}</a>")).expect("listed");
        let by_name = cook.page("/recipes?sort=name").await;
        assert!(place(&by_name, "Apple pie") < place(&by_name, "Toast") && by_name.contains("aria-sort=\"ascending\""));
        let by_calories = cook.page("/recipes?sort=-calories").await;
        assert!(place(&by_calories, "Toast") < place(&by_calories, "Apple pie"));
        let (account, _) = service.stranger().await;
        let mut stranger = Visitor::signed_in(&service, &account).await;
        assert_eq!(stranger.send(&path, &[("do", "refresh")]).await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn the_first_steps_are_done_one_by_one() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let account = service.newcomer().await;
        let mut cook = Visitor::signed_in(&service, &account).await;
        assert!(cook.page("/").await.contains("Get started"));
        let id = crate::visitor::hidden(&cook.page("/").await, "id");
        let shown = cook.send("/start/key", &[("id", id.as_str())]).await;
        let key = crate::visitor::shown_key(&shown.text());
        assert_eq!(shown.text().matches(&key).count(), 10, "once by itself, and in nine programs");
        let again = cook.send("/start/key", &[("id", id.as_str())]).await;
        assert_eq!(again.header("location"), Some("/keys?flash=key-already-created"), "no second key");
        let cookie = cook.cookie.clone().expect("a cookie");
        let steps = async || {
            service.app.usage.flush(&service.app.store).await.expect("written");
            service.get("/start/steps").no_key().header("cookie", &cookie).send().await.ok()
        };
        assert_eq!(steps().await, json!({"key": true, "request": false, "photo": false, "recipe": false}));
        assert_eq!(service.get("/v1/foods?q=egg").key(&key).send().await.status, 200);
        assert_eq!(steps().await["request"], true);
        let image = image::RgbImage::from_pixel(64, 48, image::Rgb([200, 120, 40]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Png).expect("encoded");
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes.into_inner());
        let content = json!([{"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{data}")}}]);
        let photo = json!({"messages": [{"role": "user", "content": content}]});
        assert_eq!(service.post("/v1/estimate/sync", &photo).key(&key).send().await.status, 200);
        assert_eq!(steps().await["photo"], true);
        assert_eq!(cook.send("/recipes", &[("name", "Soup")]).await.status, 303);
        assert_eq!(steps().await["recipe"], true);
        assert!(!cook.page("/").await.contains("Get started"), "all is done");
        let mut other = Visitor::signed_in(&service, &service.account).await;
        assert!(other.page("/").await.contains("Get started"));
        assert_eq!(other.send("/start/hide", &[]).await.status, 303);
        assert!(!other.page("/").await.contains("Get started"));
    })
    .await;
}
