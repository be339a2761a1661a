//! `/v1/recipes`: the caller's own recipes.

pub mod rows;
pub mod fields;
pub mod ingredients;

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, body::Body};
use bytes::Bytes;
use store::{AccountId, MAX_RECIPE_NAMES, RecipeId, SaveRecipeError, StoredResponse};

use self::fields::RecipeFields;
use self::ingredients::{IngredientList, RecipeIngredients};
use self::rows::{RecipeCreated, RecipeRow, RecipeUpdated, RecipesAnswer};
use crate::account_cache::Recipes;
use crate::api::json;
use crate::api::response::{Deleted, accepts_gzip, gzip_response, json_response};
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::{Caller, IdempotencyClaim};
use crate::path::Path;
use crate::query::Query;
use crate::request_body::{self, RequestBody};

/// Recipes that an account may have.
pub(crate) const MAX_RECIPES: u64 = 1_000;

/// The name in `include` of what a recipe is made of.
const INGREDIENTS: &str = "ingredients";

/// Lists of fewer recipes are quickly written, and compressed only if that is worth while.
const MANY_RECIPES: usize = 10;

/// List recipes
///
/// All recipes of the account, newest first.
#[utoipa::path(get, path = "/v1/recipes", operation_id = "list_recipes", tag = "recipes", responses(
    (status = 200, description = "The recipes", body = RecipesAnswer),
))]
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let account = &caller.account.id;
    let recipes = app.account_cache.recipes_of_caller(account).await?;
    if recipes.rows.len() < MANY_RECIPES || !accepts_gzip(&headers) {
        return Ok(json_response(listed_json(&app, account, &recipes).await?));
    }
    // Compressed once: a full list takes a third of a second.
    let body = listed(&app, account, &recipes, |recipes| &recipes.listed_compressed, RecipesAnswer::compressed).await?;
    Ok(gzip_response(body))
}

/// Returns the list as JSON.
pub(crate) async fn listed_json(app: &App, account: &AccountId, recipes: &Arc<Recipes>) -> Result<Bytes, ApiError> {
    listed(app, account, recipes, |recipes| &recipes.listed, RecipesAnswer::of).await
}

/// Returns a form of the list that is written only once.
async fn listed(
    app: &App,
    account: &AccountId,
    recipes: &Arc<Recipes>,
    form: fn(&Recipes) -> &OnceLock<Bytes>,
    write: fn(&[store::Recipe]) -> Bytes,
) -> Result<Bytes, ApiError> {
    if let Some(listed) = form(recipes).get() {
        return Ok(listed.clone());
    }
    let write = move |recipes: &Recipes| form(recipes).get_or_init(|| write(&recipes.rows)).clone();
    app.account_cache.run_on(account, recipes, write).await
}

/// Create a recipe
///
/// An estimate that mentions it by name or alias uses its numbers.
#[utoipa::path(post, path = "/v1/recipes", operation_id = "create_recipe", tag = "recipes", request_body = RecipeFields, responses(
    (status = 201, description = "Created", body = RecipeCreated),
    (status = 400, description = "A field is missing or invalid, or the account has 1,000 recipes", body = ErrorBody),
))]
pub async fn create(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    claim: Option<Extension<IdempotencyClaim>>,
    body: Body,
) -> Result<Response, ApiError> {
    let body = RequestBody::read(&app, Some(&caller.account.id), body, request_body::MAX_JSON).await?;
    let new = json::read::<RecipeFields>(&body.bytes)?.into_new(&app.engine.snapshot().catalog)?;
    let answer = |recipe: &store::Recipe| StoredResponse {
        status: StatusCode::CREATED.as_u16(),
        content_type: "application/json".to_owned(),
        body: serde_json::to_vec(&created(recipe)).unwrap_or_default(),
    };
    let in_same_transaction = claim.as_ref().map(|claim| (&*claim.claim, &answer as _));
    let saved = app
        .store
        .recipes()
        .create(&caller.account.id, new, MAX_RECIPES, app.now(), &mut app.rng(), in_same_transaction)
        .await;
    let recipe = saved.map_err(not_saved)?;
    if let Some(Extension(claim)) = claim {
        claim.settled();
    }
    Ok((StatusCode::CREATED, Json(created(&recipe))).into_response())
}

fn created(recipe: &store::Recipe) -> RecipeCreated {
    RecipeCreated { id: recipe.id.to_string(), name: recipe.name.clone(), message: "Recipe created" }
}

