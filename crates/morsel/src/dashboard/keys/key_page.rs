//! One key: renaming, rotating and revoking it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;
use store::{AuditEvent, AuditKind, CreateKeyError, Grace, Key, KeyId};

use super::key_shown::show_key;
use super::row::{KeyRow, MAX_LABEL};
use crate::app::App;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

#[derive(Template)]
#[template(path = "keys/key.html")]
struct KeyPage {
    layout: Layout,
    key: KeyRow,
    label: Field,
    /// The id of the key that rotating creates.
    new_id: String,
    grace_periods: [(&'static str, &'static str); 4],
}

#[derive(Template)]
#[template(path = "keys/revoke.html")]
struct RevokePage {
    layout: Layout,
    key: KeyRow,
}

const GRACE_PERIODS: [(&str, &str); 4] =
    [("now", "immediately"), ("hour", "in 1 hour"), ("day", "in 24 hours"), ("week", "in 7 days")];

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let label = label_field().value(key.label.clone().unwrap_or_default());
    key_page(&app, &user, StatusCode::OK, &key, label).await
}

/// Changes the label.
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let mut problems = Problems::default();
    let label = form.line("label", MAX_LABEL, &mut problems);
    if !problems.is_empty() {
        let label = label_field().resubmitted(&form, &problems);
        return key_page(&app, &user, StatusCode::UNPROCESSABLE_ENTITY, &key, label).await;
    }
    app.store.keys().rename(&user.account.id, &key.id, label.as_deref()).await?;
    Ok(flash::redirect(&format!("/keys/{}", key.id), "key-renamed"))
}

/// Creates a successor; the old key stops working after a grace period.
pub(crate) async fn rotate(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let grace = match form.text("grace") {
        "now" => Grace::Now,
        "hour" => Grace::Hour,
        "day" => Grace::Day,
        "week" => Grace::Week,
        _ => return Err(ApiError::bad_field("grace", "Choose when the old key stops working.")),
    };
    let (now, rng) = (app.now(), &mut app.rng());
    let new_id = KeyId::parse(form.text("new_id")).unwrap_or_else(|| KeyId::generate(rng));
    match app.store.keys().rotate(&user.account.id, &key.id, &new_id, grace, now, rng).await {
        Ok((new, text)) => {
            let event = AuditEvent::new(AuditKind::KeyRotated, now).of(&user.account.id).from(user.from);
            app.trail.record(event.detail(format!("{} replaced by {}", key.id, new.id)));
            let old = find(&app, &user, &id).await?;
            show_key(&user, &new, &text, old.revoked_at)
        }
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::NotFound) => {
            let message = "This key is no longer active and cannot be rotated. Create a new key instead.";
            Err(ApiError::new(StatusCode::CONFLICT, "key_ended", message))
        }
        Err(CreateKeyError::AlreadyCreated | CreateKeyError::LimitReached) => {
            Ok(flash::redirect("/keys", "key-already-created"))
        }
    }
}

/// Asks for confirmation before a key is revoked.
pub(crate) async fn confirm_revoke(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    let key = row(&app, &key).await?;
    page(StatusCode::OK, &RevokePage { layout: user.layout(Section::Keys), key })
}

/// Revokes a key immediately and permanently. No password is needed: a key that leaked must be stopped at once.
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &user, &id).await?;
    app.store.keys().revoke(&user.account.id, &key.id, app.now()).await?;
    let event = AuditEvent::new(AuditKind::KeyRevoked, app.now()).of(&user.account.id).from(user.from);
    app.trail.record(event.detail(key.id.as_str()));
    Ok(flash::redirect("/keys", "key-revoked"))
}

/// Returns the account's key with this id. Keys of other accounts look like missing ones.
async fn find(app: &App, user: &SignedIn, id: &str) -> Result<Key, ApiError> {
    let key = match KeyId::parse(id) {
        Some(id) => app.store.keys().by_id(&user.account.id, &id).await?,
        None => None,
    };
    key.ok_or_else(|| ApiError::not_found("Key not found."))
}

async fn row(app: &App, key: &Key) -> Result<KeyRow, ApiError> {
    let now = app.now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let used = app.store.usage().today_by_key(&key.account_id, today).await?;
    let requests = used.into_iter().find(|(id, _)| *id == key.id).map_or(0, |(_, requests)| requests);
    Ok(KeyRow::new(key, requests, now))
}

async fn key_page(
    app: &App,
    user: &SignedIn,
    status: StatusCode,
    key: &Key,
    label: Field,
) -> Result<Response, ApiError> {
    let key_page = KeyPage {
        layout: user.layout(Section::Keys),
        key: row(app, key).await?,
        label,
        new_id: KeyId::generate(&mut app.rng()).to_string(),
        grace_periods: GRACE_PERIODS,
    };
    page(status, &key_page)
}

fn label_field() -> Field {
    Field::new(FieldKind::Text, "label", "Label").max_length(MAX_LABEL)
}
