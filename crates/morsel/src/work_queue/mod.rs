//! Queues for work that takes processor time: the gate in front of every text, search, photo, recipe book, page that
//! searches, and export.
//!
//! A fixed number of jobs runs at once, and the others wait in line. The rules are in [`line`](self):
//!
//! - **Accounts take turns.** A free place goes to the account with the fewest running jobs, so that no account can take
//!   from others what they need, however many requests it sends.
//! - **Waiting is limited by time.** A request that would wait longer than the queue's patience is refused at once, before
//!   its body is read ([`WorkQueue::check`]); one that has waited that long is refused as well.
//! - **Who sends many jobs gives way.** They run on threads of a lower priority than those of others.
//! - **A line that is late serves the newest first**, so that those who are served are served in time.
//!
//! Long jobs run on threads of low priority, so that texts come before photos where there are too few cores for both. A thread
//! that has done a short job takes the next one from the line itself: going through the async threads for each would leave
//! cores idle that have work.
//!
//! How to use it: [`WorkQueue::run`] for a job with one result; [`WorkQueue::enter`] for a job that the caller runs itself,
//! for example one that sends results as it goes. Hold the permit for as long as the job runs.

mod line;
mod threads;

use std::fmt;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::AccountId;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use self::line::{Entered, Started, WaitingLine};
use self::threads::{Job, Threads};
use crate::error::ApiError;

pub use line::{QueueLimits, Refusal};
pub use threads::processors;

/// What jobs are told apart by.
pub trait QueueKey: Clone + Eq + Hash + Send + 'static {}

impl<K: Clone + Eq + Hash + Send + 'static> QueueKey for K {}

/// A queue of jobs that accounts share fairly. `()` stands for everybody where there are no accounts yet.
#[derive(Debug)]
pub struct WorkQueue<K: QueueKey = AccountId> {
    shared: Arc<Shared<K>>,
}

#[derive(Debug)]
struct Shared<K: QueueKey> {
    limits: QueueLimits,
    threads: Threads,
    line: Mutex<WaitingLine<K, Waiter<K>>>,
    /// Refused jobs by reason, in the order of [`Refusal::ALL`].
    refused: [AtomicU64; Refusal::ALL.len()],
}

/// What waits in the line.
enum Waiter<K: QueueKey> {
    /// One who runs a job as soon as there is a permit.
    Permit(oneshot::Sender<Permit<K>>),
    /// A job.
    Job(QueuedJob<K>),
}

type QueuedJob<K> = Box<dyn FnOnce(Permit<K>) + Send>;

/// A place in the queue, for a job that runs or waits.
#[derive(Debug)]
pub struct QueuePlace<K: QueueKey = AccountId>(Place<K>);

#[derive(Debug)]
enum Place<K: QueueKey> {
    Runs(Permit<K>),
    Waits(Waiting<K>, oneshot::Receiver<Permit<K>>),
}

/// One who waits. Dropping it gives up the place.
#[derive(Debug)]
struct Waiting<K: QueueKey> {
    shared: Arc<Shared<K>>,
    account: K,
    ticket: u64,
    until: Instant,
}

/// The right to run a job. Dropping it lets the next job run.
#[derive(Debug)]
pub struct Permit<K: QueueKey = AccountId> {
    shared: Arc<Shared<K>>,
    account: K,
    started: Started,
    since: Instant,
}

impl<K: QueueKey> WorkQueue<K> {
    /// Creates a queue for short jobs.
    pub fn new(limits: QueueLimits) -> Self {
        Self::on(Threads::pools(limits.running), limits, Some(line::ALONE_AFTER))
    }

    /// Creates a queue for long jobs, which give way to all other work of the program.
    pub fn low_priority(limits: QueueLimits) -> Self {
        Self::on(Threads::LowPriority, limits, None)
    }

    fn on(threads: Threads, limits: QueueLimits, alone_after: Option<Duration>) -> Self {
        let (line, refused) = (Mutex::new(WaitingLine::new(limits, alone_after)), Default::default());
        Self { shared: Arc::new(Shared { limits, threads, line, refused }) }
    }

    /// Refuses a request whose job could not run soon. Called before a body is read, it makes a refusal cheap; the job may
    /// still be refused when it enters.
    pub fn check(&self, account: &K) -> Result<(), ApiError> {
        let checked = self.shared.lock().check(account);
        checked.map_err(|refusal| self.shared.refuse(refusal))
    }

