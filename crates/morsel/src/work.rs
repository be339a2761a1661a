//! Work that takes a processor's time and would hold up everybody else's requests on the async threads.
//!
//! A fixed number of jobs runs at once and a fixed number waits; whoever comes then is told at once to come back later.
//! So under overload the waiting time of those who are served stays bounded.
//!
//! Long jobs are done aside, on threads that give way to all others, so that texts come before photos where there are too few
//! cores for both.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task;

use crate::error::ApiError;

/// A place to work.
#[derive(Clone, Debug)]
pub struct Work {
    /// One permit for each job that runs or waits.
    admitted: Arc<Semaphore>,
    /// One permit for each job that runs.
    running: Arc<Semaphore>,
    /// How many jobs run and wait at most.
    most: usize,
    threads: Threads,
}

/// The threads that jobs run on.
#[derive(Clone, Copy, Debug)]
enum Threads {
    /// The runtime's own, for jobs of a millisecond.
    Runtime,
    /// One for each job, behind all other threads of the program.
    Aside,
}

/// The right to run a job now.
#[derive(Debug)]
pub struct Turn {
    _admitted: OwnedSemaphorePermit,
    _running: OwnedSemaphorePermit,
}

impl Work {
    /// As many jobs at once as there are processors, and this many more waiting.
    pub fn new(waiting: usize) -> Self {
        Self::with(processors(), waiting)
    }

    /// So many jobs at once, and so many more waiting.
    pub fn with(running: usize, waiting: usize) -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        let most = running + waiting;
        Self { admitted: permits(most), running: permits(running), most, threads: Threads::Runtime }
    }

    /// The same for long jobs, which give way to all other work of the program.
    pub fn aside(running: usize, waiting: usize) -> Self {
        Self { threads: Threads::Aside, ..Self::with(running, waiting) }
    }

    /// Waits for a turn, unless too many wait already.
    pub async fn turn(&self) -> Result<Turn, ApiError> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| ApiError::overloaded())?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(ApiError::internal)?;
        Ok(Turn { _admitted: admitted, _running: running })
    }

    /// How many jobs run or wait.
    pub fn under_way(&self) -> usize {
        self.most - self.admitted.available_permits()
    }

    /// Runs a job on a thread of its own and waits for it. When the caller goes away, a job that has not begun is
    /// dropped and one that has is finished for nothing.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let turn = self.turn().await?;
        let job = move || {
            let _turn = turn;
            job()
        };
        match self.threads {
            Threads::Runtime => task::spawn_blocking(job).await.map_err(ApiError::internal),
            Threads::Aside => {
                let (tell, told) = oneshot::channel();
                let job = move || {
                    give_way();
                    // Nobody listens when the caller has gone away.
                    let _ = tell.send(job());
                };
                thread::Builder::new().name("aside".to_owned()).spawn(job).map_err(ApiError::internal)?;
                told.await.map_err(ApiError::internal)
            }
        }
    }
}

/// Puts this thread, and those that it starts, behind the other threads of the program. Where the system refuses, the job is
/// done all the same.
#[cfg(target_os = "linux")]
fn give_way() {
    /// Against a thread with the usual 0, one with 10 gets a tenth of a core; nobody starves.
    const NICE: i32 = 10;
    // On Linux a "process" without a number is the calling thread alone.
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "photos are looked at with the priority of texts");
    }
}

/// Elsewhere the system has no such priority for a single thread.
#[cfg(not(target_os = "linux"))]
fn give_way() {}

/// The number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_excess_is_told_at_once() {
        let work = Work::with(1, 1);
        let first = work.turn().await.expect("free");
        let waiting = tokio::spawn({
            let work = work.clone();
            async move { work.run(|| 7).await }
        });
        while work.admitted.available_permits() > 0 {
            task::yield_now().await;
        }
        let refused = work.run(|| 8).await.expect_err("one runs, one waits");
        assert_eq!((refused.code, refused.retry_after), ("overloaded", Some(1)));
        drop(first);
        assert_eq!(waiting.await.expect("no panic").expect("served"), 7);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_frees_the_place() {
        for work in [Work::with(1, 0), Work::aside(1, 0)] {
            let failed = work.run(|| panic!("a bug")).await.expect_err("told");
            assert_eq!(failed.code, "internal_error");
            assert_eq!(work.run(|| 1).await.expect("free again"), 1);
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_jobs_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).expect("told");
        let before = priority();
        let inherited = move || (priority(), thread::spawn(priority).join().expect("no panic"));
        assert_eq!(Work::aside(1, 0).run(inherited).await.expect("free"), (before + 10, before + 10));
        assert_eq!(Work::with(1, 0).run(priority).await.expect("free"), before);
        assert_eq!(priority(), before);
    }
}
