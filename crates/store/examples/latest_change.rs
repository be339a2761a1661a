//! How long the question takes that is asked with every request: has anything changed?
//!
//! `cargo run --release -p store --example latest_change [sqlite:FILE | postgres://…]`; without a place, on a new SQLite
//! file.

#![allow(clippy::print_stdout, reason = "a program that tells what it measured")]

use std::error::Error;
use std::time::{Duration, Instant};

use store::{Location, Store};

/// Callers that ask at once.
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
    println!("one caller: {best:?} a question in the quickest hundred");
    println!("{CALLERS} callers: {:.0} questions a second", asked_at_once(&store).await);
    Ok(())
}

async fn asked_at_once(store: &Store) -> f64 {
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CALLERS {
        let store = store.clone();
        tasks.spawn(async move {
            let mut asked = 0u32;
            while started.elapsed() < Duration::from_secs(2) && store.latest_change().await.is_ok() {
                asked += 1;
                tokio::task::yield_now().await;
            }
            asked
        });
    }
    let asked: u32 = tasks.join_all().await.into_iter().sum();
    f64::from(asked) / started.elapsed().as_secs_f64()
}
