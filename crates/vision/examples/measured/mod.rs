//! CPU time and memory.

#![allow(dead_code, reason = "each example uses a part of it")]

use std::time::{Duration, Instant};

/// The CPU times of repeated work, which depend little on other programs.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Does some work and records its time.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (start, start_cpu) = (Instant::now(), cpu_time());
        let result = work();
        let cpu = cpu_time().zip(start_cpu).map(|(end, start)| end.saturating_sub(start));
        self.0.push(cpu.unwrap_or_else(|| start.elapsed()));
        result
    }

    /// Returns a quantile in milliseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (median, p95, max) = (self.quantile(0.5), self.quantile(0.95), self.quantile(1.0));
        write!(f, "{median:.1} ms (median), {p95:.1} ms (p95), {max:.1} ms (max)")
    }
}

/// Returns the CPU time of all threads of this process.
fn cpu_time() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let times = threads.map(|thread| {
        let statistics = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split_whitespace().next()?.parse::<u64>().ok()
    });
    times.sum::<Option<u64>>().map(Duration::from_nanos)
}

/// Returns a number of kilobytes from the status of this process, or 0 if the system has none.
pub fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
