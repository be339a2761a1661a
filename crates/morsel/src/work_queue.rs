//! Queues for work that takes processor time and would hold up all other requests on the async threads.
//!
//! A fixed number of jobs runs at once and a fixed number waits; beyond that, requests are refused at once. So under
//! overload the waiting time of those that are accepted stays bounded.
//!
//! Long jobs run on threads of low priority, so that texts come before photos where there are too few cores for both.
//!
//! How to use it: [`WorkQueue::run`] for a job with one result; [`WorkQueue::permit`] for a job that the caller runs itself,
//! for example one that sends results as it goes. Hold the permit for as long as the job runs.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task;

use crate::error::ApiError;

/// A bounded queue of jobs.
#[derive(Clone, Debug)]
pub struct WorkQueue {
    /// One permit for each job that runs or waits.
    admitted: Arc<Semaphore>,
    /// One permit for each job that runs.
    running: Arc<Semaphore>,
    /// How many jobs run or wait at most.
    max_jobs: usize,
    threads: Threads,
}

/// The threads that jobs run on.
#[derive(Clone, Copy, Debug)]
enum Threads {
    /// The runtime's own, for jobs of a millisecond.
    Runtime,
    /// A new one for each job, with a lower priority than all other threads of the program.
    LowPriority,
}

/// A place in the queue, for a job that runs or waits.
#[derive(Debug)]
pub struct QueuePlace {
    admitted: OwnedSemaphorePermit,
    running: Arc<Semaphore>,
}

impl QueuePlace {
    /// Waits until the job may run.
    pub async fn permit(self) -> Result<Permit, ApiError> {
        let running = self.running.acquire_owned().await.map_err(ApiError::internal)?;
        Ok(Permit { _admitted: self.admitted, _running: running })
    }
}

/// The right to run a job.
#[derive(Debug)]
pub struct Permit {
    _admitted: OwnedSemaphorePermit,
    _running: OwnedSemaphorePermit,
}

impl WorkQueue {
    /// Creates a queue that runs as many jobs at once as there are processors, and lets `waiting` more wait.
    pub fn new(waiting: usize) -> Self {
        Self::with(processors(), waiting)
    }

    /// Creates a queue that runs `running` jobs at once, and lets `waiting` more wait.
    pub fn with(running: usize, waiting: usize) -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        let max_jobs = running + waiting;
        Self { admitted: permits(max_jobs), running: permits(running), max_jobs, threads: Threads::Runtime }
    }

    /// Creates a queue for long jobs, which give way to all other work of the program.
    pub fn low_priority(running: usize, waiting: usize) -> Self {
        Self { threads: Threads::LowPriority, ..Self::with(running, waiting) }
    }

    /// Takes a place in the queue, or refuses at once if too many jobs wait already.
    pub fn enter(&self) -> Result<QueuePlace, ApiError> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| ApiError::overloaded())?;
        Ok(QueuePlace { admitted, running: Arc::clone(&self.running) })
    }

    /// Waits for a permit, unless too many wait already.
    pub async fn permit(&self) -> Result<Permit, ApiError> {
        self.enter()?.permit().await
    }

    /// Returns how many jobs run or wait.
    pub fn jobs(&self) -> usize {
        self.max_jobs - self.admitted.available_permits()
    }

    /// Runs a job off the async threads and waits for its result. If the caller goes away, a job that has not begun is
    /// dropped, and one that has begun runs to its end for nothing.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let permit = self.permit().await?;
        let job = move || {
            let _permit = permit;
            job()
        };
        match self.threads {
            Threads::Runtime => task::spawn_blocking(job).await.map_err(ApiError::internal),
            Threads::LowPriority => {
                let (sender, result) = oneshot::channel();
                let job = move || {
                    lower_priority();
                    // Nobody receives when the caller has gone away.
                    let _ = sender.send(job());
                };
                thread::Builder::new().name("low-priority".to_owned()).spawn(job).map_err(ApiError::internal)?;
                result.await.map_err(ApiError::internal)
            }
        }
    }

    /// Runs a job that can fail by itself.
    pub async fn try_run<T, E>(&self, job: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<ApiError> + Send + 'static,
    {
        self.run(job).await?
    }
}

/// Lowers the priority of this thread and of those it starts. If the system refuses, the job is done all the same.
#[cfg(target_os = "linux")]
fn lower_priority() {
    /// Against the other threads, one that is nicer by 10 gets a tenth of a core, so that it never starves.
    const NICER_BY: i32 = 10;
    // On Linux a "process" without a number is the calling thread alone. A sum beyond the lowest priority means the lowest.
    let priority = rustix::process::getpriority_process(None);
    if let Err(error) = priority.and_then(|priority| rustix::process::setpriority_process(None, priority + NICER_BY)) {
        tracing::debug!(%error, "could not lower the priority of a photo thread");
    }
}

/// Does nothing: other systems have no such priority for a single thread.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

/// Returns the number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_excess_is_refused_at_once() {
        let queue = WorkQueue::with(1, 1);
        let first = queue.permit().await.expect("free");
        let waiting = tokio::spawn({
            let queue = queue.clone();
            async move { queue.run(|| 7).await }
        });
        while queue.admitted.available_permits() > 0 {
            task::yield_now().await;
        }
        let refused = queue.run(|| 8).await.expect_err("one runs, one waits");
        assert_eq!((refused.code, refused.retry_after), ("overloaded", Some(1)));
        drop(first);
        assert_eq!(waiting.await.expect("no panic").expect("served"), 7);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_frees_the_queue() {
        for queue in [WorkQueue::with(1, 0), WorkQueue::low_priority(1, 0)] {
            let failed = queue.run(|| panic!("a bug")).await.expect_err("reported");
            assert_eq!(failed.code, "internal_error");
            assert_eq!(queue.run(|| 1).await.expect("free again"), 1);
        }
    }

    /// Holds under `nice` too, where the program itself starts with another priority than 0.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_jobs_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).expect("known");
        let before = priority();
        let inherited = move || (priority(), thread::spawn(priority).join().expect("no panic"));
        let lowered = (before + 10).min(19);
        assert_eq!(WorkQueue::low_priority(1, 0).run(inherited).await.expect("free"), (lowered, lowered));
        assert_eq!(WorkQueue::with(1, 0).run(priority).await.expect("free"), before);
        assert_eq!(priority(), before);
    }
}
