//! Writes the two plots as SVG. A white background makes them readable on light and dark pages.

use std::fmt::Write as _;

use crate::engines::EngineKind;
use crate::report::{GrowthPoint, Quality, Results};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
const INK: &str = "#222222";
const GRID: &str = "#dddddd";

fn color(engine: EngineKind) -> &'static str {
    // Distinguishable with any kind of color vision.
    match engine {
        EngineKind::Morsel => "#d55e00",
        EngineKind::Tantivy => "#0072b2",
        EngineKind::Sqlite => "#009e73",
        EngineKind::Postgres => "#7f5fa8",
    }
}

/// An SVG document under construction.
struct Svg(String);

impl Svg {
    fn new(title: &str) -> Self {
        let mut svg = Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        ));
        svg.text(WIDTH / 2.0, 28.0, "middle", &format!("<tspan font-size=\"17\" font-weight=\"bold\">{title}</tspan>"));
        svg
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    fn upright(&mut self, x: f64, y: f64, text: &str) {
        let turn = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" {turn}>{text}</text>");
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(self.0, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, style: &str) {
        let _ =
            writeln!(self.0, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>");
    }

    fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Plots right results by kind of query: the whole bar is the first ten, the filled part the first result.
pub fn quality(results: &Results) -> String {
    let mut svg = Svg::new("Right results by kind of query");
    let (left, right, top, bottom) = (70.0, WIDTH - 20.0, 80.0, HEIGHT - 60.0);
    let y = |share: f64| bottom - share * (bottom - top);
    for step in 0..=5 {
        let share = f64::from(step) / 5.0;
        svg.line((left, y(share)), (right, y(share)), &format!("stroke=\"{GRID}\""));
        svg.text(left - 8.0, y(share) + 4.0, "end", &format!("{:.0} %", share * 100.0));
    }
    svg.upright(20.0, f64::midpoint(top, bottom), "queries with a right result");
    let groups: Vec<String> = results.engines.first().map_or(Vec::new(), |first| {
        first.kinds.iter().map(|quality| quality.kind.to_owned()).chain(["all".to_owned()]).collect()
    });
    let group = (right - left) / groups.len().max(1) as f64;
    let bar = group * 0.8 / results.engines.len().max(1) as f64;
    for (at, name) in groups.iter().enumerate() {
        let start = left + group * (at as f64 + 0.1);
        for (place, result) in results.engines.iter().enumerate() {
            let quality: &Quality = result.kinds.get(at).unwrap_or(&result.overall);
            let x = start + bar * place as f64;
            let fill = color(result.engine);
            let height = |share: f64| bottom - y(share);
            let light = format!("fill=\"{fill}\" fill-opacity=\"0.3\"");
            svg.rect(x, y(quality.hit_at_10), bar - 1.5, height(quality.hit_at_10), &light);
            svg.rect(x, y(quality.hit_at_1), bar - 1.5, height(quality.hit_at_1), &format!("fill=\"{fill}\""));
        }
        svg.text(left + group * (at as f64 + 0.5), bottom + 20.0, "middle", name);
    }
    svg.line((left, bottom), (right, bottom), &format!("stroke=\"{INK}\""));
    let note = "kind of query – full color: the first result is right; light: one of the first ten is";
    svg.text(f64::midpoint(left, right), HEIGHT - 14.0, "middle", note);
    let mut x = left;
    for result in &results.engines {
        svg.rect(x, 48.0, 14.0, 14.0, &format!("fill=\"{}\"", color(result.engine)));
        svg.text(x + 20.0, 60.0, "start", result.engine.label());
        x += 130.0;
    }
    svg.finish()
}

/// Plots time against size, both logarithmic: p50 solid, p99 dashed.
pub fn growth(results: &Results) -> String {
    let mut svg = Svg::new("Search time as the catalog grows");
    let (left, right, top, bottom) = (90.0, WIDTH - 200.0, 50.0, HEIGHT - 60.0);
    let points = &results.growth;
    let low = points.iter().map(|point| point.p50_us).fold(f64::INFINITY, f64::min).log10().floor();
    let high = points.iter().map(|point| point.p99_us).fold(1.0, f64::max).log10().ceil();
    let smallest = points.iter().map(|point| point.foods).min().unwrap_or(1) as f64;
    let largest = points.iter().map(|point| point.foods).max().unwrap_or(10) as f64;
    let (first, last) = (smallest.log10() - 0.1, largest.log10() + 0.1);
    let x = |foods: usize| left + ((foods as f64).log10() - first) / (last - first) * (right - left);
    let y = |us: f64| bottom - (us.log10() - low) / (high - low) * (bottom - top);
    for power in low as i32..=high as i32 {
        let us = 10f64.powi(power);
        svg.line((left, y(us)), (right, y(us)), &format!("stroke=\"{GRID}\""));
        svg.text(left - 8.0, y(us) + 4.0, "end", &time_label(us));
    }
    let mut sizes: Vec<usize> = points.iter().map(|point| point.foods).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        svg.line((x(size), top), (x(size), bottom), &format!("stroke=\"{GRID}\""));
        svg.text(x(size), bottom + 20.0, "middle", &size_label(size));
    }
    svg.line((left, bottom), (right, bottom), &format!("stroke=\"{INK}\""));
    svg.line((left, top), (left, bottom), &format!("stroke=\"{INK}\""));
    svg.text(f64::midpoint(left, right), HEIGHT - 14.0, "middle", "foods in the catalog (logarithmic)");
    svg.upright(22.0, f64::midpoint(top, bottom), "time of one search (logarithmic)");
    let mut legend = top + 20.0;
    for engine in EngineKind::ALL {
        let mut of: Vec<&GrowthPoint> = points.iter().filter(|point| point.engine == engine).collect();
        if of.is_empty() {
            continue;
        }
        of.sort_by_key(|point| point.foods);
        for (name, dash, time) in [
            ("p50", "", (|point| point.p50_us) as fn(&GrowthPoint) -> f64),
            ("p99", " stroke-dasharray=\"6 4\"", |point| point.p99_us),
        ] {
            let style = format!("stroke=\"{}\" stroke-width=\"2.5\"{dash}", color(engine));
            for pair in of.windows(2) {
                svg.line((x(pair[0].foods), y(time(pair[0]))), (x(pair[1].foods), y(time(pair[1]))), &style);
            }
            for point in &of {
                let (at, up) = (x(point.foods), y(time(point)));
                svg.rect(at - 3.5, up - 3.5, 7.0, 7.0, &format!("fill=\"{}\"", color(engine)));
            }
            svg.line((right + 20.0, legend - 4.0), (right + 55.0, legend - 4.0), &style);
            svg.text(right + 62.0, legend, "start", &format!("{} {name}", engine.label()));
            legend += 24.0;
        }
        legend += 8.0;
    }
    svg.finish()
}

fn time_label(us: f64) -> String {
    let (value, unit) = match us {
        ..1e3 => (us, "µs"),
        ..1e6 => (us / 1e3, "ms"),
        _ => (us / 1e6, "s"),
    };
    format!("{value} {unit}")
}

fn size_label(foods: usize) -> String {
    match foods {
        1_000_000.. => format!("{} million", foods / 1_000_000),
        _ => format!("{} thousand", foods / 1000),
    }
}
