//! Prints how long the slowest texts that we know take, each of the maximum length, on an engine that has read nothing before:
//! `cargo run --release -p meal --example worst_case [NAME]`.

use std::sync::Arc;
use std::time::Duration;

use foods::catalog::{Catalog, Layer};
use foods::search::Searcher;
use meal::{Engine, Estimate, MAX_CHARS, Message, RecipeBook};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[path = "../tests/meal/hostile_texts.rs"]
mod hostile_texts;

/// How often each text is read; the least time counts.
const PASSES: usize = 5;

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let catalog = Arc::new(Catalog::new(Layer::from_static(embedded::CATALOG)?, None));
    println!("{:40} {:>9} {:>9} {:>5} {:>10}", "", "time", "steps", "foods", "unresolved");
    let mut slowest = Duration::ZERO;
    for (name, messages) in hostile_texts::all().filter(|(name, _)| name.contains(&wanted)) {
        let messages: Vec<Message> = messages(MAX_CHARS).iter().map(|text| text.as_str().into()).collect();
        let passes = (0..PASSES).map(|_| timed(&Engine::new(Arc::clone(&catalog)), &messages));
        if let Some((time, steps, estimate)) = passes.min_by_key(|(time, ..)| *time) {
            let (foods, unresolved) = (estimate.items.len(), estimate.unresolved.len());
            let milliseconds = time.as_secs_f64() * 1e3;
            println!("{name:40} {milliseconds:6.2} ms {:7} k {foods:5} {unresolved:10}", steps / 1_000);
            slowest = slowest.max(time);
        }
    }
    println!("{:40} {:6.2} ms", "slowest", slowest.as_secs_f64() * 1e3);
    let searcher = Searcher::default();
    let slowest = hostile_texts::queries().map(|query| {
        let start = cpu_time();
        let (_, steps) = searcher.find_counted(&catalog, &query, 100, None);
        (cpu_time().saturating_sub(start), steps, query)
    });
    if let Some((time, steps, query)) = slowest.max() {
        println!("slowest search: {:.2} ms, {} k steps: {query}", time.as_secs_f64() * 1e3, steps / 1_000);
    }
    Ok(())
}

/// Returns the time that messages take, their steps, and their foods.
fn timed(engine: &Engine, messages: &[Message]) -> (Duration, usize, Estimate) {
    let start = cpu_time();
    let book = RecipeBook::default();
    let mut parts = meal::estimate(engine, messages, &book);
    let estimate: Estimate = parts.by_ref().collect();
    (cpu_time().saturating_sub(start), parts.steps(), estimate)
}

/// Returns how long this thread has been running on a core.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
