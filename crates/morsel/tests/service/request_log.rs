//! The request log: what is recorded, who sees it, how it is searched, and that requests do not wait for it.

use std::time::Duration;

use http_body_util::BodyExt as _;
use morsel::config::{Settings, Switch};
use serde_json::json;
use store::Mode;

use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

fn a_meal(text: &str) -> serde_json::Value {
    json!({"messages": [{"role": "user", "content": text}]})
}

/// What is on its way to the database is written.
async fn flush(service: &Service) {
    let app = &service.app;
    app.request_log.flush(&app.store, &app.limits, app.now()).await.expect("written");
}

#[tokio::test]
async fn every_request_with_a_key_is_found_by_its_id() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/log").await.contains("No requests yet"));
        let good = service.post("/v1/estimate/sync", a_meal("two eggs")).from([192, 0, 2, 7]).send().await;
        let bad = service.post("/v1/recipes", json!({"name": "Pie", "calories": -1})).send().await;
        let food = service.get("/v1/foods/fndds_00000000").header("x-request-id", "mine-1.a").send().await;
        let nowhere = service.get("/v1/nowhere?x=1").send().await;
        assert_eq!((good.status, bad.status, food.status, nowhere.status), (200, 400, 404, 404));
        let list = cook.page("/log").await;
        assert!(list.contains("4 requests") && list.contains("data-path=\"/log/events?\""), "{list}");
        for part in
            ["/v1/estimate/sync", "192.0.2.7", "invalid_request · calories", "/v1/foods/fndds_00000000", ">404<"]
        {
            assert!(list.contains(part), "{part}: {list}");
        }
        let id = bad.header("x-request-id").expect("an id");
        let found = cook.open(&format!("/log?id=%20%22{id}%22")).await;
        assert_eq!((found.status, found.header("location")), (303, Some(format!("/log/{id}").as_str())));
        let page = cook.page(&format!("/log/{id}")).await;
        for part in
            [id, "POST /v1/recipes", "calories", ">400<", "curl -X POST", "$MORSEL_KEY", "/log?code=invalid_request"]
        {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains(&service.key) && !page.contains("Pie"), "{page}");
        assert!(cook.page("/log/mine-1.a").await.contains("GET /v1/foods/{id}"));
        assert!(
            cook.page(&format!("/log/{}", nowhere.header("x-request-id").expect("an id")))
                .await
                .contains("/v1/nowhere")
        );
        let missing = cook.open("/log/req_00").await;
        assert_eq!(missing.status, 404);
        assert!(missing.text().contains("not in your log"), "{}", missing.text());
        assert_eq!(cook.send("/log/clear", &[]).await.status, 303);
        assert!(cook.page("/log").await.contains("No requests yet"));
    })
    .await;
}

#[tokio::test]
async fn requests_with_revoked_keys_and_of_the_playground_are_logged_but_not_counted() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let (old, old_key) = service.key(Mode::Live, &["foods:read"]).await;
        assert_eq!(cook.send(&format!("/keys/{}/revoke", old.id), &[]).await.status, 303);
        assert_eq!(cook.send("/log/bodies", &[("bodies", "yes")]).await.status, 303);
        let refused = service.get("/v1/foods?q=egg").key(&old_key).send().await;
        assert_eq!(refused.error(401), "revoked_key");
        let unknown = service.get("/v1/foods?q=egg").key("svc_live_nonsense").send().await;
        assert_eq!(unknown.error(401), "invalid_key");
        let meal = a_meal("two eggs").to_string();
        let tried = cook.call("POST", "/playground/estimate").header("sec-fetch-site", "same-origin").body(&*meal);
        let tried = tried.send().await;
        let wrong = cook.call("POST", "/playground/estimate").header("sec-fetch-site", "same-origin").body("{}");
        assert_eq!((tried.status, wrong.send().await.status), (200, 400));
        let list = cook.page("/log").await;
        assert!(list.contains("3 requests"), "not the unknown key: {list}");
        let page = cook.page(&format!("/log/{}", refused.header("x-request-id").expect("an id"))).await;
        assert!(page.contains("revoked_key") && page.contains(&format!("/keys/{}", old.id)), "{page}");
        let page = cook.page(&format!("/log/{}", tried.header("x-request-id").expect("an id"))).await;
        assert!(page.contains("Dashboard") && page.contains("/playground?text=two+eggs"), "{page}");
        assert!(cook.page("/log?key=dashboard").await.contains("2 requests found"));
        assert!(cook.page("/log?code=revoked_key").await.contains("1 request found"));
        let usage = cook.page("/usage?days=1h").await;
        assert!(usage.contains("No requests in this period") && usage.contains("revoked_key"), "{usage}");
        // An address that guesses does not fill the log with an old key.
        for _ in 0..40 {
            service.get("/v1/foods?q=egg").key(&old_key).send().await;
        }
        let list = cook.page("/log?code=too_many_failed_keys").await;
        assert!(list.contains("0 requests found"), "{list}");
    })
    .await;
}

