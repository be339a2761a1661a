//! The requests of each key, in total and over time.

use std::collections::HashMap;

use jiff::civil::Date;
use store::Mode;
use store::usage::DaySum;

use super::request_counts::RequestCounts;

/// The requests of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyFigures {
    /// The id of the key.
    pub id: String,
    pub mode: Mode,
    pub counts: RequestCounts,
    /// Requests by day, hour or minute.
    pub line: Vec<u64>,
}

impl KeyFigures {
    /// Returns a key without requests in so many slots.
    pub fn new(id: &str, mode: Mode, slots: usize) -> Self {
        Self { id: id.to_owned(), mode, counts: RequestCounts::default(), line: vec![0; slots] }
    }

    /// Returns the keys of sums by day. Days without requests are in the line, too.
    pub fn by_day(days: &[(Date, RequestCounts)], sums: &[DaySum]) -> Vec<Self> {
        let slots: HashMap<Date, usize> = days.iter().enumerate().map(|(n, (day, _))| (*day, n)).collect();
        let mut keys: HashMap<&str, Self> = HashMap::new();
        for sum in sums {
            let id = sum.key.as_str();
            let key = keys.entry(id).or_insert_with(|| Self::new(id, sum.mode, days.len()));
            let counts = RequestCounts::from(sum);
            key.counts = key.counts.plus(&counts);
            if let Some(slot) = slots.get(&sum.day) {
                key.line[*slot] += counts.total();
            }
        }
        keys.into_values().collect()
    }
}
