//! The results, as a table for people and as JSON with every run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::load::{CONNECTIONS, Target};
use crate::measure::{Run, median};
use crate::streams::Streams;

/// The targets.
const SHARE_OF_HELLO: f64 = 0.5;
const SHARE_OF_ENGINE: f64 = 0.6;
const TIMES_HELLO_P99: f64 = 3.0;
const P99_MS: f64 = 5.0;
const READY_MS: f64 = 200.0;

/// The results of the benchmark.
#[derive(Serialize)]
pub struct Results {
    machine: Machine,
    rounds: usize,
    seconds: f64,
    connections: usize,
    pub hello: Summary,
    pub summaries: Vec<Summary>,
    pub start_up: Vec<StartUp>,
    pub streams: Option<Streams>,
    pub memory_after_load_mb: f64,
    pub runs: Vec<Run>,
}

/// The machine.
#[derive(Serialize)]
pub struct Machine {
    cpu: String,
    cores: usize,
    kernel: String,
    load_at_start: String,
}

/// Times from the start of the program to the first 200 from `/readyz`.
#[derive(Serialize)]
pub struct StartUp {
    pub name: &'static str,
    pub times_ms: Vec<f64>,
}

/// The medians of all rounds for one target.
#[derive(Default, Serialize)]
pub struct Summary {
    target: &'static str,
    /// The number of different requests.
    variety: u64,
    per_second: f64,
    /// The share of the throughput of the bare server just before, the median of all rounds.
    share_of_hello: f64,
    /// The same by the CPU time of server and load together: what the share would be on an idle machine.
    share_by_cost: f64,
    server_us: f64,
    load_us: f64,
    /// CPU time of the engine alone, if it was measured.
    engine_us: Option<f64>,
    /// The throughput of the server as a share of the engine's, by CPU time: the median of all rounds.
    share_of_engine: Option<f64>,
    half_rate: f64,
    p50_ms_at_half: f64,
    p99_ms_at_half: f64,
    /// Without the responses in slow moments of the machine.
    p99_ms_at_half_at_pace: f64,
    /// The share of responses in such moments.
    slowed_at_half: f64,
    others: f64,
}

impl Summary {
    /// Summarizes the runs of a target. Runs at full speed come in pairs: the bare server, then the target.
    pub fn of(target: &Target, runs: &[Run]) -> Self {
        let full: Vec<(Option<&Run>, &Run)> = runs
            .iter()
            .enumerate()
            .filter(|(_, run)| run.target == target.name && run.rate.is_none())
            .map(|(at, run)| (at.checked_sub(1).and_then(|before| runs.get(before)), run))
            .collect();
        let half = || runs.iter().filter(|run| run.target == target.name && run.rate.is_some());
        let compare = |ratio: fn(&Run, &Run) -> f64| {
            let shares = full.iter().map(|(hello, run)| {
                hello.filter(|hello| hello.target == "hello").map_or(1.0, |hello| ratio(hello, run))
            });
            median(shares.collect())
        };
        let of_engine = |value: fn(&Run, f64) -> f64| {
            let values: Vec<f64> = full.iter().filter_map(|(_, run)| Some(value(run, run.engine_us?))).collect();
            (!values.is_empty()).then(|| median(values))
        };
        Self {
            target: target.name,
            variety: target.requests.variety(),
            per_second: median(full.iter().map(|(_, run)| run.per_second).collect()),
            share_of_hello: compare(|hello, run| run.per_second / hello.per_second),
            share_by_cost: compare(|hello, run| (hello.server_us + hello.load_us) / (run.server_us + run.load_us)),
            server_us: median(full.iter().map(|(_, run)| run.server_us).collect()),
            load_us: median(full.iter().map(|(_, run)| run.load_us).collect()),
            engine_us: of_engine(|_, engine_us| engine_us),
            share_of_engine: of_engine(|run, engine_us| engine_us / run.server_us),
            half_rate: median(half().filter_map(|run| run.rate).collect()),
            p50_ms_at_half: median(half().map(|run| run.p50_ms).collect()),
            p99_ms_at_half: median(half().map(|run| run.p99_ms).collect()),
            p99_ms_at_half_at_pace: median(half().map(|run| run.p99_ms_at_pace).collect()),
            slowed_at_half: median(half().map(|run| run.slowed).collect()),
            others: median(full.iter().map(|(_, run)| run.others).collect()),
        }
    }
}

impl Machine {
    /// Describes this machine.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cpu = read("/proc/cpuinfo").lines().find_map(|line| line.strip_prefix("model name")).map(str::to_owned);
        Self {
            cpu: cpu.unwrap_or_default().trim_start_matches([' ', '\t', ':']).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load_at_start: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cpu, cores, kernel, load_at_start } = self;
        write!(f, "{cpu}, {cores} cores, Linux {kernel}; load {load_at_start} at the start.")
    }
}