/// Get a recipe
#[utoipa::path(get, path = "/v1/recipes/{id}", operation_id = "get_recipe", tag = "recipes", params(
    ("id" = String, Path, description = "The recipe's id"),
    ("include" = Option<String>, Query, description = "`ingredients`, to see what the recipe is made of"),
), responses(
    (status = 200, description = "The recipe", body = RecipeRow),
    (status = 400, description = "`include` has an unknown name", body = ErrorBody),
    (status = 403, description = "The recipe belongs to another account", body = ErrorBody),
    (status = 404, description = "Recipe not found", body = ErrorBody),
))]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Json<RecipeRow>, ApiError> {
    let include = Query::of(&uri).get("include").unwrap_or_default();
    let names: Vec<&str> = include.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = names.iter().find(|name| **name != INGREDIENTS) {
        let message = format!("“include” has an unknown name “{unknown}”; choose from {INGREDIENTS}.");
        return Err(ApiError::bad_field("include", message));
    }
    let (id, recipe) = own(&app, &caller.account.id, &id).await?;
    let mut row = RecipeRow::from(&recipe);
    if !names.is_empty() {
        let stored = app.store.recipes().ingredients(&id).await?;
        let stored = stored.as_deref().and_then(IngredientList::from_json);
        let snapshot = app.engine.snapshot();
        row.ingredients = Some(stored.map(|stored| RecipeIngredients::new(stored, &snapshot.catalog)));
    }
    Ok(Json(row))
}

/// Update a recipe
///
/// Changes only the fields that are sent.
#[utoipa::path(put, path = "/v1/recipes/{id}", operation_id = "update_recipe", tag = "recipes",
    params(("id" = String, Path, description = "The recipe's id")), request_body = RecipeFields, responses(
    (status = 200, description = "Updated", body = RecipeUpdated),
    (status = 400, description = "A field is invalid", body = ErrorBody),
    (status = 403, description = "The recipe belongs to another account", body = ErrorBody),
    (status = 404, description = "Recipe not found", body = ErrorBody),
))]
pub async fn update(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<RecipeUpdated>, ApiError> {
    let (id, _) = own(&app, &caller.account.id, &id).await?;
    let body = RequestBody::read(&app, Some(&caller.account.id), body, request_body::MAX_JSON).await?;
    let change = json::read::<RecipeFields>(&body.bytes)?.into_change(&app.engine.snapshot().catalog)?;
    let changed = app.store.recipes().update(&caller.account.id, &id, change, app.now()).await;
    let recipe = changed.map_err(not_saved)?.ok_or_else(unknown)?;
    Ok(Json(RecipeUpdated { id: recipe.id.to_string(), message: "Recipe updated" }))
}

/// Delete a recipe
#[utoipa::path(delete, path = "/v1/recipes/{id}", operation_id = "delete_recipe", tag = "recipes",
    params(("id" = String, Path, description = "The recipe's id")), responses(
    (status = 200, description = "Deleted", body = Deleted),
    (status = 403, description = "The recipe belongs to another account", body = ErrorBody),
    (status = 404, description = "Recipe not found", body = ErrorBody),
))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Deleted>, ApiError> {
    let (id, _) = own(&app, &caller.account.id, &id).await?;
    if !app.store.recipes().delete(&caller.account.id, &id).await? {
        return Err(unknown());
    }
    Ok(Json(Deleted { message: "Recipe deleted" }))
}

/// Says why a recipe was not saved.
pub(crate) fn not_saved(error: SaveRecipeError) -> ApiError {
    match error {
        SaveRecipeError::LimitReached => {
            let message = format!("The account has {MAX_RECIPES} recipes, which is the limit. Delete one first.");
            ApiError::bad_request("recipe_limit", message)
        }
        SaveRecipeError::NamesTooLong => {
            let message = format!(
                "The names and aliases of all recipes of the account may have {MAX_RECIPE_NAMES} characters together. \
                 Use fewer or shorter aliases, or delete recipes."
            );
            ApiError::bad_request("recipe_limit", message)
        }
        SaveRecipeError::ClaimLost => {
            let message = "Another request with the same Idempotency-Key took over.";
            ApiError::new(StatusCode::CONFLICT, "idempotency_in_progress", message)
        }
        SaveRecipeError::Store(error) => error.into(),
    }
}

/// Returns the account's recipe with this id.
pub(crate) async fn own(app: &App, caller: &AccountId, id: &str) -> Result<(RecipeId, store::Recipe), ApiError> {
    let id = RecipeId::parse(id).ok_or_else(unknown)?;
    let (account, recipe) = app.store.recipes().by_id(&id).await?.ok_or_else(unknown)?;
    if account != *caller {
        let message = "This API key has no access to this resource: the recipe belongs to another account.";
        return Err(ApiError::forbidden("other_account", message));
    }
    Ok((id, recipe))
}

/// Returns the id of the account's newest recipe with this name, regardless of case.
pub(crate) async fn by_name(app: &App, account: &AccountId, name: &str) -> Result<Option<RecipeId>, ApiError> {
    let name = name.trim().to_lowercase();
    let recipes = app.account_cache.recipes(account).await?;
    Ok(recipes.rows.iter().find(|recipe| recipe.name.to_lowercase() == name).map(|recipe| recipe.id.clone()))
}

/// Says that there is no recipe with an id.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("Recipe not found.").of("id")
}
