//! CalorieNinjas and its successor API Ninjas: a text becomes rows of nutrients.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::{Extension, Json};
use foods::{Nutrient, Nutrients};
use meal::{Item, Part, WeightSource};
use nutrition::Macros;
use serde::Serialize;
use utoipa::ToSchema;

use super::estimated::estimate;
use crate::api::estimate::body::CheckedBody;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::query::Query;

/// Longest text, as both services have it.
const MAX_QUERY: usize = 1_500;
const HUNDRED_GRAMS: f64 = 100.0;

/// Estimate a meal, as CalorieNinjas does
#[utoipa::path(get, path = "/compat/calorieninjas/v1/nutrition", tag = "calorieninjas", params(
    ("query" = String, Query, description = "What was eaten, at most 1,500 characters"),
    ("default" = Option<String>, Query, description = "`100g`: foods without an amount count as 100 g, as in the other service. By default they are normal portions"),
), responses((status = 200, description = "The foods; none if nothing was recognized", body = NinjaRows)))]
pub async fn calorie_ninjas(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<NinjaRows>, ApiError> {
    Ok(Json(NinjaRows { items: rows(&app, &caller, request).await? }))
}

/// Estimate a meal, as API Ninjas does
#[utoipa::path(get, path = "/compat/apininjas/v1/nutrition", tag = "apininjas", params(
    ("query" = String, Query, description = "What was eaten, at most 1,500 characters"),
    ("default" = Option<String>, Query, description = "`100g`: foods without an amount count as 100 g, as in the other service. By default they are normal portions"),
), responses((status = 200, description = "The foods; none if nothing was recognized", body = Vec<NinjaRow>)))]
pub async fn api_ninjas(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Json<Vec<NinjaRow>>, ApiError> {
    Ok(Json(rows(&app, &caller, request).await?))
}

async fn rows(app: &App, caller: &Caller, request: Request) -> Result<Vec<NinjaRow>, ApiError> {
    let (head, _) = request.into_parts();
    let query = Query::of(&head.uri);
    let text = query.get("query").unwrap_or_default();
    let default = match query.get("default").as_deref() {
        None | Some("" | "portion") => DefaultAmount::Portion,
        Some("100g") => DefaultAmount::HundredGrams,
        Some(_) => return Err(ApiError::bad_field("default", "“default” must be “portion” or “100g”.")),
    };
    if text.trim().is_empty() {
        return Err(ApiError::bad_field("query", "The parameter “query” is missing."));
    }
    if text.chars().count() > MAX_QUERY {
        return Err(ApiError::bad_field("query", format!("“query” may have at most {MAX_QUERY} characters.")));
    }
    let estimated = estimate(app, caller, &head, CheckedBody::from_text(text)).await?;
    Ok(estimated.parts.iter().filter_map(|part| NinjaRow::from_part(part, default)).collect())
}

/// How much a food is of which no amount was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DefaultAmount {
    /// A normal portion.
    Portion,
    /// 100 g, as both services count it.
    HundredGrams,
}

/// The answer of CalorieNinjas.
#[derive(Debug, Serialize, ToSchema)]
pub struct NinjaRows {
    /// The foods, in the order of the text.
    pub items: Vec<NinjaRow>,
}

/// A food with its nutrients. A nutrient that our tables do not know is `null`, never 0: programs add the numbers up.
#[derive(Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NinjaRow {
    pub name: String,
    pub calories: f64,
    pub serving_size_g: Option<f64>,
    pub fat_total_g: f64,
    pub fat_saturated_g: Option<f64>,
    pub protein_g: f64,
    pub sodium_mg: Option<f64>,
    pub potassium_mg: Option<f64>,
    pub cholesterol_mg: Option<f64>,
    pub carbohydrates_total_g: f64,
    pub fiber_g: Option<f64>,
    pub sugar_g: Option<f64>,
}

impl NinjaRow {
    /// Returns the row of a part of a meal; `None` for unresolved words.
    fn from_part(part: &Part, default: DefaultAmount) -> Option<Self> {
        match part {
            Part::Food(item) => {
                let is_default = default == DefaultAmount::HundredGrams && is_unstated(item);
                let (grams, macros) = if is_default {
                    (HUNDRED_GRAMS, item.food.macros(HUNDRED_GRAMS).shown())
                } else {
                    (item.weight.grams, item.macros)
                };
                let name = item.local_name.as_ref().unwrap_or(&item.food.name).clone();
                Some(Self::new(name, macros, Some(grams), &item.food.nutrients))
            }
            Part::Recipe(item) => Some(Self::new(item.name.clone(), item.macros, None, &Nutrients::default())),
            Part::Unresolved(_) => None,
        }
    }

    fn new(name: String, macros: Macros, grams: Option<f64>, per_100: &Nutrients) -> Self {
        let nutrient = |nutrient| Some(round(f64::from(per_100.get(nutrient)?) * grams? / 100.0));
        Self {
            name,
            calories: macros.calories,
            serving_size_g: grams.map(round),
            fat_total_g: macros.fat,
            fat_saturated_g: nutrient(Nutrient::SaturatedFat),
            protein_g: macros.protein,
            sodium_mg: nutrient(Nutrient::Sodium),
            potassium_mg: nutrient(Nutrient::Potassium),
            cholesterol_mg: nutrient(Nutrient::Cholesterol),
            carbohydrates_total_g: macros.carbs,
            fiber_g: nutrient(Nutrient::Fiber),
            sugar_g: nutrient(Nutrient::Sugars),
        }
    }
}

/// Returns whether no amount was said: the food has its usual one, or a serving.
fn is_unstated(item: &Item) -> bool {
    item.weight.source == WeightSource::Usual || item.unit == "serving" && (item.quantity - 1.0).abs() < f64::EPSILON
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
