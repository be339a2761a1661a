//! Requests by outcome.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use store::usage::{DaySum, UsageQuery};

/// Numbers of requests by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestCounts {
    pub ok: u64,
    /// Client errors, except those over the rate limit.
    pub client: u64,
    /// Over the rate limit.
    pub limited: u64,
    /// Server errors.
    pub server: u64,
}

impl RequestCounts {
    /// Adds requests with a status class of the store, such as `4xx`.
    pub fn add(&mut self, status: &str, requests: u64) {
        let count = match status {
            "429" => &mut self.limited,
            "4xx" => &mut self.client,
            "5xx" => &mut self.server,
            _ => &mut self.ok,
        };
        *count += requests;
    }

    /// Returns the sum.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            ok: self.ok + other.ok,
            client: self.client + other.client,
            limited: self.limited + other.limited,
            server: self.server + other.server,
        }
    }

    pub fn total(&self) -> u64 {
        self.ok + self.client + self.limited + self.server
    }

    /// Returns the number of failed requests, except those over the rate limit.
    pub fn errors(&self) -> u64 {
        self.client + self.server
    }

    /// Returns the share of failed requests: "2.5%".
    pub fn errors_share(&self) -> String {
        self.share(self.errors())
    }

    /// Returns the share of requests over the rate limit: "2.5%".
    pub fn limited_share(&self) -> String {
        self.share(self.limited)
    }

    fn share(&self, requests: u64) -> String {
        let share = if self.total() == 0 { 0.0 } else { requests as f64 * 100.0 / self.total() as f64 };
        match requests {
            0 => "none".to_owned(),
            _ if share < 0.1 => "under 0.1%".to_owned(),
            _ => format!("{share:.1}%"),
        }
    }
}

impl From<&DaySum> for RequestCounts {
    fn from(sum: &DaySum) -> Self {
        Self { ok: sum.ok, client: sum.client, limited: sum.limited, server: sum.server }
    }
}

/// Returns the counts of every day in the span, including days without requests.
pub(crate) fn by_day(span: &UsageQuery<'_>, sums: &[DaySum]) -> Vec<(Date, RequestCounts)> {
    let mut days: BTreeMap<Date, RequestCounts> = BTreeMap::new();
    let mut day = span.from;
    while day <= span.to {
        days.insert(day, RequestCounts::default());
        day = day.saturating_add(1.day());
    }
    for sum in sums {
        let counts = days.entry(sum.day).or_default();
        *counts = counts.plus(&RequestCounts::from(sum));
    }
    days.into_iter().collect()
}
