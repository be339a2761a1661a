//! `/v1/recipes`: the caller's own recipes.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, body::Body};
use bytes::Bytes;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use store::{Answer, CreateRecipeError, NewRecipe, RecipeChange, RecipeId, Rng};
use utoipa::ToSchema;

use crate::app::App;
use crate::body::{self, Received};
use crate::error::{ApiError, ErrorBody};
use crate::guard::{Caller, Kept};

/// Recipes an account may have.
pub(crate) const MOST_RECIPES: u64 = 1_000;
const MOST_ALIASES: usize = 50;
pub(crate) const LONGEST_NAME: usize = 200;
pub(crate) const LONGEST_SERVING: usize = 500;
const LARGEST_NUMBER: f64 = 100_000.0;

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
            calories: recipe.calories,
            protein: recipe.protein,
            carbs: recipe.carbs,
            fat: recipe.fat,
            serving_description: recipe.serving_description.clone(),
            aliases: recipe.aliases.clone(),
            created_at: format!("{:.3}", recipe.created_at),
            updated_at: format!("{:.3}", recipe.updated_at),
        }
    }
}

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

/// What deleting something answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// What was deleted.
    pub message: &'static str,
}

/// List recipes
///
/// All recipes of the account, the newest first.
#[utoipa::path(get, path = "/v1/recipes", tag = "recipes", responses(
    (status = 200, description = "The recipes", body = RecipesAnswer),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope recipes:read", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn list(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Result<Response, ApiError> {
    let book = app.mirror.book_of_caller(caller.account()).await?;
    Ok(super::json(book.listed.clone()))
}

/// Create a recipe
///
/// When an estimate mentions it by name or alias, its numbers are used instead of an estimate.
#[utoipa::path(post, path = "/v1/recipes", tag = "recipes", request_body = RecipeFields, responses(
    (status = 201, description = "Created", body = RecipeCreated),
    (status = 400, description = "A field is missing or makes no sense, or the account has 1,000 recipes", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope recipes:write", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    kept: Option<Extension<Kept>>,
    body: Body,
) -> Result<Response, ApiError> {
    let fields = Received::read(&app, body, body::SMALL).await?.object()?;
    let new = new_recipe(fields)?;
    let answer = |recipe: &store::Recipe| Answer {
        status: StatusCode::CREATED.as_u16(),
        content_type: "application/json".to_owned(),
        body: serde_json::to_vec(&created(recipe)).unwrap_or_default(),
    };
    let in_same_transaction = kept.as_ref().map(|kept| (&*kept.claim, &answer as _));
    let saved = app
        .store
        .recipes()
        .create(caller.account(), new, MOST_RECIPES, Timestamp::now(), &mut Rng::system(), in_same_transaction)
        .await;
    let recipe = saved.map_err(|error| match error {
        CreateRecipeError::LimitReached => {
            let message = format!("The account has {MOST_RECIPES} recipes, the most it may have. Delete one first.");
            ApiError::bad_request("recipe_limit", message)
        }
        CreateRecipeError::ClaimLost => {
            let message = "Another request with the same Idempotency-Key has taken over.";
            ApiError::new(StatusCode::CONFLICT, "idempotency_in_progress", message)
        }
        CreateRecipeError::Store(error) => error.into(),
    })?;
    if let Some(Extension(kept)) = kept {
        kept.done();
    }
    Ok((StatusCode::CREATED, Json(created(&recipe))).into_response())
}

fn created(recipe: &store::Recipe) -> RecipeCreated {
    RecipeCreated { id: recipe.id.to_string(), name: recipe.name.clone(), message: "Recipe created" }
}

