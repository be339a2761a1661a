//! Foods as FoodData Central sends them: in searches, abridged and in full. Amounts are those of 100 g.

use foods::catalog::Catalog;
use foods::{Food, Portion};
use serde::Serialize;

use super::data_type::DataType;
use super::nutrients::{self, WantedNutrients};
use crate::api::compat::food_codes;

/// The id of the unit of portions, which are only described in words.
const UNDETERMINED: u32 = 9999;

/// What all forms of a food have.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FoodHead<'a> {
    fdc_id: u64,
    description: &'a str,
    data_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gtin_upc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand_owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ndb_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    food_code: Option<&'a str>,
}

impl<'a> FoodHead<'a> {
    fn new(catalog: &Catalog, food: &'a Food) -> Option<Self> {
        let data_type = DataType::of(food.origin);
        // Every product has a brand and a barcode there, and programs rely on it. UPC-A has twelve digits.
        let is_product = data_type == DataType::Branded;
        let brand = food.brand.as_deref().or(is_product.then_some(""));
        let printed = food.gtin.map(|gtin| format!("{gtin:012}"));
        Some(Self {
            fdc_id: food_codes::fdc_id_of(catalog, food)?,
            description: &food.name,
            data_type: data_type.name(),
            gtin_upc: printed.or_else(|| is_product.then(|| food_codes::barcode_of(catalog, food))?),
            brand_owner: brand,
            brand_name: brand,
            ndb_number: food.id.strip_prefix("sr_").and_then(|number| number.parse().ok()),
            food_code: food.id.strip_prefix("fndds_"),
        })
    }
}

/// The serving of a food.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FoodServing<'a> {
    serving_size: f64,
    serving_size_unit: &'static str,
    household_serving_full_text: &'a str,
}

impl<'a> FoodServing<'a> {
    fn new(food: &'a Food) -> Self {
        let household_serving_full_text = food.serving.description.split(" (").next().unwrap_or_default();
        Self { serving_size: in_tenths(food.serving.grams), serving_size_unit: "g", household_serving_full_text }
    }
}

/// A food in a search.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchRow<'a> {
    #[serde(flatten)]
    head: FoodHead<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    food_category: Option<&'a str>,
    #[serde(flatten)]
    serving: FoodServing<'a>,
    food_measures: Vec<MeasureRow<'a>>,
    food_nutrients: Vec<SearchNutrient>,
}

/// A portion in a search.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MeasureRow<'a> {
    id: usize,
    dissemination_text: &'a str,
    gram_weight: f64,
    measure_unit_name: &'static str,
    measure_unit_id: u32,
    rank: usize,
}

/// A nutrient in a search.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SearchNutrient {
    nutrient_id: u32,
    nutrient_name: &'static str,
    nutrient_number: &'static str,
    unit_name: &'static str,
    value: f64,
}

impl<'a> SearchRow<'a> {
    pub fn new(catalog: &Catalog, food: &'a Food) -> Option<Self> {
        let measure = |(at, portion): (usize, &'a Portion)| MeasureRow {
            id: at + 1,
            dissemination_text: &portion.text,
            gram_weight: in_tenths(portion.grams),
            measure_unit_name: "undetermined",
            measure_unit_id: UNDETERMINED,
            rank: at + 1,
        };
        let all = WantedNutrients::default();
        let nutrients = nutrients::amounts(food, &all).map(|(row, value)| SearchNutrient {
            nutrient_id: row.id,
            nutrient_name: row.name,
            nutrient_number: row.number,
            unit_name: row.unit_name,
            value,
        });
        Some(Self {
            head: FoodHead::new(catalog, food)?,
            food_category: food.category.as_deref(),
            serving: FoodServing::new(food),
            food_measures: food.portions.iter().enumerate().map(measure).collect(),
            food_nutrients: nutrients.collect(),
        })
    }
}

/// A food with little but its nutrients.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AbridgedFood<'a> {
    #[serde(flatten)]
    head: FoodHead<'a>,
    food_nutrients: Vec<AbridgedNutrient>,
}

/// A nutrient of an abridged food.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AbridgedNutrient {
    number: &'static str,
    name: &'static str,
    amount: f64,
    unit_name: &'static str,
}

impl<'a> AbridgedFood<'a> {
    pub fn new(catalog: &Catalog, food: &'a Food, wanted: &WantedNutrients) -> Option<Self> {
        let nutrients = nutrients::amounts(food, wanted).map(|(row, amount)| AbridgedNutrient {
            number: row.number,
            name: row.name,
            amount,
            unit_name: row.unit_name,
        });
        Some(Self { head: FoodHead::new(catalog, food)?, food_nutrients: nutrients.collect() })
    }
}

/// A food with everything.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FullFood<'a> {
    #[serde(flatten)]
    head: FoodHead<'a>,
    food_class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    food_category: Option<FoodCategory<'a>>,
    #[serde(flatten)]
    serving: FoodServing<'a>,
    food_portions: Vec<PortionRow<'a>>,
    food_nutrients: Vec<FullNutrient>,
}

#[derive(Debug, Serialize)]
struct FoodCategory<'a> {
    description: &'a str,
}

/// A portion of a food.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PortionRow<'a> {
    id: usize,
    amount: f64,
    gram_weight: f64,
    modifier: String,
    portion_description: &'a str,
    measure_unit: MeasureUnit,
    sequence_number: usize,
}

#[derive(Debug, Serialize)]
struct MeasureUnit {
    id: u32,
    name: &'static str,
    abbreviation: &'static str,
}

/// A nutrient of a full food.
#[derive(Debug, Serialize)]
struct FullNutrient {
    r#type: &'static str,
    id: u32,
    nutrient: NutrientName,
    amount: f64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NutrientName {
    id: u32,
    number: &'static str,
    name: &'static str,
    rank: usize,
    unit_name: &'static str,
}

impl<'a> FullFood<'a> {
    pub fn new(catalog: &Catalog, food: &'a Food, wanted: &WantedNutrients) -> Option<Self> {
        let portion = |(at, portion): (usize, &'a Portion)| {
            let measure = portion.measure();
            PortionRow {
                id: at + 1,
                amount: (f64::from(measure.amount) * 1_000.0).round() / 1_000.0,
                gram_weight: in_tenths(portion.grams),
                modifier: measure.unit,
                portion_description: &portion.text,
                measure_unit: MeasureUnit { id: UNDETERMINED, name: "undetermined", abbreviation: "undetermined" },
                sequence_number: at + 1,
            }
        };
        let nutrients = nutrients::amounts(food, wanted).enumerate().map(|(at, (row, amount))| FullNutrient {
            r#type: "FoodNutrient",
            id: row.id,
            nutrient: NutrientName { id: row.id, number: row.number, name: row.name, rank: at, unit_name: row.unit },
            amount,
        });
        Some(Self {
            head: FoodHead::new(catalog, food)?,
            food_class: DataType::of(food.origin).food_class(),
            food_category: food.category.as_deref().map(|description| FoodCategory { description }),
            serving: FoodServing::new(food),
            food_portions: food.portions.iter().enumerate().map(portion).collect(),
            food_nutrients: nutrients.collect(),
        })
    }
}

fn in_tenths(grams: f32) -> f64 {
    (f64::from(grams) * 10.0).round() / 10.0
}
