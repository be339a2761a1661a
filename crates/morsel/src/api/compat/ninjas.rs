//! CalorieNinjas and its successor API Ninjas: a text becomes rows of nutrients.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::{Extension, Json};
use foods::{Nutrient, Nutrients};
use meal::Part;
use nutrition::Macros;
use serde::Serialize;
use utoipa::ToSchema;

use super::estimate;
use crate::api::estimate::body::CheckedBody;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::query::Query;

/// Longest text, as both services have it.
const MAX_QUERY: usize = 1_500;

/// Estimate a meal, as CalorieNinjas does
#[utoipa::path(get, path = "/compat/calorieninjas/v1/nutrition", tag = "calorieninjas", params(
    ("query" = String, Query, description = "What was eaten, at most 1,500 characters"),
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
    let text = Query::of(&head.uri).get("query").unwrap_or_default();
    if text.trim().is_empty() {
        return Err(ApiError::bad_field("query", "The parameter “query” is missing."));
    }
    if text.chars().count() > MAX_QUERY {
        return Err(ApiError::bad_field("query", format!("“query” may have at most {MAX_QUERY} characters.")));
    }
    let estimated = estimate(app, caller, &head, CheckedBody::from_text(text)).await?;
    Ok(estimated.parts.iter().filter_map(NinjaRow::from_part).collect())
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
    fn from_part(part: &Part) -> Option<Self> {
        match part {
            Part::Food(item) => {
                Some(Self::new(item.food.name.clone(), item.macros, Some(item.weight.grams), &item.food.nutrients))
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

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
