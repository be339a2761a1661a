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
/// From this share of the patience on, a line is late. Nobody is let in who would wait for longer: if lines were as long as the
/// patience lasts, half of those in them would be refused in the end, and all that was done for them would be for nothing.
/// If jobs take longer than expected and a line is late anyway, the newest is served first: who has waited long is likely to
/// be refused, and serving them in order would make everybody late.
const LATE: u32 = 2;
/// After this long without jobs of others, an account is alone, and a crowd of short jobs takes nothing from anybody. Jobs of
/// seconds do: somebody else may come before they end.
pub(super) const ALONE_AFTER: Duration = Duration::from_secs(5);

/// The jobs of a queue, by account (`K`). `W` is what wakes the one who waits.
#[derive(Debug)]
pub(super) struct WaitingLine<K, W> {
    limits: QueueLimits,
    /// After this long without jobs of others, an account is alone; never if absent.
    alone_after: Option<Duration>,
    /// The accounts with jobs that run or wait.
    accounts: HashMap<K, AccountLine<W>>,
    running: usize,
    /// Running jobs of accounts that have many.
    crowding: usize,
    /// The processor time of the account that was served last: those who come now start with it.
    clock: Duration,
    /// The account whose job began last, and when a job of one account last followed one of another.
    latest: Option<K>,
    mixed_at: Option<Instant>,
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
    /// The time that its jobs took, on the [clock](WaitingLine::clock) of the line.
    served: Duration,
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
    Runs(Started),
    /// It waits, with this number.
    Waits(u64),
}

/// How a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Started {
    /// Like all others.
    Normal,
    /// As one of many of its account, which give way to the jobs of others.
    Crowding,
}

impl<K: Clone + Eq + Hash, W> WaitingLine<K, W> {
    pub fn new(limits: QueueLimits, alone_after: Option<Duration>) -> Self {
        Self {
            limits,
            alone_after,
            accounts: HashMap::new(),
            running: 0,
            crowding: 0,
            clock: Duration::ZERO,
            latest: None,
            mixed_at: None,
            turns: 0,
            tickets: 0,
            job_time: FIRST_GUESS,
        }
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
        if self.has_place(account) {
            return Ok(());
        }
        let own = self.accounts.get(account).map_or(0, |line| line.waiting.len());
        if own >= self.limits.waiting_per_account {
            return Err(Refusal::AccountShare);
        }
        if self.expected_wait(account, own) > self.limits.patience / LATE {
            return Err(Refusal::WouldWait);
        }
        Ok(())
    }

    /// Lets a job in, to run at once or to wait.
    pub fn enter(&mut self, account: &K, now: Instant, waker: impl FnOnce() -> W) -> Result<Entered, Refusal> {
        self.check(account)?;
        if self.has_place(account) {
            return Ok(Entered::Runs(self.begin(account, now)));
        }
        self.tickets += 1;
        let waiting = Waiting { ticket: self.tickets, since: now, waker: waker() };
        self.line_of(account).waiting.push_back(waiting);
        Ok(Entered::Waits(self.tickets))
    }

    /// Removes one who no longer waits. Returns whether they still did.
    pub fn leave(&mut self, account: &K, ticket: u64) -> bool {
        let line = self.accounts.get_mut(account);
        let waiting = line.and_then(|line| {
            let place = line.waiting.iter().position(|waiting| waiting.ticket == ticket)?;
            line.waiting.remove(place)
        });
        self.forget_idle();
        waiting.is_some()
    }

    /// Frees the place of a job that ran for this long.
    pub fn finish(&mut self, account: &K, started: Started, took: Duration) {
        self.running -= 1;
        self.crowding -= usize::from(started == Started::Crowding);
        if let Some(line) = self.accounts.get_mut(account) {
            line.running -= 1;
            line.served += took;
        }
        self.forget_idle();
        self.job_time = (self.job_time * (SMOOTHING - 1) + took) / SMOOTHING;
    }

