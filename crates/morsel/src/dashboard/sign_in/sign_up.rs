//! Creating an account, if sign-up is open.
//!
//! Addresses cannot be verified, because the service sends no mail. An address that already has an account is not
//! revealed: with the right password the user is signed in, otherwise the error does not say what was wrong.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use store::{AuditEvent, AuditKind, CreateAccountError, Email, NewAccount};

use super::start_session::start_session;
use super::with_code::{Entry, sign_in_or_ask};
use super::with_password::verified_account;
use crate::app::App;
use crate::config::Signup;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;
use crate::sign_in::password;

#[derive(Template)]
#[template(path = "sign_in/sign_up.html")]
struct SignUpPage {
    layout: Layout,
    email: Field,
    password: Field,
    is_open: bool,
    is_refused: bool,
}

/// Shows the form, or how to get an account if sign-up is closed.
pub(crate) async fn show_form(State(app): State<Arc<App>>, user: Visitor) -> Result<Response, ApiError> {
    if user.signed_in.is_some() {
        return Ok(Redirect::to("/").into_response());
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    let [email, password] = fields();
    let (layout, is_open) = (user.layout(Section::SignUp), app.config.signup == Signup::Open);
    page(StatusCode::OK, &SignUpPage { layout, email: email.focused(), password, is_open, is_refused: false })
}

/// Creates the account and signs in.
pub(crate) async fn sign_up(State(app): State<Arc<App>>, user: Visitor, form: Form) -> Result<Response, ApiError> {
    if app.config.signup == Signup::Closed {
        let message = "Sign-up is closed. The owner of the service creates accounts with `morsel account create`.";
        return Err(ApiError::forbidden("signup_closed", message));
    }
    let render = |status, problems: &Problems, is_refused| {
        let [email, password] = fields().map(|field| field.resubmitted(&form, problems));
        let layout = user.layout(Section::SignUp);
        page(status, &SignUpPage { layout, email, password, is_open: true, is_refused })
    };
    let (email, problems) = read(&form);
    let Some(email) = email.filter(|_| problems.is_empty()) else {
        return render(StatusCode::UNPROCESSABLE_ENTITY, &problems, false);
    };
    let now = app.now();
    app.sign_in_limiter.sign_up(user.from, now).await?;
    let hash = app.passwords.hash(form.raw("password")).await?;
    let made = app
        .store
        .accounts()
        .create(NewAccount { password_hash: Some(hash), ..NewAccount::new(email) }, now, &mut app.rng())
        .await;
    match made {
        Ok(account) => {
            app.trail.record(AuditEvent::new(AuditKind::SignedUp, now).of(&account.id).from(user.from));
            start_session(&app, &user, &account.id, false, "/?flash=signed-up").await
        }
        Err(CreateAccountError::EmailTaken) => match verified_account(&app, &user, &form).await? {
            Some(account) => sign_in_or_ask(&app, &user, &account, Entry::Password, "/?flash=signed-in").await,
            None => render(StatusCode::UNPROCESSABLE_ENTITY, &problems, true),
        },
        Err(CreateAccountError::Store(error)) => Err(error.into()),
    }
}

/// Returns the email address in a form that creates an account, and the errors of the form.
pub(crate) fn read(form: &Form) -> (Option<Email>, Problems) {
    let mut problems = Problems::default();
    let email = Email::parse(form.text("email"));
    match &email {
        None => problems.add("email", "Enter an email address like you@example.com."),
        Some(email) => {
            if let Some(problem) = password::problem(form.raw("password"), email) {
                problems.add("password", problem);
            }
        }
    }
    (email, problems)
}

/// Returns the fields of a form that creates an account.
pub(crate) fn fields() -> [Field; 2] {
    let hint = format!("At least {} characters.", password::MIN_LENGTH);
    [
        Field::new(FieldKind::Email, "email", "Email address").autocomplete("username").max_length(254).required(),
        Field::new(FieldKind::Password, "password", "Password").autocomplete("new-password").hint(hint).required(),
    ]
}
