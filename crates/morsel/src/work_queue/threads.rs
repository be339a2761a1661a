//! The threads that jobs run on.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use tokio::sync::oneshot;
use tokio::task;

use crate::error::ApiError;

/// How much nicer than the other threads of the program those of long jobs are. One that is nicer by 10 gets a tenth of a core
/// next to another, so that it never starves.
const NICER: i32 = 10;
/// Those of accounts that send many short jobs, and many long ones.
const NICER_IN_CROWD: i32 = 9;
const NICEST: i32 = 19;

/// The threads that jobs run on.
#[derive(Debug)]
pub(super) enum Threads {
    /// The runtime's own, for jobs of a millisecond; if many jobs are of one account, threads that give way to the others.
    Runtime(CrowdThreads),
    /// A new one for each job, with a lower priority than all other threads of the program.
    LowPriority,
}

impl Threads {
    /// Returns the runtime's threads, for so many jobs at once.
    pub fn runtime(jobs: usize) -> Self {
        Self::Runtime(CrowdThreads { jobs, sender: OnceLock::new() })
    }

    /// Runs a job and waits for its result. A panic is an error. A job in a crowd is one of many of its account.
    pub async fn run<T: Send + 'static>(
        &self,
        in_crowd: bool,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        if let (Threads::Runtime(_), false) = (self, in_crowd) {
            return task::spawn_blocking(job).await.map_err(ApiError::internal);
        }
        let (sender, result) = oneshot::channel();
        let job = move || {
            // Nobody receives when the caller has gone away.
            let _ = sender.send(job());
        };
        match self {
            Threads::Runtime(crowd) => crowd.run(Box::new(job))?,
            Threads::LowPriority => {
                let job = move || {
                    lower_priority(if in_crowd { NICEST } else { NICER });
                    job();
                };
                thread::Builder::new().name("low-priority".to_owned()).spawn(job).map_err(ApiError::internal)?;
            }
        }
        result.await.map_err(ApiError::internal)
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Threads for the short jobs of accounts that send many, started when the first such job comes.
#[derive(Debug)]
pub(super) struct CrowdThreads {
    jobs: usize,
    sender: OnceLock<Sender<Job>>,
}

impl CrowdThreads {
    fn run(&self, job: Job) -> Result<(), ApiError> {
        let start = || {
            let (sender, jobs) = channel();
            let jobs = Arc::new(Mutex::new(jobs));
            for _ in 0..self.jobs {
                let jobs = Arc::clone(&jobs);
                if let Err(error) = thread::Builder::new().name("crowd".to_owned()).spawn(move || work(&jobs)) {
                    tracing::error!(%error, "could not start a thread");
                }
            }
            sender
        };
        // This fails if no thread could be started.
        self.sender.get_or_init(start).send(job).map_err(ApiError::internal)
    }
}

/// Runs jobs until nobody can send any.
fn work(jobs: &Mutex<Receiver<Job>>) {
    lower_priority(NICER_IN_CROWD);
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // Whoever waits for a job that panics sees that it sent no result; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

/// Lowers the priority of this thread and of those it starts. If the system refuses, the job is done all the same.
#[cfg(target_os = "linux")]
fn lower_priority(by: i32) {
    // On Linux a "process" without a number is the calling thread alone. A sum beyond the lowest priority means the lowest.
    let priority = rustix::process::getpriority_process(None);
    if let Err(error) = priority.and_then(|priority| rustix::process::setpriority_process(None, priority + by)) {
        tracing::debug!(%error, "could not lower the priority of a thread");
    }
}

/// Does nothing: other systems have no such priority for a single thread.
#[cfg(not(target_os = "linux"))]
fn lower_priority(_by: i32) {}

/// Returns the number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds under `nice` too, where the program itself starts with another priority than 0.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_jobs_and_crowds_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).expect("known");
        let before = priority();
        let inherited = move || (priority(), thread::spawn(priority).join().expect("no panic"));
        let lowered = |by: i32| (before + by).min(19);
        for (in_crowd, by) in [(false, NICER), (true, NICEST)] {
            let seen = Threads::LowPriority.run(in_crowd, inherited).await.expect("no panic");
            assert_eq!(seen, (lowered(by), lowered(by)));
        }
        let short = Threads::runtime(2);
        assert_eq!(short.run(false, priority).await.expect("no panic"), before);
        assert_eq!(short.run(true, priority).await.expect("no panic"), lowered(NICER_IN_CROWD));
        assert_eq!(priority(), before);
    }

    #[tokio::test]
    async fn a_thread_survives_the_panics_of_its_jobs() {
        let crash = || -> usize { panic!("a bug") };
        let short = Threads::runtime(1);
        for _ in 0..3 {
            assert_eq!(short.run(true, crash).await.expect_err("reported").code, "internal_error");
            assert_eq!(short.run(true, || 7).await.expect("no panic"), 7);
        }
    }
}
