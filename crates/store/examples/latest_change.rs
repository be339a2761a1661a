//! Measures `Store::latest_change`, which a server calls with every request.
//!
//! `cargo run --release -p store --example latest_change [sqlite:FILE | postgres://…]`; without an
//! argument, on a new SQLite file.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::error::Error;
use std::time::{Duration, Instant};

use store::{Location, Store};

/// Concurrent callers.
const CALLERS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let location = match std::env::args().nth(1) {
        Some(place) => Location::parse(&place)?,
        None => Location::Sqlite(folder.path().join("store.db")),
    };
    let store = Store::open(&location).await?;
    let mut best = Duration::MAX;
    for _ in 0..1_000 {
        let started = Instant::now();
        for _ in 0..100 {
            store.latest_change().await?;
        }
        best = best.min(started.elapsed() / 100);
    }
    println!("one caller: {best:?} per call in the fastest hundred");
    println!("{CALLERS} callers: {:.0} calls per second", concurrent_calls(&store).await);
    Ok(())
}

async fn concurrent_calls(store: &Store) -> f64 {
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CALLERS {
        let store = store.clone();
        tasks.spawn(async move {
            let mut calls = 0u32;
            while started.elapsed() < Duration::from_secs(2) && store.latest_change().await.is_ok() {
                calls += 1;
                tokio::task::yield_now().await;
            }
            calls
        });
    }
    let calls: u32 = tasks.join_all().await.into_iter().sum();
    f64::from(calls) / started.elapsed().as_secs_f64()
}
