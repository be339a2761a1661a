//! The list of an account's keys.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::row::{KeyRow, key_rows};
use crate::app::App;
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "keys/keys.html")]
struct KeysPage {
    layout: Layout,
    active: Vec<KeyRow>,
    inactive: Vec<KeyRow>,
    /// Active keys that expire soon.
    expiring: Vec<KeyRow>,
}

pub(crate) async fn show(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, ApiError> {
    let rows = key_rows(&app, &user.account.id, app.now()).await?;
    let (active, inactive): (Vec<_>, Vec<_>) = rows.into_iter().partition(KeyRow::is_active);
    let expiring = active.iter().filter(|row| row.expires_soon).cloned().collect();
    page(StatusCode::OK, &KeysPage { layout: user.layout(Section::Keys), active, inactive, expiring })
}