#[tokio::test]
async fn requests_are_filtered_by_status_route_key_code_and_time() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let (other, other_key) = service.key(Mode::Test, &["estimate"]).await;
        for _ in 0..60 {
            service.get("/v1/foods?q=egg").send().await;
        }
        service.advance(Duration::from_hours(2));
        service.get("/v1/foods").key(&other_key).send().await;
        service.post("/v1/estimate/sync", "nonsense").key(&other_key).send().await;
        let found = async |query: &str| {
            let page = cook.page(&format!("/log?{query}")).await;
            let at = page.find(" found").unwrap_or_else(|| panic!("{query}: {page}"));
            let before = page[..at].rsplit('>').next().expect("a number");
            before.split(' ').next().expect("a number").parse::<u64>().expect("a number")
        };
        for (query, count) in [
            ("status=2xx", 60),
            ("status=errors", 2),
            ("status=4xx", 2),
            ("status=5xx", 0),
            ("route=GET+/v1/foods", 61),
            (&format!("key={}", other.id), 2),
            ("code=insufficient_scope", 1),
            ("since=1h", 2),
            ("since=24h&status=2xx", 60),
            ("from=2026-05-04T10:20:00Z&to=2026-05-04T10:21:00Z", 60),
            ("from=2026-05-04T10:21:00Z&to=2026-05-04T10:22:00Z", 0),
        ] {
            assert_eq!(found(query).await, count, "{query}");
        }
        assert!(cook.page("/log?status=5xx").await.contains("No requests found"));
        let all = cook.page("/log").await;
        assert!(all.contains("62 requests") && all.contains("Page 1 of 2") && all.contains("/log?page=2"), "{all}");
        let second = cook.page("/log?page=2").await;
        assert_eq!(second.matches("<tr><th scope=\"row\">").count(), 12);
        assert!(!second.contains("/log/events"), "older pages do not change");
        assert!(cook.page("/log?status=%00&page=x&from=never&key=mine").await.contains("62 requests"));
    })
    .await;
}

#[tokio::test]
async fn bodies_are_kept_only_on_request_and_never_photos_or_keys() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let before = service.post("/v1/estimate/sync", a_meal("a secret soup")).send().await;
        let before = before.header("x-request-id").expect("an id").to_owned();
        assert_eq!(cook.send("/log/bodies", &[("bodies", "yes")]).await.status, 303);
        let photo = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let parts = json!({"messages": [{"role": "user", "content": [
            {"type": "text", "text": "two eggs & toast"}, {"type": "image_url", "image_url": {"url": photo}}]}]});
        let kept = service.post("/v1/estimate/sync", a_meal("two eggs & toast")).send().await;
        let stream = service.post("/v1/estimate", a_meal("an apple")).send().await;
        let shown = service.post("/v1/estimate/sync", parts).send().await;
        let upload = service.post("/v1/upload/base64", json!({"image": photo})).send().await;
        let large = service.post("/v1/estimate/sync", a_meal(&"egg ".repeat(5_000))).send().await;
        let key = service.get(&format!("/v1/foods?q=egg&api_key={}", service.key)).send().await;
        assert_eq!((kept.status, stream.status, key.status), (200, 200, 200));
        let page = async |reply: &crate::harness::Reply| {
            cook.page(&format!("/log/{}", reply.header("x-request-id").expect("an id"))).await
        };
        let with_text = page(&kept).await;
        for part in ["two eggs &#38; toast", "Response body", "calories", "/playground?text=two+eggs+%26+toast"] {
            assert!(with_text.contains(part), "{part}: {with_text}");
        }
        assert!(page(&stream).await.contains("event: done"), "the whole stream");
        let (with_photo, uploaded, too_large) = (page(&shown).await, page(&upload).await, page(&large).await);
        assert!(with_photo.contains("data URL of") && !with_photo.contains("iVBOR"), "{with_photo}");
        assert!(!uploaded.contains("iVBOR") && !uploaded.contains("Request body"), "{uploaded}");
        assert!(!too_large.contains("Request body"), "{too_large}");
        let searched = page(&key).await;
        assert!(searched.contains("q=egg&#38;api_key=%5Bredacted%5D"), "{searched}");
        assert!(!cook.page(&format!("/log/{before}")).await.contains("secret soup"));
        let export = cook.open("/account/export").await.text();
        assert!(export.contains("two eggs & toast") && export.contains("\"request_id\""), "{export}");
        assert!(!export.contains("iVBOR") && !export.contains(&service.key[12..]), "{export}");

        assert_eq!(cook.send("/log/bodies", &[("bodies", "no")]).await.status, 303);
        let kept = format!("/log/{}", kept.header("x-request-id").expect("an id"));
        let page = cook.page(&kept).await;
        assert!(!page.contains("toast") && page.contains("/v1/estimate/sync"), "{page}");
    })
    .await;
}

