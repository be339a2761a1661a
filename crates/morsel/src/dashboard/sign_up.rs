//! Making an account, where that is open to all.
//!
//! There is no mail, so an address cannot be checked. Whether it has an account already is told to nobody but who knows
//! its password: they are signed in, everybody else gets the same sentence whatever is wrong with the pair.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use store::{CreateAccountError, Email, Plan, Rng};

use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::sign_in::{account_with, start_session};
use super::visitor::Visitor;
use super::{page, password};
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "sign_up.html")]
struct SignUp {
    layout: Layout,
    email: Field,
    password: Field,
    is_open: bool,
    is_refused: bool,
}

/// Asks for an address and a password, or says who makes accounts here.
pub(super) async fn ask(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, ApiError> {
    if visitor.signed_in.is_some() {
        return Ok(Redirect::to("/").into_response());
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    let [email, password] = fields();
    let (layout, is_open) = (visitor.layout(Section::SignUp), app.config.signup == Signup::Open);
    page(StatusCode::OK, &SignUp { layout, email: email.focused(), password, is_open, is_refused: false })
}

/// Makes the account and signs in.
pub(super) async fn sign_up(State(app): State<Arc<App>>, visitor: Visitor, form: Form) -> Result<Response, ApiError> {
    if app.config.signup == Signup::Closed {
        let message = "Accounts are made by whoever runs this service, with `morsel account create`.";
        return Err(ApiError::forbidden("signup_closed", message));
    }
    let show = |status, problems: &Problems, is_refused| {
        let [email, password] = fields().map(|field| field.again(&form, problems));
        let layout = visitor.layout(Section::SignUp);
        page(status, &SignUp { layout, email, password, is_open: true, is_refused })
    };
    let (email, problems) = checked(&form);
    let Some(email) = email.filter(|_| problems.is_empty()) else {
        return show(StatusCode::UNPROCESSABLE_ENTITY, &problems, false);
    };
    let now = Timestamp::now();
    app.tries.sign_up(visitor.from, now)?;
    let hash = app.passwords.hash(form.raw("password")).await?;
    let made = app.store.accounts().create(&email, Some(&hash), Plan::Free, false, now, &mut Rng::system()).await;
    match made {
        Ok(account) => start_session(&app, &visitor, &account.id, "/?done=signed-up").await,
        Err(CreateAccountError::EmailTaken) => match account_with(&app, &visitor, &form).await? {
            Some(account) => start_session(&app, &visitor, &account.id, "/?done=signed-in").await,
            None => show(StatusCode::UNPROCESSABLE_ENTITY, &problems, true),
        },
        Err(CreateAccountError::Store(error)) => Err(error.into()),
    }
}

/// The address in a form that makes an account, and what is wrong with the form.
pub(super) fn checked(form: &Form) -> (Option<Email>, Problems) {
    let mut problems = Problems::default();
    let email = Email::parse(form.text("email"));
    match &email {
        None => problems.add("email", "Write an address such as you@example.com."),
        Some(email) => {
            if let Some(fault) = password::fault(form.raw("password"), email) {
                problems.add("password", fault);
            }
        }
    }
    (email, problems)
}

/// The fields of a form that makes an account.
pub(super) fn fields() -> [Field; 2] {
    let hint = format!("At least {} characters.", password::SHORTEST);
    [
        Field::new(Kind::Email, "email", "E-mail address").autocomplete("username").longest(254).required(),
        Field::new(Kind::Password, "password", "Password").autocomplete("new-password").hint(hint).required(),
    ]
}
