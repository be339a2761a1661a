//! A chart of requests over time, rendered by the server as SVG: stacked bars with tooltips, which may lead to the log, and
//! a description for screen readers.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;
use jiff::civil::Date;

use super::request_counts::RequestCounts;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
/// Leaves room for half of the last label.
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 30.0;
const TOP: f64 = 12.0;
/// Grid lines above the baseline, at most.
const MAX_LINES: u64 = 4;
/// A chart of so few bars fits on a phone.
const FEW_BARS: usize = 10;
/// Bars with a label.
const MAX_LABELS: usize = 10;

/// The chart. Its template escapes all text, so other templates do not need to.
#[derive(Debug, Template)]
#[template(path = "usage/chart.html")]
pub(crate) struct Chart {
    title: &'static str,
    description: String,
    /// It need not scroll on a phone.
    is_narrow: bool,
    lines: Vec<GridLine>,
    bars: Vec<Bar>,
}

/// The requests of a part of the time.
#[derive(Clone, Debug)]
pub(crate) struct TimeSlot {
    /// The label below the bar.
    pub name: String,
    /// The time in full.
    pub full_name: String,
    pub counts: RequestCounts,
    /// Where the bar leads.
    pub href: Option<String>,
}

#[derive(Debug)]
struct GridLine {
    y: f64,
    name: String,
}

#[derive(Debug)]
struct Bar {
    x: f64,
    width: f64,
    /// The x coordinate of the label.
    middle: f64,
    name: Option<String>,
    tip: String,
    href: Option<String>,
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    class: &'static str,
    y: f64,
    height: f64,
}

impl HtmlSafe for Chart {}

impl Chart {
    /// Draws consecutive days.
    pub fn new(days: &[(Date, RequestCounts)]) -> Self {
        let slot = |(day, counts): &(Date, RequestCounts)| TimeSlot::day(*day, *counts);
        Self::of("Requests by day", "day", &days.iter().map(slot).collect::<Vec<_>>())
    }

    /// Draws consecutive parts of the time, each called a `unit`.
    pub fn of(title: &'static str, unit: &str, slots: &[TimeSlot]) -> Self {
        let highest = slots.iter().map(|slot| slot.counts.total()).max().unwrap_or(0);
        let step = round_step(highest);
        let count = highest.div_ceil(step).max(1);
        let top = (step * count) as f64;
        let y = |requests: u64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - requests as f64 / top);
        let lines = (0..=count).map(|n| GridLine { y: y(n * step), name: short(n * step) }).collect();
        let width = (WIDTH - LEFT - RIGHT) / slots.len().max(1) as f64;
        let every = slots.len().div_ceil(MAX_LABELS).max(1);
        let bar = |(n, slot): (usize, &TimeSlot)| {
            let x = LEFT + width * n as f64;
            // Counted from the last one, which should always have a label.
            let is_named = (slots.len() - 1 - n).is_multiple_of(every);
            Bar {
                x: x + width * 0.12,
                width: width * 0.76,
                middle: x + width / 2.0,
                name: is_named.then(|| slot.name.clone()),
                tip: tip(slot),
                href: slot.href.clone().filter(|_| slot.counts.total() > 0),
                pieces: pieces(&slot.counts, y),
            }
        };
        let bars = slots.iter().enumerate().map(bar).collect();
        Self { title, description: describe(unit, slots), is_narrow: slots.len() <= FEW_BARS, lines, bars }
    }

    /// Reports whether bars lead somewhere: then the chart is more than a picture.
    fn has_links(&self) -> bool {
        self.bars.iter().any(|bar| bar.href.is_some())
    }
}

impl TimeSlot {
    /// Returns a day without a link.
    pub fn day(day: Date, counts: RequestCounts) -> Self {
        Self {
            name: day.strftime("%-d %b").to_string(),
            full_name: day.strftime("%-d %B %Y").to_string(),
            counts,
            href: None,
        }
    }
}

fn pieces(counts: &RequestCounts, y: impl Fn(u64) -> f64) -> Vec<Piece> {
    let stacked = [
        ("bar-ok", counts.ok),
        ("bar-client", counts.client),
        ("bar-limited", counts.limited),
        ("bar-server", counts.server),
    ];
    let mut below = 0;
    let mut pieces = Vec::new();
    for (class, requests) in stacked.into_iter().filter(|(_, requests)| *requests > 0) {
        let (low, high) = (y(below), y(below + requests));
        // Even a single request is visible.
        pieces.push(Piece { class, y: high, height: (low - high).max(1.0) });
        below += requests;
    }
    pieces
}

