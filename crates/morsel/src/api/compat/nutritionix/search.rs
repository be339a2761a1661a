//! Foods by name, by id and by barcode.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::{Extension, Json};
use foods::{Food, Nutrient, Source};
use serde::Serialize;
use utoipa::ToSchema;

use super::attributes::{NutrientAmount, amounts};
use super::picture::picture_url;
use super::rows::{NixContext, NixFood, NixFoods, NixPhoto, brand_id, serving_of, tag_id};
use crate::api::compat::food_codes::by_barcode;
use crate::api::compat::parameters::Parameters;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::request_body::{MAX_JSON, RequestBody};
use crate::speaker;

/// Shorter queries find nothing.
const MIN_QUERY: usize = 2;
const MAX_QUERY: usize = 200;
/// Most foods of each kind.
const MAX_FOUND: usize = 20;
/// Foods among which those without a brand are looked for.
const MAX_SEARCHED: usize = 60;
const LOCALE: &str = "en_US";

/// The foods that a search found.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct InstantAnswer {
    /// Foods without a brand.
    pub common: Vec<CommonFood>,
    /// Products.
    pub branded: Vec<BrandedFood>,
}

/// A food without a brand.
#[derive(Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct CommonFood {
    pub food_name: String,
    pub serving_unit: String,
    pub tag_name: String,
    pub serving_qty: f64,
    #[schema(value_type = Option<u32>)]
    pub common_type: (),
    pub tag_id: String,
    pub photo: NixPhoto,
    pub locale: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_nutrients: Option<Vec<NutrientAmount>>,
}

/// A product.
#[derive(Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct BrandedFood {
    pub food_name: String,
    pub serving_unit: String,
    pub nix_brand_id: String,
    pub brand_name_item_name: String,
    pub serving_qty: f64,
    pub nf_calories: Option<f64>,
    pub photo: NixPhoto,
    pub brand_name: String,
    pub region: u8,
    pub brand_type: u8,
    pub nix_item_id: String,
    pub locale: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_nutrients: Option<Vec<NutrientAmount>>,
}

/// Search foods while typing, as Nutritionix does
#[utoipa::path(get, path = "/v2/search/instant", operation_id = "search_nutritionix", tag = "nutritionix", params(
    ("query" = String, Query, description = "The name or its beginning, at most 200 characters"),
    ("common" = Option<bool>, Query, description = "Whether to search foods without a brand; by default they are"),
    ("branded" = Option<bool>, Query, description = "Whether to search products; by default they are"),
    ("detailed" = Option<bool>, Query, description = "Whether to add the nutrients of a serving"),
), responses((status = 200, description = "The foods, best first", body = InstantAnswer)))]
pub async fn instant(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<InstantAnswer>, ApiError> {
    let (head, _) = request.into_parts();
    let parameters = Parameters::of_query(&head.uri);
    let query =
        parameters.words("query").ok_or_else(|| ApiError::bad_field("query", "“query” is required."))?.to_owned();
    let length = query.chars().count();
    if length > MAX_QUERY {
        return Err(ApiError::bad_field("query", format!("“query” may have at most {MAX_QUERY} characters.")));
    }
    if length < MIN_QUERY {
        return Ok(Json(InstantAnswer::default()));
    }
    let snapshot = app.engine.snapshot();
    let is_wanted = |kind: &str| parameters.flag(kind).unwrap_or(true);
    let search = InstantSearch {
        picture: picture_url(&app, &head),
        with_common: is_wanted("common"),
        with_branded: is_wanted("branded"),
        is_detailed: parameters.flag("detailed").unwrap_or_default(),
    };
    let headers = head.headers;
    let found = app.texts.run(&caller.account.id, move || search.run(&snapshot, &query, &headers)).await?;
    found.map(Json)
}

/// Get a product, as Nutritionix does
#[utoipa::path(get, path = "/v2/search/item", operation_id = "get_nutritionix_item", tag = "nutritionix", params(
    ("nix_item_id" = Option<String>, Query, description = "The id of a product, or of any food"),
    ("upc" = Option<String>, Query, description = "The digits under a barcode"),
), responses(
    (status = 200, description = "The product", body = NixFoods),
    (status = 404, description = "There is none"),
))]
pub async fn item(State(app): State<Arc<App>>, request: Request) -> Result<Json<NixFoods>, ApiError> {
    let (head, _) = request.into_parts();
    let parameters = Parameters::of_query(&head.uri);
    food_of(&app, &head, &parameters).map(Json)
}

