//! Measures one load on one server.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;

use crate::load::{Answer, Outcome, Target, at_full_speed, at_rate};
use crate::pace::Pace;
use crate::server::{Server, time_on_cores};

/// A measured load.
#[derive(Clone, Serialize)]
pub struct Run {
    pub target: &'static str,
    /// The fixed rate, or `None` at full speed.
    pub rate: Option<f64>,
    pub answered: u64,
    pub failed: u64,
    pub per_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// The same without the responses in slow moments of the machine.
    pub p99_ms_at_pace: f64,
    /// The share of responses in slow moments.
    pub slowed: f64,
    /// CPU time of the server per request.
    pub server_us: f64,
    /// CPU time of the load per request.
    pub load_us: f64,
    /// CPU time of the engine alone for the same kind of request, just after.
    pub engine_us: Option<f64>,
    /// The share of the machine used by other programs and the system itself.
    pub others: f64,
    /// Stolen time: what the host took from the virtual machine, over all cores.
    pub stolen_ms: f64,
}

/// Measures full speed, after a short warm-up.
pub async fn full_speed(target: &Target, server: &Server, time: Duration) -> Result<Run> {
    at_full_speed(target, time / 6).await;
    let watch = Watch::start(server);
    let outcome = at_full_speed(target, time).await;
    Ok(watch.stop(target.name, None, server, &outcome, None))
}

/// Measures a fixed rate.
pub async fn fixed_rate(target: &Target, server: &Server, rate: f64, time: Duration) -> Result<Run> {
    let mut pace = Pace::new();
    at_rate(target, rate, time / 6, &mut pace).await?;
    let watch = Watch::start(server);
    let outcome = at_rate(target, rate, time, &mut pace).await?;
    Ok(watch.stop(target.name, Some(rate), server, &outcome, Some(&pace)))
}

struct Watch {
    started: Instant,
    server: Duration,
    load: Duration,
    machine: Duration,
    stolen: Duration,
}

impl Watch {
    fn start(server: &Server) -> Self {
        Self {
            started: Instant::now(),
            server: server.time_on_cores(),
            load: time_on_cores("/proc/self/stat"),
            machine: machine_time(),
            stolen: stolen_time(),
        }
    }

    fn stop(
        &self,
        target: &'static str,
        rate: Option<f64>,
        server: &Server,
        outcome: &Outcome,
        pace: Option<&Pace>,
    ) -> Run {
        let seconds = self.started.elapsed().as_secs_f64();
        let server_time = server.time_on_cores().saturating_sub(self.server);
        let load_time = time_on_cores("/proc/self/stat").saturating_sub(self.load);
        let machine_time = machine_time().saturating_sub(self.machine);
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let answered = outcome.answers.len();
        let per_request = |time: Duration| time.as_secs_f64() * 1e6 / (answered.max(1) as f64);
        let was_slow = |answer: &Answer| pace.is_some_and(|pace| pace.was_slow(answer.due, answer.came));
        let at_pace = sorted_latencies(outcome.answers.iter().filter(|answer| !was_slow(answer)));
        let all = sorted_latencies(outcome.answers.iter());
        Run {
            target,
            rate,
            answered: answered as u64,
            failed: outcome.failed,
            per_second: answered as f64 / seconds,
            p50_ms: quantile(&all, 0.50),
            p99_ms: quantile(&all, 0.99),
            p99_ms_at_pace: quantile(&at_pace, 0.99),
            slowed: 1.0 - at_pace.len() as f64 / answered.max(1) as f64,
            server_us: per_request(server_time),
            load_us: per_request(load_time),
            engine_us: None,
            others: machine_time.saturating_sub(server_time + load_time).as_secs_f64() / (seconds * cores),
            stolen_ms: stolen_time().saturating_sub(self.stolen).as_secs_f64() * 1e3,
        }
    }
}

fn sorted_latencies<'a>(answers: impl Iterator<Item = &'a Answer>) -> Vec<Duration> {
    let mut latencies: Vec<Duration> = answers.map(|answer| answer.came - answer.due).collect();
    latencies.sort_unstable();
    latencies
}

/// Converts to milliseconds.
fn quantile(sorted: &[Duration], share: f64) -> f64 {
    let at = ((sorted.len() as f64 * share).ceil() as usize).saturating_sub(1);
    sorted.get(at).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1e3)
}

/// Returns the busy time of all cores together.
fn machine_time() -> Duration {
    time_of_cores().iter().enumerate().filter(|(at, _)| !matches!(at, 3 | 4)).map(|(_, time)| *time).sum()
}

/// Returns the stolen time: the host ran something else on our cores.
fn stolen_time() -> Duration {
    time_of_cores()[7]
}

/// Returns the times of all cores together: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is
/// already in user.
fn time_of_cores() -> [Duration; 8] {
    let statistics = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let mut fields = statistics.lines().next().unwrap_or_default().split_whitespace().skip(1);
    std::array::from_fn(|_| {
        let ticks: u64 = fields.next().and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
        Duration::from_millis(ticks * 10)
    })
}

/// Returns the median.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}
