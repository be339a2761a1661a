//! How busy the service is now: the metrics of the last hour, sampled every few seconds, so that counting stays an addition.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::metrics::{Metrics, MetricsTotals};

/// Samples that are kept: an hour and a minute at [`SAMPLE_EVERY`].
const MAX_SAMPLES: usize = 732;
/// How often the metrics are sampled.
pub const SAMPLE_EVERY: Duration = Duration::from_secs(5);
/// What counts as now.
const NOW: SignedDuration = SignedDuration::from_mins(1);
const MINUTES: i64 = 60;

/// The metrics of the last hour.
#[derive(Debug, Default)]
pub struct Traffic {
    samples: Mutex<VecDeque<(Timestamp, MetricsTotals)>>,
}

/// The traffic of a span of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrafficSum {
    /// Its length.
    pub seconds: f64,
    /// What was counted in it.
    pub totals: MetricsTotals,
}

impl TrafficSum {
    /// Returns the requests in a second.
    pub fn per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.totals.requests() as f64 / self.seconds } else { 0.0 }
    }
}

impl Traffic {
    /// Takes a sample.
    pub fn sample(&self, metrics: &Metrics, now: Timestamp) {
        let mut samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        if samples.len() >= MAX_SAMPLES {
            samples.pop_front();
        }
        samples.push_back((now, metrics.totals()));
    }

    /// Returns the traffic of the last minute, or since the start if that is more recent.
    pub fn now(&self, metrics: &Metrics, now: Timestamp) -> TrafficSum {
        let samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((at, before)) = samples.iter().find(|(at, _)| now.duration_since(*at) <= NOW) else {
            return TrafficSum::default();
        };
        let seconds = now.duration_since(*at).as_secs_f64();
        TrafficSum { seconds, totals: metrics.totals().since(before) }
    }

    /// Returns the minutes of the last hour with what was counted in each, oldest first.
    pub fn by_minute(&self, metrics: &Metrics, now: Timestamp) -> Vec<(Timestamp, MetricsTotals)> {
        let last = now.as_second().div_euclid(60);
        let mut minutes: Vec<(Timestamp, MetricsTotals)> = (last + 1 - MINUTES..=last)
            .map(|minute| (Timestamp::from_second(minute * 60).unwrap_or(now), MetricsTotals::default()))
            .collect();
        let samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before: Option<MetricsTotals> = None;
        for (at, totals) in samples.iter().chain([&(now, metrics.totals())]) {
            let minute = at.as_second().div_euclid(60) - (last + 1 - MINUTES);
            if let (Some(before), Ok(n)) = (&before, usize::try_from(minute))
                && let Some((_, sum)) = minutes.get_mut(n)
            {
                *sum = sum.plus(&totals.since(before));
            }
            before = Some(*totals);
        }
        minutes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_is_what_was_counted_since_a_sample() {
        let (traffic, metrics) = (Traffic::default(), Metrics::default());
        let start: Timestamp = "2026-11-17T12:00:30Z".parse().expect("a time");
        let after = |seconds| start + SignedDuration::from_secs(seconds);
        let count = |n: u64, status| {
            for _ in 0..n {
                metrics.count("GET /v1/foods", status, Duration::from_millis(2));
            }
        };
        assert!(traffic.now(&metrics, start).per_second().abs() < f64::EPSILON);
        count(5, 200);
        traffic.sample(&metrics, start);
        count(100, 200);
        traffic.sample(&metrics, after(50));
        count(20, 500);
        let now = traffic.now(&metrics, after(60));
        assert_eq!((now.totals.requests(), now.totals.classes[4]), (120, 20), "of the last minute");
        assert!((now.per_second() - 2.0).abs() < 1e-9);
        assert_eq!(now.totals.percentile(0.5), Duration::from_micros(2_500));
        let later = traffic.now(&metrics, after(105));
        assert_eq!(later.totals.requests(), 20, "since the sample that is not older than a minute");
        let minutes = traffic.by_minute(&metrics, after(60));
        assert_eq!(minutes.len(), 60);
        let last: Vec<u64> = minutes[57..].iter().map(|(_, totals)| totals.requests()).collect();
        assert_eq!(last, [0, 0, 120]);
        assert_eq!(minutes[59].0.to_string(), "2026-11-17T12:01:00Z");
    }
}
