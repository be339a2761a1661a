//! `/v1/foods`: the food database.

pub mod rows;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::Response;
use bytes::Bytes;
use foods::Source;

use self::rows::{FoodDetail, FoodRow, FoodsAnswer};
use crate::api::response::json;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::query::Query;
use crate::response_cache::SearchKey;

const MIN_QUERY: usize = 2;
const MAX_QUERY: usize = 200;
const DEFAULT_LIMIT: usize = 20;
const MAX_FOODS: usize = 100;

/// Search foods
///
/// What a person most likely means comes first. Typos, word order, plurals and a half-typed last word are understood.
#[utoipa::path(get, path = "/v1/foods", tag = "foods", params(
    ("q" = String, Query, description = "What to search for, at least 2 characters"),
    ("limit" = Option<u32>, Query, description = "How many foods at most: 1 to 100, 20 if not given; more is taken as 100"),
    ("source" = Option<String>, Query, description = "Only foods of this source: usda or branded"),
), responses(
    (status = 200, description = "The foods, best first", body = FoodsAnswer),
    (status = 400, description = "The query is too short or a parameter makes no sense; `foods` is an empty array", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope foods:read", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn search(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, ApiError> {
    let wanted = wanted(&uri).map_err(ApiError::without_foods)?;
    let snapshot = app.engine.snapshot();
    let key = SearchKey {
        version: snapshot.version.clone(),
        query: wanted.query.clone(),
        limit: wanted.limit,
        source: wanted.source,
    };
    if let Some(body) = app.responses.searches.get(&key) {
        return Ok(json(body));
    }
    let found = app.texts.run(move || {
        let foods = snapshot.searcher.search(&snapshot.catalog, &wanted.query, wanted.limit, wanted.source);
        let answer = FoodsAnswer { foods: foods.iter().map(FoodRow::from).collect(), query: wanted.query };
        serde_json::to_vec(&answer)
    });
    let body = Bytes::from(found.await?.map_err(ApiError::internal)?);
    app.responses.searches.insert(key, body.clone());
    Ok(json(body))
}

/// Get a food
///
/// With all its portions and nutrients.
#[utoipa::path(get, path = "/v1/foods/{id}", tag = "foods",
    params(("id" = String, Path, description = "The food's id")), responses(
    (status = 200, description = "The food", body = FoodDetail),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope foods:read", body = ErrorBody),
    (status = 404, description = "No such food", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn get(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<FoodDetail>, ApiError> {
    let food = app.engine.snapshot().catalog.by_id(&id);
    let food = food.ok_or_else(|| ApiError::not_found("There is no food with this id.").of("id"))?;
    Ok(Json(FoodDetail::from(&food)))
}

/// Find a product by its barcode
#[utoipa::path(get, path = "/v1/foods/barcode/{gtin}", tag = "foods",
    params(("gtin" = String, Path, description = "The digits under the bars: EAN-8, UPC-A, EAN-13 or GTIN-14")), responses(
    (status = 200, description = "The product", body = FoodDetail),
    (status = 400, description = "Not a barcode number", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope foods:read", body = ErrorBody),
    (status = 404, description = "No product with this barcode", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn by_barcode(State(app): State<Arc<App>>, Path(gtin): Path<String>) -> Result<Json<FoodDetail>, ApiError> {
    if !(6..=14).contains(&gtin.len()) || !gtin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ApiError::bad_field("gtin", "A barcode number has 6 to 14 digits and nothing else."));
    }
    let number = gtin.parse().ok();
    let food = number.and_then(|number| app.engine.snapshot().catalog.by_gtin(number));
    let food = food.ok_or_else(|| ApiError::not_found("There is no product with this barcode.").of("gtin"))?;
    Ok(Json(FoodDetail::from(&food)))
}

/// A checked search.
struct Wanted {
    query: String,
    limit: usize,
    source: Option<Source>,
}

fn wanted(uri: &Uri) -> Result<Wanted, ApiError> {
    let query = Query::of(uri);
    let text = query.get("q").unwrap_or_default();
    let text = text.trim();
    let length = text.chars().count();
    if length < MIN_QUERY {
        let message = format!("The query must be at least {MIN_QUERY} characters long.");
        return Err(ApiError::bad_request("query_too_short", message).of("q"));
    }
    if length > MAX_QUERY {
        return Err(ApiError::bad_field("q", format!("The query may have at most {MAX_QUERY} characters.")));
    }
    let limit = match query.get("limit") {
        None => DEFAULT_LIMIT,
        // A number too large for the machine is still a number above the maximum.
        Some(limit) => match limit.parse::<u128>() {
            Ok(limit @ 1..) => usize::try_from(limit).unwrap_or(MAX_FOODS).min(MAX_FOODS),
            _ => return Err(ApiError::bad_field("limit", "“limit” must be a whole number of at least 1.")),
        },
    };
    let source = match query.get("source").as_deref() {
        None | Some("") => None,
        Some("usda") => Some(Source::Usda),
        Some("branded") => Some(Source::Branded),
        Some(_) => return Err(ApiError::bad_field("source", "“source” must be “usda” or “branded”.")),
    };
    Ok(Wanted { query: text.to_owned(), limit, source })
}
