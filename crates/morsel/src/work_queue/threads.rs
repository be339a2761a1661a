//! The threads that jobs run on.

use std::num::NonZero;
use std::thread;

use tokio::sync::oneshot;
use tokio::task;

use crate::error::ApiError;

/// The threads that jobs run on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Threads {
    /// The runtime's own, for jobs of a millisecond.
    Runtime,
    /// A new one for each job, with a lower priority than all other threads of the program.
    LowPriority,
}

impl Threads {
    /// Runs a job and waits for its result. A panic is an error.
    pub async fn run<T: Send + 'static>(self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        match self {
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

    /// Holds under `nice` too, where the program itself starts with another priority than 0.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_jobs_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).expect("known");
        let before = priority();
        let inherited = move || (priority(), thread::spawn(priority).join().expect("no panic"));
        let lowered = (before + 10).min(19);
        assert_eq!(Threads::LowPriority.run(inherited).await.expect("no panic"), (lowered, lowered));
        assert_eq!(Threads::Runtime.run(priority).await.expect("no panic"), before);
        assert_eq!(priority(), before);
    }
}
