//! The page that shows a one-time sign-in link.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use store::{Account, AuditEvent, AuditKind};

use crate::app::App;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// The lifetime of a sign-in link.
const LINK_HOURS: i64 = 24;

#[derive(Template)]
#[template(path = "owner/link_shown.html")]
struct LinkShownPage {
    layout: Layout,
    id: String,
    email: String,
    link: String,
    hours: i64,
    is_new: bool,
}

/// Creates a one-time sign-in link for an account and shows it. This is the only response that contains it.
pub(crate) async fn show_link(
    app: &App,
    user: &SignedIn,
    account: &Account,
    is_new: bool,
) -> Result<Response, ApiError> {
    let now = app.now();
    let until = now.saturating_add(SignedDuration::from_hours(LINK_HOURS)).unwrap_or(Timestamp::MAX);
    let token = app.store.sessions().create_link(&account.id, until, now, &mut app.rng()).await?;
    let event = AuditEvent::new(AuditKind::LinkCreated, now).of(&account.id);
    app.trail.record(event.by(&user.account.id).from(user.from));
    let shown = LinkShownPage {
        layout: user.layout(Section::Owner),
        id: account.id.to_string(),
        email: account.email.to_string(),
        link: format!("{}/sign-in/{token}", user.base.0),
        hours: LINK_HOURS,
        is_new,
    };
    page(StatusCode::OK, &shown)
}
