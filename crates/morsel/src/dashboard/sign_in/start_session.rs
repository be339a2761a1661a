//! Starting a session.

use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::{SignedDuration, Timestamp};
use store::{AccountId, NewSession};

use crate::app::App;
use crate::dashboard::session;
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;

/// Starts a new session in place of the old one, and redirects.
pub(crate) async fn start_session(
    app: &App,
    user: &Visitor,
    account: &AccountId,
    is_by_link: bool,
    next: &str,
) -> Result<Response, ApiError> {
    let sessions = app.store.sessions();
    if let Some((old, of)) = &user.signed_in {
        sessions.delete(&of.id, &old.id).await?;
    }
    let now = app.now();
    let from = user.from.to_string();
    let new = NewSession {
        expires_at: now.saturating_add(SignedDuration::from_secs(session::SECONDS)).unwrap_or(Timestamp::MAX),
        user_agent: user.agent.as_deref(),
        address: Some(&from),
        is_by_link,
    };
    let token = sessions.create(account, new, now, &mut app.rng()).await?;
    let mut response = Redirect::to(next).into_response();
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&user.base, &token, session::SECONDS)?);
    Ok(response)
}
