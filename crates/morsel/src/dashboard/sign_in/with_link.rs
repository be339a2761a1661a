//! Signing in with a one-time link: from the first start, `morsel account sign-in`, or an owner.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use store::{AuditEvent, AuditKind};

use super::with_code::{Entry, sign_in_or_ask};
use crate::app::App;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;
use crate::path::Path;

#[derive(Template)]
#[template(path = "sign_in/link.html")]
struct SignInLinkPage {
    layout: Layout,
    is_invalid: bool,
}

/// Asks first, so that a link preview does not use up the link.
pub(crate) async fn show_form(user: Visitor) -> Result<Response, ApiError> {
    page(StatusCode::OK, &SignInLinkPage { layout: user.layout(Section::SignIn), is_invalid: false })
}

/// Exchanges a link for a session.
pub(crate) async fn use_link(
    State(app): State<Arc<App>>,
    Path(link): Path<String>,
    user: Visitor,
) -> Result<Response, ApiError> {
    let account = match app.store.sessions().use_link(&link, app.now()).await? {
        Some(id) => app.store.accounts().by_id(&id).await?,
        None => None,
    };
    let Some(account) = account.filter(|account| account.disabled_at.is_none()) else {
        app.trail.record(AuditEvent::new(AuditKind::WrongLink, app.now()).from(user.from));
        let layout = user.layout(Section::SignIn);
        return page(StatusCode::FORBIDDEN, &SignInLinkPage { layout, is_invalid: true });
    };
    sign_in_or_ask(&app, &user, &account, Entry::Link, "/").await
}
