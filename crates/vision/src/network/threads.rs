//! Thread pools for inference.

use std::sync::{Arc, Mutex, PoisonError};

use rten::ThreadPool;

/// Thread pools of one size. Each inference has a pool to itself, so that photos analyzed in parallel do not wait for
/// each other.
pub(crate) struct ThreadPools {
    /// Threads of each pool.
    threads: usize,
    /// Pools that are not in use. There are never more pools than photos that were analyzed at once. The threads of a
    /// pool keep the priority of the thread that first used it.
    idle: Mutex<Vec<Arc<ThreadPool>>>,
}

impl ThreadPools {
    /// Creates pools of `threads` threads each, at least one.
    pub fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { threads: threads.max(1), idle: Mutex::default() })
    }

    /// Takes an idle pool, or creates one.
    pub fn take(&self) -> Arc<ThreadPool> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(self.threads)))
    }

    /// Returns a pool that is no longer in use.
    pub fn put_back(&self, pool: Arc<ThreadPool>) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
    }
}
