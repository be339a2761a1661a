//! The second step of signing in, for accounts with a second factor: a code of the authenticator app.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use store::{Account, AccountId, AuditEvent, AuditKind, Challenge};

use super::start_session::start_session;
use crate::app::App;
use crate::dashboard::confirm::code_field;
use crate::dashboard::field::Field;
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::proof;
use crate::dashboard::visitor::{Visitor, local_path};
use crate::error::ApiError;

/// How long one may take to enter the code.
const LASTS: SignedDuration = SignedDuration::from_mins(10);

/// How somebody was recognized before a code is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    Password,
    Link,
    /// The sign-in provider of this name.
    Provider(&'a str),
}

#[derive(Template)]
#[template(path = "sign_in/code.html")]
struct CodePage {
    layout: Layout,
    challenge: String,
    /// The path to go to afterwards.
    next: String,
    code: Field,
}

/// Signs in an account that was recognized, or asks for the code first.
pub(crate) async fn sign_in_or_ask(
    app: &App,
    user: &Visitor,
    account: &Account,
    entry: Entry<'_>,
    next: &str,
) -> Result<Response, ApiError> {
    let is_by_link = entry == Entry::Link;
    let factors = app.store.second_factors();
    if factors.of(&account.id).await?.is_none() {
        let event = signed_in(app, user, &account.id);
        app.trail.record(match entry {
            Entry::Password => event,
            Entry::Link => event.detail("with a link"),
            Entry::Provider(name) => event.detail(format!("with {name}")),
        });
        return start_session(app, user, &account.id, is_by_link, next).await;
    }
    let expires = app.now().saturating_add(LASTS).unwrap_or(Timestamp::MAX);
    let challenge = Challenge { account_id: account.id.clone(), is_by_link };
    let challenge = factors.create_challenge(&challenge, expires, &mut app.rng()).await?;
    render(StatusCode::OK, user, challenge, next, code_field("code").focused())
}

/// Checks the code.
pub(crate) async fn sign_in(State(app): State<Arc<App>>, user: Visitor, form: Form) -> Result<Response, ApiError> {
    let factors = app.store.second_factors();
    let (token, next) = (form.text("challenge"), local_path(form.text("next")).unwrap_or("/"));
    let Some(challenge) = factors.challenge(token, app.now()).await? else {
        return Ok(flash::redirect("/sign-in", "sign-in-again"));
    };
    if !proof::spend_code(&app, &challenge.account_id, user.from, form.text("code")).await? {
        let mut problems = Problems::default();
        problems.add("code", "This code is wrong or was used before. Wait for the next one.");
        let code = code_field("code").resubmitted(&form, &problems).value("");
        return render(StatusCode::UNAUTHORIZED, &user, token.to_owned(), next, code);
    }
    let account = app.store.accounts().by_id(&challenge.account_id).await?;
    let is_enabled = account.is_some_and(|account| account.disabled_at.is_none());
    if !factors.end_challenge(token).await? || !is_enabled {
        return Ok(flash::redirect("/sign-in", "sign-in-again"));
    }
    let way = if challenge.is_by_link { "with a link and a code" } else { "with a code" };
    app.trail.record(signed_in(&app, &user, &challenge.account_id).detail(way));
    start_session(&app, &user, &challenge.account_id, challenge.is_by_link, next).await
}

fn render(
    status: StatusCode,
    user: &Visitor,
    challenge: String,
    next: &str,
    code: Field,
) -> Result<Response, ApiError> {
    page(status, &CodePage { layout: user.layout(Section::SignIn), challenge, next: next.to_owned(), code })
}

fn signed_in(app: &App, user: &Visitor, account: &AccountId) -> AuditEvent {
    AuditEvent::new(AuditKind::SignedIn, app.now()).of(account).from(user.from)
}