/// Returns a round distance between grid lines, such that the highest bar fits.
fn round_step(highest: u64) -> u64 {
    let least = highest.div_ceil(MAX_LINES).max(1);
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * power >= least {
                return factor * power;
            }
        }
        power *= 10;
    }
}

/// Abbreviates a number: "1.5k" for 1,500.
fn short(number: u64) -> String {
    let text = |value: f64, unit| format!("{}{unit}", format!("{value:.1}").trim_end_matches(".0"));
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => text(number as f64 / 1e3, "k"),
        _ => text(number as f64 / 1e6, "M"),
    }
}

fn tip(slot: &TimeSlot) -> String {
    let counts = &slot.counts;
    let mut text = format!("{}: {} requests", slot.full_name, counts.total());
    for (count, name) in
        [(counts.client, "client errors"), (counts.limited, "rate limited"), (counts.server, "server errors")]
    {
        if count > 0 {
            // Writing to a string does not fail.
            let _ = write!(text, ", {count} {name}");
        }
    }
    text
}

fn describe(unit: &str, slots: &[TimeSlot]) -> String {
    let total: u64 = slots.iter().map(|slot| slot.counts.total()).sum();
    let busiest = slots.iter().max_by_key(|slot| slot.counts.total());
    match (slots, busiest) {
        ([first, .., last], Some(busiest)) if total > 0 => format!(
            "{total} requests from {} to {}. The busiest {unit} was {} with {}.",
            first.full_name,
            last.full_name,
            busiest.full_name,
            busiest.counts.total()
        ),
        _ => "No requests in this period.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn lines_are_round_and_above_the_highest_bar() {
        for highest in [0, 1, 3, 4, 5, 8, 9, 40, 41, 79, 999, 1_000, 123_456, 7_000_001] {
            let step = round_step(highest);
            assert!(step * MAX_LINES >= highest, "{highest}");
            assert!(step * MAX_LINES <= highest.max(2) * 5 + MAX_LINES, "{highest}: {step}");
        }
        assert_eq!(
            [short(0), short(999), short(1_500), short(20_000), short(2_000_000)],
            ["0", "999", "1.5k", "20k", "2M"]
        );
    }

    #[test]
    fn bars_are_stacked_and_described() {
        let day = |n: i8, counts: RequestCounts| (date(2026, 11, n), counts);
        let days = [
            day(1, RequestCounts { ok: 90, client: 5, limited: 3, server: 2 }),
            day(2, RequestCounts::default()),
            day(3, RequestCounts { ok: 1, ..RequestCounts::default() }),
        ];
        let chart = Chart::new(&days);
        assert_eq!(chart.bars.len(), 3);
        let stacked = &chart.bars[0].pieces;
        assert_eq!(stacked.len(), 4);
        assert!(stacked.windows(2).all(|pair| (pair[1].y + pair[1].height - pair[0].y).abs() < 1.5), "{stacked:?}");
        assert!(stacked.iter().all(|piece| piece.y >= TOP - 0.01 && piece.y + piece.height <= HEIGHT - BOTTOM + 0.01));
        assert_eq!(
            chart.bars[0].tip,
            "1 November 2026: 100 requests, 5 client errors, 3 rate limited, 2 server errors"
        );
        assert!(chart.description.contains("101 requests") && chart.description.contains("1 November 2026 with 100"));
        let html = chart.to_string();
        assert!(html.contains("<title") && !html.contains("style="), "{html}");
        assert!(Chart::new(&[]).to_string().contains("No requests"));
        assert_eq!(
            Chart::new(&[day(1, RequestCounts { ok: 93, ..RequestCounts::default() })]).lines.len(),
            3,
            "0, 50, 100"
        );
        let href = Some("/log?from=a&to=b".to_owned());
        let slots = days.map(|(day, counts)| TimeSlot { href: href.clone(), ..TimeSlot::day(day, counts) });
        let html = Chart::of("Requests by day", "day", &slots).to_string();
        assert_eq!(html.matches("<a href=\"/log?from=a&#38;to=b\"").count(), 2, "not where there is nothing: {html}");
        assert!(!html.contains("role=\"img\""), "a picture has no links: {html}");
    }
}
