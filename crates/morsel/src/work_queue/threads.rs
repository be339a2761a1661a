//! The threads that jobs run on.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// How much nicer than the other threads of the program those of long jobs are. One that is nicer by 10 gets a tenth of a core
/// next to another, so that it never starves.
const NICER: i32 = 10;
/// Those of accounts that send many short jobs, and many long ones.
const NICER_IN_CROWD: i32 = 9;
const NICEST: i32 = 19;

/// A job on its way to a thread.
pub(super) type Job = Box<dyn FnOnce() + Send>;

/// The threads that jobs run on.
#[derive(Debug)]
pub(super) enum Threads {
    /// As many as there are places, for jobs of a millisecond; if many jobs are of one account, others that give way to them.
    Pools { normal: Pool, crowd: Pool },
    /// A new one for each job, with a lower priority than all other threads of the program.
    LowPriority,
}

impl Threads {
    /// Returns threads for so many short jobs at once.
    pub fn pools(jobs: usize) -> Self {
        Self::Pools { normal: Pool::new(jobs, 0), crowd: Pool::new(jobs, NICER_IN_CROWD) }
    }

    /// Starts a job. One in a crowd is one of many of its account. A job that no thread can be had for is dropped.
    pub fn start(&self, in_crowd: bool, job: Job) {
        match self {
            Threads::Pools { crowd, .. } if in_crowd => crowd.start(job),
            Threads::Pools { normal, .. } => normal.start(job),
            Threads::LowPriority => {
                let job = move || {
                    lower_priority(if in_crowd { NICEST } else { NICER });
                    job();
                };
                if let Err(error) = thread::Builder::new().name("low-priority".to_owned()).spawn(job) {
                    tracing::error!(%error, "could not start a thread");
                }
            }
        }
    }
}

/// Threads that are kept, started when the first job comes.
#[derive(Debug)]
pub(super) struct Pool {
    threads: usize,
    nicer: i32,
    jobs: OnceLock<Arc<Jobs>>,
}

impl Pool {
    fn new(threads: usize, nicer: i32) -> Self {
        Self { threads, nicer, jobs: OnceLock::new() }
    }

    fn start(&self, job: Job) {
        let jobs = self.jobs.get_or_init(|| self.start_threads());
        let mut state = jobs.lock();
        if !state.is_closed {
            state.waiting.push_back(job);
            jobs.changed.notify_one();
        }
    }

    /// Starts the threads. If not one can be had, jobs are dropped rather than kept waiting for ever.
    fn start_threads(&self) -> Arc<Jobs> {
        let jobs = Arc::new(Jobs::default());
        let started = (0..self.threads).filter(|_| {
            let (jobs, nicer) = (Arc::clone(&jobs), self.nicer);
            let thread = thread::Builder::new().name("text".to_owned()).spawn(move || work(&jobs, nicer));
            thread.inspect_err(|error| tracing::error!(%error, "could not start a thread")).is_ok()
        });
        jobs.lock().is_closed = started.count() == 0;
        jobs
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(jobs) = self.jobs.get() {
            jobs.lock().is_closed = true;
            jobs.changed.notify_all();
        }
    }
}

/// The jobs of a pool that no thread has taken yet: few, because as many threads are kept as there are places in the queue.
#[derive(Default)]
struct Jobs {
    state: Mutex<JobsState>,
    changed: Condvar,
}

#[derive(Default)]
struct JobsState {
    waiting: VecDeque<Job>,
    is_closed: bool,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, JobsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next job; none comes any more when the pool is gone.
    fn next(&self) -> Option<Job> {
        let is_idle = |state: &mut JobsState| state.waiting.is_empty() && !state.is_closed;
        let state = self.changed.wait_while(self.lock(), is_idle);
        state.unwrap_or_else(PoisonError::into_inner).waiting.pop_front()
    }
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("waiting", &self.lock().waiting.len()).finish_non_exhaustive()
    }
}

/// Runs jobs until the pool is gone.
fn work(jobs: &Jobs, nicer: i32) {
    if nicer > 0 {
        lower_priority(nicer);
    }
    while let Some(job) = jobs.next() {
        job();
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
    use std::sync::mpsc;

    /// Runs a job and returns its result.
    fn run<T: Send + 'static>(threads: &Threads, in_crowd: bool, job: impl FnOnce() -> T + Send + 'static) -> T {
        let (sender, result) = mpsc::channel();
        threads.start(in_crowd, Box::new(move || sender.send(job()).expect("awaited")));
        result.recv().expect("it runs")
    }

    /// Holds under `nice` too, where the program itself starts with another priority than 0.
    #[cfg(target_os = "linux")]
    #[test]
    fn long_jobs_and_crowds_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).expect("known");
        let before = priority();
        let inherited = move || (priority(), thread::spawn(priority).join().expect("no panic"));
        let lowered = |by: i32| (before + by).min(19);
        for (in_crowd, by) in [(false, NICER), (true, NICEST)] {
            assert_eq!(run(&Threads::LowPriority, in_crowd, inherited), (lowered(by), lowered(by)));
        }
        let short = Threads::pools(2);
        assert_eq!(run(&short, false, priority), before);
        assert_eq!(run(&short, true, priority), lowered(NICER_IN_CROWD));
        assert_eq!(priority(), before);
    }

    #[test]
    fn the_threads_of_a_pool_end_with_it() {
        let short = Threads::pools(3);
        let held = Arc::new(());
        let Threads::Pools { normal, .. } = &short else { panic!("pools") };
        assert_eq!(
            run(&short, false, {
                let held = Arc::clone(&held);
                move || Arc::strong_count(&held)
            }),
            2
        );
        let jobs = Arc::clone(normal.jobs.get().expect("started"));
        drop(short);
        while Arc::strong_count(&jobs) > 1 {
            thread::yield_now();
        }
    }
}
