//! Foods as the API shows them.

use std::collections::BTreeMap;

use foods::{Food, FoodSummary, FoodTable, LocalName, Nutrient, Nutrients};
use nutrition::Macros;
use serde::Serialize;
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

/// The fewest characters of a query.
pub const MIN_QUERY: usize = 2;
/// The most characters of a query.
pub const MAX_QUERY: usize = 200;
/// How many foods a search returns if nothing else is said.
pub const DEFAULT_LIMIT: usize = 20;
/// The most foods that a search returns.
pub const MAX_FOODS: usize = 100;

/// A food in a search result; the numbers are per serving.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct FoodRow {
    /// Stable identifier.
    pub id: String,
    /// `usda`, `branded`, `dish`, or the short name of another food table.
    pub source: &'static str,
    /// Its name.
    pub name: String,
    /// Its brand, if it has one.
    pub brand: Option<String>,
    /// Calories whole, grams with one decimal.
    #[serde(flatten)]
    pub macros: Macros,
    /// Grams; 0 also if unknown, since the contract has no absent fiber.
    pub fiber: f64,
    /// One serving, for people to read.
    pub serving_description: String,
    /// One serving in grams.
    pub serving_grams: f64,
}

impl From<&Food> for FoodRow {
    fn from(food: &Food) -> Self {
        Self::from(food.summary())
    }
}

impl From<FoodSummary<'_>> for FoodRow {
    fn from(food: FoodSummary<'_>) -> Self {
        let serving = |nutrient, decimals| round(food.per_serving(nutrient).unwrap_or(0.0), decimals);
        Self {
            source: food.origin.source().name(),
            name: food.name.to_owned(),
            brand: food.brand.map(str::to_owned),
            macros: Macros {
                calories: serving(Nutrient::Calories, 0),
                protein: serving(Nutrient::Protein, 1),
                carbs: serving(Nutrient::Carbs, 1),
                fat: serving(Nutrient::Fat, 1),
            },
            fiber: serving(Nutrient::Fiber, 1),
            serving_description: food.serving_description.to_owned(),
            serving_grams: round(food.serving_grams, 1),
            id: food.id,
        }
    }
}

/// The foods that a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct FoodsAnswer {
    /// The foods, best first.
    pub foods: Vec<FoodRow>,
    /// The query, trimmed.
    pub query: String,
}

/// A portion of a food.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct PortionRow {
    /// For people to read: "1 cup".
    pub description: String,
    /// In grams.
    pub grams: f64,
}

/// A food with all its portions and nutrients.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct FoodDetail {
    /// The fields of a search result.
    #[serde(flatten)]
    pub food: FoodRow,
    /// The publication it comes from.
    pub origin: &'static str,
    /// How the publisher of a food table other than USDA's asks to be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<&'static str>,
    /// The country whose foods the table describes, by its ISO 3166-1 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<&'static str>,
    /// Names in other languages, by the code of the language, the food's own before its synonyms.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub local_names: BTreeMap<String, Vec<String>>,
    /// The publisher's own name for it, if different.
    pub description: Option<String>,
    /// The publisher's category.
    pub category: Option<String>,
    /// The barcode, with 14 digits.
    pub gtin: Option<String>,
    /// All known portions.
    pub portions: Vec<PortionRow>,
    /// The known nutrients of 100 g.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, f64>))]
    pub nutrients_per_100g: Nutrients,
}

impl From<&Food> for FoodDetail {
    fn from(food: &Food) -> Self {
        let portion =
            |portion: &foods::Portion| PortionRow { description: portion.text.clone(), grams: round(portion.grams, 1) };
        let mut local_names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for LocalName { language, name } in &food.local_names {
            local_names.entry(language.clone()).or_default().push(name.clone());
        }
        Self {
            food: FoodRow::from(food),
            origin: food.origin.name(),
            attribution: food.origin.table().map(FoodTable::attribution),
            country: food.origin.table().and_then(FoodTable::country),
            local_names,
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
