//! What is counted of every request.

use store::Mode;

use crate::harness::Service;
use test_support::on_both;

#[tokio::test]
async fn requests_are_counted_by_day_key_route_status_and_mode() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let (test_key, test) = service.key(Mode::Test, &["recipes:read"]).await;
        for _ in 0..3 {
            service.get("/v1/recipes").send().await.ok();
        }
        service.get("/v1/recipes/nothing").send().await.error(404);
        service.get("/v1/recipes").key(&test).from([10, 2, 3, 4]).send().await.ok();
        service.get("/v1/foods?q=egg").key(&test).send().await.error(403);
        service.get("/healthz").send().await;
        service.app.usage.flush(&service.app.store).await.expect("written");
        service.app.usage.flush(&service.app.store).await.expect("nothing is written twice");
        let today = service.app.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let counts = service.app.store.usage().daily(&service.account.id, today, today).await.expect("no trouble");
        let count = |route: &str, status: &str, mode: Mode| -> u64 {
            let same =
                |count: &&store::RequestCount| count.route == route && count.status == status && count.mode == mode;
            counts.iter().filter(same).map(|count| count.requests).sum()
        };
        assert_eq!(count("GET /v1/recipes", "2xx", Mode::Live), 3);
        assert_eq!(count("GET /v1/recipes/{id}", "4xx", Mode::Live), 1);
        assert_eq!(count("GET /v1/recipes", "2xx", Mode::Test), 1);
        assert_eq!(count("GET /v1/foods", "4xx", Mode::Test), 1);
        assert_eq!(counts.iter().map(|count| count.requests).sum::<u64>(), 6);
        let key = service.app.store.keys().by_id(&service.account.id, &test_key.id).await.expect("no trouble");
        let key = key.expect("a key");
        assert!(key.last_used_at.is_some());
        assert_eq!(key.last_used_from.as_deref(), Some("127.0.0.1"));
    })
    .await;
}
