//! Latencies in buckets: about 40 numbers per route and day instead of one per request. Percentiles computed from them are
//! accurate to within half of their value.

use std::time::Duration;

/// The upper ends in microseconds, six per decade. A latency belongs to the first bucket that it does not exceed, or to the
/// last.
const UPPER_MICROS: [u64; 37] = [
    50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000, 15_000, 20_000, 30_000,
    50_000, 70_000, 100_000, 150_000, 200_000, 300_000, 500_000, 700_000, 1_000_000, 1_500_000, 2_000_000, 3_000_000,
    5_000_000, 7_000_000, 10_000_000, 15_000_000, 20_000_000, 30_000_000, 60_000_000,
];

/// Returns the bucket of a latency.
pub fn bucket_of(latency: Duration) -> u8 {
    let bucket = UPPER_MICROS.partition_point(|upper| Duration::from_micros(*upper) < latency);
    bucket.min(UPPER_MICROS.len() - 1) as u8
}

/// Returns the longest latency of a bucket. For the last one this is a minute, although it contains longer ones.
pub fn upper_bound(bucket: u8) -> Duration {
    Duration::from_micros(UPPER_MICROS[usize::from(bucket).min(UPPER_MICROS.len() - 1)])
}

/// Computes the latency that a share `p` (0 to 1) of the requests did not exceed, rounded up to the end of a bucket; zero
/// without requests. The same bucket may occur several times.
pub fn percentile(counts: &[(u8, u64)], p: f64) -> Duration {
    let total: u64 = counts.iter().map(|(_, requests)| requests).sum();
    if total == 0 {
        return Duration::ZERO;
    }
    let rank = ((total as f64 * p.clamp(0.0, 1.0)).ceil() as u64).clamp(1, total);
    let mut counts = counts.to_vec();
    counts.sort_unstable();
    let mut seen = 0;
    let found = counts.iter().find(|(_, requests)| {
        seen += requests;
        seen >= rank
    });
    found.map_or(Duration::ZERO, |(bucket, _)| upper_bound(*bucket))
}
