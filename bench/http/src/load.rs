//! Generates load in two forms: as fast as the server responds, and at a fixed rate whatever the server does.
//!
//! One thread generates the load, so that every server has the same rest of the machine.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

use crate::connection::Connection;
use crate::pace::Pace;
use crate::requests::Requests;

/// Connections that send requests at the same time.
pub const CONNECTIONS: usize = 64;

/// Requests that are due within this time are sent together: waking up for each would keep the load generator busy.
const TICK: Duration = Duration::from_micros(250);

/// A server and the requests to send.
pub struct Target {
    pub name: &'static str,
    pub address: SocketAddr,
    pub requests: Rc<Requests>,
}

/// The result of a load.
#[derive(Default)]
pub struct Outcome {
    /// Other responses and broken connections.
    pub failed: u64,
    /// Responses with status 200, in no order.
    pub answers: Vec<Answer>,
}

/// A response and its time.
pub struct Answer {
    pub due: Instant,
    pub came: Instant,
}

/// Sends the next request of each connection as soon as the response to the last one is there.
pub async fn at_full_speed(target: &Target, time: Duration) -> Outcome {
    let askers = askers(target).await;
    let end = Instant::now() + time;
    gather(askers, move |mut asker| async move {
        while Instant::now() < end && !asker.is_broken() {
            asker.ask(Instant::now()).await;
        }
        asker.outcome
    })
    .await
}

/// Sends requests at a fixed rate. A latency counts from the moment when its request was due: if the server is slow,
/// requests wait for a free connection, and that wait counts, as it does for real clients, who do not hold back because
/// others are waiting.
pub async fn at_rate(target: &Target, rate: f64, time: Duration, pace: &mut Pace) -> std::io::Result<Outcome> {
    let due = Rc::new(Due { times: RefCell::default(), ready: Semaphore::new(0), over: Cell::new(false) });
    // Opened before the first request is due, because opening is not measured.
    let askers = askers(target).await;
    let asking = gather(askers, |mut asker| {
        let due = Rc::clone(&due);
        async move {
            while let Some(at) = due.next().await {
                asker.ask(at).await;
            }
            asker.outcome
        }
    });
    let (outcome, clock) = tokio::join!(asking, due.fill(rate, time, pace));
    clock?;
    Ok(outcome)
}

/// Opens all connections.
async fn askers(target: &Target) -> Vec<Asker> {
    let mut askers = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        askers.push(Asker::new(target).await);
    }
    askers
}

/// Runs one task per connection and adds up their results.
async fn gather<F: Future<Output = Outcome> + 'static>(askers: Vec<Asker>, work: impl Fn(Asker) -> F) -> Outcome {
    let local = LocalSet::new();
    let mut tasks = JoinSet::new();
    for asker in askers {
        tasks.spawn_local_on(work(asker), &local);
    }
    let mut all = Outcome::default();
    local
        .run_until(async {
            while let Some(Ok(outcome)) = tasks.join_next().await {
                all.failed += outcome.failed;
                all.answers.extend(outcome.answers);
            }
        })
        .await;
    all
}

/// A connection that counts.
struct Asker {
    connection: Option<Connection>,
    requests: Rc<Requests>,
    request: Vec<u8>,
    outcome: Outcome,
}

impl Asker {
    async fn new(target: &Target) -> Self {
        let connection = Connection::open(target.address).await.ok();
        let outcome = Outcome { failed: u64::from(connection.is_none()), ..Outcome::default() };
        Self { connection, requests: Rc::clone(&target.requests), request: Vec::new(), outcome }
    }

    /// A broken connection is not opened again: every further request on it counts as failed.
    fn is_broken(&self) -> bool {
        self.connection.is_none()
    }

    async fn ask(&mut self, due: Instant) {
        self.requests.next(&mut self.request);
        let Some(connection) = &mut self.connection else {
            self.outcome.failed += 1;
            return;
        };
        match connection.exchange(&self.request).await {
            Ok(200) => self.outcome.answers.push(Answer { due, came: Instant::now() }),
            Ok(_) => self.outcome.failed += 1,
            Err(_) => {
                self.outcome.failed += 1;
                self.connection = None;
            }
        }
    }
}

/// Requests that wait for a connection.
struct Due {
    times: RefCell<VecDeque<Instant>>,
    ready: Semaphore,
    over: Cell<bool>,
}

impl Due {
    /// Returns when the next request was due, or `None` when all are done.
    async fn next(&self) -> Option<Instant> {
        if !self.over.get() {
            self.ready.acquire().await.ok()?.forget();
        }
        self.times.borrow_mut().pop_front()
    }

    async fn fill(&self, rate: f64, time: Duration, pace: &mut Pace) -> std::io::Result<()> {
        #[expect(deprecated, reason = "the replacement is unsafe to call; this timer owns its descriptor throughout")]
        let timer = AsyncFd::new(timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK)?)?;
        let start = Instant::now();
        for number in 0..(rate * time.as_secs_f64()) as u64 {
            let due = start + Duration::from_secs_f64(number as f64 / rate);
            while let Some(wait) = due.checked_duration_since(Instant::now()) {
                sleep(&timer, wait.max(TICK)).await?;
                pace.check();
            }
            self.times.borrow_mut().push_back(due);
            self.ready.add_permits(1);
            if number % 16 == 0 {
                tokio::task::yield_now().await;
            }
        }
        self.over.set(true);
        self.ready.add_permits(CONNECTIONS);
        Ok(())
    }
}

async fn sleep(timer: &AsyncFd<rustix::fd::OwnedFd>, time: Duration) -> std::io::Result<()> {
    let it_value = Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: i64::from(time.subsec_nanos()) };
    let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once)?;
    loop {
        let mut guard = timer.readable().await?;
        let mut expirations = [0; 8];
        if guard.try_io(|timer| Ok(rustix::io::read(timer, &mut expirations)?)).is_ok() {
            return Ok(());
        }
    }
}
