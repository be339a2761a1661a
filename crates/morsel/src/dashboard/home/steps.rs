//! The list of first steps on the overview. The script of the page asks every few seconds which are done.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use store::{AuditEvent, AuditKind, CreateKeyError, KeyId, Milestone, NewKey};

use super::first_steps::FirstSteps;
use super::overview::overview;
use crate::app::App;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::flash;
use crate::dashboard::keys::new_key::MAX_KEYS;
use crate::dashboard::layout::{Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// The label of the key that is created here.
const KEY_LABEL: &str = "My first key";

/// Returns which steps are done, for the script of the page.
pub(crate) async fn show(State(app): State<Arc<App>>, user: SignedIn) -> Result<Json<FirstSteps>, ApiError> {
    Ok(Json(FirstSteps::of(&app, &user.account.id).await?))
}

/// Hides the list for good.
pub(crate) async fn hide(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, ApiError> {
    app.store.milestones().reach(&user.account.id, Milestone::StepsHidden, app.now()).await?;
    Ok(Redirect::to("/").into_response())
}

/// Creates a key and shows the overview with it, once. Sent again, the form creates no second key.
pub(crate) async fn create_key(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let (now, rng) = (app.now(), &mut app.rng());
    let id = KeyId::parse(form.text("id")).unwrap_or_else(|| KeyId::generate(rng));
    let new = NewKey { label: Some(KEY_LABEL.to_owned()), ..NewKey::live() };
    match app.store.keys().create_once(&user.account.id, &id, new, MAX_KEYS, now, rng).await {
        Ok((key, text)) => {
            let event = AuditEvent::new(AuditKind::KeyCreated, now).of(&user.account.id).from(user.from);
            app.trail.record(event.detail(key.id.as_str()));
            let key = Some(text.as_str().to_owned());
            let shown = overview(&app, user.layout(Section::Home), &user.base.0, &user.account, key).await?;
            page(StatusCode::OK, &shown)
        }
        // The page of all keys says what to do about too many.
        Err(CreateKeyError::LimitReached) => Ok(Redirect::to("/keys").into_response()),
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::AlreadyCreated | CreateKeyError::NotFound) => {
            Ok(flash::redirect("/keys", "key-already-created"))
        }
    }
}
