//! Admission to caches: only what is asked for a second time.
//!
//! Most texts are never sent again. To cache them all would cost more than they are worth: each takes memory that nobody has
//! touched for long, and pushes out another that is as little wanted.

use std::fmt;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many keys are remembered at most. Where more come between two equal requests, the second is computed again.
const PLACES: usize = 1 << 15;

/// Remembers the keys that came lately, by their hashes: a new key takes the place of an older one. Two keys with the same
/// hash only mean that one is cached the first time.
pub struct Doorkeeper {
    places: Box<[AtomicU64]>,
    hasher: RandomState,
}

impl Doorkeeper {
    /// Returns whether a key came before, so that it is worth caching, and remembers it.
    pub fn admits(&self, key: &impl Hash) -> bool {
        // No key has the hash of an empty place.
        let hash = self.hasher.hash_one(key).max(1);
        self.places[hash as usize % PLACES].swap(hash, Ordering::Relaxed) == hash
    }
}

impl Default for Doorkeeper {
    fn default() -> Self {
        Self { places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(), hasher: RandomState::new() }
    }
}

impl fmt::Debug for Doorkeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Doorkeeper").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_admitted_the_second_time() {
        let doorkeeper = Doorkeeper::default();
        for key in 0..100 {
            assert!(!doorkeeper.admits(&key));
            assert!(doorkeeper.admits(&key));
        }
    }

    #[test]
    fn what_did_not_come_for_long_is_forgotten() {
        let doorkeeper = Doorkeeper::default();
        let admitted = (0..PLACES * 4).filter(|key| doorkeeper.admits(key)).count();
        assert_eq!(admitted, 0, "all are different");
        let admitted = (0..PLACES).filter(|key| doorkeeper.admits(key)).count();
        assert!(admitted < PLACES / 10, "{admitted} of the oldest");
    }
}
