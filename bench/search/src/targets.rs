//! The targets of the product, and whether they are met.

use crate::engines::EngineKind;
use crate::report::{Results, Target, micros};

/// Returns every target that can be checked with these results.
pub fn check(results: &Results) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut add = |what: &str, measured: String, reached: bool| {
        targets.push(Target { what: what.to_owned(), measured, reached });
    };
    let Some(morsel) = results.engine(EngineKind::Morsel) else { return targets };
    for peer in results.engines.iter().filter(|peer| peer.engine != EngineKind::Morsel) {
        let label = peer.engine.label();
        let (ours, theirs) = (&morsel.overall, &peer.overall);
        let percent = |one: f64, other: f64| format!("{:.1} % against {:.1} %", one * 100.0, other * 100.0);
        let first = percent(ours.hit_at_1, theirs.hit_at_1);
        add(&format!("right first results: more than {label}"), first, ours.hit_at_1 > theirs.hit_at_1);
        let ten = percent(ours.hit_at_10, theirs.hit_at_10);
        add(&format!("right results among ten: more than {label}"), ten, ours.hit_at_10 > theirs.hit_at_10);
    }
    add("p50 ≤ 150 µs", micros(morsel.p50_us), morsel.p50_us <= 150.0);
    add("p99 ≤ 1.5 ms", micros(morsel.p99_us), morsel.p99_us <= 1500.0);
    for peer in results.engines.iter().filter(|peer| peer.engine != EngineKind::Morsel) {
        let wanted = if peer.engine == EngineKind::Tantivy { 3.0 } else { 50.0 };
        for (name, factor) in [("p50", peer.p50_us / morsel.p50_us), ("p99", peer.p99_us / morsel.p99_us)] {
            let what = format!("{name}: at least {wanted:.0}× faster than {}", peer.engine.label());
            add(&what, format!("{factor:.1}×"), factor >= wanted);
        }
    }
    add("open ≤ 100 ms", format!("{:.1} ms", morsel.open_ms), morsel.open_ms <= 100.0);
    add("resident ≤ 150 MB", format!("{:.0} MB", morsel.memory_mb), morsel.memory_mb <= 150.0);
    let largest =
        results.growth.iter().filter(|point| point.engine == EngineKind::Morsel).max_by_key(|point| point.foods);
    if let Some(point) = largest.filter(|point| point.foods >= 2_000_000) {
        add("p99 ≤ 5 ms with 2 million foods", micros(point.p99_us), point.p99_us <= 5000.0);
    }
    targets
}
