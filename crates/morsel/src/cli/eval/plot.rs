//! Plots as SVG. The page needs no scripts and loads nothing, so it can be mailed and archived.

use std::collections::BTreeMap;
use std::fmt::{Result, Write};

const WIDTH: f64 = 720.0;
/// Side of the cells that group the dots of a scatter plot, so that thousands of meals take a few kilobytes.
const CELL: f64 = 4.0;
/// Opacity of a cell by the minimum number of meals in it.
const SHADES: [(u32, f64); 4] = [(1, 0.25), (2, 0.45), (4, 0.7), (10, 1.0)];

/// An axis: a range of values and the range of coordinates that it is drawn at.
struct Axis {
    values: (f64, f64),
    pixels: (f64, f64),
}

impl Axis {
    /// Returns the coordinate of a value; values beyond the axis are drawn at its end.
    fn at(&self, value: f64) -> f64 {
        let share = (value - self.values.0) / (self.values.1 - self.values.0);
        self.pixels.0 + share.clamp(0.0, 1.0) * (self.pixels.1 - self.pixels.0)
    }

    /// Returns round values along the axis, roughly `about` of them.
    fn ticks(&self, about: f64) -> Vec<f64> {
        let step = round_up((self.values.1 - self.values.0) / about);
        let first = (self.values.0 / step).ceil() as i64;
        let last = (self.values.1 / step + 1e-9).floor() as i64;
        (first..=last).map(|at| at as f64 * step).collect()
    }
}

/// Rounds up to 1, 2, 5, 10, 20, 50, …
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power).find(|step| *step >= value).unwrap_or(10.0 * power)
}

