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
//! Long jobs run on threads of low priority, so that texts come before photos where there are too few cores for both.
//!
//! How to use it: [`WorkQueue::run`] for a job with one result; [`WorkQueue::enter`] for a job that the caller runs itself,
//! for example one that sends results as it goes. Hold the permit for as long as the job runs.

mod line;
mod threads;

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::AccountId;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use self::line::{Entered, Started, WaitingLine};
use self::threads::Threads;
use crate::error::ApiError;

pub use line::{QueueLimits, Refusal};
pub use threads::processors;

/// A queue of jobs that accounts share fairly. `()` stands for everybody where there are no accounts yet.
#[derive(Debug)]
pub struct WorkQueue<K: Clone + Eq + Hash = AccountId> {
    shared: Arc<Shared<K>>,
}

#[derive(Debug)]
struct Shared<K: Clone + Eq + Hash> {
    limits: QueueLimits,
    threads: Threads,
    line: Mutex<WaitingLine<K, oneshot::Sender<Permit<K>>>>,
    /// Refused jobs by reason, in the order of [`Refusal::ALL`].
    refused: [AtomicU64; Refusal::ALL.len()],
}

/// A place in the queue, for a job that runs or waits.
#[derive(Debug)]
pub struct QueuePlace<K: Clone + Eq + Hash = AccountId>(Place<K>);

#[derive(Debug)]
enum Place<K: Clone + Eq + Hash> {
    Runs(Permit<K>),
    Waits(Waiting<K>),
}

/// One who waits. Dropping it gives up the place.
#[derive(Debug)]
struct Waiting<K: Clone + Eq + Hash> {
    shared: Arc<Shared<K>>,
    account: K,
    ticket: u64,
    until: Instant,
    permit: oneshot::Receiver<Permit<K>>,
}

/// The right to run a job. Dropping it lets the next job run.
#[derive(Debug)]
pub struct Permit<K: Clone + Eq + Hash = AccountId> {
    shared: Arc<Shared<K>>,
    account: K,
    started: Started,
    since: Instant,
}

impl<K: Clone + Eq + Hash + Send + 'static> WorkQueue<K> {
    /// Creates a queue for short jobs.
    pub fn new(limits: QueueLimits) -> Self {
        Self::on(Threads::runtime(limits.running), limits)
    }

    /// Creates a queue for long jobs, which give way to all other work of the program.
    pub fn low_priority(limits: QueueLimits) -> Self {
        Self::on(Threads::LowPriority, limits)
    }

    fn on(threads: Threads, limits: QueueLimits) -> Self {
        let (line, refused) = (Mutex::new(WaitingLine::new(limits)), Default::default());
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
        let entered = shared.lock().enter(account, now, || sender);
        let account = account.clone();
        Ok(QueuePlace(match entered.map_err(|refusal| shared.refuse(refusal))? {
            Entered::Runs(started) => Place::Runs(Permit { shared, account, started, since: now }),
            Entered::Waits(ticket) => {
                let until = now + shared.limits.patience;
                Place::Waits(Waiting { shared, account, ticket, until, permit })
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
        self.permit(account).await?.run(job).await
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

impl<K: Clone + Eq + Hash> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Clone + Eq + Hash> QueuePlace<K> {
    /// Waits until the job may run.
    pub async fn permit(self) -> Result<Permit<K>, ApiError> {
        match self.0 {
            Place::Runs(permit) => Ok(permit),
            Place::Waits(mut waiting) => match timeout_at(waiting.until, &mut waiting.permit).await {
                Ok(Ok(permit)) => Ok(permit),
                // The line found that it had waited too long, or the timer did.
                Ok(Err(_)) | Err(_) => Err(waiting.shared.refuse(Refusal::TimedOut)),
            },
        }
    }
}

impl<K: Clone + Eq + Hash + Send + 'static> Permit<K> {
    /// Runs a job off the async threads and waits for its result.
    pub async fn run<T: Send + 'static>(self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let (shared, started) = (Arc::clone(&self.shared), self.started);
        let job = move || {
            let _permit = self;
            job()
        };
        shared.threads.run(started == Started::Crowding, job).await
    }
}

impl<K: Clone + Eq + Hash> Shared<K> {
    fn lock(&self) -> MutexGuard<'_, WaitingLine<K, oneshot::Sender<Permit<K>>>> {
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

impl<K: Clone + Eq + Hash> Drop for Waiting<K> {
    fn drop(&mut self) {
        self.shared.lock().leave(&self.account, self.ticket);
    }
}

impl<K: Clone + Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let now = Instant::now();
        self.shared.lock().finish(&self.account, self.started, now.duration_since(self.since));
        loop {
            let next = self.shared.lock().next(now);
            let Some((account, waker, started)) = next else { return };
            // If the other one has just gone away, the permit comes back, is dropped, and wakes the next.
            let _ = waker.send(Permit { shared: Arc::clone(&self.shared), account, started, since: now });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
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
