//! Foods by their ids, and lists of them.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use foods::Food;
use foods::catalog::Catalog;
use serde::Serialize;

use super::data_type::origins_of;
use super::nutrients::WantedNutrients;
use super::rows::{AbridgedFood, FullFood};
use super::search::data_types;
use crate::api::compat::food_codes;
use crate::api::compat::page_number::PageNumber;
use crate::api::compat::parameters::Parameters;
use crate::api::compat::searched::searched;
use crate::api::response::json_response;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::path::Path;
use crate::request_body::{RequestBody, UNMETERED_BYTES};

/// The most foods of one request.
const MAX_IDS: usize = 20;
/// Foods on a page of the list, unless the request says how many, and at most.
const USUAL_SIZE: usize = 50;
const MAX_SIZE: usize = 200;

/// Get a food, as FoodData Central does
#[utoipa::path(get, path = "/fdc/v1/food/{fdc_id}", operation_id = "get_fdc_food", tag = "fooddata central", params(
    ("fdc_id" = String, Path, description = "The food's fdcId"),
    ("format" = Option<String>, Query, description = "full, by default, or abridged"),
    ("nutrients" = Option<String>, Query, description = "Numbers of up to 25 nutrients, separated by commas; by default all"),
), responses((status = 200, description = "The food"), (status = 404, description = "There is no such food")))]
pub async fn get_one(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let form = FoodForm::read(&Parameters::of_query(request.uri()))?;
    let snapshot = app.engine.snapshot();
    let food = id.parse().ok().and_then(|id| food_codes::by_fdc_id(&snapshot.catalog, id));
    let food = food.and_then(|food| form.write(&snapshot.catalog, &food));
    food.ok_or_else(|| ApiError::not_found("There is no food with this fdcId.").of("fdcId"))?.map(json_response)
}

/// Get several foods, as FoodData Central does
#[utoipa::path(get, path = "/fdc/v1/foods", operation_id = "get_fdc_foods", tag = "fooddata central", params(
    ("fdcIds" = String, Query, description = "Up to 20 fdcIds, separated by commas; those that do not exist are left out"),
    ("format" = Option<String>, Query, description = "full, by default, or abridged"),
    ("nutrients" = Option<String>, Query, description = "Numbers of up to 25 nutrients, separated by commas; by default all"),
), responses((status = 200, description = "The foods")))]
pub async fn get_several(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    several(&app, &Parameters::of_query(request.uri()))
}

/// Get several foods with the parameters in the body
#[utoipa::path(post, path = "/fdc/v1/foods", operation_id = "post_get_fdc_foods", tag = "fooddata central", request_body = Object,
    responses((status = 200, description = "The foods")))]
pub async fn post_several(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = RequestBody::read(&app, Some(&caller.account.id), request.into_body(), UNMETERED_BYTES).await?;
    several(&app, &Parameters::of_json(&body.bytes)?)
}

fn several(app: &App, parameters: &Parameters) -> Result<Response, ApiError> {
    let form = FoodForm::read(parameters)?;
    let ids: Vec<&str> = parameters.list("fdcIds").take(MAX_IDS + 1).collect();
    if ids.is_empty() || ids.len() > MAX_IDS {
        return Err(ApiError::bad_field("fdcIds", format!("“fdcIds” must have 1 to {MAX_IDS} ids.")));
    }
    let catalog = &app.engine.snapshot().catalog;
    let foods = ids.iter().filter_map(|id| food_codes::by_fdc_id(catalog, id.parse().ok()?));
    let bodies: Result<Vec<Bytes>, ApiError> = foods.filter_map(|food| form.write(catalog, &food)).collect();
    Ok(json_response(Bytes::from([b"[", bodies?.join(&b","[..]).as_slice(), b"]"].concat())))
}

/// List foods, as FoodData Central does
#[utoipa::path(get, path = "/fdc/v1/foods/list", operation_id = "list_fdc_foods", tag = "fooddata central", params(
    ("dataType" = Option<String>, Query, description = "Data types, separated by commas: Branded, Foundation, SR Legacy, Survey (FNDDS)"),
    ("pageSize" = Option<u32>, Query, description = "Foods on a page: 1 to 200, by default 50"),
    ("pageNumber" = Option<u32>, Query, description = "The page, by default 1"),
), responses((status = 200, description = "The foods, abridged, in the order of our tables")))]
pub async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of_query(request.uri());
    let origins = data_types(&parameters)?.map(|types| origins_of(&types));
    let page = PageNumber::read(parameters.get("pageNumber"), parameters.get("pageSize"), USUAL_SIZE, MAX_SIZE);
    let identity = ["fdc list ", &parameters.identity("api_key")].concat();
    searched(&app, &caller, identity, move |snapshot| {
        let is_wanted = |origin| origins.as_ref().is_none_or(|origins| origins.contains(&origin));
        let foods = snapshot.catalog.foods_of(is_wanted, page.range());
        let all = WantedNutrients::default();
        let rows: Vec<_> = foods.iter().filter_map(|food| AbridgedFood::new(&snapshot.catalog, food, &all)).collect();
        serde_json::to_vec(&rows)
    })
    .await
}

/// How a food is sent.
struct FoodForm {
    is_abridged: bool,
    wanted: WantedNutrients,
}

impl FoodForm {
    fn read(parameters: &Parameters) -> Result<Self, ApiError> {
        let is_abridged = match parameters.get("format") {
            None | Some("" | "full") => false,
            Some("abridged") => true,
            Some(_) => return Err(ApiError::bad_field("format", "“format” must be full or abridged.")),
        };
        Ok(Self { is_abridged, wanted: WantedNutrients::read(parameters.list("nutrients")) })
    }

    /// Writes a food; `None` if it has no number.
    fn write(&self, catalog: &Catalog, food: &Food) -> Option<Result<Bytes, ApiError>> {
        if self.is_abridged {
            AbridgedFood::new(catalog, food, &self.wanted).map(|food| to_bytes(&food))
        } else {
            FullFood::new(catalog, food, &self.wanted).map(|food| to_bytes(&food))
        }
    }
}

fn to_bytes(food: &impl Serialize) -> Result<Bytes, ApiError> {
    serde_json::to_vec(food).map(Bytes::from).map_err(ApiError::internal)
}
