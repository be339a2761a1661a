//! Times as people read them, in UTC; a script shows them where the reader is.

use std::fmt;

use askama::filters::HtmlSafe;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time in a page. It consists of digits and our own words alone, so that templates show it as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    at: Timestamp,
    now: Option<Timestamp>,
}

impl When {
    /// Day and time: "15 Nov 2026, 08:26 UTC".
    pub fn exactly(at: Timestamp) -> Self {
        Self { at, now: None }
    }

    /// How long ago, or in how much time: "3 hours ago", "in 5 days".
    pub fn from(at: Timestamp, now: Timestamp) -> Self {
        Self { at, now: Some(now) }
    }
}

impl HtmlSafe for When {}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<time datetime=\"{:.0}\">", self.at)?;
        match self.now {
            Some(now) => f.write_str(&distance(self.at.as_second() - now.as_second()))?,
            None => write!(f, "{} UTC", self.at.to_zoned(TimeZone::UTC).strftime("%-d %b %Y, %H:%M"))?,
        }
        f.write_str("</time>")
    }
}

/// A number of seconds from now, in words.
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

/// The nearest whole number: what was set to end in 30 days ends in 30 days a second later, too.
fn rounded(seconds: u64, unit: u64) -> u64 {
    (seconds + unit / 2) / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_read_well() {
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
        let text = When::exactly(at).to_string();
        assert_eq!(text, "<time datetime=\"2026-11-05T08:06:59Z\">5 Nov 2026, 08:06 UTC</time>");
    }
}
