//! The results, as tables for people and as JSON for programs.

use std::fmt::Write as _;

use serde::Serialize;

use crate::docs::Doc;
use crate::engines;
use crate::judge;
use crate::measure::{Measurement, percentile};
use crate::queries::{Query, QueryKind};

/// The results for queries of one kind: shares of right results, and times.
#[derive(Clone, Debug, Serialize)]
pub struct Quality {
    pub kind: &'static str,
    pub queries: usize,
    pub hit_at_1: f64,
    pub hit_at_10: f64,
    pub p50_us: f64,
    pub p99_us: f64,
}

/// One engine on the catalog.
#[derive(Clone, Debug, Serialize)]
pub struct EngineResult {
    pub engine: engines::EngineKind,
    pub overall: Quality,
    pub kinds: Vec<Quality>,
    pub p50_us: f64,
    pub p99_us: f64,
    pub passes: usize,
    pub open_ms: f64,
    pub memory_mb: f64,
    pub disk_mb: f64,
    pub build_s: f64,
}

/// One engine at one size.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthPoint {
    pub engine: engines::EngineKind,
    pub foods: usize,
    pub queries: usize,
    pub p50_us: f64,
    pub p99_us: f64,
    pub disk_mb: f64,
    pub build_s: f64,
}

/// A target of the product.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    pub what: String,
    pub measured: String,
    pub reached: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Results {
    pub foods: usize,
    pub queries: usize,
    pub cores: usize,
    /// The load of the machine at the start: above zero, something else was using it.
    pub load: f64,
    pub engines: Vec<EngineResult>,
    pub growth: Vec<GrowthPoint>,
    pub targets: Vec<Target>,
}

/// The rank of the first right result of each query.
pub fn places(queries: &[Query], answers: &[Vec<&Doc>]) -> Vec<Option<usize>> {
    queries.iter().zip(answers).map(|(query, docs)| judge::place(&query.expected, docs)).collect()
}

impl EngineResult {
    pub fn new(
        engine: engines::EngineKind,
        measured: &Measurement,
        queries: &[Query],
        places: &[Option<usize>],
    ) -> Self {
        let of_kind = |kind: Option<QueryKind>| {
            let chosen: Vec<usize> =
                (0..queries.len()).filter(|&at| kind.is_none_or(|kind| queries[at].kind == kind)).collect();
            let share = |within: usize| {
                let right = chosen.iter().filter(|&&at| places[at].is_some_and(|place| place < within)).count();
                right as f64 / chosen.len().max(1) as f64
            };
            let time = |share: f64| percentile(chosen.iter().map(|&at| measured.nanos[at]), share);
            Quality {
                kind: kind.map_or("overall", QueryKind::name),
                queries: chosen.len(),
                hit_at_1: share(1),
                hit_at_10: share(10),
                p50_us: time(0.5),
                p99_us: time(0.99),
            }
        };
        Self {
            engine,
            overall: of_kind(None),
            kinds: QueryKind::ALL.into_iter().map(|kind| of_kind(Some(kind))).collect(),
            p50_us: measured.percentile(0.5),
            p99_us: measured.percentile(0.99),
            passes: measured.passes,
            open_ms: measured.open_us as f64 / 1000.0,
            memory_mb: measured.memory as f64 / 1e6,
            disk_mb: measured.bytes as f64 / 1e6,
            build_s: measured.build_ms as f64 / 1000.0,
        }
    }
}

impl GrowthPoint {
    pub fn new(engine: engines::EngineKind, foods: usize, measured: &Measurement) -> Self {
        Self {
            engine,
            foods,
            queries: measured.found.len(),
            p50_us: measured.percentile(0.5),
            p99_us: measured.percentile(0.99),
            disk_mb: measured.bytes as f64 / 1e6,
            build_s: measured.build_ms as f64 / 1000.0,
        }
    }
}

impl Results {
    pub fn engine(&self, kind: engines::EngineKind) -> Option<&EngineResult> {
        self.engines.iter().find(|result| result.engine == kind)
    }

