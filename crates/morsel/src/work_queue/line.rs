//! The rules of a work queue: who is let in, who runs next. No threads, timers or locks, so that tests decide what happens
//! when.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::Duration;

use tokio::time::Instant;

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// Jobs that run at once.
    pub running: usize,
    /// Jobs of one account that wait.
    pub waiting_per_account: usize,
    /// How long a job waits at most.
    pub patience: Duration,
}

/// Why a job was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too many jobs of the account wait already.
    AccountShare,
    /// It would wait longer than is reasonable.
    WouldWait,
    /// It has waited longer than is reasonable.
    TimedOut,
}

impl Refusal {
    /// Every reason.
    pub const ALL: [Refusal; 3] = [Refusal::AccountShare, Refusal::WouldWait, Refusal::TimedOut];

    /// Returns the name by which it is counted.
    pub const fn name(self) -> &'static str {
        match self {
            Refusal::AccountShare => "account_share",
            Refusal::WouldWait => "would_wait",
            Refusal::TimedOut => "timed_out",
        }
    }
}

/// How long a job takes before any has been measured.
const FIRST_GUESS: Duration = Duration::from_millis(1);
/// The weight of the latest job in the average, as a divisor.
const SMOOTHING: u32 = 16;
/// From this share of the patience on, a line is late and the newest is served first: who has waited long is likely to be
/// refused anyway, and serving them in order would make everybody late.
const LATE: u32 = 2;

/// The jobs of a queue, by account (`K`). `W` is what wakes the one who waits.
#[derive(Debug)]
pub(super) struct WaitingLine<K, W> {
    limits: QueueLimits,
    /// The accounts with jobs that run or wait.
    accounts: HashMap<K, AccountLine<W>>,
    running: usize,
    /// Counts the jobs that began.
    turns: u64,
    /// Counts those who waited.
    tickets: u64,
    /// How long a job takes, averaged over the recent ones.
    job_time: Duration,
}

#[derive(Debug)]
struct AccountLine<W> {
    running: usize,
    waiting: VecDeque<Waiting<W>>,
    /// When a job of the account last began, by [`WaitingLine::turns`].
    last_turn: u64,
}

#[derive(Debug)]
struct Waiting<W> {
    ticket: u64,
    since: Instant,
    waker: W,
}

/// What happens to a job that is let in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// It runs at once.
    Runs,
    /// It waits, with this number.
    Waits(u64),
}

impl<K: Clone + Eq + Hash, W> WaitingLine<K, W> {
    pub fn new(limits: QueueLimits) -> Self {
        Self { limits, accounts: HashMap::new(), running: 0, turns: 0, tickets: 0, job_time: FIRST_GUESS }
    }

    /// Returns how many jobs run or wait.
    pub fn jobs(&self) -> usize {
        self.running + self.accounts.values().map(|line| line.waiting.len()).sum::<usize>()
    }

    /// Returns how many jobs have begun.
    pub fn begun(&self) -> u64 {
        self.turns
    }

    /// Reports whether a job of this account would be let in now.
    pub fn check(&self, account: &K) -> Result<(), Refusal> {
        if self.running < self.limits.running {
            return Ok(());
        }
        let own = self.accounts.get(account).map_or(0, |line| line.waiting.len());
        if own >= self.limits.waiting_per_account {
            return Err(Refusal::AccountShare);
        }
        if self.expected_wait(account, own) > self.limits.patience {
            return Err(Refusal::WouldWait);
        }
        Ok(())
    }

    /// Lets a job in, to run at once or to wait.
    pub fn enter(&mut self, account: &K, now: Instant, waker: impl FnOnce() -> W) -> Result<Entered, Refusal> {
        self.check(account)?;
        if self.running < self.limits.running {
            self.begin(account);
            return Ok(Entered::Runs);
        }
        self.tickets += 1;
        let waiting = Waiting { ticket: self.tickets, since: now, waker: waker() };
        self.line_of(account).waiting.push_back(waiting);
        Ok(Entered::Waits(self.tickets))
    }

