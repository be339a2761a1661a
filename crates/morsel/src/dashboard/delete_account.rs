//! Deleting one's own account, with everything it holds.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;
use jiff::Timestamp;
use store::{AccountId, Email, Removal};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::visitor::SignedIn;
use super::{page, session};
use crate::app::App;
use crate::background;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "delete_account.html")]
struct DeleteAccount {
    layout: Layout,
    address: String,
    email: Field,
    /// Asked for where one is set: a browser left open is not enough.
    password: Option<Field>,
}

pub(super) async fn ask(me: SignedIn) -> Result<Response, ApiError> {
    show(&me, StatusCode::OK, fields())
}

pub(super) async fn delete(State(app): State<Arc<App>>, me: SignedIn, form: Form) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let account = &me.account;
    if Email::parse(form.text("email")).as_ref() != Some(&account.email) {
        problems.add("email", "This is not the address of your account.");
    }
    if let Some(kept) = &account.password_hash {
        app.tries.password(account.email.as_str(), me.from, Timestamp::now())?;
        if app.passwords.is_right(form.raw("password"), Some(kept)).await? {
            app.tries.was_right(&account.email, me.from);
        } else {
            problems.add("password", "This is not your password.");
        }
    }
    if problems.is_empty() && remove(&app, &account.id).await? == Removal::LastOwner {
        problems.add("email", "This is the only owner’s account. Make another owner first: the service needs one.");
    }
    if !problems.is_empty() {
        return show(&me, StatusCode::UNPROCESSABLE_ENTITY, fields().map(|field| field.again(&form, &problems)));
    }
    let mut response = done("/", "account-deleted");
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&me.base, "", 0)?);
    Ok(response)
}

/// Removes an account with everything it holds, its photos included.
pub(super) async fn remove(app: &App, account: &AccountId) -> Result<Removal, ApiError> {
    let removal = app.store.accounts().delete(account).await?;
    if removal == Removal::Removed
        && let Err(error) = background::remove_images(app).await
    {
        // Nobody can reach them any more; the next round of the background task removes what is left.
        tracing::warn!(%error, "photos of a deleted account could not be removed yet");
    }
    Ok(removal)
}

fn fields() -> [Field; 2] {
    [
        Field::new(Kind::Email, "email", "Type your e-mail address").autocomplete("off").required(),
        Field::new(Kind::Password, "password", "Your password").autocomplete("current-password").required(),
    ]
}

fn show(me: &SignedIn, status: StatusCode, fields: [Field; 2]) -> Result<Response, ApiError> {
    let [email, password] = fields;
    let password = me.account.password_hash.is_some().then_some(password);
    let (layout, address) = (me.layout(Section::Account), me.account.email.to_string());
    page(status, &DeleteAccount { layout, address, email, password })
}
