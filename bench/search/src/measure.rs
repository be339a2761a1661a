//! Measures one engine in a process of its own, so that its memory can be measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::docs::Foods;
use crate::engines::EngineKind;
use crate::memory;

/// How often a query is timed at most.
const MAX_PASSES: usize = 5;

/// The task of a measuring process.
#[derive(Clone, Debug)]
pub struct Task {
    pub engine: EngineKind,
    pub foods: Foods,
    pub folder: PathBuf,
    /// A file with one query per line.
    pub queries: PathBuf,
    /// After this time the remaining queries are skipped, and no further pass begins.
    pub limit: Duration,
}

/// The results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measurement {
    pub open_us: u64,
    pub memory: u64,
    /// How often each query was timed.
    pub passes: usize,
    /// Nanoseconds of each query: the median of its passes, so that other load on the machine has little effect.
    pub nanos: Vec<u64>,
    /// The results in the order of the queries; fewer if time ran out.
    pub found: Vec<Vec<u32>>,
    /// Bytes on disk.
    #[serde(default)]
    pub bytes: u64,
    /// Time to build the index.
    #[serde(default)]
    pub build_ms: u64,
}

/// Returns a quantile of times, in microseconds.
pub fn percentile(nanos: impl Iterator<Item = u64>, share: f64) -> f64 {
    let mut sorted: Vec<u64> = nanos.collect();
    sorted.sort_unstable();
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).map_or(f64::NAN, |&nanos| nanos as f64 / 1000.0)
}

impl Measurement {
    /// Returns a quantile over all queries, in microseconds.
    pub fn percentile(&self, share: f64) -> f64 {
        percentile(self.nanos.iter().copied(), share)
    }
}

impl Task {
    /// Builds the index and measures, each in a process of its own; removes the index.
    pub fn run(&self) -> Result<Measurement> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder)?;
        let measured = self.build_and_measure();
        fs::remove_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        measured
    }

    fn build_and_measure(&self) -> Result<Measurement> {
        let started = Instant::now();
        self.spawn("build")?;
        let build_ms = started.elapsed().as_millis() as u64;
        let bytes = self.engine.bytes(&self.foods, &self.folder)?;
        let output = self.spawn("measure")?;
        let measured: Measurement =
            serde_json::from_slice(&output).context("invalid output of the measuring process")?;
        Ok(Measurement { bytes, build_ms, ..measured })
    }

    fn spawn(&self, step: &str) -> Result<Vec<u8>> {
        let output = Command::new(std::env::current_exe()?)
            .args(["--child", step, self.engine.name(), &self.foods.to_arg()])
            .args([&self.folder, &self.queries])
            .arg(self.limit.as_secs().to_string())
            .stderr(std::process::Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "{} failed to {step}", self.engine.label());
        Ok(output.stdout)
    }

    /// Parses the task of a measuring process from its arguments.
    pub fn from_args(args: &[String]) -> Result<Self> {
        let [engine, foods, folder, queries, limit] = args else { anyhow::bail!("five arguments are needed") };
        Ok(Self {
            engine: EngineKind::from_name(engine)?,
            foods: Foods::from_arg(foods),
            folder: PathBuf::from(folder),
            queries: PathBuf::from(queries),
            limit: Duration::from_secs(limit.parse()?),
        })
    }

    /// Runs the task in a measuring process.
    pub fn measure(&self) -> Result<Measurement> {
        let queries = read_lines(&self.queries)?;
        let before = memory::of_self();
        let started = Instant::now();
        let mut engine = self.engine.open(&self.foods, &self.folder)?;
        let open_us = started.elapsed().as_micros() as u64;
        // The first pass warms caches and is not timed.
        let started = Instant::now();
        let mut found = Vec::new();
        for query in &queries {
            found.push(engine.search(query)?);
            if started.elapsed() > self.limit {
                break;
            }
        }
        let one_pass = started.elapsed();
        let affordable = self.limit.as_micros() / one_pass.as_micros().max(1);
        let passes = (affordable as usize).clamp(1, MAX_PASSES);
        // Pass by pass, so that no query finds the caches as its own last run left them.
        let mut times = vec![Vec::with_capacity(passes); found.len()];
        for _ in 0..passes {
            for (query, times) in queries.iter().zip(&mut times) {
                let started = Instant::now();
                let answer = engine.search(query)?;
                times.push(started.elapsed().as_nanos() as u64);
                drop(answer);
            }
        }
        let nanos = times.into_iter().map(middle).collect();
        let memory = memory::of_self().saturating_sub(before) + engine.server_memory();
        Ok(Measurement { open_us, memory, passes, nanos, found, bytes: 0, build_ms: 0 })
    }
}

fn middle(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

fn read_lines(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(str::to_owned).collect())
}
