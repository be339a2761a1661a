//! `/v1/foods`: the food database.

use std::sync::Arc;

pub use answers::food as rows;
use answers::food::{DEFAULT_LIMIT, FoodDetail, FoodsAnswer, MAX_FOODS, MAX_QUERY, MIN_QUERY};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::{Extension, Json};
use bytes::Bytes;
use foods::{Food, Source};
use meal::Speaker;

use crate::api::response::json_response;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::path::Path;
use crate::query::Query;
use crate::response_cache::SearchKey;
use crate::speaker;

/// As long as most answers to a search are, in bytes.
const USUAL_BYTES: usize = 8 << 10;

/// Search foods
///
/// The most likely food comes first. Finds foods despite typos, in any word order, as singular or plural, and while the
/// last word is still being typed.
#[utoipa::path(get, path = "/v1/foods", operation_id = "search_foods", tag = "foods", params(
    ("q" = String, Query, description = "The search query, at least 2 characters"),
    ("limit" = Option<u32>, Query, description = "Maximum number of foods: 1 to 100, by default 20; larger values count as 100"),
    ("source" = Option<String>, Query, description = "Only foods of this source: usda, branded, dish (composed of foods of usda), or a food table: cnf, bls, ciqual, cofid, swiss, fineli, livs, frida, taco, mext, mvt; table for those imported under another name"),
    ("language" = Option<String>, Query, description = "The language of the query, as a code: en, es, de. By default it is detected"),
), responses(
    (status = 200, description = "The foods, best first", body = FoodsAnswer),
    (status = 400, description = "The query is too short, or a parameter is invalid; `foods` is an empty array", body = ErrorBody),
))]
pub async fn search(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let search = search_of(&uri).map_err(ApiError::without_foods)?;
    let language = Query::of(&uri).get("language");
    let snapshot = app.engine.snapshot();
    let speaker = speaker::speaker_of(language.as_deref(), &headers, snapshot.engine.translator());
    let speaker = speaker.map_err(ApiError::without_foods)?;
    let key = SearchKey {
        version: snapshot.version.clone(),
        query: search.query.clone(),
        limit: search.limit,
        source: search.source,
        speaker: speaker.clone(),
    };
    if let Some(body) = app.responses.search(&key) {
        return Ok(json_response(body));
    }
    let found = app.texts.run(&caller.account.id, move || {
        let mut body = Vec::with_capacity(USUAL_BYTES);
        serde_json::to_writer(&mut body, &search.run(&snapshot, &speaker)).map(|()| body)
    });
    let body = Bytes::from(found.await?.map_err(ApiError::internal)?);
    app.responses.remember_search(key, body.clone());
    Ok(json_response(body))
}

/// Get a food
///
/// With all its portions and nutrients.
#[utoipa::path(get, path = "/v1/foods/{id}", operation_id = "get_food", tag = "foods",
    params(("id" = String, Path, description = "The food's id")), responses(
    (status = 200, description = "The food", body = FoodDetail),
    (status = 404, description = "Food not found", body = ErrorBody),
))]
pub async fn get(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<FoodDetail>, ApiError> {
    let food = app.engine.snapshot().catalog.by_id(&id);
    let food = food.ok_or_else(|| ApiError::not_found("Food not found.").of("id"))?;
    Ok(Json(FoodDetail::from(&food)))
}

/// Find a product by its barcode
#[utoipa::path(get, path = "/v1/foods/barcode/{gtin}", operation_id = "get_food_by_barcode", tag = "foods",
    params(("gtin" = String, Path, description = "The digits under the barcode: EAN-8, UPC-A, EAN-13 or GTIN-14")), responses(
    (status = 200, description = "The product", body = FoodDetail),
    (status = 400, description = "Not a barcode number", body = ErrorBody),
    (status = 404, description = "Product not found", body = ErrorBody),
))]
pub async fn by_barcode(State(app): State<Arc<App>>, Path(gtin): Path<String>) -> Result<Json<FoodDetail>, ApiError> {
    Ok(Json(FoodDetail::from(&by_gtin(&app.engine.snapshot(), &gtin)?)))
}

/// Returns the product with a barcode.
pub(crate) fn by_gtin(snapshot: &EngineSnapshot, gtin: &str) -> Result<Food, ApiError> {
    if !(6..=14).contains(&gtin.len()) || !gtin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ApiError::bad_field("gtin", "“gtin” must be 6 to 14 digits."));
    }
    let food = gtin.parse().ok().and_then(|number| snapshot.catalog.by_gtin(number));
    food.ok_or_else(|| ApiError::not_found("No product with this barcode.").of("gtin"))
}

/// A checked search.
#[derive(Debug)]
pub(crate) struct FoodSearch {
    query: String,
    limit: usize,
    source: Option<Source>,
}

impl FoodSearch {
    /// Checks a search. The errors name the parameters of the endpoint.
    pub(crate) fn new(text: &str, limit: Option<usize>, source: Option<&str>) -> Result<Self, ApiError> {
        let text = text.trim();
        let length = text.chars().count();
        if length < MIN_QUERY {
            let message = format!("The query must be at least {MIN_QUERY} characters long.");
            return Err(ApiError::bad_request("query_too_short", message).of("q"));
        }
        if length > MAX_QUERY {
            return Err(ApiError::bad_field("q", format!("The query may have at most {MAX_QUERY} characters.")));
        }
        let limit = match limit {
            Some(0) => return Err(ApiError::bad_field("limit", "“limit” must be a whole number of at least 1.")),
            limit => limit.unwrap_or(DEFAULT_LIMIT).min(MAX_FOODS),
        };
        let source = match source {
            None | Some("") => None,
            Some(name) => Some(name.parse().map_err(|_| ApiError::bad_field("source", unknown_source()))?),
        };
        Ok(Self { query: text.to_owned(), limit, source })
    }

    /// Returns the foods, best first. Takes time: not for async threads.
    pub(crate) fn run(self, snapshot: &EngineSnapshot, speaker: &Speaker) -> FoodsAnswer {
        snapshot.search(&self.query, speaker, self.limit, self.source).answer(&self.query)
    }
}

fn search_of(uri: &Uri) -> Result<FoodSearch, ApiError> {
    let query = Query::of(uri);
    let is_number = |limit: &str| limit.bytes().all(|byte| byte.is_ascii_digit());
    let limit = query.get("limit").map(|limit| {
        // A number too large for the machine is still a number above the maximum, and what is not a number is not one of
        // at least 1.
        if is_number(&limit) && !limit.is_empty() { limit.parse().unwrap_or(MAX_FOODS) } else { 0 }
    });
    FoodSearch::new(&query.get("q").unwrap_or_default(), limit, query.get("source").as_deref())
}

/// Returns the message for an unknown source, with those that exist.
fn unknown_source() -> String {
    let names: Vec<&str> = Source::all().map(Source::name).collect();
    format!("“source” must be one of {}.", names.join(", "))
}
