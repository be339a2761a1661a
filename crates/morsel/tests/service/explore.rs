//! The playground, the foods and the recipes as pages: with a session, without script, and never somebody else's.

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
        let call = || {
            let call = cook.call("POST", "/playground/estimate").header("accept", "text/event-stream");
            call.body(meal.to_string())
        };
        let reply = call().header("sec-fetch-site", "same-origin").send().await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
        let text = reply.text();
        assert_eq!(text.matches("event: item").count(), 2, "{text}");
        assert!(text.contains("event: done") && text.contains("\"tier\":"), "{text}");
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
        assert!(cook.page("/foods?q=%3Cscript%3E").await.contains("&#60;script&#62;"));
        assert_eq!(
            Visitor::new(&service).open("/foods?q=egg").await.header("location"),
            Some("/sign-in?next=%2Ffoods%3Fq%3Degg")
        );
    })
    .await;
}
