//! Foods as the API shows them.

use foods::{Food, Nutrient, Nutrients};
use serde::Serialize;
use utoipa::ToSchema;

/// A food in a search result. Numbers are those of one serving: calories whole, grams with one decimal.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FoodRow {
    /// Stable identifier.
    pub id: String,
    /// `usda` or `branded`.
    pub source: &'static str,
    /// The name people read.
    pub name: String,
    /// Who makes it, where that applies.
    pub brand: Option<String>,
    /// Kilocalories.
    pub calories: f64,
    /// Grams.
    pub protein: f64,
    /// Grams.
    pub carbs: f64,
    /// Grams.
    pub fat: f64,
    /// Grams; 0 also where the source gives no value, since the contract knows no absent fiber.
    pub fiber: f64,
    /// One serving in words.
    pub serving_description: String,
    /// One serving in grams.
    pub serving_grams: f64,
}

impl From<&Food> for FoodRow {
    fn from(food: &Food) -> Self {
        let serving = |nutrient, decimals| round(food.per_serving(nutrient).unwrap_or(0.0), decimals);
        Self {
            id: food.id.clone(),
            source: food.origin.source().name(),
            name: food.name.clone(),
            brand: food.brand.clone(),
            calories: serving(Nutrient::Calories, 0),
            protein: serving(Nutrient::Protein, 1),
            carbs: serving(Nutrient::Carbs, 1),
            fat: serving(Nutrient::Fat, 1),
            fiber: serving(Nutrient::Fiber, 1),
            serving_description: food.serving.description.clone(),
            serving_grams: round(food.serving.grams, 1),
        }
    }
}

/// The answer to a search.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FoodsAnswer {
    /// The foods, best first.
    pub foods: Vec<FoodRow>,
    /// What was searched for, trimmed.
    pub query: String,
}

/// A measure of a food.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PortionRow {
    /// In words: "1 cup".
    pub description: String,
    /// In grams.
    pub grams: f64,
}

/// A food with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FoodDetail {
    /// What a search shows.
    #[serde(flatten)]
    pub food: FoodRow,
    /// The publication that it comes from.
    pub origin: &'static str,
    /// The publisher's own name, where it differs.
    pub description: Option<String>,
    /// The publisher's category.
    pub category: Option<String>,
    /// The barcode, with 14 digits.
    pub gtin: Option<String>,
    /// Every measure that is known.
    pub portions: Vec<PortionRow>,
    /// What 100 g hold, as far as it is known.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub nutrients_per_100g: Nutrients,
}

impl From<&Food> for FoodDetail {
    fn from(food: &Food) -> Self {
        let portion =
            |portion: &foods::Portion| PortionRow { description: portion.text.clone(), grams: round(portion.grams, 1) };
        Self {
            food: FoodRow::from(food),
            origin: food.origin.name(),
            description: food.description.clone(),
            category: food.category.clone(),
            gtin: food.gtin.map(|gtin| format!("{gtin:014}")),
            portions: food.portions.iter().map(portion).collect(),
            nutrients_per_100g: food.nutrients,
        }
    }
}

fn round(value: f32, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (f64::from(value) * scale).round() / scale
}
