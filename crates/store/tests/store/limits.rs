use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::SignedDuration;
use proptest::prelude::*;
use store::limits::{FailedKeys, RateLimits, Traffic};
use store::{AccountId, Counters, Mode, Rng};

use test_support::{after, noon};

fn account(seed: u64) -> AccountId {
    AccountId::generate(&mut Rng::seeded(seed))
}

fn rate_limits() -> RateLimits {
    RateLimits::new(Arc::new(Counters::local()))
}

fn failed_keys() -> FailedKeys {
    FailedKeys::new(Arc::new(Counters::local()))
}

/// Waits for what needs no waiting: without Redis, everything is decided at once.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    match work.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn of_500_at_once_exactly_60_pass() {
    let windows = rate_limits();
    let id = account(1);
    let allowed = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let taken = at_once(windows.take(&id, Mode::Live, 60, noon()));
                    allowed.fetch_add(u32::from(taken.allowed), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(allowed.into_inner(), 60);
}

#[test]
fn a_window_counts_down_and_starts_afresh() {
    let windows = rate_limits();
    let id = account(1);
    let reset = after(60).as_second();
    for left in [2, 1, 0] {
        let taken = at_once(windows.take(&id, Mode::Live, 3, after(30)));
        assert_eq!((taken.allowed, taken.limit, taken.remaining, taken.reset), (true, 3, left, reset));
    }
    let refused = at_once(windows.take(&id, Mode::Live, 3, after(59)));
    assert_eq!((refused.allowed, refused.remaining, refused.reset), (false, 0, reset));
    // Test requests and other accounts have windows of their own; a larger plan helps at once, a smaller one too.
    assert!(at_once(windows.take(&id, Mode::Test, 3, after(59))).allowed);
    assert!(at_once(windows.take(&account(2), Mode::Live, 3, after(59))).allowed);
    assert_eq!(at_once(windows.take(&id, Mode::Live, 5, after(59))).remaining, 1);
    let smaller = at_once(windows.take(&id, Mode::Live, 2, after(59)));
    assert_eq!((smaller.allowed, smaller.remaining), (false, 0));
    let next = at_once(windows.take(&id, Mode::Live, 3, after(60)));
    assert_eq!((next.allowed, next.remaining, next.reset), (true, 2, after(120).as_second()));
}

#[test]
fn a_late_thread_does_not_empty_the_new_window() {
    let windows = rate_limits();
    let id = account(1);
    assert!(at_once(windows.take(&id, Mode::Live, 1, after(60))).allowed);
    let late = at_once(windows.take(&id, Mode::Live, 1, after(59)));
    assert_eq!((late.allowed, late.reset), (false, after(120).as_second()));
    assert!(!at_once(windows.take(&id, Mode::Live, 1, after(61))).allowed);
    // A clock that was set back by an hour does not lock anybody out for an hour.
    assert!(at_once(windows.take(&id, Mode::Live, 1, after(-3600))).allowed);
}

#[test]
fn an_address_with_too_many_failures_waits() {
    let failures = failed_keys();
    let address: IpAddr = "192.0.2.1".parse().expect("an address");
    for _ in 0..30 {
        assert_eq!(at_once(failures.add(address, after(10))), None);
    }
    assert_eq!(at_once(failures.add(address, after(10))), Some(50));
    assert_eq!(at_once(failures.add(address, after(59) + SignedDuration::from_millis(900))), Some(1));
    let mapped = "::ffff:192.0.2.1".parse().expect("an address");
    assert_eq!(at_once(failures.add(mapped, after(10))), Some(50), "the same address");
    assert_eq!(at_once(failures.add("192.0.2.2".parse().expect("an address"), after(10))), None);
    assert_eq!(at_once(failures.add(address, after(60))), None);
}

#[test]
fn a_network_of_ipv6_addresses_is_one() {
    let failures = failed_keys();
    for n in 0..30 {
        assert_eq!(at_once(failures.add(format!("2001:db8:0:1::{n:x}").parse().expect("an address"), noon())), None);
    }
    assert!(at_once(failures.add("2001:db8:0:1:ffff::9".parse().expect("an address"), noon())).is_some());
    assert!(at_once(failures.add("2001:db8:0:2::1".parse().expect("an address"), noon())).is_none());
}

#[test]
fn pages_have_a_window_of_their_own() {
    let windows = rate_limits();
    let id = account(1);
    assert!(at_once(windows.take(&id, Traffic::Pages, 1, noon())).allowed);
    assert!(!at_once(windows.take(&id, Traffic::Pages, 1, noon())).allowed);
    assert!(at_once(windows.take(&id, Mode::Live, 1, noon())).allowed);
    assert!(at_once(windows.take(&id, Mode::Test, 1, noon())).allowed);
    assert_eq!(at_once(windows.used(&id, Mode::Live, noon())), 1);
}

proptest! {
    #[test]
    fn a_window_behaves_like_a_counter_per_minute(
        requests in prop::collection::vec((0u8..3, any::<bool>(), 0i64..40), 1..300),
        limit in 0u32..20,
    ) {
        let windows = rate_limits();
        let mut model = std::collections::HashMap::new();
        let mut seconds = 0;
        for (who, live, step) in requests {
            seconds += step;
            let mode = if live { Mode::Live } else { Mode::Test };
            let taken = at_once(windows.take(&account(u64::from(who)), mode, limit, after(seconds)));
            let used: &mut u32 = model.entry((who, live, seconds / 60)).or_default();
            prop_assert_eq!(taken.allowed, *used < limit);
            *used += u32::from(taken.allowed);
            prop_assert_eq!(taken.remaining, limit - *used);
            prop_assert_eq!(taken.reset, after((seconds / 60 + 1) * 60).as_second());
        }
    }
}
