//! Rate limits: exact, shared by an account's keys, reported in headers.

use std::time::Duration;

use morsel::config::Settings;
use store::{Mode, Plan};

use crate::harness::Service;
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn of_five_hundred_at_once_exactly_the_limit_passes() {
    on_both(async |database| {
        let service = Service::on(database).await;
        service.app.store.accounts().set_plan(&service.account.id, Plan::Free).await.expect("on a plan");
        let replies = futures_util::future::join_all((0..500).map(|_| service.get("/v1/recipes").send())).await;
        let next_minute = (service.app.now().as_second() + 30).to_string();
        let passed = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(passed, 60);
        let mut remaining: Vec<u32> = Vec::new();
        for reply in &replies {
            assert_eq!(reply.header("x-ratelimit-limit"), Some("60"));
            assert_eq!(reply.header("x-ratelimit-reset"), Some(next_minute.as_str()));
            let left = reply.header("x-ratelimit-remaining").expect("a header").parse().expect("a number");
            if reply.status == 200 {
                remaining.push(left);
                assert_eq!(reply.header("retry-after"), None);
            } else {
                assert_eq!((reply.error(429).as_str(), left), ("rate_limit_exceeded", 0));
                assert_eq!(reply.header("retry-after"), Some("30"));
            }
        }
        remaining.sort_unstable();
        assert_eq!(remaining, (0..60).collect::<Vec<u32>>(), "every number once");
        service.advance(Duration::from_secs(29));
        let last_second = service.get("/v1/recipes").send().await;
        assert_eq!((last_second.status, last_second.header("retry-after")), (429, Some("1")));
        service.advance(Duration::from_secs(1));
        let next = service.get("/v1/recipes").send().await;
        assert_eq!((next.status, next.header("x-ratelimit-remaining")), (200, Some("59")), "a new minute");
    })
    .await;
}

#[tokio::test]
async fn keys_of_an_account_share_a_limit_and_modes_do_not() {
    on_sqlite(async |database| {
        let limits = Some(vec!["free=3".to_owned()]);
        let service = Service::with(database, Settings { plan_limits: limits, ..Settings::default() }).await;
        service.app.store.accounts().set_plan(&service.account.id, Plan::Free).await.expect("on a plan");
        let (_, second) = service.key(Mode::Live, &["recipes:read"]).await;
        let (_, test) = service.key(Mode::Test, &["recipes:read"]).await;
        let status = async |key: &str| service.get("/v1/recipes").key(key).send().await.status;
        assert_eq!(status(&service.key).await, 200);
        assert_eq!(status(&second).await, 200);
        // What is refused for another reason counts as well.
        assert_eq!(service.get("/v1/foods?q=egg").key(&second).send().await.status, 403);
        assert_eq!(status(&service.key).await, 429);
        assert_eq!(service.get("/v1/foods?q=egg").key(&second).send().await.status, 429, "limit before permission");
        assert_eq!(status(&test).await, 200);
    })
    .await;
}

#[tokio::test]
async fn a_new_plan_counts_from_the_next_request() {
    on_both(async |database| {
        let service = Service::on(database).await;
        for (plan, limit) in [(Plan::Free, "60"), (Plan::Starter, "300"), (Plan::Pro, "1200"), (Plan::Scale, "12000")] {
            service.app.store.accounts().set_plan(&service.account.id, plan).await.expect("on a plan");
            let reply = service.get("/v1/recipes").send().await;
            assert_eq!(reply.header("x-ratelimit-limit"), Some(limit));
            assert_eq!(reply.header("ratelimit-policy"), Some(format!("\"minute\";q={limit};w=60").as_str()));
            assert!(reply.header("ratelimit").is_some_and(|text| text.starts_with("\"minute\";r=")));
        }
    })
    .await;
}
