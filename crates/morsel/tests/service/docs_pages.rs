//! The pages of the documentation: endpoints that can be tried with a session, error codes, and the search.

use serde_json::{Value, json};

use crate::harness::Service;
use crate::visitor::Visitor;
use morsel::error_codes::ERROR_CODES;
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn every_error_links_to_the_page_that_explains_it() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let refused = service.get("/v1/foods?q=x").send().await;
        assert_eq!(refused.error(400), "query_too_short");
        assert_eq!(refused.header("link"), Some("</docs/errors/query_too_short>; rel=\"help\""));
        let fields: Vec<String> = refused.json().as_object().expect("an object").keys().cloned().collect();
        assert_eq!(
            fields,
            ["code", "error", "foods", "param", "request_id"],
            "the body has the contract's fields and no others"
        );
        assert_eq!(
            service.get("/v1/recipes").no_key().send().await.header("link"),
            Some("</docs/errors/missing_key>; rel=\"help\"")
        );
        assert_eq!(service.get("/v1/recipes").send().await.header("link"), None);
        let visitor = Visitor::new(&service);
        let all = visitor.page("/docs/errors").await;
        for error in &ERROR_CODES {
            assert!(all.contains(&format!("href=\"/docs/errors/{}\"", error.code)), "{}", error.code);
            let page = visitor.page(&format!("/docs/errors/{}", error.code)).await;
            assert!(page.contains(error.title) && page.contains("How to fix it"), "{}", error.code);
        }
        assert_eq!(visitor.open("/docs/errors/nonsense").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn a_signed_in_user_tries_requests_without_a_key() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let session = cook.cookie.clone().expect("a cookie");
        let call = |method: &str, path: &str, body: Value| {
            let call = service.call(method, path).no_key().header("cookie", &session).header("accept", "*/*");
            call.header("sec-fetch-site", "same-origin").body(body.to_string()).send()
        };
        let meal = json!({"messages": [{"role": "user", "content": "two eggs"}]});
        let estimate = call("POST", "/docs/try/v1/estimate/sync", meal.clone()).await.ok();
        assert_eq!(estimate["items"].as_array().map(Vec::len), Some(1));
        let stream = call("POST", "/docs/try/v1/estimate", meal.clone()).await;
        assert!(stream.text().contains("event: done"), "{}", stream.text());
        let recipe = call("POST", "/docs/try/v1/recipes", json!({"name": "Soup"})).await;
        let id = recipe.json()["id"].as_str().expect("an id").to_owned();
        assert_eq!(service.get(&format!("/v1/recipes/{id}")).send().await.ok()["name"], "Soup");
        let got = call("GET", &format!("/docs/try/v1/recipes/{id}"), Value::Null).await.ok();
        assert_eq!(got["name"], "Soup");
        let (account, _) = service.stranger().await;
        let stranger = Visitor::signed_in(&service, &account).await;
        let other = service.get(&format!("/docs/try/v1/recipes/{id}")).no_key();
        let other = other.header("cookie", stranger.cookie.as_deref().expect("a cookie")).send().await;
        assert_eq!(other.error(403), "other_account");
        assert_eq!(call("POST", "/docs/try/v1/estimate/sync", json!({})).await.error(400), "invalid_request");
        assert_eq!(call("GET", "/docs/try/v1/nowhere", Value::Null).await.error(404), "not_found");
        assert_eq!(call("GET", "/docs/try/keys", Value::Null).await.error(404), "not_found", "only the API");
        // Not for other sites, not with a key, and not for anybody else.
        let foreign = cook.call("POST", "/docs/try/v1/estimate/sync").header("sec-fetch-site", "cross-site");
        assert_eq!(foreign.body(meal.to_string()).send().await.status, 403);
        let key = service.call("POST", "/docs/try/v1/estimate/sync").body(meal.to_string()).send().await;
        assert_eq!(key.error(401), "not_signed_in");
        // Nobody's statistics count it, since it was with no key.
        service.app.usage.flush(&service.app.store).await.expect("written");
        let today = service.app.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let counted = service.app.store.usage().daily(&service.account.id, today, today).await.expect("read");
        assert!(counted.iter().all(|row| row.route == "GET /v1/recipes/{id}"), "{counted:?}");
    })
    .await;
}

#[tokio::test]
async fn an_endpoint_is_tried_without_script() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let page = cook.page("/docs/reference/get-v1-foods").await;
        assert!(page.contains("Sent as you, without a key") && !page.contains("id=\"key\""), "{page}");
        let tried = cook.send("/docs/reference/get-v1-foods", &[("q", "greek yogurt"), ("limit", "1")]).await;
        let shown = tried.text();
        assert!(tried.status == 200 && shown.contains("200 OK") && shown.contains("Greek yogurt"), "{shown}");
        assert!(shown.contains("value=\"greek yogurt\""), "the form keeps what was sent");
        let wrong = cook.send("/docs/reference/post-v1-recipes", &[("body", "{\"name\": \"<b>\", \"fat\": -1}")]).await;
        assert!(
            wrong.text().contains("400 Bad Request") && wrong.text().contains("invalid_request"),
            "{}",
            wrong.text()
        );
        assert!(!wrong.text().contains("<b>"), "escaped");
        let missing = cook.send("/docs/reference/get-v1-recipes-id", &[("id", "../keys?x=1 #")]).await;
        assert!(missing.text().contains("404 Not Found"), "{}", missing.text());
        let visitor = Visitor::new(&service);
        let page = visitor.page("/docs/reference/get-v1-foods").await;
        assert!(page.contains("id=\"key\"") && page.contains("/sign-in?next=/docs/reference/get-v1-foods"), "{page}");
        assert_eq!(visitor.open("/docs/reference/nonsense").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn the_documentation_is_searched() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let visitor = Visitor::new(&service);
        for (query, found) in [
            ("rate+limit", "href=\"/docs/errors/rate_limit_exceeded\""),
            ("barcode", "href=\"/docs/reference/get-v1-foods-barcode-gtin\""),
            ("idempotency", "href=\"/docs#retrying-a-request\""),
            ("serving_description", "href=\"/docs/reference/post-v1-recipes\""),
        ] {
            let page = visitor.page(&format!("/docs/search?q={query}")).await;
            assert!(page.contains(found), "{query}: {page}");
        }
        let nothing = visitor.page("/docs/search?q=%3Cflumbergast%3E").await;
        assert!(nothing.contains("Nothing in the documentation") && !nothing.contains("<flumbergast>"), "{nothing}");
        assert!(!visitor.page("/docs/search?q=usage").await.contains("href=\"/usage\""), "not for visitors");
        let cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/docs/search?q=usage").await.contains("href=\"/usage\""));
    })
    .await;
}
