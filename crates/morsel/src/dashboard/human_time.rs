//! Times for people, in UTC; a script adds the local time as a tooltip.

use std::fmt;

use askama::filters::HtmlSafe;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time on a page. It consists of digits and fixed words, so templates do not need to escape it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HumanTime {
    at: Timestamp,
    now: Option<Timestamp>,
}

impl HumanTime {
    /// Creates a time shown as a date: "15 Nov 2026, 08:26 UTC".
    pub fn exactly(at: Timestamp) -> Self {
        Self { at, now: None }
    }

    /// Creates a time shown relative to now: "3 hours ago", "in 5 days".
    pub fn relative(at: Timestamp, now: Timestamp) -> Self {
        Self { at, now: Some(now) }
    }
}

impl HtmlSafe for HumanTime {}

impl fmt::Display for HumanTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<time datetime=\"{:.0}\">", self.at)?;
        match self.now {
            Some(now) => f.write_str(&distance(self.at.as_second() - now.as_second()))?,
            None => write!(f, "{} UTC", self.at.to_zoned(TimeZone::UTC).strftime("%-d %b %Y, %H:%M"))?,
        }
        f.write_str("</time>")
    }
}

/// Returns a distance from now in words.
fn distance(seconds: i64) -> String {
    let away = seconds.unsigned_abs();
    let (count, unit) = match away {
        0..60 => return if seconds > 0 { "in a moment".to_owned() } else { "just now".to_owned() },
        60..3_600 => (rounded(away, 60), "minute"),
        3_600..172_800 => (rounded(away, 3_600), "hour"),
        _ => (rounded(away, 86_400), "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    if seconds > 0 { format!("in {count} {unit}{plural}") } else { format!("{count} {unit}{plural} ago") }
}

/// Rounds to the nearest whole unit, so that a key set to expire in 30 days still says so a second later.
fn rounded(seconds: u64, unit: u64) -> u64 {
    (seconds + unit / 2) / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_and_pluralized() {
        let texts = [-5, -60, -7_300, -90_000, -200_000, 30, 80, 86_400 * 7 - 5].map(distance);
        let expected = [
            "just now",
            "1 minute ago",
            "2 hours ago",
            "25 hours ago",
            "2 days ago",
            "in a moment",
            "in 1 minute",
            "in 7 days",
        ];
        assert_eq!(texts, expected);
        let at: Timestamp = "2026-11-05T08:06:59Z".parse().expect("a time");
        let text = HumanTime::exactly(at).to_string();
        assert_eq!(text, "<time datetime=\"2026-11-05T08:06:59Z\">5 Nov 2026, 08:06 UTC</time>");
    }
}
