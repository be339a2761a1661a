//! A cache limited in bytes, of which no account gets more than its share.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;
use store::AccountId;

use crate::budget::{Budget, Reservation};

/// Entries that are not used for this long are dropped.
const TIME_TO_IDLE: Duration = Duration::from_hours(1);
/// An account may have one part in so many of a cache.
const SHARE: usize = 2;

/// A cache whose entries belong to accounts.
pub struct FairCache<K, V> {
    cache: Cache<K, Arc<Entry<V>>>,
    bytes: Budget,
}

/// A cached value, with the bytes that its account holds because of it: they are given back when the entry is dropped.
struct Entry<V> {
    value: V,
    weight: u32,
    _bytes: Reservation,
}

impl<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static> FairCache<K, V> {
    /// Creates an empty cache of at most so many bytes.
    pub fn new(max_bytes: usize) -> Self {
        let cache = Cache::builder()
            .max_capacity(max_bytes as u64)
            .weigher(|_: &K, entry: &Arc<Entry<V>>| entry.weight)
            .time_to_idle(TIME_TO_IDLE)
            .build();
        // All accounts together are limited by the cache itself, which makes room for new entries.
        Self { cache, bytes: Budget::new(usize::MAX / 2, max_bytes / SHARE) }
    }

    /// Returns a cached value.
    pub fn get(&self, key: &K) -> Option<V> {
        self.cache.get(key).map(|entry| entry.value.clone())
    }

    /// Caches a value of this size, unless the account has its share of the cache.
    pub fn insert(&self, account: &AccountId, key: K, value: V, bytes: usize) {
        /// What an entry takes besides its variable part.
        const FIXED: usize = 256;
        let bytes = bytes + FIXED;
        if let (Ok(held), Ok(weight)) = (self.bytes.reserve(account, bytes), u32::try_from(bytes)) {
            self.cache.insert(key, Arc::new(Entry { value, weight, _bytes: held }));
        }
    }

    /// Returns the bytes that are cached.
    pub fn bytes(&self) -> usize {
        self.cache.run_pending_tasks();
        self.bytes.held()
    }
}

impl<K, V> fmt::Debug for FairCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairCache").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::Rng;

    #[test]
    fn an_account_fills_its_share_and_leaves_the_rest_to_others() {
        let [greedy, ada] = [1, 2].map(|seed| AccountId::generate(&mut Rng::seeded(seed)));
        let cache = FairCache::new(100_000);
        for n in 0..200 {
            cache.insert(&greedy, n, n, 1_000);
        }
        let kept = cache.bytes();
        assert!((40_000..=50_000).contains(&kept), "{kept}");
        assert_eq!((cache.get(&0), cache.get(&199)), (Some(0), None));
        cache.insert(&ada, 1_000, 1_000, 1_000);
        assert_eq!(cache.get(&1_000), Some(1_000));
    }

    #[test]
    fn what_is_dropped_makes_room() {
        let ada = AccountId::generate(&mut Rng::seeded(1));
        let cache = FairCache::new(4_000);
        for _ in 0..100 {
            cache.insert(&ada, "same", 1, 1_000);
            // Replaced entries are dropped by pending tasks.
            assert!(cache.bytes() <= 2_000);
        }
        cache.insert(&ada, "too large", 1, 5_000);
        assert_eq!((cache.get(&"same"), cache.get(&"too large")), (Some(1), None));
    }
}
