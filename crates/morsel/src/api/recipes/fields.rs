//! The fields of a recipe as a caller sends them, checked.

use nutrition::Macros;
use serde_json::{Map, Value};
use store::{NewRecipe, RecipeChange};
use utoipa::ToSchema;

use crate::error::ApiError;

const MAX_ALIASES: usize = 50;
/// Characters of a name or an alias.
pub(crate) const MAX_NAME: usize = 200;
/// Characters of a serving description.
pub(crate) const MAX_SERVING: usize = 500;
const MAX_NUMBER: f64 = 100_000.0;

/// Fields of a recipe as a caller sends them.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "describes the body in the OpenAPI document; it is read field by field, for better errors")]
pub struct RecipeFields {
    /// 1 to 200 characters; required to create a recipe.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Kilocalories of one serving.
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    calories: Option<f64>,
    /// Grams.
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    protein: Option<f64>,
    /// Grams.
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    carbs: Option<f64>,
    /// Grams.
    #[schema(minimum = 0, maximum = 100_000, default = 0)]
    fat: Option<f64>,
    /// What one serving is: "1 slice (350 g)". `null` clears it.
    #[schema(max_length = 500)]
    serving_description: Option<String>,
    /// Up to 50 other names. `null` clears them.
    #[schema(max_items = 50)]
    aliases: Option<Vec<String>>,
}

/// Checks the fields of a recipe that a caller or a form sends.
pub(crate) fn new_recipe(mut fields: Map<String, Value>) -> Result<NewRecipe, ApiError> {
    let name = match fields.remove("name") {
        None | Some(Value::Null) => return Err(ApiError::bad_field("name", "“name” is missing.")),
        Some(value) => name(value)?,
    };
    let mut number = |field| fields.remove(field).map_or(Ok(0.0), |value| amount(field, &value));
    let macros = Macros {
        calories: number("calories")?,
        protein: number("protein")?,
        carbs: number("carbs")?,
        fat: number("fat")?,
    };
    let serving_description = fields.remove("serving_description").map_or(Ok(None), serving)?;
    let aliases = fields.remove("aliases").map_or(Ok(Vec::new()), aliases)?;
    Ok(NewRecipe { name, macros, serving_description, aliases })
}

/// Checks the fields that are to change.
pub(super) fn change(mut fields: Map<String, Value>) -> Result<RecipeChange, ApiError> {
    let name = fields.remove("name").map(name).transpose()?;
    let mut number = |field| fields.remove(field).map(|value| amount(field, &value)).transpose();
    let macros = Macros {
        calories: number("calories")?,
        protein: number("protein")?,
        carbs: number("carbs")?,
        fat: number("fat")?,
    };
    let serving_description = fields.remove("serving_description").map(serving).transpose()?;
    let aliases = fields.remove("aliases").map(aliases).transpose()?;
    Ok(RecipeChange { name, macros, serving_description, aliases })
}

fn name(value: Value) -> Result<String, ApiError> {
    text("name", value, MAX_NAME)
}

/// A number; `null` stands for the default.
fn amount(field: &str, value: &Value) -> Result<f64, ApiError> {
    if value.is_null() {
        return Ok(0.0);
    }
    let number = value.as_f64().filter(|number| (0.0..=MAX_NUMBER).contains(number));
    number.ok_or_else(|| ApiError::bad_field(field, format!("“{field}” must be a number from 0 to {MAX_NUMBER}.")))
}

fn serving(value: Value) -> Result<Option<String>, ApiError> {
    if value.is_null() {
        return Ok(None);
    }
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(None);
    }
    text("serving_description", value, MAX_SERVING).map(Some)
}

fn aliases(value: Value) -> Result<Vec<String>, ApiError> {
    let list = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(list) => list,
        _ => return Err(ApiError::bad_field("aliases", "“aliases” must be an array of strings.")),
    };
    if list.len() > MAX_ALIASES {
        return Err(ApiError::bad_field("aliases", format!("“aliases” may hold at most {MAX_ALIASES} names.")));
    }
    list.into_iter().enumerate().map(|(at, alias)| text(&format!("aliases[{at}]"), alias, MAX_NAME)).collect()
}

/// A text that says something, without the characters that no name has and a database may refuse.
fn text(field: &str, value: Value, longest: usize) -> Result<String, ApiError> {
    let Value::String(text) = value else {
        return Err(ApiError::bad_field(field, format!("“{field}” must be a string.")));
    };
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        return Err(ApiError::bad_field(field, format!("“{field}” must not be blank.")));
    }
    if length > longest {
        let message = format!("“{field}” may have at most {longest} characters; it has {length}.");
        return Err(ApiError::bad_field(field, message));
    }
    if text.chars().any(|character| character.is_control() && character != '\n' && character != '\t') {
        return Err(ApiError::bad_field(field, format!("“{field}” must not hold control characters.")));
    }
    Ok(text.to_owned())
}
