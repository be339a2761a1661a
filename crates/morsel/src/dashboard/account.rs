//! One's own account: who one is, the password, and where one is signed in.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use store::{Session, SessionId};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::sign_in::start_session;
use super::visitor::{SignedIn, Visitor};
use super::when::When;
use super::{browser, filters, page, password};
use crate::app::App;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    layout: Layout,
    email: String,
    plan: &'static str,
    limit: u32,
    since: When,
    has_password: bool,
    current: Field,
    new: Field,
    sessions: Vec<SessionLine>,
}

struct SessionLine {
    id: String,
    browser: String,
    address: String,
    started: When,
    seen: When,
    is_this: bool,
}

pub(super) async fn show(State(app): State<Arc<App>>, me: SignedIn) -> Result<Response, ApiError> {
    account_page(&app, &me, StatusCode::OK, password_fields()).await
}

/// Sets or changes the password. All other sessions end; this one goes on under a new token.
pub(super) async fn set_password(State(app): State<Arc<App>>, me: SignedIn, form: Form) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let (account, now) = (&me.account, Timestamp::now());
    if let Some(kept) = &account.password_hash {
        app.tries.password(account.email.as_str(), me.from, now)?;
        if app.passwords.is_right(form.raw("current"), Some(kept)).await? {
            app.tries.was_right(&account.email, me.from);
        } else {
            problems.add("current", "This is not your password.");
        }
    }
    if let Some(fault) = password::fault(form.raw("new"), &account.email) {
        problems.add("new", fault);
    }
    if !problems.is_empty() {
        let fields = password_fields().map(|field| field.again(&form, &problems));
        return account_page(&app, &me, StatusCode::UNPROCESSABLE_ENTITY, fields).await;
    }
    let hash = app.passwords.hash(form.raw("new")).await?;
    app.store.accounts().set_password(&account.id, &hash).await?;
    app.store.sessions().delete_all(&account.id).await?;
    let id = account.id.clone();
    start_session(&app, &Visitor::from(me), &id, "/account?done=password-set").await
}

/// Ends one of the account's sessions.
pub(super) async fn end_session(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let ended = match SessionId::parse(&id) {
        Some(id) => app.store.sessions().delete(&me.account.id, &id).await?,
        None => false,
    };
    if !ended {
        return Err(ApiError::not_found("There is no such session; it may have ended already."));
    }
    Ok(done("/account", "session-ended"))
}

/// Ends all of the account's sessions but this one.
pub(super) async fn end_other_sessions(State(app): State<Arc<App>>, me: SignedIn) -> Result<Response, ApiError> {
    app.store.sessions().delete_others(&me.account.id, &me.session.id).await?;
    Ok(done("/account", "sessions-ended"))
}

fn password_fields() -> [Field; 2] {
    let hint = format!("At least {} characters. You are signed out everywhere else.", password::SHORTEST);
    [
        Field::new(Kind::Password, "current", "Current password").autocomplete("current-password").required(),
        Field::new(Kind::Password, "new", "New password").autocomplete("new-password").hint(hint).required(),
    ]
}

async fn account_page(app: &App, me: &SignedIn, status: StatusCode, fields: [Field; 2]) -> Result<Response, ApiError> {
    let [current, new] = fields;
    let (account, now) = (&me.account, Timestamp::now());
    let sessions = app.store.sessions().list(&account.id).await?;
    let sessions = sessions.into_iter().filter(|session| session.expires_at > now);
    let account_page = AccountPage {
        layout: me.layout(Section::Account),
        email: account.email.to_string(),
        plan: account.plan.name(),
        limit: app.config.limits.of(account.plan),
        since: When::exactly(account.created_at),
        has_password: account.password_hash.is_some(),
        current,
        new,
        sessions: sessions.map(|session| line(session, me, now)).collect(),
    };
    page(status, &account_page)
}

fn line(session: Session, me: &SignedIn, now: Timestamp) -> SessionLine {
    SessionLine {
        is_this: session.id == me.session.id,
        id: session.id.to_string(),
        browser: browser::name(session.user_agent.as_deref()),
        address: session.address.unwrap_or_else(|| "unknown".to_owned()),
        started: When::from(session.created_at, now),
        seen: When::from(session.last_seen_at, now),
    }
}
