//! What the command palette finds: pages, endpoints, error codes, sections of the guide, foods and the account's recipes.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use store::AccountId;

use super::docs::pages::Docs;
use super::docs::search::{MAX_QUERY, Place};
use super::query::PageQuery;
use super::visitor::Visitor;
use crate::api::foods::rows::FoodRow;
use crate::app::App;
use crate::error::ApiError;
use crate::speaker;

/// Results of each kind.
const MAX_PLACES: usize = 8;
const MAX_FOODS: usize = 5;
const MAX_RECIPES: usize = 5;
/// The shortest query that foods are searched for.
const MIN_FOOD_QUERY: usize = 2;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct PaletteQuery {
    q: String,
}

/// A result.
#[derive(Debug, Serialize)]
pub(super) struct PaletteEntry {
    kind: &'static str,
    title: String,
    detail: String,
    href: String,
}

impl PaletteEntry {
    fn of(place: &Place, query: &str) -> Self {
        let detail = place.snippet(query);
        Self { kind: place.kind.name(), title: place.title.clone(), detail, href: place.url.clone() }
    }
}

/// Returns what fits a query; without one, the pages.
pub(super) async fn find(
    State(app): State<Arc<App>>,
    user: Visitor,
    Extension(docs): Extension<Arc<Docs>>,
    headers: HeaderMap,
    PageQuery(asked): PageQuery<PaletteQuery>,
) -> Result<Json<Vec<PaletteEntry>>, ApiError> {
    let query: String = asked.q.trim().chars().take(MAX_QUERY).collect();
    let account = user.signed_in.as_ref().map(|(_, account)| &account.id);
    let places: Vec<&Place> = if query.is_empty() {
        docs.index.pages(account.is_some()).collect()
    } else {
        docs.index.find(&query, MAX_PLACES, account.is_some())
    };
    let mut entries: Vec<PaletteEntry> = places.into_iter().map(|place| PaletteEntry::of(place, &query)).collect();
    if let Some(account) = account.filter(|_| query.chars().count() >= MIN_FOOD_QUERY) {
        entries.extend(recipes(&app, account, &query).await?);
        entries.extend(foods(&app, account, &headers, &query).await?);
    }
    // Pages get the base path on their way out; JSON does not.
    for entry in &mut entries {
        entry.href.insert_str(0, user.base.path());
    }
    Ok(Json(entries))
}

async fn recipes(app: &App, account: &AccountId, query: &str) -> Result<Vec<PaletteEntry>, ApiError> {
    let recipes = app.account_cache.recipes(account).await?;
    let needle = query.to_lowercase();
    let is_match = |recipe: &&store::Recipe| recipe.name.to_lowercase().contains(&needle);
    let entry = |recipe: &store::Recipe| PaletteEntry {
        kind: "Recipe",
        title: recipe.name.clone(),
        detail: format!("{:.0} kcal per serving", recipe.macros.calories),
        href: format!("/recipes/{}", recipe.id),
    };
    Ok(recipes.rows.iter().filter(is_match).take(MAX_RECIPES).map(entry).collect())
}

async fn foods(
    app: &App,
    account: &AccountId,
    headers: &HeaderMap,
    query: &str,
) -> Result<Vec<PaletteEntry>, ApiError> {
    let snapshot = app.engine.snapshot();
    let speaker = speaker::speaker_of(None, headers, snapshot.engine.translator())?;
    let query = query.to_owned();
    let search = move || {
        let found = snapshot.search(&query, &speaker, MAX_FOODS, None);
        let entry = |food: &foods::Food| {
            let row = FoodRow::from(food);
            let detail = format!("{:.0} kcal · {}", row.macros.calories, row.serving_description);
            PaletteEntry { kind: "Food", title: found.name_of(food), detail, href: format!("/foods/{}", row.id) }
        };
        found.foods().iter().map(entry).collect()
    };
    app.texts.run(account, search).await
}
