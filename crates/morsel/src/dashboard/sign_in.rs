//! Signing in with a password, and out.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::{SignedDuration, Timestamp};
use store::{Account, AccountId, Email, Rng};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::visitor::{Visitor, local_path};
use super::{page, password, session};
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    layout: Layout,
    email: Field,
    password: Field,
    /// Where to go afterwards.
    next: String,
    is_wrong: bool,
    may_sign_up: bool,
}

/// Asks who it is.
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    visitor: Visitor,
) -> Result<Response, ApiError> {
    let query = query.unwrap_or_default();
    let next = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "next").map(|(_, next)| next);
    let next = next.as_deref().and_then(local_path).unwrap_or_default().to_owned();
    if visitor.signed_in.is_some() {
        return Ok(Redirect::to(if next.is_empty() { "/" } else { &next }).into_response());
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    page(StatusCode::OK, &sign_in_page(&app, &visitor, next, None))
}

/// Compares the password. The answer, and the time it takes, are the same for an account that does not exist.
pub(super) async fn sign_in(State(app): State<Arc<App>>, visitor: Visitor, form: Form) -> Result<Response, ApiError> {
    let next = local_path(form.text("next")).unwrap_or_default().to_owned();
    match account_with(&app, &visitor, &form).await? {
        Some(account) => start_session(&app, &visitor, &account.id, if next.is_empty() { "/" } else { &next }).await,
        None => page(StatusCode::UNAUTHORIZED, &sign_in_page(&app, &visitor, next, Some(&form))),
    }
}

/// Ends the session.
pub(super) async fn sign_out(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, ApiError> {
    if let Some((session, account)) = &visitor.signed_in {
        app.store.sessions().delete(&account.id, &session.id).await?;
    }
    let mut response = done("/", "signed-out");
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&visitor.base, "", 0)?);
    Ok(response)
}

/// The account of the address and the password in a form, if both are right and it may be used.
pub(super) async fn account_with(app: &App, visitor: &Visitor, form: &Form) -> Result<Option<Account>, ApiError> {
    let (email, given) = (form.text("email"), form.raw("password"));
    app.tries.password(email, visitor.from, Timestamp::now())?;
    let account = match Email::parse(email) {
        Some(email) => app.store.accounts().by_email(&email).await?,
        None => None,
    };
    let kept = account.as_ref().and_then(|account| account.password_hash.as_deref());
    // What is too long was never set; hashing it would be a gift.
    let given = if given.chars().count() > password::LONGEST { "" } else { given };
    let is_right = app.passwords.is_right(given, kept).await?;
    let account = account.filter(|account| is_right && account.disabled_at.is_none());
    if let Some(account) = &account {
        app.tries.was_right(&account.email, visitor.from);
    }
    Ok(account)
}

/// Gives the browser a new session, whatever it had before, and sends it on.
pub(super) async fn start_session(
    app: &App,
    visitor: &Visitor,
    account: &AccountId,
    next: &str,
) -> Result<Response, ApiError> {
    let sessions = app.store.sessions();
    if let Some((old, of)) = &visitor.signed_in {
        sessions.delete(&of.id, &old.id).await?;
    }
    let now = Timestamp::now();
    let until = now.saturating_add(SignedDuration::from_secs(session::SECONDS)).unwrap_or(Timestamp::MAX);
    let from = visitor.from.to_string();
    let token = sessions.create(account, now, until, visitor.agent.as_deref(), Some(&from), &mut Rng::system()).await?;
    let mut response = Redirect::to(next).into_response();
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&visitor.base, &token, session::SECONDS)?);
    Ok(response)
}

fn sign_in_page(app: &App, visitor: &Visitor, next: String, tried: Option<&Form>) -> SignIn {
    let email = Field::new(Kind::Email, "email", "E-mail address").autocomplete("username").required();
    let password = Field::new(Kind::Password, "password", "Password").autocomplete("current-password").required();
    let (email, password) = match tried {
        Some(form) => (email.again(form, &Problems::default()), password.focused()),
        None => (email.focused(), password),
    };
    SignIn {
        layout: visitor.layout(Section::SignIn),
        email,
        password,
        next,
        is_wrong: tried.is_some(),
        may_sign_up: app.config.signup == Signup::Open,
    }
}
