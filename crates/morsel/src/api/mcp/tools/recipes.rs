//! `list_recipes`, `save_recipe` and `delete_recipe`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::answer::ToolAnswer;
use crate::api::json;
use crate::api::mcp::backend::ServiceBackend;
use crate::api::mcp::summary;
use crate::api::recipes::fields::RecipeFields;
use crate::api::recipes::{self, MAX_RECIPES, not_saved};
use crate::api::response::Deleted;
use crate::error::ApiError;

/// Arguments of `save_recipe`.
#[derive(Debug)]
pub(super) struct SaveArguments {
    id: Option<String>,
    fields: RecipeFields,
}

impl SaveArguments {
    /// Reads the fields of a recipe, and the id beside them.
    pub(super) fn read(arguments: &[u8]) -> Result<Self, ApiError> {
        let OptionalId { id } = json::read(arguments)?;
        Ok(Self { id, fields: json::read(arguments)? })
    }
}

#[derive(Deserialize)]
struct OptionalId {
    id: Option<String>,
}

/// Arguments of `delete_recipe`.
#[derive(Debug, Deserialize)]
pub(super) struct DeleteArguments {
    id: String,
}

/// A recipe was created or updated.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedRecipe {
    /// The recipe's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `Recipe created` or `Recipe updated`.
    pub message: &'static str,
}

/// Lists all recipes.
pub(super) async fn list_recipes(service: &ServiceBackend) -> Result<ToolAnswer, ApiError> {
    let recipes = service.app.account_cache.recipes(&service.account).await?;
    let text = summary::of_recipes(&recipes.rows);
    let body = recipes::listed_json(&service.app, &service.account, &recipes).await?;
    let body = String::from_utf8(body.into()).map_err(ApiError::internal)?;
    Ok(ToolAnswer { text, structured: RawValue::from_string(body).map_err(ApiError::internal)? })
}

/// Updates the recipe with the given id, else the newest with the same name, else creates one: doing it twice changes
/// nothing more.
pub(super) async fn save_recipe(service: &ServiceBackend, arguments: SaveArguments) -> Result<ToolAnswer, ApiError> {
    let ServiceBackend { app, account, .. } = service;
    let SaveArguments { id, fields } = arguments;
    let id = match &id {
        Some(id) => Some(recipes::own(app, account, id).await?.0),
        None => recipes::by_name(app, account, fields.name.as_deref().unwrap_or_default()).await?,
    };
    let saved = app.store.recipes();
    let snapshot = app.engine.snapshot();
    let (recipe, message) = if let Some(id) = id {
        let change = fields.into_change(&snapshot.catalog)?;
        let changed = saved.update(account, &id, change, app.now()).await.map_err(not_saved)?;
        (changed.ok_or_else(recipes::unknown)?, "Recipe updated")
    } else {
        let new = fields.into_new(&snapshot.catalog)?;
        let created = saved.create(account, new, MAX_RECIPES, app.now(), &mut app.rng(), None).await;
        (created.map_err(not_saved)?, "Recipe created")
    };
    let text = format!("{message}. {}", summary::of_recipes(std::slice::from_ref(&recipe)));
    ToolAnswer::new(text, &SavedRecipe { id: recipe.id.to_string(), name: recipe.name, message })
}

/// Deletes a recipe.
pub(super) async fn delete_recipe(
    service: &ServiceBackend,
    arguments: DeleteArguments,
) -> Result<ToolAnswer, ApiError> {
    let ServiceBackend { app, account, .. } = service;
    let (id, recipe) = recipes::own(app, account, &arguments.id).await?;
    if !app.store.recipes().delete(account, &id).await? {
        return Err(recipes::unknown());
    }
    let deleted = Deleted { message: "Recipe deleted" };
    ToolAnswer::new(format!("Recipe deleted: {}.", recipe.name), &deleted)
}