    /// Takes a place in the queue, or refuses at once.
    pub fn enter(&self, account: &K) -> Result<QueuePlace<K>, ApiError> {
        let shared = Arc::clone(&self.shared);
        let now = Instant::now();
        let (sender, permit) = oneshot::channel();
        let entered = shared.lock().enter(account, now, || Waiter::Permit(sender));
        let account = account.clone();
        Ok(QueuePlace(match entered.map_err(|refusal| shared.refuse(refusal))? {
            Entered::Runs(started) => Place::Runs(Permit { shared, account, started, since: now }),
            Entered::Waits(ticket) => {
                let until = now + shared.limits.patience;
                Place::Waits(Waiting { shared, account, ticket, until }, permit)
            }
        }))
    }

    /// Waits for a permit, or refuses.
    pub async fn permit(&self, account: &K) -> Result<Permit<K>, ApiError> {
        self.enter(account)?.permit().await
    }

    /// Returns how many jobs run or wait.
    pub fn jobs(&self) -> usize {
        self.shared.lock().jobs()
    }

    /// Returns how many jobs have begun.
    pub fn begun(&self) -> u64 {
        self.shared.lock().begun()
    }

    /// Returns how many jobs were refused, by reason.
    pub fn refused(&self) -> impl Iterator<Item = (Refusal, u64)> {
        Refusal::ALL.into_iter().zip(self.shared.refused.each_ref().map(|count| count.load(Ordering::Relaxed)))
    }

    /// Runs a job off the async threads and waits for its result. If the caller goes away, a job that has not begun is
    /// dropped, and one that has begun runs to its end for nothing.
    pub async fn run<T: Send + 'static>(
        &self,
        account: &K,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let shared = &self.shared;
        let now = Instant::now();
        let (job, mut outcome) = with_outcome(job);
        let mut job = Some(job);
        let entered = shared.lock().enter(account, now, || Waiter::Job(job.take().expect("it enters once")));
        let finished = match entered.map_err(|refusal| shared.refuse(refusal))? {
            Entered::Runs(started) => {
                let permit = Permit { shared: Arc::clone(shared), account: account.clone(), started, since: now };
                permit.start(job.expect("it does not wait"));
                outcome.await
            }
            Entered::Waits(ticket) => {
                let until = now + shared.limits.patience;
                let waiting = Waiting { shared: Arc::clone(shared), account: account.clone(), ticket, until };
                match timeout_at(until, &mut outcome).await {
                    Ok(finished) => finished,
                    Err(_) if waiting.leave() => return Err(shared.refuse(Refusal::TimedOut)),
                    // It began in time.
                    Err(_) => outcome.await,
                }
            }
        };
        // A job that is dropped has not begun: it waited too long, or there was no thread for it.
        finished.unwrap_or_else(|_| Err(shared.refuse(Refusal::TimedOut)))
    }

    /// Runs a job that can fail by itself.
    pub async fn try_run<T, E>(&self, account: &K, job: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<ApiError> + Send + 'static,
    {
        self.run(account, job).await?
    }
}

impl<K: QueueKey> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: QueueKey> QueuePlace<K> {
    /// Waits until the job may run.
    pub async fn permit(self) -> Result<Permit<K>, ApiError> {
        match self.0 {
            Place::Runs(permit) => Ok(permit),
            Place::Waits(waiting, permit) => match timeout_at(waiting.until, permit).await {
                Ok(Ok(permit)) => Ok(permit),
                // The line found that it had waited too long, or the timer did.
                Ok(Err(_)) | Err(_) => Err(waiting.shared.refuse(Refusal::TimedOut)),
            },
        }
    }
}

impl<K: QueueKey> Permit<K> {
    /// Runs a job off the async threads and waits for its result.
    pub async fn run<T: Send + 'static>(self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let (job, outcome) = with_outcome(job);
        self.start(job);
        outcome.await.unwrap_or_else(|_| Err(ApiError::internal("no thread could be started")))
    }

    fn start(self, job: QueuedJob<K>) {
        let (shared, in_crowd) = (Arc::clone(&self.shared), self.started == Started::Crowding);
        let job: Job = Box::new(move || job(self));
        shared.threads.start(in_crowd, job);
    }
}

/// Returns a job that gives its permit back when it is done, and where its result arrives. A panic is an error.
fn with_outcome<K, T>(
    job: impl FnOnce() -> T + Send + 'static,
) -> (QueuedJob<K>, oneshot::Receiver<Result<T, ApiError>>)
where
    K: QueueKey,
    T: Send + 'static,
{
    let (sender, outcome) = oneshot::channel();
    let job = move |permit: Permit<K>| {
        let result = catch_unwind(AssertUnwindSafe(job)).map_err(|_| ApiError::internal("a job panicked"));
        drop(permit);
        // Nobody receives when the caller has gone away.
        let _ = sender.send(result);
    };
    (Box::new(job), outcome)
}