    /// Formats everything as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = format!(
            "{} foods, {} queries, one thread; {} cores, load {:.1} at the start.\n",
            self.foods, self.queries, self.cores, self.load
        );
        if !self.engines.is_empty() {
            out += "\n## Right results: first (among the first ten), in percent\n\n";
            out += &self.kinds_table(percent);
            out += "\n## Speed and size\n\n";
            out += &self.speed_table();
            out += "\n## Speed by kind of query: p50 / p99\n\n";
            out += &self.kinds_table(|quality| format!("{} / {}", micros(quality.p50_us), micros(quality.p99_us)));
        }
        if !self.growth.is_empty() {
            out += "\n## Growth: generated catalogs, p50 / p99\n\n";
            out += &self.growth_table();
        }
        if !self.targets.is_empty() {
            out += "\n## Targets\n\n| Target | Measured | |\n|---|---|---|\n";
            for target in &self.targets {
                let verdict = if target.reached { "pass" } else { "FAIL" };
                let _ = writeln!(out, "| {} | {} | {verdict} |", target.what, target.measured);
            }
        }
        out
    }

    fn kinds_table(&self, cell: impl Fn(&Quality) -> String) -> String {
        let mut rows = vec![header("Queries", self.engines.iter().map(|result| result.engine.label().to_owned()))];
        let Some(first) = self.engines.first() else { return String::new() };
        for (at, quality) in first.kinds.iter().enumerate() {
            let cells = self.engines.iter().map(|result| cell(&result.kinds[at]));
            rows.push(row(&format!("{} ({})", quality.kind, quality.queries), cells));
        }
        let cells = self.engines.iter().map(|result| format!("**{}**", cell(&result.overall)));
        rows.push(row(&format!("**all** ({})", first.overall.queries), cells));
        rows.concat()
    }

    fn speed_table(&self) -> String {
        let mut out = header("", self.engines.iter().map(|result| result.engine.label().to_owned()));
        let mut add = |name: &str, cell: &dyn Fn(&EngineResult) -> String| {
            out.push_str(&row(name, self.engines.iter().map(cell)))
        };
        add("p50", &|it| micros(it.p50_us));
        add("p99", &|it| micros(it.p99_us));
        if let Some(morsel) = self.engine(engines::EngineKind::Morsel) {
            add("p50, times Morsel's", &|it| format!("{:.1}×", it.p50_us / morsel.p50_us));
            add("p99, times Morsel's", &|it| format!("{:.1}×", it.p99_us / morsel.p99_us));
        }
        add("times each query was timed", &|it| it.passes.to_string());
        add("open", &|it| format!("{:.1} ms", it.open_ms));
        add("memory after all queries", &|it| format!("{:.0} MB", it.memory_mb));
        add("on disk", &|it| format!("{:.0} MB", it.disk_mb));
        // Morsel's catalog is built with the program.
        add("build of the index", &|it| match it.engine {
            engines::EngineKind::Morsel => "–".to_owned(),
            _ => format!("{:.0} s", it.build_s),
        });
        out
    }

    fn growth_table(&self) -> String {
        let mut sizes: Vec<usize> = self.growth.iter().map(|point| point.foods).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let engines: Vec<engines::EngineKind> = engines::EngineKind::ALL
            .into_iter()
            .filter(|kind| self.growth.iter().any(|point| point.engine == *kind))
            .collect();
        let mut out = header("Foods", engines.iter().map(|kind| kind.label().to_owned()));
        for size in sizes {
            let cells = engines.iter().map(|kind| {
                let point = self.growth.iter().find(|point| point.engine == *kind && point.foods == size);
                point.map_or("not run".to_owned(), |point| {
                    format!("{} / {} ({} queries)", micros(point.p50_us), micros(point.p99_us), point.queries)
                })
            });
            out += &row(&size.to_string(), cells);
        }
        out
    }
}

fn header(first: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    let line = "|---".repeat(cells.len() + 1);
    row(first, cells.into_iter()) + &line + "|\n"
}

fn row(first: &str, cells: impl Iterator<Item = String>) -> String {
    cells.fold(format!("| {first} |"), |row, cell| row + &format!(" {cell} |")) + "\n"
}

fn percent(quality: &Quality) -> String {
    format!("{:.1} ({:.1})", quality.hit_at_1 * 100.0, quality.hit_at_10 * 100.0)
}

/// Formats microseconds with the most readable unit.
pub fn micros(value: f64) -> String {
    if value < 1000.0 {
        format!("{value:.0} µs")
    } else if value < 1e5 {
        format!("{:.1} ms", value / 1000.0)
    } else {
        format!("{:.0} ms", value / 1000.0)
    }
}

/// Lists the slowest queries of an engine.
pub fn slowest(queries: &[Query], measured: &Measurement, count: usize) -> String {
    let mut order: Vec<usize> = (0..measured.nanos.len().min(queries.len())).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(measured.nanos[at]));
    let line = |at: usize| format!("  {} {:?}\n", micros(measured.nanos[at] as f64 / 1000.0), queries[at].text);
    order.into_iter().take(count).fold("slowest:\n".to_owned(), |out, at| out + &line(at))
}

/// Lists some queries that an engine got wrong, kind by kind, with its first result.
pub fn misses(queries: &[Query], answers: &[Vec<&Doc>], places: &[Option<usize>], per_kind: usize) -> String {
    let mut out = String::new();
    for kind in QueryKind::ALL {
        let wrong: Vec<usize> = (0..queries.len().min(places.len()))
            .filter(|&at| queries[at].kind == kind && places[at] != Some(0))
            .collect();
        let _ = writeln!(out, "{}: {} not first", kind.name(), wrong.len());
        for at in wrong.into_iter().take(per_kind) {
            let place = places[at].map_or("not found".to_owned(), |place| format!("at {}", place + 1));
            let first = answers[at]
                .first()
                .map_or("nothing".to_owned(), |doc| format!("{} [{}] {}", doc.name, doc.brand, doc.id));
            let (rule, expected) = queries[at].expected.to_columns();
            let _ = writeln!(out, "  {:?} expects {rule} {expected:?}: {place}; first is {first}", queries[at].text);
        }
    }
    out
}
