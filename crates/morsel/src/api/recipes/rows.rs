//! Recipes as the API shows them.

use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;

/// A saved recipe; the numbers are those of one serving.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeRow {
    /// The recipe's id.
    pub id: String,
    /// Its name, used for matching.
    pub name: String,
    /// Kilocalories.
    pub calories: f64,
    /// Grams.
    pub protein: f64,
    /// Grams.
    pub carbs: f64,
    /// Grams.
    pub fat: f64,
    /// What one serving is.
    pub serving_description: Option<String>,
    /// Other names used for matching.
    pub aliases: Vec<String>,
    /// When it was saved.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
}

impl From<&store::Recipe> for RecipeRow {
    fn from(recipe: &store::Recipe) -> Self {
        Self {
            id: recipe.id.to_string(),
            name: recipe.name.clone(),
            calories: recipe.macros.calories,
            protein: recipe.macros.protein,
            carbs: recipe.macros.carbs,
            fat: recipe.macros.fat,
            serving_description: recipe.serving_description.clone(),
            aliases: recipe.aliases.clone(),
            created_at: format!("{:.3}", recipe.created_at),
            updated_at: format!("{:.3}", recipe.updated_at),
        }
    }
}

/// All recipes.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipesAnswer {
    /// The newest first.
    pub recipes: Vec<RecipeRow>,
}

impl RecipesAnswer {
    /// The answer as it is sent.
    pub fn of(recipes: &[store::Recipe]) -> Bytes {
        let answer = Self { recipes: recipes.iter().map(RecipeRow::from).collect() };
        // Our objects have no keys that JSON cannot hold.
        serde_json::to_vec(&answer).unwrap_or_default().into()
    }
}

/// What creating a recipe answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeCreated {
    /// The new recipe's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `Recipe created`.
    pub message: &'static str,
}

/// What changing a recipe answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeUpdated {
    /// The recipe's id.
    pub id: String,
    /// `Recipe updated`.
    pub message: &'static str,
}
