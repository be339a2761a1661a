//! Signing in with a link, and out.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::{SignedDuration, Timestamp};
use store::Rng;

use super::{page, session};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::address::BaseUrl;
use crate::observe::ClientAddress;

const LONGEST_USER_AGENT: usize = 200;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Ask;

#[derive(Template)]
#[template(path = "signed_out.html")]
pub(super) struct SignedOut {
    pub wrong_link: bool,
}

/// Asks first: what fetches a link to show a preview of it must not use it up.
pub(super) async fn ask() -> Result<Response, ApiError> {
    page(StatusCode::OK, &Ask)
}

/// Trades a link for a session.
pub(super) async fn use_link(
    State(app): State<Arc<App>>,
    Path(link): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    session::same_site(&request)?;
    let base = BaseUrl::of(&request, &app.config);
    let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    let agent: Option<String> = agent.map(|agent| agent.chars().take(LONGEST_USER_AGENT).collect());
    let from = request.extensions().get::<ClientAddress>().map(|address| address.0.to_string());
    let now = Timestamp::now();
    let Some(account) = app.store.sessions().use_link(&link, now).await? else {
        return page(StatusCode::FORBIDDEN, &SignedOut { wrong_link: true });
    };
    let until = now.saturating_add(SignedDuration::from_secs(session::SECONDS)).unwrap_or(Timestamp::MAX);
    let sessions = app.store.sessions();
    let token = sessions.create(&account, now, until, agent.as_deref(), from.as_deref(), &mut Rng::system()).await?;
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&base, &token, session::SECONDS)?);
    Ok(response)
}

/// Ends the session.
pub(super) async fn sign_out(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    session::same_site(&request)?;
    let base = BaseUrl::of(&request, &app.config);
    if let Some((session, account)) = session::of(&app, session::token(&request, &base)).await? {
        app.store.sessions().delete(&account.id, &session.id).await?;
    }
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&base, "", 0)?);
    Ok(response)
}