impl Results {
    pub fn new(rounds: usize, time: Duration) -> Self {
        Self {
            machine: Machine::here(),
            rounds,
            seconds: time.as_secs_f64(),
            connections: CONNECTIONS,
            hello: Summary::default(),
            summaries: Vec::new(),
            start_up: Vec::new(),
            streams: None,
            memory_after_load_mb: 0.0,
            runs: Vec::new(),
        }
    }

    /// Returns the number of failed requests and streams.
    pub fn failures(&self) -> u64 {
        let requests: u64 = self.runs.iter().map(|run| run.failed).sum();
        requests + self.streams.as_ref().map_or(0, |streams| (streams.refused + streams.broken) as u64)
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("results.json"), serde_json::to_string_pretty(self)? + "\n")?;
        Ok(fs::write(folder.join("results.md"), self.table())?)
    }

    /// Formats the results as Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from("# HTTP benchmark: results\n\n");
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} {} rounds of {} s, {} connections.\n",
            self.machine, self.rounds, self.seconds, self.connections
        );
        text.push_str("| | requests/s | of hello | target | by CPU time | server µs | load µs | other load |\n");
        text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
        let _ = writeln!(text, "{}", self.hello.row());
        for summary in &self.summaries {
            let _ = writeln!(text, "{}", summary.row());
        }
        text.push_str("\n| | engine alone µs | server µs | of the engine | target |\n|---|---:|---:|---:|---:|\n");
        for summary in &self.summaries {
            text.push_str(&summary.row_of_engine().unwrap_or_default());
        }
        text.push_str("\n| at half of that | requests/s | p50 | p99 | slowed by the machine | p99 of the others | target |\n|---|---:|---:|---:|---:|---:|---:|\n");
        for summary in self.summaries.iter().chain([&self.hello]) {
            let _ = writeln!(text, "{}", summary.row_at_half(&self.hello));
        }
        text.push_str("\n| start | median | slowest | target |\n|---|---:|---:|---:|\n");
        for StartUp { name, times_ms } in &self.start_up {
            let middle = median(times_ms.clone());
            let slowest = times_ms.iter().copied().fold(0.0, f64::max);
            let met = verdict(middle <= READY_MS);
            let _ = writeln!(text, "| {name} | {middle:.0} ms | {slowest:.0} ms | ≤ {READY_MS:.0} ms {met} |");
        }
        if let Some(streams) = &self.streams {
            let _ = writeln!(
                text,
                "\n{} streams open at once: {} rejected, {} broken; the others had their first event after {:.0} ms and were done after {:.0} ms; the server used {:.0} MB ({:.0} MB before).",
                streams.opened,
                streams.refused,
                streams.broken,
                streams.first_events_ms,
                streams.done_ms,
                streams.server_memory_mb,
                self.memory_after_load_mb
            );
        }
        let _ = writeln!(text, "\nFailed requests and streams: {}.", self.failures());
        text
    }
}

impl Summary {
    fn row(&self) -> String {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let (share, wanted, by_cost) = match self.target {
            "hello" => Default::default(),
            "recipes" | "MCP, same" | "MCP, different" => {
                (percent(self.share_of_hello), String::new(), percent(self.share_by_cost))
            }
            _ => (
                percent(self.share_of_hello),
                format!("≥ {} {}", percent(SHARE_OF_HELLO), verdict(self.share_of_hello >= SHARE_OF_HELLO)),
                percent(self.share_by_cost),
            ),
        };
        format!(
            "| {} | {:.0} | {share} | {wanted} | {by_cost} | {:.1} | {:.1} | {} |",
            self.target,
            self.per_second,
            self.server_us,
            self.load_us,
            percent(self.others)
        )
    }

    fn row_of_engine(&self) -> Option<String> {
        let (engine_us, share) = (self.engine_us?, self.share_of_engine?);
        let met = verdict(share >= SHARE_OF_ENGINE);
        Some(format!(
            "| {} | {engine_us:.1} | {:.1} | {:.0} % | ≥ {:.0} % {met} |\n",
            self.target,
            self.server_us,
            share * 100.0,
            SHARE_OF_ENGINE * 100.0
        ))
    }

    /// Formats the latencies at half of the throughput; those of searches are compared with the bare server's.
    fn row_at_half(&self, hello: &Self) -> String {
        let Self { target, half_rate, p50_ms_at_half, p99_ms_at_half, p99_ms_at_half_at_pace: at_pace, .. } = self;
        let slowed = self.slowed_at_half * 100.0;
        let wanted = match *target {
            "hello" => String::new(),
            "foods, different" => {
                let most = TIMES_HELLO_P99 * hello.p99_ms_at_half_at_pace;
                format!("≤ {TIMES_HELLO_P99:.0} × hello = {most:.2} ms {}", verdict(*at_pace <= most))
            }
            _ => format!("≤ {P99_MS:.0} ms {}", verdict(*at_pace <= P99_MS)),
        };
        format!(
            "| {target} | {half_rate:.0} | {p50_ms_at_half:.2} ms | {p99_ms_at_half:.2} ms | {slowed:.0} % | {at_pace:.2} ms | {wanted} |"
        )
    }
}

fn verdict(met: bool) -> &'static str {
    if met { "✓" } else { "✗" }
}
