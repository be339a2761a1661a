//! Prints how long the slowest texts that we know take, each of the maximum length, on an engine that has read nothing before:
//! `cargo run --release -p meal --example worst_case [FAMILY]`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foods::catalog::{Catalog, Layer};
use meal::{Engine, Estimate, MAX_CHARS};

#[path = "../tests/meal/hostile_texts.rs"]
mod hostile_texts;

const PASSES: usize = 3;

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let catalog = Arc::new(Catalog::new(Layer::from_static(embedded::CATALOG)?, None));
    println!("{:30} {:>9} {:>9}", "", "half", "8,000");
    for (name, text) in hostile_texts::FAMILIES.iter().filter(|(name, _)| name.contains(&wanted)) {
        let measure = |chars: usize| {
            let text = text(chars);
            let once = || timed(&Engine::new(Arc::clone(&catalog)), &text);
            (0..PASSES).map(|_| once()).min().unwrap_or_default().as_secs_f64() * 1e3
        };
        println!("{name:30} {:6.2} ms {:6.2} ms", measure(MAX_CHARS / 2), measure(MAX_CHARS));
    }
    Ok(())
}

/// Returns the time that a text takes.
fn timed(engine: &Engine, text: &str) -> Duration {
    let start = Instant::now();
    std::hint::black_box(Estimate::of_text(engine, text));
    start.elapsed()
}
