use std::time::Duration;

use proptest::prelude::*;
use store::latency::{bucket_of, percentile, upper_bound};

#[test]
fn buckets_grow_by_at_most_double() {
    assert_eq!(upper_bound(0), Duration::from_micros(50));
    assert_eq!(upper_bound(255), Duration::from_mins(1));
    for bucket in 0..bucket_of(Duration::MAX) {
        assert!(upper_bound(bucket) < upper_bound(bucket + 1) && upper_bound(bucket + 1) <= upper_bound(bucket) * 2);
    }
}

#[test]
fn percentiles_of_known_counts() {
    let ms = |ms| bucket_of(Duration::from_millis(ms));
    let counts = [(ms(100), 1), (ms(1), 90), (ms(10), 9)];
    assert_eq!(percentile(&counts, 0.5), Duration::from_millis(1));
    assert_eq!(percentile(&counts, 0.9), Duration::from_millis(1));
    assert_eq!(percentile(&counts, 0.95), Duration::from_millis(10));
    assert_eq!(percentile(&counts, 0.99), Duration::from_millis(10));
    assert_eq!(percentile(&counts, 1.0), Duration::from_millis(100));
    assert_eq!(percentile(&counts, 0.0), Duration::from_millis(1));
    assert_eq!(percentile(&[], 0.5), Duration::ZERO);
    assert_eq!(percentile(&[(3, 0)], 0.5), Duration::ZERO);
}

proptest! {
    #[test]
    fn a_latency_lies_in_its_bucket(micros in 0u64..60_000_000) {
        let latency = Duration::from_micros(micros);
        let bucket = bucket_of(latency);
        prop_assert!(latency <= upper_bound(bucket));
        prop_assert!(bucket == 0 || latency > upper_bound(bucket - 1));
    }

    #[test]
    fn a_percentile_is_the_bucket_of_the_latency_with_that_rank(
        mut micros in prop::collection::vec(0u64..70_000_000, 1..200),
        p in 0.0f64..=1.0,
    ) {
        let counts: Vec<_> = micros.iter().map(|micros| (bucket_of(Duration::from_micros(*micros)), 1)).collect();
        micros.sort_unstable();
        let rank = ((micros.len() as f64 * p).ceil() as usize).max(1);
        let exact = Duration::from_micros(micros[rank - 1]);
        prop_assert_eq!(percentile(&counts, p), upper_bound(bucket_of(exact)));
    }
}
