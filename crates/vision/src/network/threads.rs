//! Thread pools for inference.

use std::sync::{Arc, Mutex, PoisonError};

use rten::ThreadPool;

/// Thread pools of one size. Each inference has a pool to itself, so that photos analyzed in parallel do not wait for
/// each other.
pub(crate) struct ThreadPools {
    /// Threads of each pool.
    threads: usize,
    /// Pools that are not in use. There are never more pools of a priority than photos that were analyzed at once.
    idle: Mutex<Vec<PriorityPool>>,
}

/// A pool, which only threads of one priority use: its threads keep that of the thread that created it.
pub(crate) struct PriorityPool {
    pub threads: Arc<ThreadPool>,
    priority: i32,
}

impl ThreadPools {
    /// Creates pools of `threads` threads each, at least one.
    pub fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { threads: threads.max(1), idle: Mutex::default() })
    }

    /// Takes an idle pool, or creates one.
    pub fn take(&self) -> PriorityPool {
        let priority = priority();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().rposition(|pool| pool.priority == priority);
        let pool = place.map(|place| idle.swap_remove(place));
        drop(idle);
        pool.unwrap_or_else(|| PriorityPool { threads: Arc::new(ThreadPool::with_num_threads(self.threads)), priority })
    }

    /// Returns a pool that is no longer in use.
    pub fn put_back(&self, pool: PriorityPool) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
    }
}

/// Returns the priority of this thread: high numbers give way to low ones.
#[cfg(target_os = "linux")]
fn priority() -> i32 {
    // On Linux a "process" without a number is the calling thread alone.
    rustix::process::getpriority_process(None).unwrap_or_default()
}

/// Other systems have no such priority for a single thread.
#[cfg(not(target_os = "linux"))]
fn priority() -> i32 {
    0
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn inference_has_the_priority_of_the_thread_that_waits_for_it() {
        let pools = ThreadPools::new(1);
        let of_inference = |pools: &ThreadPools| {
            let pool = pools.take();
            let priority = pool.threads.run(priority);
            pools.put_back(pool);
            priority
        };
        let usual = priority();
        assert_eq!(of_inference(&pools), usual);
        let lower = thread::scope(|scope| {
            let photo = scope.spawn(|| {
                let lower = (usual + 5).min(19);
                rustix::process::setpriority_process(None, lower).expect("a thread may give way");
                (of_inference(&pools), lower)
            });
            photo.join().expect("no panic")
        });
        assert_eq!(lower.0, lower.1);
        assert_eq!(of_inference(&pools), usual, "although the last pool that came back is of a lower one");
    }
}
