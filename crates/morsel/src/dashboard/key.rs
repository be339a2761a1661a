//! One key: its label, its successor, its end.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{CreateKeyError, Grace, Key, KeyId, Rng};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::keys::KeyLine;
use super::layout::{Layout, Section};
use super::new_key::{LONGEST_LABEL, shown};
use super::page;
use super::visitor::SignedIn;
use crate::app::App;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "key.html")]
struct KeyPage {
    layout: Layout,
    key: KeyLine,
    label: Field,
    /// Of the key that rolling makes.
    new_id: String,
    graces: [(&'static str, &'static str); 4],
}

#[derive(Template)]
#[template(path = "revoke_key.html")]
struct RevokePage {
    layout: Layout,
    key: KeyLine,
}

const GRACES: [(&str, &str); 4] =
    [("now", "at once"), ("hour", "in 1 hour"), ("day", "in 24 hours"), ("week", "in 7 days")];

pub(super) async fn show(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &me, &id).await?;
    let label = label_field().value(key.label.clone().unwrap_or_default());
    key_page(&app, &me, StatusCode::OK, &key, label).await
}

/// Changes the label.
pub(super) async fn rename(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let key = find(&app, &me, &id).await?;
    let mut problems = Problems::default();
    let label = form.line("label", LONGEST_LABEL, &mut problems);
    if !problems.is_empty() {
        let label = label_field().again(&form, &problems);
        return key_page(&app, &me, StatusCode::UNPROCESSABLE_ENTITY, &key, label).await;
    }
    app.store.keys().rename(&me.account.id, &key.id, label.as_deref()).await?;
    Ok(done(&format!("/keys/{}", key.id), "key-renamed"))
}

/// Makes a successor; the key itself ends after a time of grace.
pub(super) async fn roll(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let key = find(&app, &me, &id).await?;
    let grace = match form.text("grace") {
        "now" => Grace::Now,
        "hour" => Grace::Hour,
        "day" => Grace::Day,
        "week" => Grace::Week,
        _ => return Err(ApiError::bad_field("grace", "Choose when the old key ends.")),
    };
    let (now, rng) = (Timestamp::now(), &mut Rng::system());
    let new_id = KeyId::parse(form.text("new_id")).unwrap_or_else(|| KeyId::generate(rng));
    match app.store.keys().roll(&me.account.id, &key.id, &new_id, grace, now, rng).await {
        Ok((new, text)) => {
            let old = find(&app, &me, &id).await?;
            shown(&me, &new, &text, old.revoked_at)
        }
        Err(CreateKeyError::Store(error)) => Err(error.into()),
        Err(CreateKeyError::NotFound) => {
            let message = "This key has ended; there is nothing to replace. Make a new key instead.";
            Err(ApiError::new(StatusCode::CONFLICT, "key_ended", message))
        }
        Err(CreateKeyError::MadeBefore | CreateKeyError::LimitReached) => Ok(done("/keys", "key-made-before")),
    }
}

/// Asks before a key is ended.
pub(super) async fn ask_to_revoke(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &me, &id).await?;
    let key = line(&app, &key).await?;
    page(StatusCode::OK, &RevokePage { layout: me.layout(Section::Keys), key })
}

/// Ends a key, at once and for good.
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    me: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = find(&app, &me, &id).await?;
    app.store.keys().revoke(&me.account.id, &key.id, Timestamp::now()).await?;
    Ok(done("/keys", "key-revoked"))
}

/// This account's key; there is no telling whether another account has one of this id.
async fn find(app: &App, me: &SignedIn, id: &str) -> Result<Key, ApiError> {
    let key = match KeyId::parse(id) {
        Some(id) => app.store.keys().by_id(&me.account.id, &id).await?,
        None => None,
    };
    key.ok_or_else(|| ApiError::not_found("There is no such key in your account."))
}

async fn line(app: &App, key: &Key) -> Result<KeyLine, ApiError> {
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let used = app.store.usage().today_by_key(&key.account_id, today).await?;
    let requests = used.into_iter().find(|(id, _)| *id == key.id).map_or(0, |(_, requests)| requests);
    Ok(KeyLine::new(key, requests, now))
}

async fn key_page(app: &App, me: &SignedIn, status: StatusCode, key: &Key, label: Field) -> Result<Response, ApiError> {
    let key_page = KeyPage {
        layout: me.layout(Section::Keys),
        key: line(app, key).await?,
        label,
        new_id: KeyId::generate(&mut Rng::system()).to_string(),
        graces: GRACES,
    };
    page(status, &key_page)
}

fn label_field() -> Field {
    Field::new(Kind::Text, "label", "Label").longest(LONGEST_LABEL)
}
