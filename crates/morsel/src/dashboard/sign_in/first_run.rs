//! Setting up a service without accounts: a user on the same machine creates the owner account.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use store::{AuditEvent, AuditKind, Plan};

use super::sign_up;
use super::start_session::start_session;
use crate::app::App;
use crate::config::is_loopback_url;
use crate::dashboard::field::Field;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::Visitor;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "sign_in/first_run.html")]
struct FirstRunPage {
    layout: Layout,
    email: Field,
    password: Field,
    is_local: bool,
}

/// Shows the form, or redirects to the home page if there is an account.
pub(crate) async fn show_form(State(app): State<Arc<App>>, user: Visitor) -> Result<Response, ApiError> {
    if app.store.accounts().count().await? > 0 {
        return Ok(Redirect::to("/").into_response());
    }
    let [email, password] = sign_up::fields();
    render(StatusCode::OK, &user, email.focused(), password)
}

/// Creates the owner account, once: later requests are redirected to the sign-in page.
pub(crate) async fn make_owner(State(app): State<Arc<App>>, user: Visitor, form: Form) -> Result<Response, ApiError> {
    if !is_local(&user) {
        let message = "Create the first account on the server itself, or with `morsel account create`.";
        return Err(ApiError::forbidden("not_local", message));
    }
    let (email, problems) = sign_up::read(&form);
    let Some(email) = email.filter(|_| problems.is_empty()) else {
        return render_invalid(&user, &form, &problems);
    };
    let hash = app.passwords.hash(form.raw("password")).await?;
    let accounts = app.store.accounts();
    let Some(owner) = accounts.create_first_owner(&email, app.now(), &mut app.rng()).await? else {
        return Ok(Redirect::to("/sign-in").into_response());
    };
    accounts.set_password(&owner.id, &hash).await?;
    // The owner is not limited by a plan for guests.
    accounts.set_plan(&owner.id, Plan::Scale).await?;
    let event = AuditEvent::new(AuditKind::SignedUp, app.now()).of(&owner.id).from(user.from);
    app.trail.record(event.detail("the first owner"));
    start_session(&app, &user, &owner.id, false, "/?flash=signed-up").await
}

fn render_invalid(user: &Visitor, form: &Form, problems: &Problems) -> Result<Response, ApiError> {
    let [email, password] = sign_up::fields().map(|field| field.resubmitted(form, problems));
    render(StatusCode::UNPROCESSABLE_ENTITY, user, email, password)
}

fn render(status: StatusCode, user: &Visitor, email: Field, password: Field) -> Result<Response, ApiError> {
    let (layout, is_local) = (user.layout(Section::None), is_local(user));
    page(status, &FirstRunPage { layout, email, password, is_local })
}

/// Whether the user is on the same machine. Checks the host name as well as the IP address: an unknown proxy also connects
/// from this machine, but the browser used another name.
fn is_local(user: &Visitor) -> bool {
    user.from.to_canonical().is_loopback() && is_loopback_url(&user.base.0)
}
