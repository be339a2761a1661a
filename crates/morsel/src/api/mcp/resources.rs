//! Resources: foods and recipes by address, for assistants that attach them to a conversation.

use serde::Serialize;
use serde_json::{Value, json};
use store::{Scope, Scopes};

use super::backend::McpClient;
use crate::api::foods::rows::FoodDetail;
use crate::api::recipes;
use crate::error::ApiError;

/// The start of the addresses of foods.
const FOODS: &str = "morsel://foods/";
/// The address of the recipes.
const RECIPES: &str = "morsel://recipes";

/// A resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct McpResource {
    uri: String,
    mime_type: &'static str,
    text: String,
}

/// Returns the resources that a client with these scopes may read, as `resources/list` shows them.
pub fn permitted(scopes: Scopes) -> Vec<Value> {
    let recipes = json!({
        "uri": RECIPES,
        "name": "recipes",
        "title": "Recipes",
        "description": "The saved recipes, newest first, with the numbers of one serving",
        "mimeType": "application/json",
    });
    if scopes.contains(Scope::RecipesRead) { vec![recipes] } else { Vec::new() }
}

/// Returns the kinds of resources that a client with these scopes may read, as `resources/templates/list` shows them.
pub fn permitted_templates(scopes: Scopes) -> Vec<Value> {
    let foods = json!({
        "uriTemplate": format!("{FOODS}{{id}}"),
        "name": "food",
        "title": "Food",
        "description": "A food with all its portions and nutrients, by its id",
        "mimeType": "application/json",
    });
    if scopes.contains(Scope::FoodsRead) { vec![foods] } else { Vec::new() }
}

/// Returns a resource, or `None` if there is none at this address.
pub async fn read(client: &McpClient, uri: &str) -> Result<Option<McpResource>, ApiError> {
    let text = if uri == RECIPES {
        client.check(Scope::RecipesRead)?;
        let service = client.backend.service()?;
        let rows = service.app.account_cache.recipes(&service.account).await?;
        let body = recipes::listed_json(&service.app, &service.account, &rows).await?;
        String::from_utf8(body.into()).map_err(ApiError::internal)?
    } else if let Some(id) = uri.strip_prefix(FOODS) {
        client.check(Scope::FoodsRead)?;
        let Some(food) = client.backend.snapshot().catalog.by_id(id) else { return Ok(None) };
        serde_json::to_string(&FoodDetail::from(&food)).map_err(ApiError::internal)?
    } else {
        return Ok(None);
    };
    Ok(Some(McpResource { uri: uri.to_owned(), mime_type: "application/json", text }))
}
