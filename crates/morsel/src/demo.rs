//! Limits on the demo of the home page, which needs no account: by address. All visitors together have the share of the
//! processors that one account has.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use store::counted::{CounterKind, Take};
use store::limits::client_of;
use store::{AccountId, Counters, Rng};

use crate::error::ApiError;

/// Meals of an address in a minute.
const MAX_MEALS: u32 = 20;

/// Counts the meals that visitors try.
#[derive(Debug)]
pub struct DemoLimiter {
    counters: Arc<Counters>,
    /// An id that no account has: visitors share a place in the queue and own no recipes.
    pub visitors: AccountId,
}

impl DemoLimiter {
    /// Creates limits that count with these counters.
    pub fn new(counters: Arc<Counters>, rng: &mut Rng) -> Self {
        Self { counters, visitors: AccountId::generate(rng) }
    }

    /// Counts a meal of an address, or refuses it.
    pub(crate) async fn take(&self, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        let kind = CounterKind::DemoMeals;
        let take = Take { kind, of: &client_of(from).to_string(), limit: MAX_MEALS };
        let taken = self.counters.take(&[take], 1, now).await;
        if taken.refused.is_none() {
            return Ok(());
        }
        let seconds = u32::try_from(taken.start + kind.seconds() - now.as_second()).unwrap_or(1).max(1);
        let message = format!("The demo answers {MAX_MEALS} meals a minute. Sign up, or try again in {seconds} s.");
        Err(ApiError::too_many("rate_limit_exceeded", message, seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn meals_are_limited_by_address() {
        let limiter = DemoLimiter::new(Arc::new(Counters::local()), &mut Rng::seeded(1));
        let at = |second: i64| Timestamp::from_second(1_700_000_100 + second).expect("a time");
        let from = |n: u8| IpAddr::from([192, 0, 2, n]);
        for _ in 0..MAX_MEALS {
            limiter.take(from(1), at(0)).await.expect("allowed");
        }
        let refused = limiter.take(from(1), at(20)).await.expect_err("too many");
        assert_eq!((refused.status.as_u16(), refused.retry_after), (429, Some(40)));
        limiter.take(from(2), at(20)).await.expect("another address");
        limiter.take(from(1), at(60)).await.expect("the next minute");
    }
}
