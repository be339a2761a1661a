//! Everything an account holds, as one JSON file. Secrets are not in it: of keys there are only prefix and last four.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::visitor::SignedIn;
use crate::app::App;
use crate::error::ApiError;

#[derive(Serialize)]
struct Export {
    exported_at: Timestamp,
    account: AccountPart,
    keys: Vec<KeyPart>,
    recipes: Vec<RecipePart>,
    usage: Vec<UsagePart>,
    images: Vec<ImagePart>,
}

#[derive(Serialize)]
struct AccountPart {
    id: String,
    email: String,
    plan: &'static str,
    created_at: Timestamp,
}

#[derive(Serialize)]
struct KeyPart {
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
}

#[derive(Serialize)]
struct RecipePart {
    id: String,
    name: String,
    calories: f64,
    protein: f64,
    carbs: f64,
    fat: f64,
    serving_description: Option<String>,
    aliases: Vec<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Serialize)]
struct UsagePart {
    day: Date,
    key: String,
    route: String,
    status: String,
    mode: &'static str,
    requests: u64,
}

#[derive(Serialize)]
struct ImagePart {
    id: String,
    media_type: String,
    width: u32,
    height: u32,
    bytes: u64,
    created_at: Timestamp,
    expires_at: Timestamp,
}

pub(super) async fn show(State(app): State<Arc<App>>, me: SignedIn) -> Result<Response, ApiError> {
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let name = format!("attachment; filename=\"morsel-export-{today}.json\"");
    let mut response = Json(export(&app, me, now).await?).into_response();
    let name = HeaderValue::from_str(&name).map_err(ApiError::internal)?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

async fn export(app: &App, me: SignedIn, now: Timestamp) -> Result<Export, ApiError> {
    let (store, account) = (&app.store, me.account);
    // What was counted a moment ago is part of it.
    app.usage.flush(store).await?;
    let keys = store.keys().list(&account.id).await?;
    let recipes = store.recipes().list(&account.id).await?;
    let images = store.images().list(&account.id).await?;
    let usage = store.usage().daily(&account.id, Date::ZERO, now.to_zoned(TimeZone::UTC).date()).await?;
    let mut days: BTreeMap<_, u64> = BTreeMap::new();
    for count in usage {
        let place = (count.day, count.key.to_string(), count.route, count.status, count.mode);
        *days.entry(place).or_default() += count.requests;
    }
    let usage = days.into_iter().map(|((day, key, route, status, mode), requests)| {
        let mode = mode.name();
        UsagePart { day, key, route, status, mode, requests }
    });
    Ok(Export {
        exported_at: now,
        keys: keys.into_iter().map(KeyPart::from).collect(),
        recipes: recipes.into_iter().map(RecipePart::from).collect(),
        usage: usage.collect(),
        images: images.into_iter().map(ImagePart::from).collect(),
        account: AccountPart {
            id: account.id.to_string(),
            email: account.email.to_string(),
            plan: account.plan.name(),
            created_at: account.created_at,
        },
    })
}

impl From<store::Key> for KeyPart {
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
        }
    }
}

impl From<store::Recipe> for RecipePart {
    fn from(recipe: store::Recipe) -> Self {
        Self {
            id: recipe.id.to_string(),
            name: recipe.name,
            calories: recipe.calories,
            protein: recipe.protein,
            carbs: recipe.carbs,
            fat: recipe.fat,
            serving_description: recipe.serving_description,
            aliases: recipe.aliases,
            created_at: recipe.created_at,
            updated_at: recipe.updated_at,
        }
    }
}

impl From<store::Image> for ImagePart {
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
