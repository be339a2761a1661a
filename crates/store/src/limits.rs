//! Limits on requests of an account and on invalid keys from an address, by the [`Counters`] of one server or of all.
//!
//! Rate limits use windows of a minute aligned to unix time, so that responses can state when the next one begins.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;

use crate::counted::{CounterKind, Take, Taken};
use crate::counters::Counters;
use crate::id::AccountId;
use crate::key_text::Mode;

const WINDOW_SECONDS: i64 = 60;
/// After this many invalid keys from an address, further ones are refused until the next minute.
const MAX_FAILURES: u32 = 30;

/// The requests of each account in the current minute.
#[derive(Debug, Clone)]
pub struct RateLimits {
    counters: Arc<Counters>,
}

/// The kinds of requests that are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traffic {
    /// Requests to the API with live keys.
    Live,
    /// Requests to the API with test keys.
    Test,
    /// Pages of the dashboard.
    Pages,
}

impl From<Mode> for Traffic {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Live => Self::Live,
            Mode::Test => Self::Test,
        }
    }
}

impl From<Traffic> for CounterKind {
    fn from(traffic: Traffic) -> Self {
        match traffic {
            Traffic::Live => Self::LiveRequests,
            Traffic::Test => Self::TestRequests,
            Traffic::Pages => Self::Pages,
        }
    }
}

/// The outcome of counting requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether all of them may proceed.
    pub allowed: bool,
    /// How many are allowed in the minute.
    pub limit: u32,
    /// How many of them are left.
    pub remaining: u32,
    /// When the next minute begins, in unix seconds.
    pub reset: i64,
}

impl Decision {
    /// Returns in how many seconds the next minute begins, at least one.
    pub fn seconds_until_reset(&self, now: Timestamp) -> u32 {
        seconds_until(self.reset, now)
    }
}

/// The invalid keys sent from each address in the current minute.
#[derive(Debug, Clone)]
pub struct FailedKeys {
    counters: Arc<Counters>,
}

impl RateLimits {
    /// Creates limits that count with these counters.
    pub fn new(counters: Arc<Counters>) -> Self {
        Self { counters }
    }

    /// Counts a request if the account has any of this kind left in this minute.
    pub async fn take(&self, account: &AccountId, traffic: impl Into<Traffic>, limit: u32, now: Timestamp) -> Decision {
        self.take_several(account, traffic, limit, 1, now).await.1
    }

    /// Counts as many of `n` requests as the account has left in this minute; returns how many.
    pub async fn take_several(
        &self,
        account: &AccountId,
        traffic: impl Into<Traffic>,
        limit: u32,
        n: u32,
        now: Timestamp,
    ) -> (u32, Decision) {
        let take = Take { kind: traffic.into().into(), of: account.as_str(), limit };
        let Taken { granted, remaining, start, .. } = self.counters.take(&[take], n, now).await;
        (granted, Decision { allowed: granted == n, limit, remaining, reset: start + WINDOW_SECONDS })
    }

    /// Returns how many requests an account has made in this minute.
    pub async fn used(&self, account: &AccountId, traffic: impl Into<Traffic>, now: Timestamp) -> u32 {
        self.counters.used(traffic.into().into(), account.as_str(), now).await
    }
}

impl FailedKeys {
    /// Creates limits that count with these counters.
    pub fn new(counters: Arc<Counters>) -> Self {
        Self { counters }
    }

    /// Counts an invalid key. Returns for how many seconds further ones are refused, if the address has sent too many.
    pub async fn add(&self, address: IpAddr, now: Timestamp) -> Option<u32> {
        let address = client_of(address).to_string();
        let take = Take { kind: CounterKind::WrongKeys, of: &address, limit: MAX_FAILURES };
        let taken = self.counters.take(&[take], 1, now).await;
        (taken.granted == 0).then(|| seconds_until(taken.start + WINDOW_SECONDS, now))
    }
}

/// Returns the address under which a client is counted: the /64 network of an IPv6 address, since a client usually has all
/// of it; an IPv4 address in its one canonical form.
pub fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & (u128::MAX << 64)).into()),
        address @ IpAddr::V4(_) => address,
    }
}

fn seconds_until(reset: i64, now: Timestamp) -> u32 {
    u32::try_from(reset - now.as_second()).unwrap_or(0).max(1)
}
