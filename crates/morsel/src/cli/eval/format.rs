//! Numbers as text.

use super::score::Speed;

/// Formats how fast meals are estimated.
pub(super) fn speed(speed: &Speed) -> String {
    format!(
        "Per meal: {:.0} µs median, {:.0} µs p99; {:.0} meals/s on one core",
        speed.median_us, speed.p99_us, speed.meals_per_second
    )
}

/// Formats a share of 1 as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
