//! Keys as the pages show them.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use store::{AccountId, Key, KeyId, KeyState, Mode, Scopes};

use crate::app::App;
use crate::dashboard::human_time::HumanTime;
use crate::error::ApiError;

/// How long before its expiration a key gets a warning, but never before the last quarter of its life.
const WARN_BEFORE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The longest label of a key.
pub(crate) const MAX_LABEL: usize = 100;

/// A key as the pages show it.
#[derive(Clone, Debug)]
pub(crate) struct KeyRow {
    pub id: String,
    pub shown: String,
    /// The label, or the shown part of the key if it has none.
    pub name: String,
    /// The label, for places that also show that part.
    pub title: String,
    pub is_live: bool,
    pub scopes: String,
    /// Where it may be used from; empty for anywhere.
    pub networks: String,
    pub created: HumanTime,
    pub last_used: Option<HumanTime>,
    pub last_used_from: String,
    pub requests_today: u64,
    /// When it stops or stopped working.
    pub ends: Option<HumanTime>,
    pub expires_soon: bool,
    /// It has been rotated and still works for the grace period.
    pub is_rotated: bool,
    pub state: KeyState,
}

/// Returns all keys of an account, newest first.
pub(crate) async fn key_rows(app: &App, account: &AccountId, now: Timestamp) -> Result<Vec<KeyRow>, ApiError> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let used: HashMap<KeyId, u64> = app.store.usage().today_by_key(account, today).await?.into_iter().collect();
    let keys = app.store.keys().list(account).await?;
    Ok(keys.into_iter().map(|key| KeyRow::new(&key, used.get(&key.id).copied().unwrap_or(0), now)).collect())
}

impl KeyRow {
    /// Whether requests with this key are accepted.
    pub fn is_active(&self) -> bool {
        self.state == KeyState::Active
    }

    /// Returns the label of [`ends`](Self::ends).
    pub fn end_label(&self) -> &'static str {
        match self.state {
            KeyState::Active => "Expires",
            KeyState::Revoked => "Revoked",
            KeyState::Expired => "Expired",
        }
    }

    pub fn new(key: &Key, requests_today: u64, now: Timestamp) -> Self {
        let shown = format!("{}…{}", key.prefix, key.last_four);
        let state = key.state(now);
        let is_active = state == KeyState::Active;
        let ends_at = [key.expires_at, key.revoked_at].into_iter().flatten().min();
        let is_rotated = is_active && key.revoked_at.is_some();
        Self {
            id: key.id.to_string(),
            name: key.label.clone().unwrap_or_else(|| shown.clone()),
            title: key.label.clone().unwrap_or_else(|| "Untitled key".to_owned()),
            is_live: key.mode == Mode::Live,
            scopes: describe(key.scopes),
            networks: key.networks.join(", "),
            created: HumanTime::relative(key.created_at, now),
            last_used: key.last_used_at.map(|at| HumanTime::relative(at, now)),
            last_used_from: key.last_used_from.clone().unwrap_or_default(),
            requests_today,
            ends: ends_at.map(|at| HumanTime::relative(at, now)),
            expires_soon: is_active && !is_rotated && key.expires_at.is_some_and(|at| is_soon(key.created_at, at, now)),
            is_rotated,
            state,
            shown,
        }
    }
}

/// Returns whether a key that was created and expires at these times should have a warning.
fn is_soon(created: Timestamp, expires: Timestamp, now: Timestamp) -> bool {
    let left = expires.duration_since(now);
    left < WARN_BEFORE && left * 4 <= expires.duration_since(created)
}

/// Lists the permissions of a key.
fn describe(scopes: Scopes) -> String {
    if scopes == Scopes::all() { "everything".to_owned() } else { scopes.names().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_warning_at_the_end_of_its_life_only() {
        let day = |n: i64| Timestamp::from_second(1_700_000_000 + n * 86_400).expect("a time");
        assert!(!is_soon(day(0), day(7), day(0)), "just created");
        assert!(!is_soon(day(0), day(7), day(5)));
        assert!(is_soon(day(0), day(7), day(6)));
        assert!(!is_soon(day(0), day(365), day(300)));
        assert!(is_soon(day(0), day(365), day(359)));
    }
}
