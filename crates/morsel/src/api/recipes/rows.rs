//! Recipes as the API shows them.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use nutrition::Macros;
use serde::Serialize;
use utoipa::ToSchema;

use super::ingredients::RecipeIngredients;

/// A saved recipe; the numbers are per serving.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeRow {
    /// The recipe's id.
    pub id: String,
    /// Its name, used for matching.
    pub name: String,
    /// Per serving, as saved.
    #[serde(flatten)]
    pub macros: Macros,
    /// Describes one serving.
    pub serving_description: Option<String>,
    /// Other names used for matching.
    pub aliases: Vec<String>,
    /// When it was created.
    pub created_at: String,
    /// When it was last updated.
    pub updated_at: String,
    /// What it is made of, with `include=ingredients`; `null` if that was not saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RecipeIngredients>, required = false)]
    pub ingredients: Option<Option<RecipeIngredients>>,
}

impl From<&store::Recipe> for RecipeRow {
    fn from(recipe: &store::Recipe) -> Self {
        Self {
            id: recipe.id.to_string(),
            name: recipe.name.clone(),
            macros: recipe.macros,
            serving_description: recipe.serving_description.clone(),
            aliases: recipe.aliases.clone(),
            created_at: format!("{:.3}", recipe.created_at),
            updated_at: format!("{:.3}", recipe.updated_at),
            ingredients: None,
        }
    }
}

/// The recipes of an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipesAnswer {
    /// Newest first.
    pub recipes: Vec<RecipeRow>,
}

impl RecipesAnswer {
    /// Writes the list as JSON.
    pub fn of(recipes: &[store::Recipe]) -> Bytes {
        let answer = Self { recipes: recipes.iter().map(RecipeRow::from).collect() };
        // Our objects have no keys that JSON cannot hold.
        serde_json::to_vec(&answer).unwrap_or_default().into()
    }

    /// Writes the list as JSON, compressed with gzip.
    pub fn compressed(recipes: &[store::Recipe]) -> Bytes {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        // Writing to memory does not fail.
        let _ = encoder.write_all(&Self::of(recipes));
        encoder.finish().unwrap_or_default().into()
    }
}

/// A recipe was created.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeCreated {
    /// The new recipe's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `Recipe created`.
    pub message: &'static str,
}

/// A recipe was updated.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeUpdated {
    /// The recipe's id.
    pub id: String,
    /// `Recipe updated`.
    pub message: &'static str,
}
