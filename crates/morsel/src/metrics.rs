//! Metrics for Prometheus, in its text format: requests and their latency by route, and gauges.
//!
//! Two families of plain counters need no registry of any kind; counting is an addition.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::routes;

/// The name for everything that is not a route of the API.
pub const OTHER: &str = "other";

const CLASSES: [&str; 6] = ["2xx", "3xx", "4xx", "429", "5xx", "503"];
/// The upper bounds of the histogram's buckets: in microseconds, and in seconds as Prometheus writes them.
const BUCKETS: [(u64, &str); 15] = [
    (100, "0.0001"),
    (250, "0.00025"),
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (10_000_000, "10"),
];

/// The metrics of a service.
#[derive(Debug)]
pub struct Metrics {
    routes: Vec<RouteMetrics>,
    refused: AtomicU64,
}

/// What was counted on all routes of the API together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetricsTotals {
    /// Requests by class: 2xx, 3xx, 4xx, 429, 5xx, 503.
    pub classes: [u64; CLASSES.len()],
    /// Requests by bucket of latency; the last one is beyond all bounds.
    pub buckets: [u64; BUCKETS.len() + 1],
}

impl MetricsTotals {
    /// Returns the number of requests.
    pub fn requests(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// Returns what was counted after an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let mut rest = *self;
        rest.classes.iter_mut().zip(earlier.classes).for_each(|(count, before)| *count = count.saturating_sub(before));
        rest.buckets.iter_mut().zip(earlier.buckets).for_each(|(count, before)| *count = count.saturating_sub(before));
        rest
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        sum.classes.iter_mut().zip(other.classes).for_each(|(count, more)| *count += more);
        sum.buckets.iter_mut().zip(other.buckets).for_each(|(count, more)| *count += more);
        sum
    }

    /// Returns the latency that a share `p` (0 to 1) of the requests did not exceed, rounded up to the end of a bucket;
    /// zero without requests.
    pub fn percentile(&self, p: f64) -> Duration {
        let total: u64 = self.buckets.iter().sum();
        let rank = (total as f64 * p).ceil() as u64;
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            seen >= rank && total > 0
        });
        let last = BUCKETS.len() - 1;
        bucket.map_or(Duration::ZERO, |bucket| Duration::from_micros(BUCKETS[bucket.min(last)].0))
    }
}

/// A value at the time of the request. Names that end in `_total` are counters.
#[derive(Clone, Copy, Debug)]
pub struct Gauge {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Its value.
    pub value: u64,
}

/// Jobs that a queue refused for one reason, since the start.
#[derive(Clone, Copy, Debug)]
pub struct RefusedJobs {
    /// The name of the queue.
    pub queue: &'static str,
    /// The name of the reason.
    pub reason: &'static str,
    /// Their number.
    pub count: u64,
}

#[derive(Debug)]
struct RouteMetrics {
    name: &'static str,
    requests: [AtomicU64; CLASSES.len()],
    /// Requests by bucket; the last one is beyond all bounds.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
}

