//! Counters in memory, one minute at a time: requests of an account, failed keys of an address.
//!
//! Minutes are aligned to unix time. A counter's map holds the running minute alone and is emptied when the next one
//! begins, so memory is bounded by what a minute brings.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::{AccountId, Mode};

const WINDOW_SECONDS: i64 = 60;
/// Enough that threads seldom meet at the same lock.
const SHARDS: usize = 64;
/// An address with more failures than this in a minute has to wait for the next.
const FAILURES_ALLOWED: u32 = 30;
/// Addresses counted in a minute. Beyond them new ones are not counted, rather than memory being given away.
const MAX_ADDRESSES: usize = 100_000;

/// How many requests each account made in the running minute.
#[derive(Debug)]
pub struct Windows {
    /// By account: live and test requests.
    counts: Sharded<AccountId, [u32; 2]>,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whether it may go on.
    pub allowed: bool,
    /// How many are allowed in the minute.
    pub limit: u32,
    /// How many are left of them.
    pub remaining: u32,
    /// When the next minute begins, in unix seconds.
    pub reset: i64,
}

/// How many invalid keys came from each address in the running minute.
#[derive(Debug)]
pub struct Failures {
    counts: Sharded<IpAddr, u32>,
}

impl Windows {
    /// No requests yet.
    pub fn new() -> Self {
        Self { counts: Sharded::new() }
    }

    /// Counts a request if the account has any left in this minute. Live and test requests are counted apart.
    pub fn take(&self, account: &AccountId, mode: Mode, limit: u32, now: Timestamp) -> Taken {
        let mut window = self.counts.lock(account, now);
        let reset = (window.number + 1) * WINDOW_SECONDS;
        let take = |counts: &mut [u32; 2]| {
            let used = &mut counts[mode as usize];
            let allowed = *used < limit;
            *used += u32::from(allowed);
            Taken { allowed, limit, remaining: limit.saturating_sub(*used), reset }
        };
        match window.counts.get_mut(account) {
            Some(counts) => take(counts),
            // The id is copied only for the first request of a minute.
            None => take(window.counts.entry(account.clone()).or_default()),
        }
    }

    /// How many requests an account made in this minute so far.
    pub fn used(&self, account: &AccountId, mode: Mode, now: Timestamp) -> u32 {
        self.counts.lock(account, now).counts.get(account).map_or(0, |counts| counts[mode as usize])
    }
}

impl Default for Windows {
    fn default() -> Self {
        Self::new()
    }
}

impl Failures {
    /// No failures yet.
    pub fn new() -> Self {
        Self { counts: Sharded::new() }
    }

    /// Counts an invalid key.
    pub fn failed(&self, address: IpAddr, now: Timestamp) {
        let address = counted_as(address);
        let mut window = self.counts.lock(&address, now);
        if window.counts.len() < MAX_ADDRESSES / SHARDS || window.counts.contains_key(&address) {
            let failures = window.counts.entry(address).or_default();
            *failures = failures.saturating_add(1);
        }
    }

    /// How many seconds an address must wait, if it has failed too often.
    pub fn is_blocked(&self, address: IpAddr, now: Timestamp) -> Option<u32> {
        let address = counted_as(address);
        let window = self.counts.lock(&address, now);
        let is_blocked = window.counts.get(&address).is_some_and(|failures| *failures > FAILURES_ALLOWED);
        let wait = (window.number + 1) * WINDOW_SECONDS - now.as_second();
        is_blocked.then(|| u32::try_from(wait).unwrap_or(1).max(1))
    }
}

impl Default for Failures {
    fn default() -> Self {
        Self::new()
    }
}

/// What an address is counted as: whoever has one IPv6 address has the 2⁶⁴ beside it; an IPv4 address stays one however
/// it is written.
pub fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & (u128::MAX << 64)).into()),
        address @ IpAddr::V4(_) => address,
    }
}

/// Counts of one minute, spread over several locks.
#[derive(Debug)]
struct Sharded<K, V> {
    hasher: RandomState,
    shards: Vec<Mutex<Window<K, V>>>,
}

#[derive(Debug)]
struct Window<K, V> {
    /// Minutes since 1970.
    number: i64,
    counts: HashMap<K, V>,
}

impl<K: Hash + Eq, V> Sharded<K, V> {
    fn new() -> Self {
        let empty = || Mutex::new(Window { number: i64::MIN, counts: HashMap::new() });
        Self { hasher: RandomState::new(), shards: std::iter::repeat_with(empty).take(SHARDS).collect() }
    }

    /// The counts of the minute that `now` lies in. A thread that read its clock just before the minute ended and came too
    /// late counts in the next one: going back would forget what was counted there. A clock that was set back further
    /// starts afresh.
    fn lock(&self, key: &K, now: Timestamp) -> MutexGuard<'_, Window<K, V>> {
        let shard = self.hasher.hash_one(key) as usize % SHARDS;
        let mut window = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let number = now.as_second().div_euclid(WINDOW_SECONDS);
        if number != window.number && number.checked_add(1) != Some(window.number) {
            // A new map instead of an emptied one: a minute of attack should not occupy memory for ever.
            *window = Window { number, counts: HashMap::new() };
        }
        window
    }
}
