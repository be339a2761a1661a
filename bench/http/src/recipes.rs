//! The recipes of the account that sends the requests.

use meal::{Macros, Recipe};

use crate::requests::post;

/// How many the account has.
const COUNT: usize = 20;

/// Returns the recipes.
pub fn all() -> impl Iterator<Item = Recipe> {
    (1..=COUNT).map(|number| Recipe {
        name: format!("House stew number {number}"),
        aliases: vec![format!("stew {number}"), format!("pot {number}")],
        macros: Macros { calories: 420.0, protein: 31.5, carbs: 38.0, fat: 14.2 },
        serving_description: Some("1 bowl (350 g)".to_owned()),
        ..Recipe::default()
    })
}

/// Returns a request that creates a recipe.
pub fn create(key: &str, recipe: &Recipe) -> Vec<u8> {
    let Recipe { name, aliases, macros, serving_description, .. } = recipe;
    let Macros { calories, protein, carbs, fat } = macros;
    let body = serde_json::json!({
        "name": name, "calories": calories, "protein": protein, "carbs": carbs, "fat": fat,
        "serving_description": serving_description, "aliases": aliases,
    });
    post("/v1/recipes", key, &body.to_string())
}
