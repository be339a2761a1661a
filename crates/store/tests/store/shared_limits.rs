//! Limits that several servers share over Redis, also while it is slow, gone or has forgotten everything.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use store::counted::{CounterKind, Take, Taken};
use store::{Counters, Rng};
use test_support::{Proxy, Redis, after, noon};

/// A server's counters. They wait long enough for Redis that a busy machine does not look like an outage.
async fn server(url: &str) -> Arc<Counters> {
    connect(&format!("{url}?timeout_ms=20000")).await
}

async fn connect(url: &str) -> Arc<Counters> {
    let counters = Counters::shared(url, &mut Rng::system()).expect("a URL");
    counters.heartbeat(noon()).await;
    Arc::new(counters)
}

async fn take(server: &Counters, kind: CounterKind, of: &str, limit: u32, now: Timestamp) -> Taken {
    server.take(&[Take { kind, of, limit }], 1, now).await
}

/// Counts how many requests of an account are granted until the first is refused.
async fn granted(server: &Counters, of: &str, limit: u32) -> u32 {
    let mut count = 0;
    while take(server, CounterKind::LiveRequests, of, limit, after(1)).await.granted == 1 {
        count += 1;
        assert!(count <= limit, "the limit has no end");
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_2000_at_once_over_three_servers_exactly_300_pass() {
    let redis = Redis::start();
    let servers = [server(redis.url()).await, server(redis.url()).await, server(redis.url()).await];
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..2_000 {
        let server = Arc::clone(&servers[n % 3]);
        tasks.spawn(async move { take(&server, CounterKind::LiveRequests, "acc", 300, after(5)).await.granted });
    }
    assert_eq!(tasks.join_all().await.into_iter().sum::<u32>(), 300);
    let taken = take(&servers[0], CounterKind::LiveRequests, "acc", 300, after(59)).await;
    assert_eq!((taken.granted, taken.remaining, taken.start), (0, 0, noon().as_second()));
    assert_eq!(servers[1].used(CounterKind::LiveRequests, "acc", after(59)).await, 300);
    assert_eq!(take(&servers[2], CounterKind::LiveRequests, "acc", 300, after(60)).await.remaining, 299);
    // A server whose clock is a little late counts in the new window; one whose clock was set back by an hour is not locked out.
    let late = take(&servers[0], CounterKind::LiveRequests, "acc", 1, after(59)).await;
    assert_eq!((late.granted, late.start), (0, after(60).as_second()));
    assert_eq!(take(&servers[0], CounterKind::LiveRequests, "acc", 1, after(-3_600)).await.granted, 1);
    servers[0].heartbeat(noon()).await;
    assert_eq!(servers[0].state().servers, 3);
    servers[2].leave().await;
    assert_eq!(servers[0].heartbeat(noon()).await.servers, 2);
}

/// The rule in memory and the script in Redis are one rule.
#[test]
fn counters_in_memory_and_in_redis_agree() {
    let redis = Redis::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let shared = runtime.block_on(server(redis.url()));
    let steps = prop::collection::vec((0u8..6, 0u8..3, 1u32..5, 0i64..200), 1..60);
    let next = std::cell::Cell::new(0);
    let agreed = TestRunner::new(ProptestConfig { cases: 24, ..ProptestConfig::default() }).run(
        &(steps, 1u32..12),
        |(steps, limit)| {
            // Another account each time, since Redis remembers the last run.
            next.set(next.get() + 1);
            let local = Counters::local();
            let mut second = 0;
            for (action, who, n, step) in steps {
                second = (second + step).max(0);
                let (of, now) = (format!("case {} {who}", next.get()), after(second));
                let kinds = [CounterKind::LiveRequests, CounterKind::Passwords, CounterKind::PasswordsFrom];
                let one = |kind| Take { kind, of: &of, limit };
                let (here, there) = runtime.block_on(async {
                    let both = async |takes: &[Take<'_>], n| {
                        (local.take(takes, n, now).await, shared.take(takes, n, now).await)
                    };
                    match action {
                        0..3 => both(&[one(kinds[usize::from(action)])], n).await,
                        3 => both(&[one(kinds[1]), Take { limit: 2 * limit, ..one(kinds[2]) }], 1).await,
                        4 => {
                            local.give_back(kinds[2], &of, now).await;
                            shared.give_back(kinds[2], &of, now).await;
                            both(&[one(kinds[2])], 1).await
                        }
                        _ => {
                            local.reset(kinds[1], &of).await;
                            shared.reset(kinds[1], &of).await;
                            both(&[one(kinds[1])], 1).await
                        }
                    }
                });
                prop_assert_eq!(here, there);
                let used = runtime
                    .block_on(async { (local.used(kinds[0], &of, now).await, shared.used(kinds[0], &of, now).await) });
                prop_assert_eq!(used.0, used.1);
            }
            Ok(())
        },
    );
    agreed.expect("they agree");
    assert!(runtime.block_on(shared.heartbeat(noon())).is_shared, "Redis answered all the time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_servers_share_what_was_left_and_it_counts_when_redis_is_back() {
    let redis = Redis::start();
    let proxy = Proxy::to(redis.address());
    let url = format!("redis://{}", proxy.address());
    let servers = [server(&url).await, server(&url).await, server(&url).await];
    for server in &servers {
        assert_eq!(server.heartbeat(noon()).await.servers, 3);
    }
    for n in 0..150 {
        assert_eq!(take(&servers[n % 3], CounterKind::LiveRequests, "acc", 300, after(1)).await.granted, 1);
    }
    proxy.cut();
    // Each has seen nearly all of the 150, and grants a third of the rest.
    let mut during = 0;
    for server in &servers {
        during += granted(server, "acc", 300).await;
        assert_eq!((server.state().is_shared, server.state().servers), (false, 3));
    }
    assert!((148..=153).contains(&during), "{during}");
    // Nobody has used this account before: a third of everything.
    assert_eq!(granted(&servers[0], "new", 30).await, 10);
    proxy.restore();
    for server in &servers {
        assert!(server.heartbeat(after(1)).await.is_shared);
    }
    for server in &servers {
        assert_eq!(granted(server, "acc", 300).await, 0, "what was granted meanwhile counts");
    }
    assert_eq!(granted(&servers[1], "new", 30).await, 20, "exact again");
    assert!(servers[0].state().local_decisions > 50);
}

#[tokio::test]
async fn a_redis_that_forgot_everything_is_reminded() {
    let redis = Redis::start();
    let proxy = Proxy::to(redis.address());
    let server = server(&format!("redis://{}", proxy.address())).await;
    assert_eq!(granted(&server, "acc", 20).await, 20);
    proxy.cut();
    assert_eq!(granted(&server, "acc", 20).await, 0, "all of it was used before");
    redis.forget();
    proxy.restore();
    assert!(server.heartbeat(after(1)).await.is_shared);
    assert_eq!(granted(&server, "acc", 20).await, 0);
}

#[tokio::test]
async fn a_slow_redis_slows_one_request_by_50_ms_and_no_other() {
    let redis = Redis::start();
    let proxy = Proxy::to(redis.address());
    let server = connect(&format!("redis://{}", proxy.address())).await;
    proxy.slow(Duration::from_secs(5));
    let begun = std::time::Instant::now();
    for _ in 0..50 {
        assert_eq!(take(&server, CounterKind::LiveRequests, "acc", 1_000, after(1)).await.granted, 1);
    }
    // One of them waited. If all had, it would be 2.5 s.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(server.state().local_decisions, 50);
    assert!(!server.heartbeat(after(1)).await.is_shared, "it is still slow");
    proxy.restore();
    while !server.heartbeat(after(1)).await.is_shared {}
    assert!(server.used(CounterKind::LiveRequests, "acc", after(1)).await >= 50);
}

#[test]
fn a_wrong_url_is_reported_without_its_password() {
    for wrong in
        ["", "hunter2", "http://u:hunter2@host", "redis://u:hunter2@host:port", "redis://u:hunter2@h?timeout_ms=0"]
    {
        let error = Counters::shared(wrong, &mut Rng::system()).expect_err(wrong).to_string();
        assert!(error.contains("redis://host:6379") && !error.contains("hunter2"), "{error}");
    }
}
