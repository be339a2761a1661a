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
    explanation: Option<MatchExplanation>,
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
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(asked): PageQuery<RecipesQuery>,
) -> Result<Response, ApiError> {
    let query = asked.q.trim().to_owned();
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
        let recipes = recipes.rows.iter().filter(is_match).map(RecipeLine::from).collect();
        page(StatusCode::OK, &RecipesPage { layout, recipes, total, query, text, explanation })
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
