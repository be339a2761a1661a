//! Sends requests when they are due, whatever the server does with the earlier ones.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_local, yield_now};

use crate::connection::Connection;

/// Writes the next request over the last one.
pub type NextRequest = Rc<dyn Fn(&mut Vec<u8>)>;

/// What came back.
#[derive(Default)]
pub struct Outcome {
    /// Latencies of responses with status 200, from the moment when their request was due.
    pub answered: Vec<Duration>,
    /// How late requests were sent, because no connection was free or the load had no time.
    pub late: Vec<Duration>,
    /// Responses with status 503.
    pub refused: u64,
    /// Other responses and broken connections.
    pub failed: u64,
}

/// An outcome in figures.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Figures {
    pub offered_per_second: f64,
    pub answered_per_second: f64,
    pub refused_share: f64,
    pub failed: u64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// How late one percent of the requests were sent.
    pub sent_late_p99_ms: f64,
}

impl Outcome {
    pub fn add(&mut self, other: Self) {
        self.answered.extend(other.answered);
        self.late.extend(other.late);
        self.refused += other.refused;
        self.failed += other.failed;
    }

    /// Sums up a load of this length.
    pub fn figures(mut self, time: Duration) -> Figures {
        self.answered.sort_unstable();
        self.late.sort_unstable();
        let at = |sorted: &[Duration], share: f64| {
            let index = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
            sorted.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        let all = self.answered.len() as f64 + (self.refused + self.failed) as f64;
        Figures {
            offered_per_second: all / time.as_secs_f64(),
            answered_per_second: self.answered.len() as f64 / time.as_secs_f64(),
            refused_share: if all > 0.0 { self.refused as f64 / all } else { 0.0 },
            failed: self.failed,
            p50_ms: at(&self.answered, 0.5),
            p99_ms: at(&self.answered, 0.99),
            sent_late_p99_ms: at(&self.late, 0.99),
        }
    }
}

/// Sends requests as fast as the connections get responses.
pub async fn at_full_speed(address: SocketAddr, connections: usize, next: NextRequest, time: Duration) -> Outcome {
    let end = Instant::now() + time;
    gather((0..connections).map(|_| {
        let next = Rc::clone(&next);
        async move {
            let mut asker = Asker::new(address, next).await;
            while Instant::now() < end {
                asker.ask(Instant::now()).await;
            }
            asker.outcome
        }
    }))
    .await
}

/// Sends requests at a fixed rate. If all connections wait for responses, requests that are due wait for one, and that
/// counts: people do not hold back because others are waiting.
pub async fn at_rate(
    address: SocketAddr,
    connections: usize,
    next: NextRequest,
    rate: f64,
    time: Duration,
) -> Result<Outcome> {
    let due = Rc::new(Due { times: RefCell::default(), ready: Semaphore::new(0), is_over: Cell::new(false) });
    let mut askers = Vec::with_capacity(connections);
    for _ in 0..connections {
        askers.push(Asker::new(address, Rc::clone(&next)).await);
    }
    let clock = {
        let due = Rc::clone(&due);
        spawn_local(async move { due.fill(rate, time, connections).await })
    };
    let outcome = gather(askers.into_iter().map(|mut asker| {
        let due = Rc::clone(&due);
        async move {
            while let Some(at) = due.next().await {
                asker.ask(at).await;
            }
            asker.outcome
        }
    }))
    .await;
    clock.await?;
    Ok(outcome)
}

/// Runs one task per connection and adds up their results.
async fn gather<F: Future<Output = Outcome> + 'static>(tasks: impl Iterator<Item = F>) -> Outcome {
    let mut running = JoinSet::new();
    for task in tasks {
        running.spawn_local(task);
    }
    let mut all = Outcome::default();
    while let Some(Ok(outcome)) = running.join_next().await {
        all.add(outcome);
    }
    all
}

/// A connection that counts. One that breaks is opened again.
struct Asker {
    address: SocketAddr,
    connection: Option<Connection>,
    next: NextRequest,
    request: Vec<u8>,
    outcome: Outcome,
}

impl Asker {
    async fn new(address: SocketAddr, next: NextRequest) -> Self {
        let connection = Connection::open(address).await.ok();
        Self { address, connection, next, request: Vec::new(), outcome: Outcome::default() }
    }

    async fn ask(&mut self, due: Instant) {
        (self.next)(&mut self.request);
        if self.connection.is_none() {
            self.connection = Connection::open(self.address).await.ok();
        }
        let Some(connection) = &mut self.connection else {
            self.outcome.failed += 1;
            return;
        };
        self.outcome.late.push(due.elapsed());
        match connection.exchange(&self.request).await {
            Ok(200) => self.outcome.answered.push(due.elapsed()),
            Ok(503) => self.outcome.refused += 1,
            Ok(_) => self.outcome.failed += 1,
            Err(_) => {
                self.outcome.failed += 1;
                self.connection = None;
            }
        }
    }
}

/// Requests that are due and wait for a connection.
struct Due {
    times: RefCell<VecDeque<Instant>>,
    ready: Semaphore,
    is_over: Cell<bool>,
}

impl Due {
    async fn next(&self) -> Option<Instant> {
        if !self.is_over.get() {
            self.ready.acquire().await.ok()?.forget();
        }
        self.times.borrow_mut().pop_front()
    }

    /// Makes requests due at the right moment. It never sleeps: timers are too coarse, and the load has a core of its own.
    async fn fill(&self, rate: f64, time: Duration, connections: usize) {
        let start = Instant::now();
        let mut number = 0;
        while start.elapsed() < time {
            while start + Duration::from_secs_f64(f64::from(number) / rate) <= Instant::now() {
                self.times.borrow_mut().push_back(start + Duration::from_secs_f64(f64::from(number) / rate));
                self.ready.add_permits(1);
                number += 1;
            }
            yield_now().await;
        }
        self.is_over.set(true);
        self.ready.add_permits(connections);
    }
}