#[tokio::test]
async fn an_account_sees_its_own_log_alone() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let (stranger, key) = service.stranger().await;
        let theirs = service.get("/v1/foods?q=egg").key(&key).send().await;
        let mine = service.get("/v1/foods?q=milk").send().await;
        let (theirs, mine) =
            (theirs.header("x-request-id").expect("an id"), mine.header("x-request-id").expect("an id"));
        let cook = Visitor::signed_in(&service, &service.account).await;
        let mut eve = Visitor::signed_in(&service, &stranger).await;
        let list = cook.page("/log").await;
        assert!(list.contains(mine) && !list.contains(theirs), "{list}");
        assert_eq!(cook.open(&format!("/log/{theirs}")).await.status, 404);
        assert_eq!(eve.open(&format!("/log/{mine}")).await.status, 404);
        assert_eq!(eve.send("/log/clear", &[]).await.status, 303);
        assert_eq!(cook.open(&format!("/log/{mine}")).await.status, 200);
        let nobody = Visitor::new(&service);
        for path in ["/log".to_owned(), format!("/log/{mine}"), "/log/events".to_owned()] {
            assert_eq!(nobody.open(&path).await.status, 303, "{path}");
        }
        let live = service.get("/log/events").send().await;
        assert_eq!(live.status, 401, "a key is no session");
    })
    .await;
}

#[tokio::test]
async fn new_requests_are_announced_until_the_session_ends() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let (_, strangers_key) = service.stranger().await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let mut events = cook.call("GET", "/log/events?status=errors").begin().await.into_body();
        let next = async |events: &mut axum::body::Body| {
            let frame = events.frame().await?.expect("no failure");
            Some(String::from_utf8(frame.into_data().expect("data").to_vec()).expect("a text"))
        };
        assert_eq!(next(&mut events).await.as_deref(), Some(": watching\n\n"));
        service.get("/v1/foods").key(&strangers_key).send().await;
        service.get("/v1/foods?q=egg").send().await;
        flush(&service).await;
        assert_eq!(next(&mut events).await.as_deref(), Some(":\n\n"), "neither is an error of this account");
        service.get("/v1/foods").send().await;
        service.get("/v1/foods?limit=x").send().await;
        flush(&service).await;
        assert_eq!(next(&mut events).await.as_deref(), Some("event: change\ndata: {\"requests\":2}\n\n"));
        cook.send("/sign-out", &[]).await;
        service.get("/v1/foods").send().await;
        flush(&service).await;
        assert_eq!(next(&mut events).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_log_is_bounded_by_its_plan_and_an_account_pushes_out_only_its_own() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let limits =
            store::StoredLimits { plan: store::Plan::Scale, requests_per_minute: 9_999, log_requests: 20, log_days: 2 };
        service.app.store.plan_limits().set(limits).await.expect("written");
        service.app.limits.refresh(&service.app.store).await.expect("read");
        let (stranger, key) = service.stranger().await;
        service.get("/v1/foods?q=milk").key(&key).send().await;
        for _ in 0..50 {
            service.get("/v1/foods?q=egg").send().await;
        }
        assert_eq!(service.app.request_log.waiting(), 21, "the oldest gave way in memory already");
        assert_eq!(service.app.request_log.dropped(), 0);
        let cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/log").await.contains("20 requests"));
        let eve = Visitor::signed_in(&service, &stranger).await;
        assert!(eve.page("/log").await.contains("1 request"));
        service.advance(Duration::from_hours(49));
        let app = &service.app;
        assert!(app.request_log.prune(&app.store, &app.limits, app.now()).await.expect("pruned") >= 2);
        assert_eq!(app.store.request_log().count(&service.account.id).await.expect("read"), 0);
    })
    .await;
}

#[tokio::test]
async fn the_owner_of_the_server_can_turn_it_off() {
    on_sqlite(async |database| {
        let service = Service::with(database, Settings { request_log: Some(Switch::Off), ..Settings::default() }).await;
        let reply = service.get("/v1/foods?q=egg").send().await;
        assert_eq!(service.app.request_log.waiting(), 0);
        let cook = Visitor::signed_in(&service, &service.account).await;
        let page = cook.page("/log").await;
        assert!(page.contains("turned the request log off") && page.contains("No requests yet"), "{page}");
        let id = reply.header("x-request-id").expect("an id");
        let page = cook.open(&format!("/log/{id}")).await;
        assert!(page.status == 404 && page.text().contains("turned the log off"), "{}", page.text());
    })
    .await;
}
