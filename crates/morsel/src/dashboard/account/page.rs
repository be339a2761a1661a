//! The account page: profile, password and sessions.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use store::{AuditEvent, AuditKind, Session, SessionId};

use super::user_agent;
use crate::app::App;
use crate::dashboard::confirm::{self, needs_password};
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::filters;
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::human_time::HumanTime;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::proof;
use crate::dashboard::security_event::EventRow;
use crate::dashboard::sign_in::start_session::start_session;
use crate::dashboard::visitor::{Rejection, SignedIn, Visitor};
use crate::error::ApiError;
use crate::path::Path;
use crate::sign_in::password;

/// Security events that the page shows.
const MAX_EVENTS: u64 = 20;

#[derive(Template)]
#[template(path = "account/account.html")]
struct AccountPage {
    layout: Layout,
    email: String,
    plan: &'static str,
    limit: u32,
    created: HumanTime,
    has_password: bool,
    /// Absent if the current password is not asked for.
    current: Option<Field>,
    new: Field,
    /// Recovery codes that are left, if the second factor is on.
    codes_left: Option<u64>,
    sessions: Vec<SessionRow>,
    events: Vec<EventRow>,
}

struct SessionRow {
    id: String,
    browser: String,
    ip_address: String,
    started: HumanTime,
    last_active: HumanTime,
    is_this: bool,
}

pub(crate) async fn show(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, ApiError> {
    account_page(&app, &user, StatusCode::OK, password_fields()).await
}

/// Sets or changes the password. All other sessions end; this one continues under a new token.
pub(crate) async fn set_password(
    State(app): State<Arc<App>>,
    user: SignedIn,
    form: Form,
) -> Result<Response, Rejection> {
    let account = &user.account;
    let mut problems = Problems::default();
    if !needs_password(&user, app.now()) {
        confirm::require(&user, app.now(), "/account")?;
    } else if !proof::is_password(&app, account, user.from, form.raw("current")).await? {
        problems.add("current", "Wrong password.");
    }
    if let Some(problem) = password::problem(form.raw("new"), &account.email) {
        problems.add("new", problem);
    }
    if !problems.is_empty() {
        let fields = password_fields().map(|field| field.resubmitted(&form, &problems));
        return Ok(account_page(&app, &user, StatusCode::UNPROCESSABLE_ENTITY, fields).await?);
    }
    let hash = app.passwords.hash(form.raw("new")).await?;
    app.store.accounts().set_password(&account.id, &hash).await?;
    app.store.sessions().delete_all(&account.id).await?;
    app.trail.record(AuditEvent::new(AuditKind::PasswordChanged, app.now()).of(&account.id).from(user.from));
    let id = account.id.clone();
    Ok(start_session(&app, &Visitor::from(user), &id, false, "/account?flash=password-set").await?)
}

/// Ends one of the account's sessions.
pub(crate) async fn end_session(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let ended = match SessionId::parse(&id) {
        Some(id) => app.store.sessions().delete(&user.account.id, &id).await?,
        None => false,
    };
    if !ended {
        return Err(ApiError::not_found("Session not found; it may have ended already."));
    }
    app.trail.record(AuditEvent::new(AuditKind::SessionsEnded, app.now()).of(&user.account.id).from(user.from));
    Ok(flash::redirect("/account", "session-ended"))
}

/// Ends all sessions of the account except this one.
pub(crate) async fn end_other_sessions(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, ApiError> {
    app.store.sessions().delete_others(&user.account.id, &user.session.id).await?;
    let event = AuditEvent::new(AuditKind::SessionsEnded, app.now()).of(&user.account.id).from(user.from);
    app.trail.record(event.detail("all others"));
    Ok(flash::redirect("/account", "sessions-ended"))
}

fn password_fields() -> [Field; 2] {
    let hint = format!("At least {} characters. This signs you out everywhere else.", password::MIN_LENGTH);
    [
        Field::new(FieldKind::Password, "current", "Current password").autocomplete("current-password").required(),
        Field::new(FieldKind::Password, "new", "New password").autocomplete("new-password").hint(hint).required(),
    ]
}

async fn account_page(
    app: &App,
    user: &SignedIn,
    status: StatusCode,
    fields: [Field; 2],
) -> Result<Response, ApiError> {
    let [current, new] = fields;
    let (account, now) = (&user.account, app.now());
    let sessions = app.store.sessions().list(&account.id, now).await?;
    let second_factor = app.store.second_factors().of(&account.id).await?;
    // Include the latest events.
    app.trail.flush(&app.store).await?;
    let events = app.store.audit().of_account(&account.id, MAX_EVENTS).await?;
    let account_page = AccountPage {
        layout: user.layout(Section::Account),
        email: account.email.to_string(),
        plan: account.plan.name(),
        limit: app.limits.of(account.plan).requests_per_minute,
        created: HumanTime::exactly(account.created_at),
        has_password: account.password_hash.is_some(),
        current: needs_password(user, now).then_some(current),
        new,
        codes_left: second_factor.map(|factor| factor.codes_left),
        sessions: sessions.into_iter().map(|session| row(session, user, now)).collect(),
        events: events.into_iter().map(EventRow::from).collect(),
    };
    page(status, &account_page)
}

fn row(session: Session, user: &SignedIn, now: Timestamp) -> SessionRow {
    SessionRow {
        is_this: session.id == user.session.id,
        id: session.id.to_string(),
        browser: user_agent::name(session.user_agent.as_deref()),
        ip_address: session.address.unwrap_or_else(|| "unknown".to_owned()),
        started: HumanTime::relative(session.created_at, now),
        last_active: HumanTime::relative(session.last_seen_at, now),
    }
}
