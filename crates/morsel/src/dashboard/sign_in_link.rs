//! Signing in with a link that works once: that of a first start, of `morsel account sign-in`, or of an owner's page.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;

use super::layout::{Layout, Section};
use super::page;
use super::sign_in::start_session;
use super::visitor::Visitor;
use crate::app::App;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "sign_in_link.html")]
struct Link {
    layout: Layout,
    is_wrong: bool,
}

/// Asks first: what fetches a link to show a preview of it must not use it up.
pub(super) async fn ask() -> Result<Response, ApiError> {
    page(StatusCode::OK, &Link { layout: Layout::plain(Section::SignIn), is_wrong: false })
}

/// Trades a link for a session. Whoever has no password yet is offered to set one there.
pub(super) async fn use_link(
    State(app): State<Arc<App>>,
    Path(link): Path<String>,
    visitor: Visitor,
) -> Result<Response, ApiError> {
    let account = match app.store.sessions().use_link(&link, Timestamp::now()).await? {
        Some(id) => app.store.accounts().by_id(&id).await?,
        None => None,
    };
    match account.filter(|account| account.disabled_at.is_none()) {
        Some(account) => start_session(&app, &visitor, &account.id, "/").await,
        None => page(StatusCode::FORBIDDEN, &Link { layout: Layout::plain(Section::SignIn), is_wrong: true }),
    }
}
