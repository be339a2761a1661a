//! A request of the log as the pages show it.

use std::time::Duration;

use jiff::tz::TimeZone;
use store::{Key, LoggedRequest};

use crate::request_log::DASHBOARD;

/// A row of the log.
#[derive(Clone, Debug)]
pub(crate) struct LogRow {
    pub id: String,
    /// The time in UTC, to the second.
    pub at: String,
    /// The same for programs.
    pub datetime: String,
    pub method: String,
    pub path: String,
    pub status: u16,
    /// The class of the badge of the status.
    pub badge: &'static str,
    pub took: String,
    /// The id of the key, and what it is called.
    pub key: String,
    pub key_name: String,
    pub address: String,
    pub code: String,
    pub param: String,
}

impl LogRow {
    pub fn new(request: &LoggedRequest, keys: &[Key]) -> Self {
        let key = keys.iter().find(|key| key.id.as_str() == request.key);
        Self {
            id: request.id.clone(),
            at: request.at.to_zoned(TimeZone::UTC).strftime("%-d %b, %H:%M:%S").to_string(),
            datetime: format!("{:.3}", request.at),
            method: request.method.clone(),
            path: request.shown_path().to_owned(),
            status: request.status,
            badge: match request.status {
                ..400 => "good",
                400..500 => "warn",
                _ => "bad",
            },
            took: latency(request.took()),
            key: request.key.clone(),
            key_name: match key {
                Some(key) => key_name(key),
                None if request.key == DASHBOARD => DASHBOARD_NAME.to_owned(),
                None => request.key.clone(),
            },
            address: request.address.clone(),
            code: request.code.clone().unwrap_or_default(),
            param: request.param.clone().unwrap_or_default(),
        }
    }
}

/// What requests of the dashboard have in place of a key, in words.
pub(crate) const DASHBOARD_NAME: &str = "Dashboard";

/// Returns what a key is called.
pub(crate) fn key_name(key: &Key) -> String {
    key.label.clone().unwrap_or_else(|| format!("{}…{}", key.prefix, key.last_four))
}

/// Formats a latency with about two digits: "0.15 ms", "20 ms", "1.5 s".
pub(crate) fn latency(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ..1.0 => format!("{ms:.2} ms"),
        ..10.0 => format!("{ms:.1} ms"),
        ..1_000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.1} s", ms / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_two_digits() {
        let texts = [150, 9_940, 123_400, 1_540_000].map(|micros| latency(Duration::from_micros(micros)));
        assert_eq!(texts, ["0.15 ms", "9.9 ms", "123 ms", "1.5 s"]);
    }
}