impl<K: QueueKey> Shared<K> {
    fn lock(&self) -> MutexGuard<'_, WaitingLine<K, Waiter<K>>> {
        // Every change is complete before anything can panic.
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a refusal and returns what the client is told.
    fn refuse(&self, refusal: Refusal) -> ApiError {
        self.refused[refusal as usize].fetch_add(1, Ordering::Relaxed);
        let overloaded = ApiError::overloaded();
        match refusal {
            Refusal::AccountShare => {
                let message =
                    "Too many requests of this account are waiting. Send fewer at once, and try again in a second.";
                ApiError { message: message.to_owned(), ..overloaded }
            }
            Refusal::WouldWait | Refusal::TimedOut => overloaded,
        }
    }
}

impl<K: QueueKey> Waiting<K> {
    /// Gives up the place; returns whether there was one to give up.
    fn leave(&self) -> bool {
        self.shared.lock().leave(&self.account, self.ticket)
    }
}

impl<K: QueueKey> Drop for Waiting<K> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl<K: QueueKey> Drop for Permit<K> {
    fn drop(&mut self) {
        let now = Instant::now();
        self.shared.lock().finish(&self.account, self.started, now.duration_since(self.since));
        loop {
            let next = self.shared.lock().next(now);
            let Some((account, waiter, started)) = next else { return };
            let permit = Permit { shared: Arc::clone(&self.shared), account, started, since: now };
            match waiter {
                Waiter::Job(job) => permit.start(job),
                Waiter::Permit(sender) => {
                    // If the other one has just gone away, the permit comes back, is dropped, and wakes the next.
                    let _ = sender.send(permit);
                }
            }
        }
    }
}

impl<K: QueueKey> fmt::Debug for Waiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Waiter::Permit(_) => "Permit",
            Waiter::Job(_) => "Job",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::Rng;
    use tokio::task;

    fn account(seed: u64) -> AccountId {
        AccountId::generate(&mut Rng::seeded(seed))
    }

    fn limits(waiting_per_account: usize) -> QueueLimits {
        QueueLimits { running: 1, waiting_per_account, patience: Duration::from_hours(1) }
    }

    #[tokio::test]
    async fn the_excess_is_refused_at_once() {
        let (queue, ada) = (WorkQueue::new(limits(1)), account(1));
        let first = queue.permit(&ada).await.expect("free");
        let waiting = tokio::spawn({
            let (queue, ada) = (queue.clone(), ada.clone());
            async move { queue.run(&ada, || 7).await }
        });
        while queue.jobs() < 2 {
            task::yield_now().await;
        }
        assert_eq!(queue.check(&ada).expect_err("before the body is read").code, "overloaded");
        let refused = queue.run(&ada, || 8).await.expect_err("one runs, one waits");
        assert_eq!((refused.code, refused.retry_after), ("overloaded", Some(1)));
        assert_eq!(queue.refused().next(), Some((Refusal::AccountShare, 2)));
        drop(first);
        assert_eq!(waiting.await.expect("no panic").expect("served"), 7);
        assert_eq!(queue.jobs(), 0);
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_the_patience_of_the_queue() {
        let queue = WorkQueue::new(QueueLimits { patience: Duration::from_millis(5), ..limits(9) });
        let _busy = queue.permit(&account(1)).await.expect("free");
        assert_eq!(queue.permit(&account(2)).await.expect_err("nothing else ends its wait").code, "overloaded");
        assert_eq!(queue.refused().last(), Some((Refusal::TimedOut, 1)));
        assert_eq!(queue.jobs(), 1, "its place is free again");
    }

    #[tokio::test]
    async fn a_job_that_waits_too_long_never_runs() {
        let queue = WorkQueue::new(QueueLimits { patience: Duration::from_millis(5), ..limits(9) });
        let busy = queue.permit(&account(1)).await.expect("free");
        let refused = queue.run(&account(2), || panic!("it is refused")).await.expect_err("nothing else ends its wait");
        assert_eq!(refused.code, "overloaded");
        drop(busy);
        assert_eq!(queue.run(&account(2), || 1).await.expect("free again"), 1);
        assert_eq!(queue.begun(), 2);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_frees_the_queue() {
        for queue in [WorkQueue::new(limits(0)), WorkQueue::low_priority(limits(0))] {
            let failed = queue.run(&account(1), || panic!("a bug")).await.expect_err("reported");
            assert_eq!(failed.code, "internal_error");
            assert_eq!(queue.run(&account(1), || 1).await.expect("free again"), 1);
        }
    }

    #[tokio::test]
    async fn who_goes_away_passes_the_turn_on() {
        let queue = WorkQueue::new(limits(9));
        let busy = queue.permit(&account(1)).await.expect("free");
        let gone = queue.enter(&account(2)).expect("room");
        let stays = queue.enter(&account(3)).expect("room");
        drop(gone);
        assert_eq!(queue.jobs(), 2);
        drop(busy);
        drop(stays.permit().await.expect("served"));
        assert_eq!(queue.jobs(), 0);
    }
}
