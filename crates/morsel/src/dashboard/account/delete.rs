//! Deleting one's own account and all its data.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use jiff::Timestamp;
use store::{AccountId, AuditEvent, AuditKind, Email, Removal};

use crate::app::App;
use crate::background;
use crate::dashboard::confirm::{self, needs_password};
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::proof;
use crate::dashboard::session;
use crate::dashboard::visitor::{Rejection, SignedIn};
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "account/delete.html")]
struct DeleteAccount {
    layout: Layout,
    address: String,
    email: Field,
    /// An unattended browser is not enough.
    password: Option<Field>,
}

pub(crate) async fn show_form(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, Rejection> {
    if !needs_password(&user, app.now()) {
        confirm::require(&user, app.now(), "/account/delete")?;
    }
    Ok(render(&user, app.now(), StatusCode::OK, fields())?)
}

pub(crate) async fn delete(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, Rejection> {
    let mut problems = Problems::default();
    let (account, now) = (&user.account, app.now());
    if Email::parse(form.text("email")).as_ref() != Some(&account.email) {
        problems.add("email", "This is not the email address of your account.");
    }
    if !needs_password(&user, now) {
        confirm::require(&user, now, "/account/delete")?;
    } else if !proof::is_password(&app, account, user.from, form.raw("password")).await? {
        problems.add("password", "Wrong password.");
    }
    if problems.is_empty() && remove(&app, &account.id).await? == Removal::LastOwner {
        problems.add("email", "This is the only owner account. Make someone else an owner first.");
    }
    if !problems.is_empty() {
        let fields = fields().map(|field| field.resubmitted(&form, &problems));
        return Ok(render(&user, now, StatusCode::UNPROCESSABLE_ENTITY, fields)?);
    }
    app.trail.record(AuditEvent::new(AuditKind::AccountDeleted, app.now()).of(&account.id).from(user.from));
    let mut response = flash::redirect("/", "account-deleted");
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&user.base, "", 0)?);
    Ok(response)
}

/// Deletes an account and all its data, including photos.
pub(crate) async fn remove(app: &App, account: &AccountId) -> Result<Removal, ApiError> {
    let removal = app.store.accounts().delete(account).await?;
    if removal == Removal::Removed
        && let Err(error) = background::remove_images(app).await
    {
        // They are no longer reachable; the background task will retry.
        tracing::warn!(%error, "could not remove the photos of a deleted account; will retry");
    }
    Ok(removal)
}

fn fields() -> [Field; 2] {
    [
        Field::new(FieldKind::Email, "email", "Type your email address to confirm").autocomplete("off").required(),
        Field::new(FieldKind::Password, "password", "Password").autocomplete("current-password").required(),
    ]
}

fn render(user: &SignedIn, now: Timestamp, status: StatusCode, fields: [Field; 2]) -> Result<Response, ApiError> {
    let [email, password] = fields;
    let password = needs_password(user, now).then_some(password);
    let (layout, address) = (user.layout(Section::Account), user.account.email.to_string());
    page(status, &DeleteAccount { layout, address, email, password })
}
