//! Proving again who one is before a step that an unattended browser must not be enough for: creating keys, downloading
//! data, changing how one signs in, managing accounts.
//!
//! A handler that takes [`Confirmed`] or [`ConfirmedForm`] is reached only within a quarter of an hour after signing in or
//! after this page. Nothing that was typed is lost: the page carries the submitted form along, and a redirect that keeps
//! method and body (307) sends it to where it was going.

use std::sync::Arc;

use askama::Template;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::field::{Field, FieldKind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section, page};
use super::proof;
use super::query::PageQuery;
use super::session;
use super::visitor::{Rejection, SignedIn, local_path, url_with_next};
use crate::app::App;
use crate::error::ApiError;
use crate::request::accepts_html;

/// How long a proof is good for.
const LASTS: SignedDuration = SignedDuration::from_mins(15);
/// The page's own fields; all others belong to the form that it carries along.
const OWN_FIELDS: &str = "confirm_";

/// A user who opens a page and proved recently who they are.
#[derive(Debug)]
pub(super) struct Confirmed<U>(pub U);

/// A form from a user who proved recently who they are.
#[derive(Debug)]
pub(super) struct ConfirmedForm<U>(pub U, pub Form);

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    layout: Layout,
    email: String,
    /// Where to go on, and with which method.
    next: String,
    method: &'static str,
    carried: Vec<(String, String)>,
    /// What to prove it with; `None` if the account has neither password nor second factor.
    proof: Option<Field>,
    is_code: bool,
    /// The name of the sign-in provider and the URL that leads there and back.
    provider: Option<(String, String)>,
}

#[derive(Deserialize)]
pub(crate) struct ConfirmQuery {
    next: Option<String>,
}

impl<U> FromRequestParts<Arc<App>> for Confirmed<U>
where
    U: FromRequestParts<Arc<App>, Rejection = Rejection> + AsRef<SignedIn>,
{
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Rejection> {
        let user = U::from_request_parts(parts, app).await?;
        if !is_recent(user.as_ref(), app.now()) && !accepts_html(&parts.headers) {
            return Err(refusal());
        }
        let here = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        require(user.as_ref(), app.now(), here)?;
        Ok(Self(user))
    }
}

impl<U> FromRequest<Arc<App>> for ConfirmedForm<U>
where
    U: FromRequestParts<Arc<App>, Rejection = Rejection> + AsRef<SignedIn> + Send,
{
    type Rejection = Rejection;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Rejection> {
        let (mut parts, body) = request.into_parts();
        let user = U::from_request_parts(&mut parts, app).await?;
        let (path, is_browser) = (parts.uri.path().to_owned(), accepts_html(&parts.headers));
        let form = Form::from_request(Request::from_parts(parts, body), app).await?;
        if is_recent(user.as_ref(), app.now()) {
            return Ok(Self(user, form));
        }
        if !is_browser {
            return Err(refusal());
        }
        let asked = confirm_page(app, user.as_ref(), &path, "post", &form, &Problems::default()).await?;
        Err(Rejection::Page(Box::new(page(StatusCode::FORBIDDEN, &asked)?)))
    }
}

/// Reports whether the user of a session proved recently who they are.
pub(super) fn is_recent(user: &SignedIn, now: Timestamp) -> bool {
    now.duration_since(user.session.confirmed_at) < LASTS
}

/// Sends a user who did not prove recently who they are to the page that asks for it, and from there on to `next`.
pub(super) fn require(user: &SignedIn, now: Timestamp, next: &str) -> Result<(), Rejection> {
    if is_recent(user, now) {
        return Ok(());
    }
    Err(Rejection::Redirect(url_with_next("/confirm", next)))
}

/// Reports whether a step asks for the current password: not if there is none, and not shortly after signing in with a
/// link, which is how people get in who have forgotten it.
pub(super) fn needs_password(user: &SignedIn, now: Timestamp) -> bool {
    user.account.password_hash.is_some() && !(user.session.is_by_link && is_recent(user, now))
}

pub(crate) async fn show_form(
    State(app): State<Arc<App>>,
    PageQuery(query): PageQuery<ConfirmQuery>,
    user: SignedIn,
) -> Result<Response, ApiError> {
    let next = query.next.as_deref().and_then(local_path).unwrap_or("/account");
    let asked = confirm_page(&app, &user, next, "get", &Form::default(), &Problems::default()).await?;
    page(StatusCode::OK, &asked)
}

/// Checks the proof. The session goes on under a new token.
pub(crate) async fn confirm(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, ApiError> {
    let next = local_path(form.text("confirm_next")).unwrap_or("/account");
    let method = if form.text("confirm_method") == "post" { "post" } else { "get" };
    let mut problems = Problems::default();
    if user.account.password_hash.is_some() {
        if !proof::is_password(&app, &user.account, user.from, form.raw("confirm_password")).await? {
            problems.add("confirm_password", "Wrong password.");
        }
    } else if !proof::spend_code(&app, &user.account.id, user.from, form.text("confirm_code")).await? {
        problems.add("confirm_code", "This code is wrong or was used before. Wait for the next one.");
    }
    if !problems.is_empty() {
        let asked = confirm_page(&app, &user, next, method, &form, &problems).await?;
        return page(StatusCode::UNPROCESSABLE_ENTITY, &asked);
    }
    let now = app.now();
    let Some(token) = app.store.sessions().confirm(&user.session.id, now, &mut app.rng()).await? else {
        return Ok(Redirect::to("/sign-in").into_response());
    };
    let redirect = if method == "post" { Redirect::temporary(next) } else { Redirect::to(next) };
    let mut response = redirect.into_response();
    let seconds = user.session.expires_at.duration_since(now).as_secs();
    response.headers_mut().insert(header::SET_COOKIE, session::cookie(&user.base, &token, seconds)?);
    Ok(response)
}

async fn confirm_page(
    app: &App,
    user: &SignedIn,
    next: &str,
    method: &'static str,
    form: &Form,
    problems: &Problems,
) -> Result<ConfirmPage, ApiError> {
    let password = || Field::new(FieldKind::Password, "confirm_password", "Password").autocomplete("current-password");
    let is_code =
        user.account.password_hash.is_none() && app.store.second_factors().of(&user.account.id).await?.is_some();
    let proof = match (&user.account.password_hash, is_code) {
        (Some(_), _) => Some(password()),
        (None, true) => Some(code_field("confirm_code")),
        (None, false) => None,
    };
    let carried = form.pairs().filter(|(name, _)| !name.starts_with(OWN_FIELDS));
    // A form that was submitted is not sent again after signing in at the provider.
    let back = if method == "get" { next } else { "/" };
    Ok(ConfirmPage {
        layout: user.layout(Section::None),
        email: user.account.email.to_string(),
        provider: app.config.oidc.as_ref().map(|config| (config.name.clone(), url_with_next("/sign-in/oidc", back))),
        next: next.to_owned(),
        method,
        carried: carried.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        proof: proof.map(|field| field.required().focused().resubmitted(&Form::default(), problems)),
        is_code,
    })
}

/// Returns the field for a code of the second factor.
pub(super) fn code_field(name: &'static str) -> Field {
    Field::new(FieldKind::Text, name, "Code")
        .autocomplete("one-time-code")
        .max_length(40)
        .hint("Six digits from your authenticator app, or one of your recovery codes.")
        .required()
}

fn refusal() -> Rejection {
    let message = "This step needs your password again. Open the dashboard and confirm it there.";
    ApiError::forbidden("confirmation_required", message).into()
}