fn open(out: &mut String, height: f64, label: &str) -> Result {
    write!(out, r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{}">"#, escaped(label))
}

/// Draws grid lines, numbers and titles of both axes.
fn frame(out: &mut String, x: &Axis, y: &Axis, titles: [&str; 2], unit: &str) -> Result {
    let ((left, right), (bottom, top)) = (x.pixels, y.pixels);
    for tick in x.ticks(8.0) {
        let at = x.at(tick);
        write!(out, r#"<path class="grid" d="M{at:.1} {top}V{bottom}"/>"#)?;
        write!(out, r#"<text class="middle" x="{at:.1}" y="{:.1}">{}</text>"#, bottom + 18.0, tidy(tick))?;
    }
    for tick in y.ticks(6.0) {
        let at = y.at(tick);
        write!(out, r#"<path class="grid" d="M{left} {at:.1}H{right}"/>"#)?;
        write!(out, r#"<text class="end" x="{:.1}" y="{:.1}">{}{unit}</text>"#, left - 8.0, at + 4.0, tidy(tick))?;
    }
    let [below, above] = titles;
    write!(out, r#"<text class="end" x="{right}" y="{:.1}">{below}</text>"#, bottom + 38.0)?;
    write!(out, r#"<text x="0" y="12">{above}</text>"#)
}

/// Formats a number without trailing zeros and with a typographic minus sign.
fn tidy(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    rounded.to_string().replace('-', "−")
}

/// Draws two bars per set.
pub(super) fn bars(out: &mut String, names: [&str; 2], rows: &[(&str, [f64; 2])]) -> Result {
    const ROW: f64 = 46.0;
    let bottom = 40.0 + ROW * rows.len() as f64;
    let x = Axis { values: (0.0, 100.0), pixels: (170.0, 650.0) };
    open(out, bottom + 24.0, &format!("{} and {} by set", names[0], names[1]))?;
    legend(out, names)?;
    for tick in x.ticks(5.0) {
        let at = x.at(tick);
        write!(out, r#"<path class="grid" d="M{at:.1} 32V{bottom}"/>"#)?;
        write!(out, r#"<text class="middle" x="{at:.1}" y="{:.1}">{} %</text>"#, bottom + 18.0, tidy(tick))?;
    }
    for ((name, shares), row) in rows.iter().zip(0..) {
        let top = 40.0 + ROW * f64::from(row);
        let shown: String =
            if name.chars().count() > 24 { name.chars().take(23).chain(['…']).collect() } else { (*name).to_owned() };
        write!(out, r#"<text class="ink end" x="160" y="{:.1}">{}</text>"#, top + 20.0, escaped(&shown))?;
        for ((share, class), bar) in shares.iter().zip(["one", "two"]).zip(0..) {
            let (y, end) = (top + 16.0 * f64::from(bar), x.at(share * 100.0));
            let width = end - x.pixels.0;
            write!(out, r#"<rect class="{class}" x="170" y="{y:.1}" width="{width:.1}" height="14" rx="2"/>"#)?;
            write!(out, r#"<text class="ink" x="{:.1}" y="{:.1}">{:.1} %</text>"#, end + 6.0, y + 11.5, share * 100.0)?;
        }
    }
    out.write_str("</svg>")
}

fn legend(out: &mut String, names: [&str; 2]) -> Result {
    for ((name, class), at) in names.into_iter().zip(["one", "two"]).zip([170.0, 420.0]) {
        write!(out, r#"<rect class="{class}" x="{at}" y="6" width="12" height="12" rx="2"/>"#)?;
        write!(out, r#"<text class="ink" x="{}" y="16">{}</text>"#, at + 18.0, escaped(name))?;
    }
    Ok(())
}

/// Draws estimated against true values, with lines at distance `bound` from the diagonal.
pub(super) fn scatter(out: &mut String, points: &[(f64, f64)], end: f64, bound: f64) -> Result {
    let x = Axis { values: (0.0, end), pixels: (56.0, 700.0) };
    let y = Axis { values: (0.0, end), pixels: (560.0, 24.0) };
    open(out, 606.0, "Estimated carbs against true carbs")?;
    frame(out, &x, &y, ["true carbs, g", "estimated carbs, g"], "")?;
    for (offset, class) in [(-bound, "guide"), (0.0, "grid"), (bound, "guide")] {
        let (from, to) = (f64::max(0.0, -offset), f64::min(end, end - offset));
        let [x1, y1, x2, y2] = [x.at(from), y.at(from + offset), x.at(to), y.at(to + offset)];
        write!(out, r#"<path class="{class}" d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"/>"#)?;
    }
    let mut cells: BTreeMap<(i32, i32), u32> = BTreeMap::new();
    for (gold, said) in points {
        let cell = |pixels: f64| (pixels / CELL).round() as i32;
        *cells.entry((cell(x.at(*gold)), cell(y.at(*said)))).or_default() += 1;
    }
    for (at, (least, opacity)) in SHADES.into_iter().enumerate() {
        let below = SHADES.get(at + 1).map_or(u32::MAX, |shade| shade.0);
        write!(out, r#"<path class="dots" opacity="{opacity}" d=""#)?;
        for ((column, row), _) in cells.iter().filter(|(_, count)| (least..below).contains(*count)) {
            write!(out, "M{} {}h0", f64::from(*column) * CELL, f64::from(*row) * CELL)?;
        }
        out.write_str("\"/>")?;
    }
    out.write_str("</svg>")
}

/// Draws the distribution of errors and highlights those within `bound` of zero. The outermost bars hold the rest.
pub(super) fn histogram(out: &mut String, errors: &[f64], bound: f64) -> Result {
    const BINS: i32 = 40;
    let bin = bound / 3.0;
    let reach = bin * f64::from(BINS / 2);
    let mut counts = [0u32; BINS as usize];
    for error in errors {
        let at = ((error + reach) / bin).floor().clamp(0.0, f64::from(BINS - 1));
        counts[at as usize] += 1;
    }
    let share = |count: u32| f64::from(count) * 100.0 / errors.len().max(1) as f64;
    let highest = counts.iter().copied().map(share).fold(1.0, f64::max);
    let x = Axis { values: (-reach, reach), pixels: (56.0, 700.0) };
    let y = Axis { values: (0.0, highest * 1.05), pixels: (280.0, 24.0) };
    open(out, 326.0, "Carb errors")?;
    frame(out, &x, &y, ["estimated minus true carbs, g", "share of meals"], " %")?;
    for (count, at) in counts.into_iter().zip(0..) {
        let from = -reach + bin * f64::from(at);
        let class = if (from + bin / 2.0).abs() < bound { "one" } else { "rest" };
        let (left, width, top) = (x.at(from) + 0.75, x.at(from + bin) - x.at(from) - 1.5, y.at(share(count)));
        let height = y.pixels.0 - top;
        write!(out, r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}">"#)?;
        write!(out, "<title>{} to {} g: {count} meals</title></rect>", tidy(from), tidy(from + bin))?;
    }
    out.write_str("</svg>")
}

/// Draws the share of meals inside their ranges by the width of the ranges.
pub(super) fn curves(out: &mut String, names: [&str; 2], curves: &[Vec<(f64, f64)>; 2]) -> Result {
    let end = curves[0].last().map_or(1.0, |(times, _)| *times);
    let x = Axis { values: (0.0, end), pixels: (56.0, 700.0) };
    let y = Axis { values: (0.0, 100.0), pixels: (320.0, 44.0) };
    open(out, 366.0, "Share of meals inside their ranges, by the width of the ranges")?;
    legend(out, names)?;
    frame(out, &x, &y, ["multiple of the given width", "inside"], " %")?;
    write!(out, r#"<path class="guide" d="M{:.1} {}V{}"/>"#, x.at(1.0), y.pixels.1, y.pixels.0)?;
    write!(out, r#"<path class="guide" d="M{} {:.1}H{}"/>"#, x.pixels.0, y.at(80.0), x.pixels.1)?;
    for (curve, class) in curves.iter().zip(["one", "two"]) {
        write!(out, r#"<path class="curve {class}" d=""#)?;
        for ((times, share), at) in curve.iter().zip(0..) {
            let command = if at == 0 { 'M' } else { 'L' };
            write!(out, "{command}{:.1} {:.1}", x.at(*times), y.at(share * 100.0))?;
        }
        out.write_str("\"/>")?;
        if let Some((times, share)) = curve.iter().find(|(times, _)| (times - 1.0).abs() < 1e-9) {
            let (cx, cy) = (x.at(*times), y.at(share * 100.0));
            write!(out, r#"<circle class="{class}" cx="{cx:.1}" cy="{cy:.1}" r="5">"#)?;
            write!(out, "<title>{:.1} % inside the ranges as given</title></circle>", share * 100.0)?;
        }
    }
    out.write_str("</svg>")
}

/// Escapes text for HTML and its attributes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the smallest round number above 99 % of the values.
pub(super) fn round_end(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let nearly_all = values.get(values.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(1.0);
    let step = round_up(nearly_all / 10.0);
    (nearly_all / step).ceil().max(1.0) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_ticks_are_round() {
        assert!((round_end((0..=100).map(f64::from).collect()) - 100.0).abs() < 1e-9);
        let axis = Axis { values: (-50.0, 50.0), pixels: (0.0, 100.0) };
        assert_eq!(axis.ticks(8.0).into_iter().map(tidy).collect::<Vec<_>>(), ["−40", "−20", "0", "20", "40"]);
        assert!((axis.at(0.0) - 50.0).abs() < 1e-9 && (axis.at(999.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn empty_and_extreme_data_can_be_drawn() {
        let mut out = String::new();
        scatter(&mut out, &[], round_end(Vec::new()), 7.5).expect("text takes text");
        scatter(&mut out, &[(0.0, 0.0)], round_end(vec![0.0]), 7.5).expect("text takes text");
        histogram(&mut out, &[1e300, -1e300, 0.0], 7.5).expect("text takes text");
        bars(&mut out, ["a", "<b>"], &[("\"x\"", [0.0, 1.0])]).expect("text takes text");
        assert!(!out.contains("NaN") && !out.contains("inf") && !out.contains("<b>"), "{out}");
    }
}
