//! The fields of a recipe: as a caller sends them, then checked.

use foods::catalog::Catalog;
use nutrition::Macros;
use serde::{Deserialize, Deserializer};
use store::{NewRecipe, RecipeChange};
use utoipa::ToSchema;

use super::ingredients::{IngredientList, IngredientsFields};
use crate::api::json::Bounded;
use crate::error::ApiError;

/// Aliases of a recipe.
const MAX_ALIASES: usize = 50;
/// Characters of a name or an alias.
pub(crate) const MAX_NAME: usize = 200;
/// Characters of a serving description.
pub(crate) const MAX_SERVING: usize = 500;
const MAX_NUMBER: f64 = 100_000.0;

/// Fields of a recipe. Those that are not sent have their default in a new recipe and stay as they are in a saved one.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RecipeFields {
    /// 1 to 200 characters; required to create a recipe.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 200)]
    pub name: Option<String>,
    /// Kilocalories of one serving.
    #[serde(deserialize_with = "number")]
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    pub calories: Option<f64>,
    /// Grams.
    #[serde(deserialize_with = "number")]
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    pub protein: Option<f64>,
    /// Grams.
    #[serde(deserialize_with = "number")]
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    pub carbs: Option<f64>,
    /// Grams.
    #[serde(deserialize_with = "number")]
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    pub fat: Option<f64>,
    /// Describes one serving: "1 slice (350 g)". `null` clears it.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 500)]
    pub serving_description: Option<Option<String>>,
    /// Up to 50 other names. `null` clears them.
    #[serde(deserialize_with = "aliases")]
    #[schema(max_items = 50)]
    pub aliases: Option<Vec<String>>,
    /// What the recipe is made of. Numbers that are not sent follow from it. `null` forgets it and keeps the numbers.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<IngredientsFields>)]
    pub ingredients: Option<Option<IngredientsFields>>,
}

/// Reads a field that is present, so that `null` is a value of its type or an error.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a number; `null` is the default.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number: Option<f64> = Option::deserialize(deserializer)?;
    Ok(Some(number.unwrap_or_default()))
}

/// Reads a list of names; `null` is an empty one.
fn aliases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let list: Option<Bounded<String, MAX_ALIASES>> = Option::deserialize(deserializer)?;
    Ok(Some(list.map_or_else(Vec::new, |Bounded(list)| list)))
}

impl RecipeFields {
    /// Checks the fields of a recipe to create.
    pub fn into_new(self, catalog: &Catalog) -> Result<NewRecipe, ApiError> {
        let RecipeChange { name, macros, serving_description, aliases, ingredients } = self.into_change(catalog)?;
        Ok(NewRecipe {
            name: name.ok_or_else(|| ApiError::bad_field("name", "“name” is missing."))?,
            macros: macros.unwrap_or(Macros::default()),
            serving_description: serving_description.flatten(),
            aliases: aliases.unwrap_or_default(),
            ingredients: ingredients.flatten(),
        })
    }

    /// Checks the fields of a recipe that are to change. Numbers that are not sent follow from the ingredients.
    pub fn into_change(mut self, catalog: &Catalog) -> Result<RecipeChange, ApiError> {
        let ingredients = self.ingredients.take();
        let ingredients = ingredients.map(|fields| fields.map(|fields| fields.checked(catalog)).transpose());
        let ingredients = ingredients.transpose()?;
        if let Some(Some(list)) = &ingredients {
            self.fill_in(list, catalog);
        }
        let serving = |text: Option<String>| {
            let text = text.filter(|text| !text.trim().is_empty());
            text.map(|text| checked_text("serving_description", &text, MAX_SERVING)).transpose()
        };
        Ok(RecipeChange {
            name: self.name.map(|name| checked_text("name", &name, MAX_NAME)).transpose()?,
            macros: Macros {
                calories: checked_number("calories", self.calories)?,
                protein: checked_number("protein", self.protein)?,
                carbs: checked_number("carbs", self.carbs)?,
                fat: checked_number("fat", self.fat)?,
            },
            serving_description: self.serving_description.map(serving).transpose()?,
            aliases: self.aliases.as_deref().map(checked_aliases).transpose()?,
            ingredients: ingredients.map(|list| list.and_then(|list| list.to_json())),
        })
    }

    /// Fills in the numbers that follow from the ingredients and were not sent.
    fn fill_in(&mut self, list: &IngredientList, catalog: &Catalog) {
        let Some(numbers) = list.numbers(catalog) else { return };
        self.calories.get_or_insert(numbers.calories);
        self.protein.get_or_insert(numbers.protein);
        self.carbs.get_or_insert(numbers.carbs);
        self.fat.get_or_insert(numbers.fat);
        self.serving_description.get_or_insert_with(|| Some(list.serving(catalog)));
    }
}

fn checked_number(field: &str, number: Option<f64>) -> Result<Option<f64>, ApiError> {
    if number.is_some_and(|number| !(0.0..=MAX_NUMBER).contains(&number)) {
        return Err(ApiError::bad_field(field, format!("“{field}” must be a number from 0 to {MAX_NUMBER}.")));
    }
    Ok(number)
}

fn checked_aliases(aliases: &[String]) -> Result<Vec<String>, ApiError> {
    if aliases.len() > MAX_ALIASES {
        return Err(ApiError::bad_field("aliases", format!("“aliases” may have at most {MAX_ALIASES} entries.")));
    }
    let aliases = aliases.iter().enumerate();
    aliases.map(|(at, alias)| checked_text(&format!("aliases[{at}]"), alias, MAX_NAME)).collect()
}

/// Returns a text without the spaces around it, if it is not blank, not too long, and has no control characters, which
/// names do not need and a database may refuse.
fn checked_text(field: &str, text: &str, max: usize) -> Result<String, ApiError> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        return Err(ApiError::bad_field(field, format!("“{field}” must not be blank.")));
    }
    if length > max {
        let message = format!("“{field}” may have at most {max} characters; it has {length}.");
        return Err(ApiError::bad_field(field, message));
    }
    if text.chars().any(|character| character.is_control() && character != '\n' && character != '\t') {
        return Err(ApiError::bad_field(field, format!("“{field}” must not have control characters.")));
    }
    Ok(text.to_owned())
}
