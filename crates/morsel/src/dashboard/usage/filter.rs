//! Which requests the usage statistics include.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde::Deserialize;
use store::usage::UsageQuery;
use store::{AccountId, Key, KeyId, Mode};

use crate::error::ApiError;

/// A period that ends now, shown by the minute or the hour, from the request log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recent {
    /// 60 minutes.
    Hour,
    /// 24 hours.
    Day,
}

/// The periods to choose from, in days.
pub(crate) const DAYS: [i64; 3] = [7, 30, 90];

/// The query string of the usage page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct UsageParams {
    days: String,
    key: String,
    mode: String,
}

/// The filter of the usage page.
#[derive(Clone, Debug)]
pub(crate) struct UsageFilter {
    pub days: i64,
    pub key: Option<KeyId>,
    pub mode: Option<Mode>,
}

impl Recent {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Hour, Self::Day];

    /// Returns the name in the URL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hour => "1h",
            Self::Day => "24h",
        }
    }

    /// Returns what people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Hour => "Last hour",
            Self::Day => "Last 24 hours",
        }
    }

    /// Returns the number of slots.
    pub fn slots(self) -> usize {
        match self {
            Self::Hour => 60,
            Self::Day => 24,
        }
    }

    pub fn slot_seconds(self) -> i64 {
        match self {
            Self::Hour => 60,
            Self::Day => 3_600,
        }
    }

    /// Returns when the first slot begins, such that the last one is the current minute or hour.
    pub fn start(self, now: Timestamp) -> Timestamp {
        let seconds = self.slot_seconds();
        let last = now.as_second().div_euclid(seconds);
        Timestamp::from_second((last + 1 - self.slots().cast_signed() as i64) * seconds).unwrap_or(now)
    }

    /// Returns the slot of a time.
    pub fn slot_of(self, start: Timestamp, at: Timestamp) -> usize {
        let slot = (at.as_second() - start.as_second()).div_euclid(self.slot_seconds());
        usize::try_from(slot).unwrap_or(usize::MAX)
    }
}

impl UsageParams {
    /// Returns the period, if it is one of the short ones.
    pub fn recent(&self) -> Option<Recent> {
        Recent::ALL.into_iter().find(|recent| recent.name() == self.days)
    }
}

impl UsageFilter {
    /// Reads the filter. Unknown periods and modes are ignored.
    pub fn read(query: &UsageParams) -> Result<Self, ApiError> {
        let days = query.days.parse().ok().filter(|days| DAYS.contains(days));
        let key = match query.key.as_str() {
            "" => None,
            id => Some(KeyId::parse(id).ok_or_else(key_not_found)?),
        };
        let mode = [Mode::Live, Mode::Test].into_iter().find(|mode| mode.name() == query.mode);
        Ok(Self { days: days.unwrap_or(30), key, mode })
    }

    /// Rejects a key that the account does not have.
    pub fn check(&self, keys: &[Key]) -> Result<(), ApiError> {
        match &self.key {
            Some(id) if !keys.iter().any(|key| key.id == *id) => Err(key_not_found()),
            _ => Ok(()),
        }
    }

    /// Returns the span of the statistics.
    pub fn span<'a>(&'a self, account: &'a AccountId, now: Timestamp) -> UsageQuery<'a> {
        let to = now.to_zoned(TimeZone::UTC).date();
        UsageQuery {
            account,
            from: to.saturating_sub((self.days - 1).days()),
            to,
            key: self.key.as_ref(),
            mode: self.mode,
        }
    }

    /// Returns the URL of the log of a time, for the key of the filter.
    pub fn log_url(&self, from: Timestamp, to: Timestamp) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if let Some(key) = &self.key {
            query.append_pair("key", key.as_str());
        }
        format!("/log?{}", query.append_pair("from", &from.to_string()).append_pair("to", &to.to_string()).finish())
    }

    pub fn is_key(&self, id: &str) -> bool {
        self.key.as_ref().is_some_and(|key| key.as_str() == id)
    }

    pub fn is_mode(&self, name: &str) -> bool {
        self.mode.is_some_and(|mode| mode.name() == name)
    }

    /// Returns the filter as a query string.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(format!("days={}", self.days));
        if let Some(key) = &self.key {
            query.append_pair("key", key.as_str());
        }
        if let Some(mode) = self.mode {
            query.append_pair("mode", mode.name());
        }
        query.finish()
    }
}

fn key_not_found() -> ApiError {
    ApiError::not_found("Key not found.")
}
