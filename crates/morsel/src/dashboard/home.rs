//! The first page: the account's keys and how much they are used today.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::KeyState;

use super::sign_in::SignedOut;
use super::{page, session};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::address::BaseUrl;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    email: String,
    plan: &'static str,
    base: String,
    keys: Vec<KeyLine>,
}

struct KeyLine {
    shown: String,
    label: String,
    mode: &'static str,
    state: &'static str,
    last_used: String,
    requests_today: u64,
}

pub(super) async fn show(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let base = BaseUrl::of(&request, &app.config);
    let Some((_, account)) = session::of(&app, session::token(&request, &base)).await? else {
        return page(StatusCode::OK, &SignedOut { wrong_link: false });
    };
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let counts = app.store.usage().daily(&account.id, today, today).await?;
    let line = |key: store::Key| KeyLine {
        shown: format!("{}…{}", key.prefix, key.last_four),
        state: match key.state(now) {
            KeyState::Active => "active",
            KeyState::Revoked => "revoked",
            KeyState::Expired => "expired",
        },
        label: key.label.unwrap_or_default(),
        mode: key.mode.name(),
        last_used: key.last_used_at.map_or_else(|| "never".to_owned(), |at| format!("{at:.0}")),
        requests_today: counts.iter().filter(|count| count.key == key.id).map(|count| count.requests).sum(),
    };
    let keys = app.store.keys().list(&account.id).await?.into_iter().map(line).collect();
    let home = Home { email: account.email.to_string(), plan: account.plan.name(), base: base.0, keys };
    page(StatusCode::OK, &home)
}
