//! Counters in memory, with no database: requests of an account, invalid keys from an address.
//!
//! [`WindowCounter`] is the one data structure behind them. Rate limits use windows of a minute aligned to unix time, so
//! that responses can state when the next one begins; other callers may start a window with the first event.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::id::AccountId;
use crate::key_text::Mode;

const WINDOW_SECONDS: i64 = 60;
/// Enough that threads rarely contend for the same lock.
const SHARDS: usize = 64;
/// After this many invalid keys from an address, further ones are refused until the next minute.
const MAX_FAILURES: u32 = 30;
/// Addresses counted in a minute. Beyond that new ones are not counted, which bounds memory.
const MAX_ADDRESSES: usize = 100_000;

/// The requests of each account in the current minute.
#[derive(Debug)]
pub struct RateLimits {
    /// By account: requests of each kind.
    counts: Sharded<AccountId, [u32; 3]>,
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

/// The outcome of counting a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request may proceed.
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
        u32::try_from(self.reset - now.as_second()).unwrap_or(0).max(1)
    }
}

/// The invalid keys sent from each address in the current minute.
#[derive(Debug)]
pub struct FailedKeys {
    counts: Sharded<IpAddr, u32>,
}

impl RateLimits {
    /// Creates limits with no requests counted.
    pub fn new() -> Self {
        Self { counts: Sharded::new(usize::MAX) }
    }

    /// Counts a request if the account has any of this kind left in this minute.
    pub fn take(&self, account: &AccountId, traffic: impl Into<Traffic>, limit: u32, now: Timestamp) -> Decision {
        let mut shard = self.counts.lock(account);
        let (start, counts) = shard.entry(account, minute(now), now).expect("the number of keys is not limited");
        let used = &mut counts[traffic.into() as usize];
        let allowed = *used < limit;
        *used += u32::from(allowed);
        Decision { allowed, limit, remaining: limit.saturating_sub(*used), reset: start + WINDOW_SECONDS }
    }

    /// Returns how many requests an account has made in this minute.
    pub fn used(&self, account: &AccountId, traffic: impl Into<Traffic>, now: Timestamp) -> u32 {
        self.counts.lock(account).get(account, now).map_or(0, |(_, counts)| counts[traffic.into() as usize])
    }
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::new()
    }
}

impl FailedKeys {
    /// Creates a counter with no failures.
    pub fn new() -> Self {
        Self { counts: Sharded::new(MAX_ADDRESSES / SHARDS) }
    }

    /// Counts an invalid key. Returns for how many seconds further ones are refused, if the address has sent too many.
    pub fn add(&self, address: IpAddr, now: Timestamp) -> Option<u32> {
        let address = client_of(address);
        let mut shard = self.counts.lock(&address);
        let (start, failures) = shard.entry(&address, minute(now), now)?;
        *failures = failures.saturating_add(1);
        let is_refused = *failures > MAX_FAILURES;
        is_refused.then(|| u32::try_from(start + WINDOW_SECONDS - now.as_second()).unwrap_or(1).max(1))
    }
}

impl Default for FailedKeys {
    fn default() -> Self {
        Self::new()
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

/// A value per key that is forgotten when the key's window ends. Keys are limited in number, which bounds memory.
///
/// ```
/// use jiff::Timestamp;
/// use store::limits::WindowCounter;
///
/// let mut attempts: WindowCounter<&str> = WindowCounter::new(300, 1_000);
/// let now = Timestamp::UNIX_EPOCH;
/// for _ in 0..2 {
///     let (_, count) = attempts.entry(&"ada", now.as_second(), now).expect("there is room");
///     *count += 1;
/// }
/// assert_eq!(attempts.get(&"ada", now), Some((0, &2)));
/// let later = Timestamp::from_second(300).expect("a time");
/// assert_eq!(attempts.get(&"ada", later), None);
/// ```
#[derive(Debug)]
pub struct WindowCounter<K, V = u32> {
    /// The length of a window in seconds.
    seconds: i64,
    max_keys: usize,
    /// By key: when its window began, in unix seconds, and its value.
    windows: HashMap<K, (i64, V)>,
    /// When windows that have ended were last removed.
    swept: i64,
}

impl<K: Hash + Eq + Clone, V: Default> WindowCounter<K, V> {
    /// Creates an empty counter with windows of so many seconds.
    pub fn new(seconds: i64, max_keys: usize) -> Self {
        Self { seconds, max_keys, windows: HashMap::new(), swept: i64::MIN }
    }

    /// Returns the number of keys, including those whose windows have ended and were not yet removed.
    pub fn len(&self) -> usize {
        self.windows.len()
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// Returns when the key's current window began and its value; `None` without one.
    pub fn get(&self, key: &K, now: Timestamp) -> Option<(i64, &V)> {
        let (start, value) = self.windows.get(key).filter(|(start, _)| self.is_current(*start, now))?;
        Some((*start, value))
    }

    /// Returns the key's current window, beginning a new one at `start` (unix seconds) where it has none; `None` if there
    /// is no room for another key.
    pub fn entry(&mut self, key: &K, start: i64, now: Timestamp) -> Option<(i64, &mut V)> {
        if !self.is_current(self.swept, now) {
            self.sweep(start, now);
        }
        let is_current = self.windows.get(key).map(|(start, _)| self.is_current(*start, now));
        if is_current.is_none() && self.windows.len() >= self.max_keys {
            return None;
        }
        if is_current != Some(true) {
            self.windows.insert(key.clone(), (start, V::default()));
        }
        self.windows.get_mut(key).map(|(start, value)| (*start, value))
    }

    /// Forgets a key.
    pub fn remove(&mut self, key: &K) {
        self.windows.remove(key);
    }

    /// Removes windows that have ended, with the memory they occupied: a minute of attack should not occupy it forever.
    fn sweep(&mut self, start: i64, now: Timestamp) {
        let windows = std::mem::take(&mut self.windows);
        self.windows = windows.into_iter().filter(|(_, (start, _))| self.is_current(*start, now)).collect();
        self.swept = start;
    }

    /// Returns whether a window that began at `start` has not ended. A thread that read its clock just before a window
    /// began, and came late, still counts in that window; a clock that was set back further begins a new one.
    fn is_current(&self, start: i64, now: Timestamp) -> bool {
        let age = now.as_second().saturating_sub(start);
        -self.seconds <= age && age < self.seconds
    }
}

/// A counter for each minute, spread over several locks.
#[derive(Debug)]
struct Sharded<K, V> {
    hasher: RandomState,
    shards: Vec<Mutex<WindowCounter<K, V>>>,
}

impl<K: Hash + Eq + Clone, V: Default> Sharded<K, V> {
    fn new(max_keys_per_shard: usize) -> Self {
        let empty = || Mutex::new(WindowCounter::new(WINDOW_SECONDS, max_keys_per_shard));
        Self { hasher: RandomState::new(), shards: std::iter::repeat_with(empty).take(SHARDS).collect() }
    }

    fn lock(&self, key: &K) -> MutexGuard<'_, WindowCounter<K, V>> {
        let shard = self.hasher.hash_one(key) as usize % SHARDS;
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns when the minute of a moment began, in unix seconds.
fn minute(now: Timestamp) -> i64 {
    now.as_second().div_euclid(WINDOW_SECONDS) * WINDOW_SECONDS
}
