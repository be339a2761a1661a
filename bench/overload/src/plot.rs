//! The results as a picture: what is served and how fast, by what is offered; and what others notice of an abuser.

use std::fmt::Write as _;

use crate::fairness::Beside;
use crate::report::Results;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 330.0;
const PANEL: f64 = 220.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 270.0;

/// A bar: its label, its value, and whether it is the one to compare with.
type Bar = (String, f64, bool);

/// Draws the results as SVG.
pub fn svg(results: &Results) -> String {
    let goodput = results.levels.iter().map(|level| {
        (format!("{} ×", level.times_capacity), level.figures.answered_per_second, level.times_capacity <= 1.0)
    });
    let latency = results
        .levels
        .iter()
        .map(|level| (format!("{} ×", level.times_capacity), level.figures.p99_ms, level.times_capacity <= 1.0));
    let pair = |name: &str, beside: &Option<Beside>| {
        beside.as_ref().map_or_else(Vec::new, |beside| {
            vec![
                (format!("{name}, alone"), beside.alone.p50_ms, true),
                (format!("{name}, beside"), beside.together.p50_ms, false),
            ]
        })
    };
    let others = pair("texts", &results.texts).into_iter().chain(pair("readers", &results.readers));
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\
         <title>Texts served, their latency, and what others notice of an abuser</title>\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"
    );
    panel(&mut out, 40.0, "answered per second, by load", &goodput.collect::<Vec<_>>());
    panel(&mut out, 320.0, "p99 of answered texts in ms, by load", &latency.collect::<Vec<_>>());
    panel(&mut out, 600.0, "p50 of others in ms", &others.collect::<Vec<_>>());
    out.push_str("</svg>\n");
    out
}

fn panel(out: &mut String, left: f64, title: &str, bars: &[Bar]) {
    let max = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
    let step = PANEL / bars.len().max(1) as f64;
    let _ = write!(out, "<text x=\"{left}\" y=\"24\" font-weight=\"600\">{title}</text>");
    for (index, (label, value, is_reference)) in bars.iter().enumerate() {
        let height = (BOTTOM - TOP) * value / max;
        let (x, y, middle) = (left + step * index as f64, BOTTOM - height, left + step * (index as f64 + 0.45));
        let color = if *is_reference { "#9aa5b1" } else { "#c2410c" };
        let shown = if *value >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") };
        let _ = write!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{shown}</text>",
            step * 0.9,
            y - 5.0,
        );
        for (line, part) in label.split(", ").enumerate() {
            let y = BOTTOM + 18.0 + 15.0 * line as f64;
            let _ = write!(out, "<text x=\"{middle:.1}\" y=\"{y}\" text-anchor=\"middle\">{part}</text>");
        }
    }
}