    /// Removes one who no longer waits.
    pub fn leave(&mut self, account: &K, ticket: u64) {
        if let Some(line) = self.accounts.get_mut(account) {
            line.waiting.retain(|waiting| waiting.ticket != ticket);
        }
        self.forget_if_idle(account);
    }

    /// Frees the place of a job that ran for this long.
    pub fn finish(&mut self, account: &K, took: Duration) {
        self.running -= 1;
        if let Some(line) = self.accounts.get_mut(account) {
            line.running -= 1;
        }
        self.forget_if_idle(account);
        self.job_time = (self.job_time * (SMOOTHING - 1) + took) / SMOOTHING;
    }

    /// Gives a free place to the next job: of the account with the fewest running ones, and among those of the one whose
    /// turn is longest ago. So no account has more than its share of the places while others wait.
    pub fn next(&mut self, now: Instant) -> Option<(K, W)> {
        while self.running < self.limits.running {
            let lines = self.accounts.iter().filter_map(|(account, line)| {
                let oldest = line.waiting.front()?;
                Some((account, (line.running, line.last_turn, oldest.ticket), oldest.since))
            });
            let (account, _, oldest) = lines.min_by_key(|(_, order, _)| *order)?;
            let account = account.clone();
            let is_late = now.duration_since(oldest) > self.limits.patience / LATE;
            let line = self.line_of(&account);
            let waiting = if is_late { line.waiting.pop_back() } else { line.waiting.pop_front() }?;
            if now.duration_since(waiting.since) > self.limits.patience {
                // Its timer is about to refuse it.
                self.forget_if_idle(&account);
                continue;
            }
            self.begin(&account);
            return Some((account, waiting.waker));
        }
        None
    }

    /// Returns how long a job would wait behind `own` others of its account: while they are served, so is every other
    /// account that waits, once for each of them.
    fn expected_wait(&self, account: &K, own: usize) -> Duration {
        let others = self.accounts.iter().filter(|(other, _)| *other != account);
        let ahead = own + others.map(|(_, line)| line.waiting.len().min(own + 1)).sum::<usize>();
        if ahead < self.limits.running {
            return Duration::ZERO;
        }
        let jobs = u32::try_from(ahead + 1).unwrap_or(u32::MAX);
        self.job_time.saturating_mul(jobs) / u32::try_from(self.limits.running).unwrap_or(u32::MAX).max(1)
    }

    fn begin(&mut self, account: &K) {
        self.running += 1;
        self.turns += 1;
        let turn = self.turns;
        let line = self.line_of(account);
        line.running += 1;
        line.last_turn = turn;
    }

    fn line_of(&mut self, account: &K) -> &mut AccountLine<W> {
        let empty = || AccountLine { running: 0, waiting: VecDeque::new(), last_turn: 0 };
        self.accounts.entry(account.clone()).or_insert_with(empty)
    }