/// Get a recipe
#[utoipa::path(get, path = "/v1/recipes/{id}", tag = "recipes",
    params(("id" = String, Path, description = "The recipe's id")), responses(
    (status = 200, description = "The recipe", body = RecipeRow),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The recipe belongs to another account, or the key lacks the scope recipes:read", body = ErrorBody),
    (status = 404, description = "No such recipe", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<RecipeRow>, ApiError> {
    let (_, recipe) = own(&app, &caller, &id).await?;
    Ok(Json(RecipeRow::from(&recipe)))
}

/// Change a recipe
///
/// Only the fields that are sent change.
#[utoipa::path(put, path = "/v1/recipes/{id}", tag = "recipes",
    params(("id" = String, Path, description = "The recipe's id")), request_body = RecipeFields, responses(
    (status = 200, description = "Changed", body = RecipeUpdated),
    (status = 400, description = "A field makes no sense", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The recipe belongs to another account, or the key lacks the scope recipes:write", body = ErrorBody),
    (status = 404, description = "No such recipe", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn update(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<RecipeUpdated>, ApiError> {
    let (id, _) = own(&app, &caller, &id).await?;
    let fields = Received::read(&app, body, body::SMALL).await?.object()?;
    let change = change(fields)?;
    let changed = app.store.recipes().update(caller.account(), &id, change, Timestamp::now()).await?;
    let recipe = changed.ok_or_else(unknown)?;
    Ok(Json(RecipeUpdated { id: recipe.id.to_string(), message: "Recipe updated" }))
}

/// Delete a recipe
#[utoipa::path(delete, path = "/v1/recipes/{id}", tag = "recipes",
    params(("id" = String, Path, description = "The recipe's id")), responses(
    (status = 200, description = "Deleted", body = Deleted),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The recipe belongs to another account, or the key lacks the scope recipes:write", body = ErrorBody),
    (status = 404, description = "No such recipe", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Deleted>, ApiError> {
    let (id, _) = own(&app, &caller, &id).await?;
    if !app.store.recipes().delete(caller.account(), &id).await? {
        return Err(unknown());
    }
    Ok(Json(Deleted { message: "Recipe deleted" }))
}

/// The recipe of this id, if it is the caller's.
async fn own(app: &App, caller: &Caller, id: &str) -> Result<(RecipeId, store::Recipe), ApiError> {
    let id = RecipeId::parse(id).ok_or_else(unknown)?;
    let (account, recipe) = app.store.recipes().by_id(&id).await?.ok_or_else(unknown)?;
    if account != *caller.account() {
        let message = "This API key has no access to this resource: the recipe belongs to another account.";
        return Err(ApiError::forbidden("other_account", message));
    }
    Ok((id, recipe))
}

fn unknown() -> ApiError {
    ApiError::not_found("There is no recipe with this id.").of("id")
}

/// Checks the fields of a recipe that a caller or a form sends.
pub(crate) fn new_recipe(mut fields: Map<String, Value>) -> Result<NewRecipe, ApiError> {
    let name = match fields.remove("name") {
        None | Some(Value::Null) => return Err(ApiError::bad_field("name", "“name” is missing.")),
        Some(value) => name(value)?,
    };
    let mut number = |field| fields.remove(field).map_or(Ok(0.0), |value| amount(field, &value));
    let (calories, protein, carbs, fat) = (number("calories")?, number("protein")?, number("carbs")?, number("fat")?);
    let serving_description = fields.remove("serving_description").map_or(Ok(None), serving)?;
    let aliases = fields.remove("aliases").map_or(Ok(Vec::new()), aliases)?;
    Ok(NewRecipe { name, calories, protein, carbs, fat, serving_description, aliases })
}

fn change(mut fields: Map<String, Value>) -> Result<RecipeChange, ApiError> {
    let name = fields.remove("name").map(name).transpose()?;
    let mut number = |field| fields.remove(field).map(|value| amount(field, &value)).transpose();
    let (calories, protein, carbs, fat) = (number("calories")?, number("protein")?, number("carbs")?, number("fat")?);
    let serving_description = fields.remove("serving_description").map(serving).transpose()?;
    let aliases = fields.remove("aliases").map(aliases).transpose()?;
    Ok(RecipeChange { name, calories, protein, carbs, fat, serving_description, aliases })
}

fn name(value: Value) -> Result<String, ApiError> {
    text("name", value, LONGEST_NAME)
}

/// A number; `null` stands for the default.
fn amount(field: &str, value: &Value) -> Result<f64, ApiError> {
    if value.is_null() {
        return Ok(0.0);
    }
    let number = value.as_f64().filter(|number| (0.0..=LARGEST_NUMBER).contains(number));
    number.ok_or_else(|| ApiError::bad_field(field, format!("“{field}” must be a number from 0 to {LARGEST_NUMBER}.")))
}

fn serving(value: Value) -> Result<Option<String>, ApiError> {
    if value.is_null() {
        return Ok(None);
    }
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Ok(None);
    }
    text("serving_description", value, LONGEST_SERVING).map(Some)
}

fn aliases(value: Value) -> Result<Vec<String>, ApiError> {
    let list = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(list) => list,
        _ => return Err(ApiError::bad_field("aliases", "“aliases” must be an array of strings.")),
    };
    if list.len() > MOST_ALIASES {
        return Err(ApiError::bad_field("aliases", format!("“aliases” may hold at most {MOST_ALIASES} names.")));
    }
    list.into_iter().enumerate().map(|(at, alias)| text(&format!("aliases[{at}]"), alias, LONGEST_NAME)).collect()
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
