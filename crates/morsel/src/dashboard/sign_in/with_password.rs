//! Signing in with a password, and out.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use store::{Account, AuditEvent, AuditKind, Email};

use super::with_code::{Entry, sign_in_or_ask};
use crate::app::App;
use crate::config::Signup;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::session;
use crate::dashboard::visitor::{Visitor, local_path, url_with_next};
use crate::error::ApiError;
use crate::sign_in::password;

#[derive(Template)]
#[template(path = "sign_in/sign_in.html")]
struct SignInPage {
    layout: Layout,
    email: Field,
    password: Field,
    /// The path to go to afterwards.
    next: String,
    is_wrong: bool,
    /// The name of the sign-in provider and the URL that leads there.
    provider: Option<(String, String)>,
    may_sign_up: bool,
}

#[derive(Deserialize)]
pub(crate) struct SignInQuery {
    /// The path to go to afterwards.
    next: Option<String>,
}

/// Shows the form.
pub(crate) async fn show_form(
    State(app): State<Arc<App>>,
    PageQuery(query): PageQuery<SignInQuery>,
    user: Visitor,
) -> Result<Response, ApiError> {
    let next = query.next.as_deref().and_then(local_path).unwrap_or_default().to_owned();
    if user.signed_in.is_some() {
        return Ok(Redirect::to(if next.is_empty() { "/" } else { &next }).into_response());
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    page(StatusCode::OK, &sign_in_page(&app, &user, next, None))
}

/// Verifies the password. The response and its timing are the same for an account that does not exist.
pub(crate) async fn sign_in(State(app): State<Arc<App>>, user: Visitor, form: Form) -> Result<Response, ApiError> {
    let next = local_path(form.text("next")).unwrap_or_default().to_owned();
    match verified_account(&app, &user, &form).await? {
        Some(account) => {
            let next = if next.is_empty() { "/" } else { &next };
            sign_in_or_ask(&app, &user, &account, Entry::Password, next).await
        }
        None => page(StatusCode::UNAUTHORIZED, &sign_in_page(&app, &user, next, Some(&form))),
    }
}

/// Ends the session.
pub(crate) async fn sign_out(State(app): State<Arc<App>>, user: Visitor) -> Result<Response, ApiError> {
    if let Some((session, account)) = &user.signed_in {
        app.store.sessions().delete(&account.id, &session.id).await?;
    }
    let mut response = flash::redirect("/", "signed-out");
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&user.base, "", 0)?);
    Ok(response)
}

/// Returns the account with the email address and password in the form, unless it is disabled.
pub(crate) async fn verified_account(app: &App, user: &Visitor, form: &Form) -> Result<Option<Account>, ApiError> {
    let (email, given) = (form.text("email"), form.raw("password"));
    app.sign_in_limiter.attempt(email, user.from, app.now()).await?;
    let account = match Email::parse(email) {
        Some(email) => app.store.accounts().by_email(&email).await?,
        None => None,
    };
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    // A longer password was never set, and hashing it would waste time.
    let given = if given.chars().count() > password::MAX_LENGTH { "" } else { given };
    let is_right = app.passwords.verify(given, hash).await?;
    match account {
        Some(account) if is_right && account.disabled_at.is_none() => {
            app.sign_in_limiter.succeeded(&account.email, user.from, app.now()).await;
            Ok(Some(account))
        }
        account => {
            let event = AuditEvent::new(AuditKind::WrongPassword, app.now()).from(user.from);
            app.trail.record(match &account {
                Some(account) if is_right => {
                    event.of(&account.id).detail("right password, but the account is disabled")
                }
                Some(account) => event.of(&account.id),
                None => event.detail("no such account"),
            });
            Ok(None)
        }
    }
}

fn sign_in_page(app: &App, user: &Visitor, next: String, submitted: Option<&Form>) -> SignInPage {
    let email = Field::new(FieldKind::Email, "email", "Email address").autocomplete("username").required();
    let password = Field::new(FieldKind::Password, "password", "Password").autocomplete("current-password").required();
    let (email, password) = match submitted {
        Some(form) => (email.resubmitted(form, &Problems::default()), password.focused()),
        None => (email.focused(), password),
    };
    let provider_url = if next.is_empty() { "/sign-in/oidc".to_owned() } else { url_with_next("/sign-in/oidc", &next) };
    let provider = app.config.oidc.as_ref().map(|config| (config.name.clone(), provider_url));
    SignInPage {
        layout: user.layout(Section::SignIn),
        email,
        password,
        next,
        provider,
        is_wrong: submitted.is_some(),
        may_sign_up: app.config.signup == Signup::Open,
    }
}
