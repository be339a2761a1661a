//! Counts of events in windows of time: requests, wrong keys, attempts to sign in.
//!
//! Without Redis the counts of a server are its own. With it, all servers count in one place, by a script that does in one
//! step what [`Counters::take`] does in memory. While Redis is not usable, every server grants a fair share of what was left:
//! a limit divided by the servers that were last seen. What they granted is added to Redis when it returns, so that limits
//! are exact again even within the same window.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::counted::{CounterKind, KINDS, Rule, Take, Taken};
use crate::random::Rng;
use crate::shared_windows::{LocalWindow, RedisUrlError, SharedWindows};
use crate::window_counter::WindowCounter;

/// Enough that threads rarely contend for the same lock.
const SHARDS: usize = 64;

/// Whether counts are shared, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountersState {
    /// Whether Redis is configured.
    pub has_redis: bool,
    /// Whether limits hold over all servers: Redis answers.
    pub is_shared: bool,
    /// Servers seen last, this one included.
    pub servers: u32,
    /// Decisions by the local share since the start, because Redis did not answer.
    pub local_decisions: u64,
}

/// The count of a key in its window.
#[derive(Debug, Default)]
struct Count {
    /// Events that Redis is known to have counted.
    shared: u32,
    /// Events that were counted here alone.
    own: u32,
}

/// Counters of events, in memory or shared by all servers.
#[derive(Debug)]
pub struct Counters {
    windows: [Sharded; KINDS.len()],
    shared: Option<SharedWindows>,
    /// Whether there may be events that were counted here alone although there is Redis.
    has_own: AtomicBool,
    local_decisions: AtomicU64,
}

impl Counters {
    /// Creates counters of this server alone.
    pub fn local() -> Self {
        Self::with(None)
    }

    /// Creates counters that all servers with the same Redis share. Nothing is sent before the first [`Counters::heartbeat`].
    /// The error is a message for the user.
    pub fn shared(redis_url: &str, rng: &mut Rng) -> Result<Self, RedisUrlError> {
        Ok(Self::with(Some(SharedWindows::new(redis_url, rng)?)))
    }

    fn with(shared: Option<SharedWindows>) -> Self {
        let windows = KINDS.map(|kind| Sharded::new(&kind.rule()));
        Self { windows, shared, has_own: AtomicBool::new(false), local_decisions: AtomicU64::new(0) }
    }