impl Default for Metrics {
    /// Starts every route at 0: a series that begins with its first request has no increase to show.
    fn default() -> Self {
        let metrics_of = |name| RouteMetrics {
            name,
            requests: Default::default(),
            buckets: Default::default(),
            microseconds: AtomicU64::new(0),
        };
        Self {
            routes: routes::all().map(|route| route.name).chain([OTHER]).map(metrics_of).collect(),
            refused: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    /// Counts a request.
    pub fn count(&self, route: &str, status: u16, took: Duration) {
        let Some(metrics_of) = self.routes.iter().find(|metrics_of| metrics_of.name == route) else { return };
        let class = match status {
            429 => 3,
            503 => 5,
            100..300 => 0,
            300..400 => 1,
            400..500 => 2,
            _ => 4,
        };
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|(end, _)| *end < microseconds);
        metrics_of.requests[class].fetch_add(1, Ordering::Relaxed);
        metrics_of.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        metrics_of.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Counts a request that was refused because there is too much to do.
    pub fn count_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns what was counted on all routes of the API together.
    pub fn totals(&self) -> MetricsTotals {
        let mut totals = MetricsTotals::default();
        for route in self.routes.iter().filter(|route| route.name != OTHER) {
            let counts = totals.classes.iter_mut().zip(&route.requests);
            counts.for_each(|(sum, count)| *sum += count.load(Ordering::Relaxed));
            let counts = totals.buckets.iter_mut().zip(&route.buckets);
            counts.for_each(|(sum, count)| *sum += count.load(Ordering::Relaxed));
        }
        totals
    }

    /// Returns how many requests were refused because there was too much to do.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Returns the text that Prometheus reads.
    pub fn render(&self, gauges: &[Gauge], refused: &[RefusedJobs]) -> String {
        let mut out = String::with_capacity(32 * 1024);
        // Writing to a string does not fail.
        let _ = self.write(&mut out, gauges, refused);
        out
    }

    fn write(&self, out: &mut String, gauges: &[Gauge], refused: &[RefusedJobs]) -> std::fmt::Result {
        writeln!(out, "# HELP morsel_requests_total Answered requests.\n# TYPE morsel_requests_total counter")?;
        for RouteMetrics { name, requests, .. } in &self.routes {
            for (class, count) in CLASSES.iter().zip(requests) {
                let count = count.load(Ordering::Relaxed);
                writeln!(out, "morsel_requests_total{{route=\"{name}\",status=\"{class}\"}} {count}")?;
            }
        }
        writeln!(out, "# HELP morsel_request_seconds Time until the response began.")?;
        writeln!(out, "# TYPE morsel_request_seconds histogram")?;
        for RouteMetrics { name, buckets, microseconds, .. } in &self.routes {
            let mut sum = 0;
            for (end, count) in BUCKETS.iter().map(|(_, end)| *end).chain(["+Inf"]).zip(buckets) {
                sum += count.load(Ordering::Relaxed);
                writeln!(out, "morsel_request_seconds_bucket{{route=\"{name}\",le=\"{end}\"}} {sum}")?;
            }
            let seconds = Duration::from_micros(microseconds.load(Ordering::Relaxed)).as_secs_f64();
            writeln!(out, "morsel_request_seconds_sum{{route=\"{name}\"}} {seconds}")?;
            writeln!(out, "morsel_request_seconds_count{{route=\"{name}\"}} {sum}")?;
        }
        writeln!(out, "# HELP morsel_refused_jobs_total Jobs that a queue refused.")?;
        writeln!(out, "# TYPE morsel_refused_jobs_total counter")?;
        for RefusedJobs { queue, reason, count } in refused {
            writeln!(out, "morsel_refused_jobs_total{{queue=\"{queue}\",reason=\"{reason}\"}} {count}")?;
        }
        for Gauge { name, help, value } in gauges {
            let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
            writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_fall_into_classes_and_buckets() {
        let metrics = Metrics::default();
        let route = "GET /v1/foods";
        for (status, microseconds) in [(200, 90), (200, 100), (204, 101), (429, 3_000), (503, 90_000_000)] {
            metrics.count(route, status, Duration::from_micros(microseconds));
        }
        metrics.count("nonsense", 200, Duration::ZERO);
        let gauge = Gauge { name: "morsel_foods", help: "Foods.", value: 7 };
        let text = metrics.render(&[gauge], &[RefusedJobs { queue: "texts", reason: "timed_out", count: 3 }]);
        let value = |series: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{series}: {text}")).to_owned()
        };
        for (class, count) in CLASSES.iter().zip(["3", "0", "0", "1", "0", "1"]) {
            assert_eq!(
                value(&format!("morsel_requests_total{{route=\"{route}\",status=\"{class}\"}}")),
                count,
                "{class}"
            );
        }
        for (end, count) in [("0.0001", "2"), ("0.00025", "3"), ("0.005", "4"), ("10", "4"), ("+Inf", "5")] {
            assert_eq!(
                value(&format!("morsel_request_seconds_bucket{{route=\"{route}\",le=\"{end}\"}}")),
                count,
                "{end}"
            );
        }
        assert_eq!(value(&format!("morsel_request_seconds_count{{route=\"{route}\"}}")), "5");
        assert_eq!(value(&format!("morsel_request_seconds_sum{{route=\"{route}\"}}")), "90.003291");
        assert_eq!(value("morsel_request_seconds_count{route=\"other\"}"), "0");
        assert_eq!(value("morsel_foods"), "7");
        assert_eq!(value("morsel_refused_jobs_total{queue=\"texts\",reason=\"timed_out\"}"), "3");
    }

    #[test]
    fn the_bounds_of_buckets_rise_and_their_texts_match() {
        assert!(BUCKETS.is_sorted_by(|a, b| a.0 < b.0));
        for (microseconds, seconds) in BUCKETS {
            let written: f64 = seconds.parse().expect("a number");
            assert!((written * 1e6 - microseconds as f64).abs() < 1e-6, "{seconds}");
        }
    }
}