    fn forget_if_idle(&mut self, account: &K) {
        if self.accounts.get(account).is_some_and(|line| line.running == 0 && line.waiting.is_empty()) {
            self.accounts.remove(account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{AccountId, Rng};

    const PATIENCE: Duration = Duration::from_millis(200);

    fn account(seed: u64) -> AccountId {
        AccountId::generate(&mut Rng::seeded(seed))
    }

    fn line(running: usize) -> WaitingLine<AccountId, u32> {
        WaitingLine::new(QueueLimits { running, waiting_per_account: 32, patience: PATIENCE })
    }

    /// Lets a job with this name wait.
    fn wait(line: &mut WaitingLine<AccountId, u32>, account: &AccountId, now: Instant, name: u32) {
        assert!(matches!(line.enter(account, now, || name), Ok(Entered::Waits(_))));
    }

    #[test]
    fn accounts_take_turns_however_long_the_line_of_one_is() {
        let (mut line, now) = (line(1), Instant::now());
        let [greedy, ada, bob] = [account(1), account(2), account(3)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs));
        for name in 100..110 {
            wait(&mut line, &greedy, now, name);
        }
        for name in [200, 201] {
            wait(&mut line, &ada, now, name);
        }
        wait(&mut line, &bob, now, 300);
        let mut running = greedy.clone();
        let mut order = Vec::new();
        for _ in 0..7 {
            line.finish(&running, Duration::ZERO);
            let (account, name) = line.next(now).expect("somebody waits");
            running = account;
            order.push(name);
        }
        assert_eq!(order, [200, 300, 100, 201, 101, 102, 103]);
    }

    #[test]
    fn no_account_keeps_more_than_half_of_the_places_while_another_waits() {
        let (mut line, now) = (line(4), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        for _ in 0..4 {
            assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs), "nobody else is there");
        }
        for name in 0..8 {
            wait(&mut line, &greedy, now, 100 + name);
            wait(&mut line, &ada, now, 200 + name);
        }
        // Only jobs of the greedy account end at first: their places go to the other until both have two.
        for expected in [200, 201] {
            line.finish(&greedy, Duration::ZERO);
            assert_eq!(line.next(now).expect("somebody waits").1, expected);
        }
        line.finish(&greedy, Duration::ZERO);
        assert_eq!(line.next(now).expect("somebody waits").1, 100);
        line.finish(&ada, Duration::ZERO);
        assert_eq!(line.next(now).expect("somebody waits").1, 202);
    }

    #[test]
    fn who_would_wait_too_long_is_refused_and_others_are_not() {
        let (mut line, now) = (line(2), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs));
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs));
        // Jobs take 50 ms.
        for _ in 0..200 {
            line.finish(&greedy, Duration::from_millis(50));
            line.begin(&greedy);
        }
        let mut waiting = 0;
        while line.check(&greedy).is_ok() {
            wait(&mut line, &greedy, now, waiting);
            waiting += 1;
        }
        assert_eq!(line.check(&greedy), Err(Refusal::WouldWait));
        assert!((6..=9).contains(&waiting), "two places, 50 ms each, 200 ms in all: {waiting}");
        assert_eq!(line.check(&ada), Ok(()), "its turn comes next");
    }

    #[test]
    fn the_line_of_an_account_is_limited_even_if_jobs_are_quick() {
        let (mut line, now) = (line(1), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs));
        for name in 0..32 {
            wait(&mut line, &greedy, now, name);
        }
        assert_eq!(line.enter(&greedy, now, || 33), Err(Refusal::AccountShare));
        wait(&mut line, &ada, now, 200);
        assert_eq!(line.jobs(), 34);
    }

    #[test]
    fn a_late_line_serves_the_newest_first_and_nobody_beyond_patience() {
        let (mut line, start) = (line(1), Instant::now());
        let ada = account(1);
        assert_eq!(line.enter(&ada, start, || 0), Ok(Entered::Runs));
        for name in 0..5 {
            wait(&mut line, &ada, start + PATIENCE / 8 * name, name);
        }
        let mut next = |now| {
            line.finish(&ada, Duration::ZERO);
            let next = line.next(now).map(|(_, name)| name);
            if next.is_none() {
                line.begin(&ada);
            }
            next
        };
        assert_eq!(next(start + PATIENCE / 2), Some(0), "in order");
        assert_eq!(next(start + PATIENCE * 3 / 4), Some(4), "late: the newest first");
        assert_eq!(next(start + PATIENCE * 10 / 8), Some(3));
        assert_eq!(next(start + PATIENCE * 2), None, "the others have waited too long");
    }

    #[test]
    fn who_leaves_is_forgotten() {
        let (mut line, now) = (line(1), Instant::now());
        let [ada, bob] = [account(1), account(2)];
        assert_eq!(line.enter(&ada, now, || 0), Ok(Entered::Runs));
        let Ok(Entered::Waits(ticket)) = line.enter(&bob, now, || 1) else { panic!("it waits") };
        line.leave(&bob, ticket);
        line.finish(&ada, Duration::ZERO);
        assert_eq!(line.next(now), None);
        assert!(line.accounts.is_empty() && line.jobs() == 0);
    }
}
