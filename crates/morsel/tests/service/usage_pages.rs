//! The usage page and its CSV.

use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use morsel::background;
use store::{KeyId, Mode, NewKey, RequestCount, Rng, Scopes};

use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

/// Requests of a key on a day that lies so many days back.
async fn count(service: &Service, key: &KeyId, days_ago: i64, status: &str, mode: Mode, requests: u64) {
    let day = service.app.now().to_zoned(TimeZone::UTC).date() - days_ago.days();
    let count = RequestCount {
        day,
        account: service.account.id.clone(),
        key: key.clone(),
        route: "POST /v1/estimate/sync".into(),
        status: status.into(),
        mode,
        latency_bucket: 9,
        requests,
    };
    service.app.store.usage().add(&[count]).await.expect("added");
}

#[tokio::test]
async fn numbers_are_shown_by_day_route_key_and_mode() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/usage").await.contains("No requests in this period"));
        let (live, _) = service.key(Mode::Live, &["estimate"]).await;
        let (test, _) = service.key(Mode::Test, &["estimate"]).await;
        count(&service, &live.id, 0, "2xx", Mode::Live, 1_230).await;
        count(&service, &live.id, 1, "4xx", Mode::Live, 41).await;
        count(&service, &live.id, 1, "429", Mode::Live, 17).await;
        count(&service, &live.id, 2, "5xx", Mode::Live, 3).await;
        count(&service, &test.id, 20, "2xx", Mode::Test, 900).await;
        let page = cook.page("/usage?days=30").await;
        assert!(
            page.contains("<span class=\"figure\">2,191</span>") && page.contains("<span class=\"figure\">44</span>")
        );
        for part in ["bar-ok", "bar-client", "bar-limited", "bar-server", "<title id=\"chart-title\">", "<desc", "p95"]
        {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.contains("POST /v1/estimate/sync") && page.contains("12,000 requests per minute"), "{page}");
        assert!(page.contains("<title>") && page.contains("17 rate limited"));
        assert!(!page.contains("style="), "the policy allows no style in the page");
        assert!(cook.page("/usage?days=7").await.contains("<span class=\"figure\">1,291</span>"));
        assert!(cook.page("/usage?days=nonsense&mode=").await.contains("Last 30 days</option>"));
        assert!(cook.page("/usage?mode=test").await.contains("<span class=\"figure\">900</span>"));
        let of_key = cook.page(&format!("/usage?days=90&key={}", live.id)).await;
        assert!(of_key.contains("<span class=\"figure\">1,291</span>"));
        assert!(of_key.contains(&format!(
            "/log?key={}&#38;from=2026-05-04T00%3A00%3A00Z&#38;to=2026-05-05T00%3A00%3A00Z",
            live.id
        )));
        assert_eq!(cook.open("/usage?key=key_0123456789012345678901").await.status, 404);
        assert_eq!(cook.open("/usage?key=nonsense").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn the_csv_is_well_formed_and_harmless() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let label = "=HYPERLINK(\"http://evil.test\",\"click\")";
        let new = NewKey { mode: Mode::Live, label: Some(label.into()), scopes: Scopes::all(), expires_at: None };
        let keys = service.app.store.keys();
        let (key, _) =
            keys.create(&service.account.id, new, service.app.now(), &mut Rng::system()).await.expect("a key");
        count(&service, &key.id, 0, "2xx", Mode::Live, 5).await;
        count(&service, &key.id, 0, "429", Mode::Live, 2).await;
        count(&service, &key.id, 50, "2xx", Mode::Live, 9).await;
        let reply = cook.open("/usage.csv?days=30").await;
        assert_eq!(reply.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
        assert!(reply.header("content-disposition").is_some_and(|name| name.starts_with("attachment")));
        let text = reply.text();
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].starts_with("day,key,label,mode,route,requests,"));
        let expected = "\"'=HYPERLINK(\"\"http://evil.test\"\",\"\"click\"\")\",live,POST /v1/estimate/sync,7,5,0,2,0,";
        assert!(lines[1].contains(expected), "{text}");
        assert_eq!(cook.open("/usage.csv?days=90").await.text().split("\r\n").count(), 4);
        assert_eq!(cook.open("/usage.csv?key=key_0123456789012345678901").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn what_was_just_asked_is_counted() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        for _ in 0..3 {
            service.get("/v1/foods?q=egg").send().await;
        }
        service.app.usage.flush(&service.app.store).await.expect("written");
        let page = cook.page("/usage?days=7").await;
        assert!(page.contains("This minute, live: 3 of 12,000") && page.contains("GET /v1/foods"), "{page}");
        let keys = cook.page("/keys").await;
        assert!(keys.contains("just now") && keys.contains("127.0.0.1") && keys.contains(">3</td>"), "{keys}");
        assert!(cook.page("/").await.contains("<span class=\"figure\">3</span>"));
    })
    .await;
}