    /// Gives a free place to the next job: of the account with the fewest running ones, among those of the one whose jobs have
    /// taken the least time, and then of the one whose turn is longest ago. So no account has more than its share of the
    /// places and of the time while others wait.
    pub fn next(&mut self, now: Instant) -> Option<(K, W, Started)> {
        loop {
            let lines = self.accounts.iter().filter_map(|(account, line)| {
                let oldest = line.waiting.front()?;
                Some((account, (line.running, line.served, line.last_turn, oldest.ticket), oldest.since))
            });
            let (account, _, oldest) = lines.min_by_key(|(_, order, _)| *order)?;
            if !self.has_place(account) {
                return None;
            }
            let account = account.clone();
            let is_late = now.duration_since(oldest) > self.limits.patience / LATE;
            let line = self.line_of(&account);
            let waiting = if is_late { line.waiting.pop_back() } else { line.waiting.pop_front() }?;
            if now.duration_since(waiting.since) > self.limits.patience {
                // Its timer is about to refuse it.
                self.forget_idle();
                continue;
            }
            let started = self.begin(&account, now);
            return Some((account, waiting.waker, started));
        }
    }

    /// Checks whether a job of this account may begin. If accounts with many jobs have taken all places, there is one more for
    /// the others: it takes no time from them, because crowding jobs give way.
    fn has_place(&self, account: &K) -> bool {
        let is_free = self.running < self.limits.running;
        let is_crowded = self.running == self.limits.running && self.crowding == self.running;
        is_free || is_crowded && self.accounts.get(account).is_none_or(|line| line.running == 0)
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

    /// Begins a job. It is one of a crowd if its account has at least as many others under way as there are places, and more than
    /// all other accounts together: if everybody sends too much, nobody is to blame. An account that is alone does not give way,
    /// since that would be to the other programs of the machine.
    fn begin(&mut self, account: &K, now: Instant) -> Started {
        let (all, places) = (self.jobs(), self.limits.running);
        let is_alone = self.is_alone(account, now);
        self.running += 1;
        self.turns += 1;
        let turn = self.turns;
        let line = self.line_of(account);
        let own = line.running + line.waiting.len();
        let started = if own >= places && own > all - own && !is_alone { Started::Crowding } else { Started::Normal };
        line.running += 1;
        line.last_turn = turn;
        let served = line.served;
        self.clock = self.clock.max(served);
        self.crowding += usize::from(started == Started::Crowding);
        started
    }

    /// Returns whether no other account has had a job for a while; remembers that this one has.
    fn is_alone(&mut self, account: &K, now: Instant) -> bool {
        if self.latest.as_ref() != Some(account) {
            self.mixed_at = self.latest.replace(account.clone()).map(|_| now);
        }
        let are_others_here = self.accounts.keys().any(|other| other != account);
        let is_long_ago = |after| self.mixed_at.is_none_or(|mixed_at| now.duration_since(mixed_at) > after);
        !are_others_here && self.alone_after.is_some_and(is_long_ago)
    }

    fn line_of(&mut self, account: &K) -> &mut AccountLine<W> {
        let served = self.clock;
        let empty = || AccountLine { running: 0, waiting: VecDeque::new(), served, last_turn: 0 };
        self.accounts.entry(account.clone()).or_insert_with(empty)
    }

    /// Forgets the accounts that have no jobs: at once if the others have caught up with them, and all if nobody has any.
    fn forget_idle(&mut self) {
        let is_busy = |line: &AccountLine<W>| line.running > 0 || !line.waiting.is_empty();
        let (clock, is_idle) = (self.clock, !self.accounts.values().any(is_busy));
        self.accounts.retain(|_, line| is_busy(line) || line.served > clock && !is_idle);
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
        let limits = QueueLimits { running, waiting_per_account: 32, patience: PATIENCE };
        WaitingLine::new(limits, Some(ALONE_AFTER))
    }

    /// Lets a job with this name wait.
    fn wait(line: &mut WaitingLine<AccountId, u32>, account: &AccountId, now: Instant, name: u32) {
        assert!(matches!(line.enter(account, now, || name), Ok(Entered::Waits(_))));
    }

    #[test]
    fn accounts_take_turns_however_long_the_line_of_one_is() {
        let (mut line, now) = (line(1), Instant::now());
        let [greedy, ada, bob] = [account(1), account(2), account(3)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)));
        for name in 100..110 {
            wait(&mut line, &greedy, now, name);
        }
        for name in [200, 201] {
            wait(&mut line, &ada, now, name);
        }
        wait(&mut line, &bob, now, 300);
        let (mut running, mut started) = (greedy.clone(), Started::Normal);
        let mut order = Vec::new();
        for _ in 0..7 {
            line.finish(&running, started, Duration::ZERO);
            let (account, name, next) = line.next(now).expect("somebody waits");
            (running, started) = (account, next);
            order.push(name);
        }
        assert_eq!(order, [200, 300, 100, 201, 101, 102, 103]);
    }

    #[test]
    fn no_account_keeps_more_than_half_of_the_places_while_another_waits() {
        let (mut line, now) = (line(4), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        for _ in 0..4 {
            assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)), "nobody else is there");
        }
        for name in 0..8 {
            wait(&mut line, &greedy, now, 100 + name);
            wait(&mut line, &ada, now, 200 + name);
        }
        // Only jobs of the greedy account end at first: their places go to the other until both have two.
        for expected in [200, 201] {
            line.finish(&greedy, Started::Normal, Duration::ZERO);
            assert_eq!(line.next(now).expect("somebody waits").1, expected);
        }
        line.finish(&greedy, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).expect("somebody waits").1, 100);
        line.finish(&ada, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).expect("somebody waits").1, 202);
    }

    #[test]
    fn who_would_wait_too_long_is_refused_and_others_are_not() {
        let (mut line, now) = (line(2), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)));
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)));
        // Jobs take 50 ms.
        for _ in 0..200 {
            line.finish(&greedy, Started::Normal, Duration::from_millis(50));
            assert_eq!(line.begin(&greedy, now), Started::Normal);
        }
        let mut waiting = 0;
        while line.check(&greedy).is_ok() {
            wait(&mut line, &greedy, now, waiting);
            waiting += 1;
        }
        assert_eq!(line.check(&greedy), Err(Refusal::WouldWait));
        assert!((3..=5).contains(&waiting), "two places, 50 ms each, half of 200 ms in all: {waiting}");
        assert_eq!(line.check(&ada), Ok(()), "its turn comes next");
    }

    #[test]
    fn the_line_of_an_account_is_limited_even_if_jobs_are_quick() {
        let (mut line, now) = (line(1), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)));
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
        assert_eq!(line.enter(&ada, start, || 0), Ok(Entered::Runs(Started::Normal)));
        for name in 0..5 {
            wait(&mut line, &ada, start + PATIENCE / 8 * name, name);
        }
        let mut next = |now| {
            line.finish(&ada, Started::Normal, Duration::ZERO);
            let next = line.next(now).map(|(_, name, _)| name);
            if next.is_none() {
                line.begin(&ada, now);
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
        assert_eq!(line.enter(&ada, now, || 0), Ok(Entered::Runs(Started::Normal)));
        let Ok(Entered::Waits(ticket)) = line.enter(&bob, now, || 1) else { panic!("it waits") };
        assert!(line.leave(&bob, ticket));
        line.finish(&ada, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now), None);
        assert!(line.accounts.is_empty() && line.jobs() == 0);
    }

    #[test]
    fn who_has_begun_cannot_leave() {
        let (mut line, now) = (line(1), Instant::now());
        let [ada, bob] = [account(1), account(2)];
        assert_eq!(line.enter(&ada, now, || 0), Ok(Entered::Runs(Started::Normal)));
        let Ok(Entered::Waits(ticket)) = line.enter(&bob, now, || 1) else { panic!("it waits") };
        line.finish(&ada, Started::Normal, Duration::ZERO);
        assert!(line.next(now).is_some());
        assert!(!line.leave(&bob, ticket), "its result is awaited, however long it takes");
        assert_eq!(line.jobs(), 1);
    }

    #[test]
    fn accounts_get_the_same_time_however_long_their_jobs_are() {
        let (mut line, now) = (line(1), Instant::now());
        let [slow, quick] = [account(1), account(2)];
        assert_eq!(line.enter(&slow, now, || 0), Ok(Entered::Runs(Started::Normal)));
        for name in 0..10 {
            wait(&mut line, &slow, now, 100 + name);
            wait(&mut line, &quick, now, 200 + name);
        }
        let (mut running, mut started, mut order) = (slow.clone(), Started::Normal, Vec::new());
        for _ in 0..7 {
            let took = Duration::from_millis(if running == slow { 5 } else { 1 });
            line.finish(&running, started, took);
            let (account, name, next) = line.next(now).expect("somebody waits");
            (running, started) = (account, next);
            order.push(name);
        }
        assert_eq!(order, [200, 201, 202, 203, 204, 100, 205], "five short ones for each long one");
    }

    #[test]
    fn crowding_jobs_leave_a_place_to_others() {
        let (mut line, now) = (line(2), Instant::now());
        let [greedy, ada, bob] = [account(1), account(2), account(3)];
        for started in [Started::Normal, Started::Normal] {
            assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(started)), "two at once are not a crowd");
        }
        for name in 100..104 {
            wait(&mut line, &greedy, now, name);
        }
        wait(&mut line, &ada, now, 200);
        for _ in 0..2 {
            line.finish(&greedy, Started::Normal, Duration::ZERO);
        }
        let begun: Vec<_> = std::iter::from_fn(|| line.next(now)).map(|(_, name, started)| (name, started)).collect();
        assert_eq!(begun, [(200, Started::Normal), (100, Started::Crowding)]);
        line.finish(&ada, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).map(|(_, name, started)| (name, started)), Some((101, Started::Crowding)));
        // Both places have jobs that give way, so that another account need not wait.
        assert_eq!(line.enter(&bob, now, || 300), Ok(Entered::Runs(Started::Normal)));
        wait(&mut line, &ada, now, 201);
        assert_eq!(line.next(now), None, "there is one such place");
        line.finish(&bob, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).map(|(_, name, _)| name), Some(201));
    }

    #[test]
    fn who_is_alone_gives_way_to_nobody() {
        let (mut line, start) = (line(1), Instant::now());
        let [greedy, ada] = [account(1), account(2)];
        assert_eq!(line.enter(&greedy, start, || 0), Ok(Entered::Runs(Started::Normal)));
        for name in 0..8 {
            wait(&mut line, &greedy, start, name);
        }
        let mut running = (greedy.clone(), Started::Normal);
        let mut next = |line: &mut WaitingLine<AccountId, u32>, now| {
            line.finish(&running.0, running.1, Duration::ZERO);
            let (account, name, started) = line.next(now).expect("somebody waits");
            running = (account, started);
            (name, started)
        };
        assert_eq!(next(&mut line, start), (0, Started::Normal), "nobody else has been here");
        wait(&mut line, &ada, start, 200);
        assert_eq!(next(&mut line, start), (200, Started::Normal));
        assert_eq!(next(&mut line, start), (1, Started::Crowding), "somebody else was here just now");
        for name in 10..18 {
            wait(&mut line, &greedy, start + ALONE_AFTER, name);
        }
        assert_eq!(next(&mut line, start + PATIENCE).1, Started::Crowding);
        let later = start + ALONE_AFTER + PATIENCE / 2;
        assert_eq!(next(&mut line, later).1, Started::Normal);
    }

    #[test]
    fn many_long_jobs_give_way_even_if_nobody_else_has_come_yet() {
        let (now, [greedy, ada]) = (Instant::now(), [account(1), account(2)]);
        let limits = QueueLimits { running: 1, waiting_per_account: 32, patience: PATIENCE };
        let mut line = WaitingLine::new(limits, None);
        assert_eq!(line.enter(&greedy, now, || 0), Ok(Entered::Runs(Started::Normal)), "one is no crowd");
        wait(&mut line, &greedy, now, 100);
        line.finish(&greedy, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).map(|(_, name, started)| (name, started)), Some((100, Started::Normal)));
        wait(&mut line, &greedy, now, 101);
        wait(&mut line, &greedy, now, 102);
        line.finish(&greedy, Started::Normal, Duration::ZERO);
        assert_eq!(line.next(now).map(|(_, name, started)| (name, started)), Some((101, Started::Crowding)));
        assert_eq!(
            line.enter(&ada, now, || 200),
            Ok(Entered::Runs(Started::Normal)),
            "it need not wait for a long job"
        );
    }

    #[test]
    fn when_everybody_sends_too_much_nobody_gives_way() {
        let (mut line, now) = (line(1), Instant::now());
        let accounts = [account(1), account(2), account(3)];
        assert_eq!(line.enter(&accounts[0], now, || 0), Ok(Entered::Runs(Started::Normal)));
        for account in accounts.iter().cycle().take(12) {
            wait(&mut line, account, now, 1);
        }
        line.finish(&accounts[0], Started::Normal, Duration::ZERO);
        for _ in 0..6 {
            let (account, _, started) = line.next(now).expect("somebody waits");
            assert_eq!(started, Started::Normal);
            line.finish(&account, started, Duration::from_millis(1));
        }
    }
}
