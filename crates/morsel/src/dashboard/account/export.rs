//! All data of an account as a JSON file, without secrets: keys have only their prefix and last four characters.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use nutrition::Macros;
use serde::Serialize;
use store::{AuditEvent, AuditKind};

use crate::app::App;
use crate::dashboard::confirm;
use crate::dashboard::visitor::{Rejection, SignedIn};
use crate::error::ApiError;

#[derive(Serialize)]
struct AccountExport {
    exported_at: Timestamp,
    account: ExportedAccount,
    keys: Vec<ExportedKey>,
    recipes: Vec<ExportedRecipe>,
    usage: Vec<ExportedUsage>,
    images: Vec<ExportedImage>,
    /// The request log, newest first.
    requests: Vec<ExportedRequest>,
}

#[derive(Serialize)]
struct ExportedAccount {
    id: String,
    email: String,
    plan: &'static str,
    created_at: Timestamp,
}

#[derive(Serialize)]
struct ExportedKey {
    id: String,
    label: Option<String>,
    mode: &'static str,
    scopes: Vec<&'static str>,
    prefix: String,
    last_four: String,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    last_used_from: Option<String>,
    networks: Vec<String>,
}

#[derive(Serialize)]
struct ExportedRecipe {
    id: String,
    name: String,
    #[serde(flatten)]
    macros: Macros,
    serving_description: Option<String>,
    aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ingredients: Option<serde_json::Value>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Serialize)]
struct ExportedUsage {
    day: Date,
    key: String,
    route: String,
    status: String,
    mode: &'static str,
    requests: u64,
}

#[derive(Serialize)]
struct ExportedRequest {
    at: Timestamp,
    request_id: String,
    key: String,
    method: String,
    path: String,
    status: u16,
    ms: f64,
    address: String,
    code: Option<String>,
    param: Option<String>,
    query: Option<String>,
    request_body: Option<String>,
    response_body: Option<String>,
}

#[derive(Serialize)]
struct ExportedImage {
    id: String,
    media_type: String,
    width: u32,
    height: u32,
    bytes: u64,
    created_at: Timestamp,
    expires_at: Timestamp,
}

/// Downloads the export.
pub(crate) async fn show(State(app): State<Arc<App>>, user: SignedIn) -> Result<Response, Rejection> {
    let now = app.now();
    // Not on to the file: after a download the browser would still show the page that asks for the password.
    confirm::require(&user, now, "/account#export")?;
    let today = now.to_zoned(TimeZone::UTC).date();
    let name = format!("attachment; filename=\"morsel-export-{today}.json\"");
    let event = AuditEvent::new(AuditKind::DataExported, now).of(&user.account.id).from(user.from);
    // One at a time, like all work on what an account has stored.
    let _permit = app.bulk.permit(&user.account.id).await?;
    let mut response = Json(export(&app, user, now).await?).into_response();
    app.trail.record(event);
    let name = HeaderValue::from_str(&name).map_err(ApiError::internal)?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

async fn export(app: &App, user: SignedIn, now: Timestamp) -> Result<AccountExport, ApiError> {
    let (store, account) = (&app.store, user.account);
    // Include the latest requests.
    app.usage.flush(store).await?;
    app.request_log.flush(store, &app.limits, now).await?;
    let requests = store.request_log().export(&account.id).await?;
    let keys = store.keys().list(&account.id).await?;
    let recipes = store.recipes().list(&account.id).await?;
    let ingredients = store.recipes().all_ingredients(&account.id).await?;
    let ingredients: BTreeMap<String, String> =
        ingredients.into_iter().map(|(id, content)| (id.to_string(), content)).collect();
    let images = store.images().list(&account.id).await?;
    let usage = store.usage().daily(&account.id, Date::ZERO, now.to_zoned(TimeZone::UTC).date()).await?;
    let mut days: BTreeMap<_, u64> = BTreeMap::new();
    for count in usage {
        let group = (count.day, count.key.to_string(), count.route, count.status, count.mode);
        *days.entry(group).or_default() += count.requests;
    }
    let usage = days.into_iter().map(|((day, key, route, status, mode), requests)| {
        let mode = mode.name();
        ExportedUsage { day, key, route, status, mode, requests }
    });
    let exported = |recipe: store::Recipe| {
        let content = ingredients.get(recipe.id.as_str()).map(String::as_str);
        ExportedRecipe::new(recipe, content)
    };
    Ok(AccountExport {
        exported_at: now,
        keys: keys.into_iter().map(ExportedKey::from).collect(),
        recipes: recipes.into_iter().map(exported).collect(),
        usage: usage.collect(),
        images: images.into_iter().map(ExportedImage::from).collect(),
        requests: requests.into_iter().map(ExportedRequest::from).collect(),
        account: ExportedAccount {
            id: account.id.to_string(),
            email: account.email.to_string(),
            plan: account.plan.name(),
            created_at: account.created_at,
        },
    })
}

impl From<store::Key> for ExportedKey {
    fn from(key: store::Key) -> Self {
        Self {
            id: key.id.to_string(),
            label: key.label,
            mode: key.mode.name(),
            scopes: key.scopes.names(),
            prefix: key.prefix,
            last_four: key.last_four,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
            last_used_from: key.last_used_from,
            networks: key.networks,
        }
    }
}

impl ExportedRecipe {
    /// Returns a recipe with what it is made of, as it is stored.
    fn new(recipe: store::Recipe, ingredients: Option<&str>) -> Self {
        Self {
            ingredients: ingredients.and_then(|content| serde_json::from_str(content).ok()),
            id: recipe.id.to_string(),
            name: recipe.name,
            macros: recipe.macros,
            serving_description: recipe.serving_description,
            aliases: recipe.aliases,
            created_at: recipe.created_at,
            updated_at: recipe.updated_at,
        }
    }
}

impl From<store::LogEntry> for ExportedRequest {
    fn from(store::LogEntry { request, bodies }: store::LogEntry) -> Self {
        let bodies = bodies.unwrap_or_default();
        Self {
            at: request.at,
            path: request.shown_path().to_owned(),
            request_id: request.id,
            key: request.key,
            method: request.method,
            status: request.status,
            ms: request.micros as f64 / 1e3,
            address: request.address,
            code: request.code,
            param: request.param,
            query: bodies.query,
            request_body: bodies.request,
            response_body: bodies.response,
        }
    }
}

impl From<store::Image> for ExportedImage {
    fn from(image: store::Image) -> Self {
        Self {
            id: image.id.to_string(),
            media_type: image.media_type,
            width: image.width,
            height: image.height,
            bytes: image.bytes,
            created_at: image.created_at,
            expires_at: image.expires_at,
        }
    }
}