#[tokio::test]
async fn the_minute_is_shown_on_the_overview_and_red_only_when_it_is_full() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let limits =
            store::StoredLimits { plan: store::Plan::Scale, requests_per_minute: 10, log_requests: 9, log_days: 2 };
        service.app.store.plan_limits().set(limits).await.expect("written");
        service.app.limits.refresh(&service.app.store).await.expect("read");
        let cook = Visitor::signed_in(&service, &service.account).await;
        for used in [0, 3, 10] {
            for page in ["/", "/usage"] {
                let page = cook.page(page).await;
                let meter = format!("max=\"10\" low=\"8\" high=\"9\" optimum=\"0\" value=\"{used}\"");
                assert!(page.contains(&meter) && page.contains("data-live data-every="), "{used}: {page}");
            }
            for _ in 0..if used == 0 { 3 } else { 7 } {
                service.get("/v1/foods?q=egg").send().await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn usage_is_forgotten_after_four_hundred_days() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let key = KeyId::generate(&mut Rng::system());
        for days_ago in [0, 399, 400, 401, 800] {
            count(&service, &key, days_ago, "2xx", Mode::Live, 1).await;
        }
        assert_eq!(background::prune_usage(&service.app, service.app.now()).await.expect("works"), 2);
        assert_eq!(background::prune_usage(&service.app, service.app.now()).await.expect("works"), 0);
        let today = service.app.now().to_zoned(TimeZone::UTC).date();
        let left = service.app.store.usage().daily(&service.account.id, today - 900.days(), today).await.expect("read");
        assert_eq!(left.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn an_hour_and_a_day_are_shown_from_the_log() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/usage?days=1h").await.contains("No requests in this period"));
        let (test, secret) = service.key(Mode::Test, &["foods:read"]).await;
        for _ in 0..3 {
            service.get("/v1/foods?q=egg").send().await;
        }
        service.advance(std::time::Duration::from_hours(2));
        service.get("/v1/foods").key(&secret).send().await;
        let slow = service.post("/v1/estimate/sync", "nonsense").key(&secret).send().await;
        let hour = cook.page("/usage?days=1h").await;
        for part in [
            "<span class=\"figure\">2</span>",
            "in the last hour",
            "Requests by minute",
            "/log?from=2026-05-04T12%3A20%3A00Z&#38;to=2026-05-04T12%3A21%3A00Z",
            "/log?code=insufficient_scope",
            "/log?code=query_too_short",
            &format!("/log?key={}", test.id),
            "class=\"spark\"",
            &format!("/log/{}", slow.header("x-request-id").expect("an id")),
            "This minute, test: 2 of 12,000",
        ] {
            assert!(hour.contains(part), "{part}: {hour}");
        }
        assert!(!hour.contains("style="), "the policy allows no style in the page");
        let day = cook.page("/usage?days=24h").await;
        assert!(day.contains("<span class=\"figure\">5</span>") && day.contains("Requests by hour"), "{day}");
        assert!(day.contains("/log?from=2026-05-04T10%3A00%3A00Z&#38;to=2026-05-04T11%3A00%3A00Z"), "{day}");
        let live = cook.page("/usage?days=24h&mode=live").await;
        assert!(live.contains("<span class=\"figure\">3</span>") && !live.contains("insufficient_scope"), "{live}");
        let of_key = cook.page(&format!("/usage?days=24h&key={}", test.id)).await;
        assert!(of_key.contains("<span class=\"figure\">2</span>"), "{of_key}");
    })
    .await;
}
