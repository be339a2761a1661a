//! The page of a service that has no account at all: whoever sits at the machine becomes the owner.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use store::{Plan, Rng};

use super::field::Field;
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::sign_in::start_session;
use super::visitor::Visitor;
use super::{page, sign_up};
use crate::app::App;
use crate::config::is_loopback_url;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "first_run.html")]
struct FirstRun {
    layout: Layout,
    email: Field,
    password: Field,
    is_at_the_machine: bool,
}

pub(super) async fn ask(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, ApiError> {
    if app.store.accounts().count().await? > 0 {
        return Ok(Redirect::to("/").into_response());
    }
    let [email, password] = sign_up::fields();
    show(StatusCode::OK, &visitor, email.focused(), password)
}

/// Makes the owner's account, once: whoever comes second is sent to sign in.
pub(super) async fn make_owner(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    form: Form,
) -> Result<Response, ApiError> {
    if !is_at_the_machine(&visitor) {
        let message = "The first account is made on the machine itself, or with `morsel account create`.";
        return Err(ApiError::forbidden("not_at_the_machine", message));
    }
    let (email, problems) = sign_up::checked(&form);
    let Some(email) = email.filter(|_| problems.is_empty()) else {
        return show_again(&visitor, &form, &problems);
    };
    let hash = app.passwords.hash(form.raw("password")).await?;
    let accounts = app.store.accounts();
    let Some(owner) = accounts.create_first_owner(&email, Timestamp::now(), &mut Rng::system()).await? else {
        return Ok(Redirect::to("/sign-in").into_response());
    };
    accounts.set_password(&owner.id, &hash).await?;
    // Whoever runs the service is not to be limited by a plan for guests.
    accounts.set_plan(&owner.id, Plan::Scale).await?;
    start_session(&app, &visitor, &owner.id, "/?done=signed-up").await
}

fn show_again(visitor: &Visitor, form: &Form, problems: &Problems) -> Result<Response, ApiError> {
    let [email, password] = sign_up::fields().map(|field| field.again(form, problems));
    show(StatusCode::UNPROCESSABLE_ENTITY, visitor, email, password)
}

fn show(status: StatusCode, visitor: &Visitor, email: Field, password: Field) -> Result<Response, ApiError> {
    let (layout, is_at_the_machine) = (visitor.layout(Section::None), is_at_the_machine(visitor));
    page(status, &FirstRun { layout, email, password, is_at_the_machine })
}

/// By the address of the connection, and by the name that the browser used: a proxy that nobody told us about connects
/// from the machine too, but by another name.
fn is_at_the_machine(visitor: &Visitor) -> bool {
    visitor.from.to_canonical().is_loopback() && is_loopback_url(&visitor.base.0)
}
