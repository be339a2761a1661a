//! Deleting one's own account and all its data.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use store::{AccountId, AuditEvent, AuditKind, Email, Removal};

use crate::app::App;
use crate::background;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::session;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "account/delete.html")]
struct DeleteAccount {
    layout: Layout,
    address: String,
    email: Field,
    /// Required if the account has one: an unattended browser is not enough.
    password: Option<Field>,
}

pub(crate) async fn show_form(user: SignedIn) -> Result<Response, ApiError> {
    render(&user, StatusCode::OK, fields())
}

pub(crate) async fn delete(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let account = &user.account;
    if Email::parse(form.text("email")).as_ref() != Some(&account.email) {
        problems.add("email", "This is not the email address of your account.");
    }
    if let Some(hash) = &account.password_hash {
        app.sign_in_limiter.attempt(account.email.as_str(), user.from, app.now())?;
        if app.passwords.verify(form.raw("password"), Some(hash)).await? {
            app.sign_in_limiter.succeeded(&account.email, user.from, app.now());
        } else {
            app.trail.record(AuditEvent::new(AuditKind::WrongPassword, app.now()).of(&account.id).from(user.from));
            problems.add("password", "Wrong password.");
        }
    }
    if problems.is_empty() && remove(&app, &account.id).await? == Removal::LastOwner {
        problems.add("email", "This is the only owner account. Make someone else an owner first.");
    }
    if !problems.is_empty() {
        return render(
            &user,
            StatusCode::UNPROCESSABLE_ENTITY,
            fields().map(|field| field.resubmitted(&form, &problems)),
        );
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

fn render(user: &SignedIn, status: StatusCode, fields: [Field; 2]) -> Result<Response, ApiError> {
    let [email, password] = fields;
    let password = user.account.password_hash.is_some().then_some(password);
    let (layout, address) = (user.layout(Section::Account), user.account.email.to_string());
    page(status, &DeleteAccount { layout, address, email, password })
}