/// Get a product by a body, as Nutritionix does
#[utoipa::path(post, path = "/v2/search/item", operation_id = "post_get_nutritionix_item", tag = "nutritionix", request_body(
    content = inline(Object), description = "JSON or a form, with `nix_item_id` or `upc`"
), responses(
    (status = 200, description = "The product", body = NixFoods),
    (status = 404, description = "There is none"),
))]
pub async fn item_by_body(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<NixFoods>, ApiError> {
    let (head, unread) = request.into_parts();
    let body = RequestBody::read(&app, Some(&caller.account.id), unread, MAX_JSON).await?;
    let parameters = Parameters::of_body(&head.headers, &body.bytes)?;
    food_of(&app, &head, &parameters).map(Json)
}

fn food_of(app: &App, head: &Parts, parameters: &Parameters) -> Result<NixFoods, ApiError> {
    let catalog = &app.engine.snapshot().catalog;
    let food = match (parameters.words("nix_item_id"), parameters.words("upc")) {
        (Some(id), _) => catalog.by_id(id),
        (None, Some(upc)) => by_barcode(catalog, upc),
        (None, None) => return Err(ApiError::bad_field("upc", "“nix_item_id” or “upc” is required.")),
    };
    let food = food.ok_or_else(|| ApiError::not_found("resource not found"))?;
    let consumed_at = app.now().strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let context = NixContext { picture: picture_url(app, head), consumed_at, meal_type: None, servings: 1.0 };
    Ok(NixFoods { foods: vec![NixFood::of_serving(&food, &context)], errors: Vec::new() })
}

/// A checked search.
struct InstantSearch {
    picture: String,
    with_common: bool,
    with_branded: bool,
    is_detailed: bool,
}

impl InstantSearch {
    fn run(&self, snapshot: &EngineSnapshot, query: &str, headers: &HeaderMap) -> Result<InstantAnswer, ApiError> {
        let speaker = speaker::speaker_of(None, headers, snapshot.engine.translator())?;
        let mut answer = InstantAnswer::default();
        if self.with_common {
            let found = snapshot.search(query, &speaker, MAX_SEARCHED, None);
            let foods = found.foods();
            let foods = foods.iter().filter(|food| food.origin.source() != Source::Branded);
            for food in foods {
                let name = found.name_of(food);
                if answer.common.len() < MAX_FOUND && answer.common.iter().all(|other| other.food_name != name) {
                    answer.common.push(self.common(food, name));
                }
            }
        }
        if self.with_branded {
            let found = snapshot.search(query, &speaker, MAX_FOUND, Some(Source::Branded));
            answer.branded = found.foods().iter().map(|food| self.branded(food)).collect();
        }
        Ok(answer)
    }

    fn common(&self, food: &Food, food_name: String) -> CommonFood {
        let (serving_qty, serving_unit) = serving_of(food);
        CommonFood {
            tag_name: food_name.clone(),
            food_name,
            serving_unit,
            serving_qty,
            common_type: (),
            tag_id: tag_id(&food.id).to_string(),
            photo: NixPhoto::at(&self.picture),
            locale: LOCALE,
            full_nutrients: self.nutrients(food),
        }
    }

    fn branded(&self, food: &Food) -> BrandedFood {
        let (serving_qty, serving_unit) = serving_of(food);
        let brand_name = food.brand.clone().unwrap_or_default();
        let brand_name_item_name = format!("{brand_name} {}", food.name).trim().to_owned();
        BrandedFood {
            food_name: food.name.clone(),
            serving_unit,
            nix_brand_id: brand_id(&brand_name),
            brand_name_item_name,
            serving_qty,
            nf_calories: food.per_serving(Nutrient::Calories).map(|calories| f64::from(calories).round()),
            photo: NixPhoto::at(&self.picture),
            brand_name,
            region: 1,
            brand_type: 2,
            nix_item_id: food.id.clone(),
            locale: LOCALE,
            full_nutrients: self.nutrients(food),
        }
    }

    fn nutrients(&self, food: &Food) -> Option<Vec<NutrientAmount>> {
        let value = |nutrient| food.per_serving(nutrient).map(|value| (f64::from(value) * 100.0).round() / 100.0);
        self.is_detailed.then(|| amounts(value))
    }
}