    /// Counts an event for each of the subjects, if none of them is at its limit. `n` asks for several; then as many as the
    /// limit permits are granted, and there may be only one subject.
    pub async fn take(&self, takes: &[Take<'_>], n: u32, now: Timestamp) -> Taken {
        let Some(shared) = &self.shared else { return self.take_here(takes, n, 1, now) };
        if let Some((taken, used)) = Box::pin(shared.take(takes, n, now)).await {
            // What Redis counted is remembered, in case it goes away.
            let noted = taken.refused.unwrap_or(0);
            if let Some(take) = takes.get(noted) {
                self.note(take, taken.start, used, now);
            }
            return taken;
        }
        self.local_decisions.fetch_add(1, Ordering::Relaxed);
        self.has_own.store(true, Ordering::Relaxed);
        self.take_here(takes, n, shared.servers(), now)
    }

    /// Returns how many events are counted in the current window.
    pub async fn used(&self, kind: CounterKind, of: &str, now: Timestamp) -> u32 {
        if let Some(shared) = &self.shared
            && let Some(used) = shared.used(kind, of, now).await
        {
            return used;
        }
        let shard = self.windows[kind as usize].lock(of);
        shard.get(of, now).map_or(0, |(_, count)| count.shared + count.own)
    }

    /// Takes back an event that was counted.
    pub async fn give_back(&self, kind: CounterKind, of: &str, now: Timestamp) {
        if let Some(shared) = &self.shared
            && shared.give_back(kind, of).await.is_some()
        {
            return;
        }
        self.give_back_here(kind, of, now);
    }

    /// Takes back all events.
    pub async fn reset(&self, kind: CounterKind, of: &str) {
        self.windows[kind as usize].lock(of).remove(of);
        if let Some(shared) = &self.shared {
            // If it cannot be reached, the window ends by itself.
            let _ = shared.reset(kind, of).await;
        }
    }

    /// Tells the other servers that this one is there, and learns how many they are. If Redis was gone and is back, adds what
    /// was granted meanwhile. Call it every second or so; returns the state after it.
    pub async fn heartbeat(&self, now: Timestamp) -> CountersState {
        let Some(shared) = &self.shared else { return self.state() };
        if shared.is_connected() {
            shared.announce().await;
        } else if shared.connect().await {
            // Before requests are counted in Redis again: else it would grant what servers have granted by themselves.
            self.has_own.store(false, Ordering::Relaxed);
            if self.merge(shared, now, true).await {
                shared.open();
            }
        }
        if shared.is_connected() && self.has_own.swap(false, Ordering::Relaxed) {
            // Requests that were decided here while the rest was merged.
            self.merge(shared, now, false).await;
        }
        self.state()
    }

    /// Tells the other servers that this one stops.
    pub async fn leave(&self) {
        if let Some(shared) = &self.shared {
            shared.leave().await;
        }
    }

    /// Returns whether counts are shared.
    pub fn state(&self) -> CountersState {
        let (is_shared, servers) =
            self.shared.as_ref().map_or((false, 1), |shared| (shared.is_connected(), shared.servers()));
        let local_decisions = self.local_decisions.load(Ordering::Relaxed);
        CountersState { has_redis: self.shared.is_some(), is_shared, servers, local_decisions }
    }

    fn take_here(&self, takes: &[Take<'_>], n: u32, servers: u32, now: Timestamp) -> Taken {
        debug_assert!(n == 1 || takes.len() == 1, "several events of several subjects");
        let mut first = None;
        for (index, take) in takes.iter().enumerate() {
            let outcome = self.take_one_here(take, n, servers, now);
            if outcome.granted == 0 {
                for earlier in &takes[..index] {
                    self.give_back_here(earlier.kind, earlier.of, now);
                }
                return Taken { refused: Some(index), ..outcome };
            }
            first = first.or(Some(outcome));
        }
        first.unwrap_or(Taken { granted: n, remaining: 0, start: now.as_second(), refused: None })
    }

    fn take_one_here(&self, take: &Take<'_>, n: u32, servers: u32, now: Timestamp) -> Taken {
        let (kind, rule) = (take.kind, take.kind.rule());
        let mut shard = self.windows[kind as usize].lock(take.of);
        let Some((start, count)) = shard.entry(take.of, kind.start(now), now) else {
            let granted = if rule.is_granted_when_full { n } else { 0 };
            return Taken { granted, remaining: 0, start: kind.start(now), refused: None };
        };
        let left = take.limit.saturating_sub(count.shared).div_ceil(servers).saturating_sub(count.own);
        let granted = n.min(left);
        count.own += granted;
        Taken { granted, remaining: left - granted, start, refused: None }
    }

    fn give_back_here(&self, kind: CounterKind, of: &str, now: Timestamp) {
        let mut shard = self.windows[kind as usize].lock(of);
        if shard.get(of, now).is_some()
            && let Some((_, count)) = shard.entry(of, kind.start(now), now)
        {
            count.own = count.own.saturating_sub(1);
        }
    }

    /// Remembers what Redis has counted.
    fn note(&self, take: &Take<'_>, start: i64, used: u32, now: Timestamp) {
        let mut shard = self.windows[take.kind as usize].lock(take.of);
        if let Some(count) = shard.restart(take.of, start, now) {
            count.shared = used;
        }
    }

    /// Adds what was counted here alone to Redis, and with `all` also what Redis may have forgotten; returns whether it
    /// answered.
    async fn merge(&self, shared: &SharedWindows, now: Timestamp, all: bool) -> bool {
        for kind in KINDS {
            let mut local = Vec::new();
            for lock in &self.windows[kind as usize].shards {
                let mut windows = lock.lock().unwrap_or_else(PoisonError::into_inner);
                for (of, start, count) in windows.iter_mut(now).filter(|(_, _, count)| all || count.own > 0) {
                    let own = std::mem::take(&mut count.own);
                    local.push(LocalWindow { of: of.clone(), start, seen: count.shared, own });
                    count.shared += own;
                }
            }
            if !shared.merge(kind, &local).await {
                self.restore(kind, local, now);
                return false;
            }
        }
        true
    }

    /// Takes back what was not merged.
    fn restore(&self, kind: CounterKind, local: Vec<LocalWindow>, now: Timestamp) {
        self.has_own.store(true, Ordering::Relaxed);
        for window in local {
            let mut shard = self.windows[kind as usize].lock(&window.of);
            if let Some((start, count)) = shard.entry(&window.of, window.start, now)
                && start == window.start
            {
                count.own += window.own;
                count.shared = window.seen;
            }
        }
    }
}

/// The windows of a kind, spread over several locks.
#[derive(Debug)]
struct Sharded {
    hasher: RandomState,
    shards: Vec<Mutex<WindowCounter<String, Count>>>,
}

impl Sharded {
    fn new(rule: &Rule) -> Self {
        let max_keys = if rule.max_keys == usize::MAX { usize::MAX } else { rule.max_keys / SHARDS };
        let empty = || Mutex::new(WindowCounter::new(rule.seconds, max_keys));
        Self { hasher: RandomState::new(), shards: std::iter::repeat_with(empty).take(SHARDS).collect() }
    }

    fn lock(&self, of: &str) -> MutexGuard<'_, WindowCounter<String, Count>> {
        let shard = self.hasher.hash_one(of) as usize % SHARDS;
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
