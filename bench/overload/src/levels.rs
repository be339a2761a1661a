//! More and more texts, of many accounts alike: what is served, how fast, and how soon all is well afterwards.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;
use tokio::time::sleep;

use crate::Stage;
use crate::connection::Connection;
use crate::load::{Figures, NextRequest, at_full_speed, at_rate};
use crate::requests::Requests;

/// How much is offered, as multiples of the capacity.
const LEVELS: [f64; 4] = [0.5, 1.0, 2.0, 5.0];
/// Connections of the load.
const CONNECTIONS: usize = 512;

/// One level.
#[derive(Debug, Serialize)]
pub struct Level {
    pub times_capacity: f64,
    pub figures: Figures,
    /// Processor time of the server per second.
    pub server_cores_used: f64,
    pub peak_memory_mb: f64,
}

/// What happens when an overload ends.
#[derive(Debug, Serialize)]
pub struct Recovery {
    /// From the end of the overload until a text is answered as fast as usual.
    pub until_normal_ms: f64,
    /// The slowest of the first twenty texts.
    pub slowest_of_twenty_ms: f64,
}

/// Returns a source of texts that are all different, of these accounts in turn.
pub fn meals(stage: &Stage, keys: &[String]) -> NextRequest {
    thread_local!(static SOURCES: Cell<u32> = const { Cell::new(0) });
    let source = SOURCES.replace(SOURCES.get() + 1);
    // Each measurement starts elsewhere, and each account of it too, so that no text is cached for another.
    let source = |(account, key): (u64, &String)| {
        let first = (u64::from(source) << 24) + (account << 19);
        Requests::meals(key, "/v1/estimate/sync", &stage.texts).from(first)
    };
    let sources: Vec<Requests> = (0..).zip(keys).map(source).collect();
    let turn = Cell::new(0);
    Rc::new(move |request| {
        let at = turn.replace((turn.get() + 1) % sources.len());
        sources[at].next(request);
    })
}

/// Measures how many texts the server answers per second.
pub async fn capacity(stage: &Stage) -> Result<f64> {
    let send = |time| at_full_speed(stage.server.address, 32, meals(stage, &stage.keys), time);
    // The first texts fill the caches of words and phrases.
    send(stage.time).await;
    let figures = send(stage.time).await.figures(stage.time);
    (figures.answered_per_second > 0.0).then_some(figures.answered_per_second).context("nothing was answered")
}

/// Measures every level.
pub async fn run(stage: &Stage, capacity: f64) -> Result<Vec<Level>> {
    let mut levels = Vec::new();
    for times_capacity in LEVELS {
        let (begun, before) = (Instant::now(), stage.server.time_on_cores());
        let (figures, peak_memory_mb) = watched(stage, async {
            let (next, rate) = (meals(stage, &stage.keys), capacity * times_capacity);
            Ok(at_rate(stage.server.address, CONNECTIONS, next, rate, stage.time).await?.figures(stage.time))
        })
        .await?;
        let used = stage.server.time_on_cores().saturating_sub(before);
        let server_cores_used = used.as_secs_f64() / begun.elapsed().as_secs_f64();
        let level = Level { times_capacity, figures, server_cores_used, peak_memory_mb };
        eprintln!("{level:?}");
        levels.push(level);
        sleep(Duration::from_secs(1)).await;
    }
    Ok(levels)
}

/// Measures how soon texts are answered as usual after an overload.
pub async fn recovery(stage: &Stage, capacity: f64) -> Result<Recovery> {
    let usual = ask(stage, 20).await?;
    let usual = usual.iter().max().copied().unwrap_or_default().max(Duration::from_millis(10));
    let (next, time) = (meals(stage, &stage.keys), stage.time.min(Duration::from_secs(5)));
    at_rate(stage.server.address, CONNECTIONS, next, capacity * 5.0, time).await?;
    let end = Instant::now();
    let first = ask(stage, 20).await?;
    let mut until_normal = Duration::ZERO;
    let mut elapsed = Duration::ZERO;
    for latency in &first {
        elapsed += *latency;
        if *latency > usual * 2 {
            until_normal = elapsed;
        }
    }
    let recovery = Recovery {
        until_normal_ms: until_normal.min(end.elapsed()).as_secs_f64() * 1e3,
        slowest_of_twenty_ms: first.iter().max().copied().unwrap_or_default().as_secs_f64() * 1e3,
    };
    eprintln!("{recovery:?}");
    Ok(recovery)
}

/// Sends texts one after the other and returns their latencies.
async fn ask(stage: &Stage, count: usize) -> Result<Vec<Duration>> {
    let next = meals(stage, &stage.keys);
    let mut connection = Connection::open(stage.server.address).await?;
    let (mut request, mut latencies) = (Vec::new(), Vec::new());
    for _ in 0..count {
        next(&mut request);
        let begun = Instant::now();
        connection.exchange(&request).await?;
        latencies.push(begun.elapsed());
    }
    Ok(latencies)
}

/// Runs a load and returns the largest memory of the server meanwhile, in megabytes.
pub async fn watched<T>(stage: &Stage, load: impl Future<Output = Result<T>>) -> Result<(T, f64)> {
    let mut load = std::pin::pin!(load);
    let mut peak = 0;
    let outcome = loop {
        tokio::select! {
            outcome = &mut load => break outcome,
            () = sleep(Duration::from_millis(100)) => peak = peak.max(stage.server.memory()),
        }
    };
    Ok((outcome?, peak as f64 / 1e6))
}
