//! The list of an account's keys.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use store::{AccountId, Key, KeyId, KeyState, Mode, Scopes};

use super::layout::{Layout, Section};
use super::visitor::SignedIn;
use super::when::When;
use super::{filters, page};
use crate::app::App;
use crate::error::ApiError;

/// Keys that work, at most, in one account.
pub(super) const MOST_KEYS: u64 = 100;
/// From when on a key that is about to end is warned of.
const WARN_BEFORE: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    layout: Layout,
    working: Vec<KeyLine>,
    ended: Vec<KeyLine>,
    /// Keys that end within a week.
    ending: Vec<KeyLine>,
}

/// A key as the pages show it.
#[derive(Clone, Debug)]
pub(super) struct KeyLine {
    pub id: String,
    pub shown: String,
    /// The label, or the shown part of the key where it has none.
    pub name: String,
    pub is_live: bool,
    pub scopes: String,
    pub created: When,
    pub last_used: Option<When>,
    pub last_used_from: String,
    pub requests_today: u64,
    /// When it ends or ended.
    pub ends: Option<When>,
    pub is_ending: bool,
    /// It was rolled and works on for a time.
    pub is_rolled: bool,
    pub state: &'static str,
}

pub(super) async fn show(State(app): State<Arc<App>>, me: SignedIn) -> Result<Response, ApiError> {
    let lines = lines(&app, &me.account.id, Timestamp::now()).await?;
    let (working, ended): (Vec<_>, Vec<_>) = lines.into_iter().partition(KeyLine::works);
    let ending = working.iter().filter(|line| line.is_ending).cloned().collect();
    page(StatusCode::OK, &KeysPage { layout: me.layout(Section::Keys), working, ended, ending })
}

/// All keys of an account, the newest first.
pub(super) async fn lines(app: &App, account: &AccountId, now: Timestamp) -> Result<Vec<KeyLine>, ApiError> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let used: HashMap<KeyId, u64> = app.store.usage().today_by_key(account, today).await?.into_iter().collect();
    let keys = app.store.keys().list(account).await?;
    Ok(keys.into_iter().map(|key| KeyLine::new(&key, used.get(&key.id).copied().unwrap_or(0), now)).collect())
}

impl KeyLine {
    /// Whether requests with it are answered.
    pub fn works(&self) -> bool {
        self.state == "active"
    }

    pub fn new(key: &Key, requests_today: u64, now: Timestamp) -> Self {
        let shown = format!("{}…{}", key.prefix, key.last_four);
        let state = key.state(now);
        let works = state == KeyState::Active;
        let ends_at = [key.expires_at, key.revoked_at].into_iter().flatten().min();
        let is_rolled = works && key.revoked_at.is_some();
        Self {
            id: key.id.to_string(),
            name: key.label.clone().unwrap_or_else(|| shown.clone()),
            is_live: key.mode == Mode::Live,
            scopes: describe(key.scopes),
            created: When::from(key.created_at, now),
            last_used: key.last_used_at.map(|at| When::from(at, now)),
            last_used_from: key.last_used_from.clone().unwrap_or_default(),
            requests_today,
            ends: ends_at.map(|at| When::from(at, now)),
            is_ending: works && !is_rolled && key.expires_at.is_some_and(|at| at.duration_since(now) < WARN_BEFORE),
            is_rolled,
            state: match state {
                KeyState::Active => "active",
                KeyState::Revoked => "revoked",
                KeyState::Expired => "expired",
            },
            shown,
        }
    }
}

/// What a key may do, in few words.
fn describe(scopes: Scopes) -> String {
    if scopes == Scopes::all() { "everything".to_owned() } else { scopes.names().join(", ") }
}
