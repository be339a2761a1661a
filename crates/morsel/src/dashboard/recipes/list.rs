//! The list of recipes, and which of them a text matches.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nutrition::Macros;
use serde::Deserialize;

use super::matching::MatchExplanation;
use crate::account_cache::Recipes;
use crate::app::App;
use crate::dashboard::assets::{Asset, RECIPE_STYLE};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// The longest text to match.
const MAX_TEXT: usize = 500;

#[derive(Template)]
#[template(path = "recipes/recipes.html")]
struct RecipesPage {
    layout: Layout,
    recipes: Vec<RecipeLine>,
    /// The number of all recipes.
    total: usize,
    query: String,
    text: String,
    sort: String,
    explanation: Option<MatchExplanation>,
    style: Asset,
}

/// A column that the list can be sorted by.
struct SortLink {
    href: String,
    label: &'static str,
    is_number: bool,
    /// For `aria-sort`, if the list is sorted by it.
    direction: Option<&'static str>,
    arrow: &'static str,
}

impl RecipesPage {
    /// Returns the heads of the columns.
    fn columns(&self) -> Vec<SortLink> {
        let columns = [
            ("name", "Recipe"),
            ("serving", "Serving"),
            ("calories", "kcal"),
            ("protein", "Protein"),
            ("carbs", "Carbs"),
            ("fat", "Fat"),
        ];
        let link = |(key, label): (&'static str, &'static str)| {
            let is_number = !matches!(key, "name" | "serving");
            let (by, is_reversed) = split_sort(&self.sort);
            let direction = (by == key).then_some(if is_reversed { "descending" } else { "ascending" });
            // Numbers start with the largest; a second click turns the order around.
            let reverse = if by == key { !is_reversed } else { is_number };
            let query: String = form_urlencoded::byte_serialize(self.query.as_bytes()).collect();
            let href = format!("/recipes?q={query}&sort={}{key}#list", if reverse { "-" } else { "" });
            let arrow = if by != key {
                ""
            } else if is_reversed {
                " ↓"
            } else {
                " ↑"
            };
            SortLink { href, label, is_number, direction, arrow }
        };
        columns.map(link).into()
    }
}

/// Splits a sort order into its column and whether it is reversed.
fn split_sort(sort: &str) -> (&str, bool) {
    sort.strip_prefix('-').map_or((sort, false), |by| (by, true))
}

/// Sorts recipes by a column; an unknown one leaves them as they are.
fn sort_recipes(recipes: &mut [RecipeLine], sort: &str) {
    let (by, is_reversed) = split_sort(sort);
    match by {
        "name" => recipes.sort_by_key(|recipe| recipe.name.to_lowercase()),
        "serving" => recipes.sort_by_key(|recipe| recipe.serving.to_lowercase()),
        "calories" => recipes.sort_by(|one, other| one.macros.calories.total_cmp(&other.macros.calories)),
        "protein" => recipes.sort_by(|one, other| one.macros.protein.total_cmp(&other.macros.protein)),
        "carbs" => recipes.sort_by(|one, other| one.macros.carbs.total_cmp(&other.macros.carbs)),
        "fat" => recipes.sort_by(|one, other| one.macros.fat.total_cmp(&other.macros.fat)),
        _ => return,
    }
    if is_reversed {
        recipes.reverse();
    }
}

/// A recipe in the list.
struct RecipeLine {
    id: String,
    name: String,
    aliases: String,
    serving: String,
    macros: Macros,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct RecipesQuery {
    /// A part of the name.
    q: String,
    /// The text to match.
    text: String,
    /// The column to sort by, with a minus in front for the other direction; newest first if empty.
    sort: String,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(asked): PageQuery<RecipesQuery>,
) -> Result<Response, ApiError> {
    let query = asked.q.trim().to_owned();
    let sort: String = asked.sort.chars().take(20).collect();
    let text: String = asked.text.trim().chars().take(MAX_TEXT).collect();
    let recipes = app.account_cache.recipes(&user.account.id).await?;
    let (layout, snapshot) = (user.layout(Section::Recipes), app.engine.snapshot());
    let render = move |recipes: &Recipes| {
        let needle = query.to_lowercase();
        let is_match = |recipe: &&store::Recipe| {
            let mut names = std::iter::once(&recipe.name).chain(&recipe.aliases);
            names.any(|name| name.to_lowercase().contains(&needle))
        };
        let explanation = (!text.is_empty()).then(|| {
            let explanation = meal::Explanation::new(&recipes.book, &text, snapshot.engine.lexicon());
            MatchExplanation::new(&explanation, &recipes.book)
        });
        let total = recipes.rows.len();
        let mut recipes: Vec<RecipeLine> = recipes.rows.iter().filter(is_match).map(RecipeLine::from).collect();
        sort_recipes(&mut recipes, &sort);
        page(
            StatusCode::OK,
            &RecipesPage { layout, recipes, total, query, text, sort, explanation, style: RECIPE_STYLE },
        )
    };
    // A page of a thousand recipes is work like any other.
    app.account_cache.run_on(&user.account.id, &recipes, render).await?
}

impl From<&store::Recipe> for RecipeLine {
    fn from(recipe: &store::Recipe) -> Self {
        Self {
            id: recipe.id.to_string(),
            name: recipe.name.clone(),
            aliases: recipe.aliases.join(", "),
            serving: recipe.serving_description.clone().unwrap_or_default(),
            macros: recipe.macros,
        }
    }
}
