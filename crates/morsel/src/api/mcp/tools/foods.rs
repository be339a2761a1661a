//! `search_foods`, `get_food`, `lookup_barcode` and `compare_foods`.

use std::sync::Arc;

use foods::{Food, Serving};
use meal::{FoodPart, MAX_QUANTITY, Message, MessagePart, PartRefusal, RecipeBook, RefusedPart, Speaker};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::answer::ToolAnswer;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::rows::ItemRow;
use crate::api::foods::rows::{FoodDetail, FoodRow, FoodsAnswer};
use crate::api::foods::{FoodSearch, by_gtin};
use crate::api::json::{self, Bounded};
use crate::api::mcp::backend::McpBackend;
use crate::api::mcp::summary;
use crate::error::ApiError;
use crate::live_engine::EngineSnapshot;

/// The fewest foods that can be compared.
const MIN_COMPARED: usize = 2;
/// The most foods that can be compared.
const MAX_COMPARED: usize = 10;

/// Arguments of `search_foods`.
#[derive(Debug, Deserialize)]
pub(super) struct SearchArguments {
    query: String,
    #[serde(default, deserialize_with = "json::whole_number")]
    limit: Option<usize>,
    source: Option<String>,
    language: Option<String>,
}

/// Arguments of `get_food`.
#[derive(Debug, Deserialize)]
pub(super) struct GetArguments {
    id: String,
    amount: Option<f64>,
    unit: Option<String>,
}

/// Arguments of `lookup_barcode`.
#[derive(Debug, Deserialize)]
pub(super) struct BarcodeArguments {
    gtin: String,
    amount: Option<f64>,
    unit: Option<String>,
}

/// Arguments of `compare_foods`.
#[derive(Debug, Deserialize)]
pub(super) struct CompareArguments {
    #[serde(deserialize_with = "ids")]
    ids: Vec<String>,
    #[serde(default)]
    basis: Basis,
}

/// The amount of each food in a comparison.
#[derive(Clone, Copy, Debug, Default)]
enum Basis {
    #[default]
    Grams100,
    Serving,
}

impl<'de> Deserialize<'de> for Basis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::named(deserializer, [("100g", Self::Grams100), ("serving", Self::Serving)])
    }
}

fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Bounded::<String, MAX_COMPARED>::deserialize(deserializer).map(|Bounded(ids)| ids)
}

/// A food, and an amount of it if one was requested.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoodWithAmount {
    /// The food.
    #[serde(flatten)]
    pub food: FoodDetail,
    /// The requested amount of it, with its weight and its nutrients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<ItemRow>,
}

/// Foods side by side.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComparedFoods {
    /// The amount of each food: `100g` or `serving`.
    pub basis: &'static str,
    /// The foods, in the order of the ids. Their serving is the amount that is compared.
    pub foods: Vec<FoodRow>,
}

/// Searches foods.
pub(super) async fn search_foods(backend: &McpBackend, arguments: SearchArguments) -> Result<ToolAnswer, ApiError> {
    let SearchArguments { query, limit, source, language } = arguments;
    let search = FoodSearch::new(&query, limit, source.as_deref()).map_err(|error| match error.param.as_deref() {
        Some("q") => error.of("query"),
        _ => error,
    })?;
    let speaker = backend.speaker(language.as_deref())?;
    let snapshot = backend.snapshot();
    let answer: FoodsAnswer = backend.run(move || search.run(&snapshot, &speaker)).await?;
    ToolAnswer::new(summary::of_foods(&answer), &answer)
}

/// Returns a food by its id.
pub(super) async fn get_food(backend: &McpBackend, arguments: GetArguments) -> Result<ToolAnswer, ApiError> {
    let GetArguments { id, amount, unit } = arguments;
    let snapshot = backend.snapshot();
    let food = by_id(&snapshot, &id)?;
    describe(backend, snapshot, food, amount, unit).await
}

/// Returns the product with a barcode.
pub(super) async fn lookup_barcode(backend: &McpBackend, arguments: BarcodeArguments) -> Result<ToolAnswer, ApiError> {
    let BarcodeArguments { gtin, amount, unit } = arguments;
    let snapshot = backend.snapshot();
    let food = by_gtin(&snapshot, gtin.trim())?;
    describe(backend, snapshot, food, amount, unit).await
}

/// Shows foods side by side.
pub(super) fn compare_foods(backend: &McpBackend, arguments: CompareArguments) -> Result<ToolAnswer, ApiError> {
    let CompareArguments { ids, basis } = arguments;
    if ids.len() < MIN_COMPARED {
        let message = format!("“ids” must have {MIN_COMPARED} to {MAX_COMPARED} entries.");
        return Err(ApiError::bad_field("ids", message));
    }
    let snapshot = backend.snapshot();
    let mut rows = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        let mut food = by_id(&snapshot, id).map_err(|error| {
            let message = format!("There is no food with the id “ids[{at}]”. Use ids from search_foods.");
            ApiError { message, ..error.of(format!("ids[{at}]")) }
        })?;
        if matches!(basis, Basis::Grams100) {
            food.serving = Serving { description: "100 g".to_owned(), grams: 100.0 };
        }
        rows.push(FoodRow::from(&food));
    }
    let basis = match basis {
        Basis::Grams100 => "100g",
        Basis::Serving => "serving",
    };
    let compared = ComparedFoods { basis, foods: rows };
    ToolAnswer::new(summary::of_rows(&compared.foods), &compared)
}

/// Returns the food with this id.
fn by_id(snapshot: &EngineSnapshot, id: &str) -> Result<Food, ApiError> {
    let unknown = || ApiError::not_found("Food not found. Use an id from search_foods.").of("id");
    snapshot.catalog.by_id(id).ok_or_else(unknown)
}

async fn describe(
    backend: &McpBackend,
    snapshot: Arc<EngineSnapshot>,
    food: Food,
    amount: Option<f64>,
    unit: Option<String>,
) -> Result<ToolAnswer, ApiError> {
    let item = if amount.is_some() || unit.is_some() {
        let part = FoodPart { food_id: food.id.clone(), quantity: amount, unit };
        Some(backend.run(move || weigh(&snapshot, part)).await??)
    } else {
        None
    };
    let described = FoodWithAmount { food: FoodDetail::from(&food), amount: item };
    let text = summary::of_food(&food, &described.food.food, described.amount.as_ref());
    ToolAnswer::new(text, &described)
}

/// Returns an amount of a food, as an estimate has it.
fn weigh(snapshot: &EngineSnapshot, part: FoodPart) -> Result<ItemRow, ApiError> {
    part.check().map_err(refused)?;
    let messages = [Message { parts: vec![MessagePart::Food(part)] }];
    let (book, speaker) = (RecipeBook::default(), Speaker::default());
    let parts = meal::try_estimate(&snapshot.engine, &messages, &book, &speaker);
    let mut parts = parts.map_err(|RefusedPart { reason, .. }| refused(reason))?;
    let include = Include::of([Extra::Grams, Extra::Nutrients]);
    let item = parts.find_map(|part| ItemRow::from_part(&part, include));
    item.ok_or_else(|| ApiError::internal("a food of the catalog has no item"))
}

fn refused(reason: PartRefusal) -> ApiError {
    if reason == PartRefusal::BadQuantity {
        let message = format!("“amount” must be greater than 0 and at most {MAX_QUANTITY}.");
        return ApiError::bad_field("amount", message);
    }
    let message = "“unit” is not a measure of this food. Use one such as “g”, “ml”, “cup” or “slice”, or omit it.";
    ApiError::bad_field("unit", message)
}
