//! Time and memory of what is measured.

#![allow(dead_code, reason = "every example uses a part of it")]

use std::time::{Duration, Instant};

/// How long something took, again and again: the time that this process had a core, which other programs on the machine do not
/// change much.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Does it, and takes the time.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (start, start_on_core) = (Instant::now(), time_on_core());
        let result = work();
        let on_core = time_on_core().zip(start_on_core).map(|(end, start)| end.saturating_sub(start));
        self.0.push(on_core.unwrap_or_else(|| start.elapsed()));
        result
    }

    /// Milliseconds that this share of all took at most.
    pub fn within(&self, share: f64) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (half, most, all) = (self.within(0.5), self.within(0.95), self.within(1.0));
        write!(f, "{half:.1} ms (median), {most:.1} ms (95 %), {all:.1} ms (most)")
    }
}

/// How long all threads of this process have had a core.
fn time_on_core() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let times = threads.map(|thread| {
        let statistics = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split_whitespace().next()?.parse::<u64>().ok()
    });
    times.sum::<Option<u64>>().map(Duration::from_nanos)
}

/// A number of kilobytes from what the system knows about this process; 0 where it does not tell.
pub fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
