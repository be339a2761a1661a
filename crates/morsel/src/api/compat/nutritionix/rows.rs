//! Foods as Nutritionix shows them.

use foods::hash::fnv1a;
use foods::{Food, Nutrient, Source};
use meal::{Part, RecipeItem};
use nutrition::Macros;
use serde::Serialize;
use utoipa::ToSchema;

use super::attributes::{NutrientAmount, amounts};

/// Nutritionix' numbers for USDA's tables and for labels.
const SOURCE_USDA: u8 = 1;
const SOURCE_LABEL: u8 = 8;
/// Eaten at no particular time.
const ANY_TIME: u8 = 7;

/// The foods of an answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct NixFoods {
    /// The foods.
    pub foods: Vec<NixFood>,
    /// Lines that were not understood, if lines were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<NixLineError>,
}

/// A line that was not understood.
#[derive(Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixLineError {
    pub original_text: String,
    pub err_code: u16,
    pub err_msg: &'static str,
}

/// A food with its amount and nutrients. Unknown nutrients are `null`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixFood {
    pub food_name: String,
    pub brand_name: Option<String>,
    pub serving_qty: f64,
    pub serving_unit: String,
    pub serving_weight_grams: Option<f64>,
    pub nf_calories: Option<f64>,
    pub nf_total_fat: Option<f64>,
    pub nf_saturated_fat: Option<f64>,
    pub nf_cholesterol: Option<f64>,
    pub nf_sodium: Option<f64>,
    pub nf_total_carbohydrate: Option<f64>,
    pub nf_dietary_fiber: Option<f64>,
    pub nf_sugars: Option<f64>,
    pub nf_protein: Option<f64>,
    pub nf_potassium: Option<f64>,
    pub nf_p: Option<f64>,
    pub full_nutrients: Vec<NutrientAmount>,
    pub nix_brand_name: Option<String>,
    pub nix_brand_id: Option<String>,
    pub nix_item_name: Option<String>,
    pub nix_item_id: Option<String>,
    pub upc: Option<String>,
    pub consumed_at: String,
    pub metadata: NixMetadata,
    pub source: u8,
    pub ndb_no: Option<u32>,
    pub tags: Option<NixTags>,
    pub alt_measures: Vec<NixMeasure>,
    #[schema(value_type = Option<f64>)]
    pub lat: (),
    #[schema(value_type = Option<f64>)]
    pub lng: (),
    pub meal_type: u8,
    pub photo: NixPhoto,
    #[schema(value_type = Option<Vec<Object>>)]
    pub sub_recipe: (),
}

/// What is special about a food.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixMetadata {
    pub is_raw_food: bool,
}

/// The words that a food was understood from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixTags {
    pub item: String,
    pub measure: Option<String>,
    pub quantity: String,
    pub food_group: Option<u8>,
    pub tag_id: u64,
}

/// Another measure of a food.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixMeasure {
    pub serving_weight: f64,
    pub measure: String,
    pub seq: Option<usize>,
    pub qty: f64,
}

/// A picture of a food: always the same, since clients expect one.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[expect(missing_docs, reason = "the names are the other service's")]
pub struct NixPhoto {
    pub thumb: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highres: Option<String>,
    pub is_user_uploaded: bool,
}

impl NixPhoto {
    /// Returns the picture at a URL.
    pub fn at(url: &str) -> Self {
        Self { thumb: url.to_owned(), highres: Some(url.to_owned()), is_user_uploaded: false }
    }
}

/// What all foods of an answer have in common.
#[derive(Debug)]
pub struct NixContext {
    /// The URL of the picture.
    pub picture: String,
    /// When it was eaten.
    pub consumed_at: String,
    /// The meal it was part of, by Nutritionix' number.
    pub meal_type: Option<u8>,
    /// By how much all amounts are divided.
    pub servings: f64,
}

/// An amount of something.
struct Amount {
    quantity: f64,
    unit: String,
    grams: Option<f64>,
}

impl NixFood {
    /// Returns the row of a part of a meal; `None` for unresolved words.
    pub fn of_part(part: &Part, context: &NixContext) -> Option<Self> {
        match part {
            Part::Food(item) => {
                let amount =
                    Amount { quantity: item.quantity, unit: item.unit.clone(), grams: Some(item.weight.grams) };
                let name = item.local_name.as_ref().unwrap_or(&item.food.name);
                Some(Self::of_food(&item.food, name, Some(item.macros), amount, context))
            }
            Part::Recipe(item) => Some(Self::of_recipe(item, context)),
            Part::Unresolved(_) => None,
        }
    }

    /// Returns one serving of a food.
    pub fn of_serving(food: &Food, context: &NixContext) -> Self {
        let (quantity, unit) = serving_of(food);
        let amount = Amount { quantity, unit, grams: Some(f64::from(food.serving.grams)) };
        Self::of_food(food, &food.name, None, amount, context)
    }

    /// Adds up the foods of a meal under a name.
    pub fn aggregated(foods: &[Self], name: &str, context: &NixContext) -> Self {
        let sum = |value: fn(&Self) -> Option<f64>| foods.iter().filter_map(value).reduce(|sum, value| sum + value);
        let of_attribute = |attr_id: u16| {
            let values = foods.iter().flat_map(|food| &food.full_nutrients);
            values
                .filter(|amount| amount.attr_id == attr_id)
                .map(|amount| amount.value)
                .reduce(|sum, value| sum + value)
        };
        let amount = Amount { quantity: 1.0, unit: "Serving".to_owned(), grams: sum(|food| food.serving_weight_grams) };
        let mut all = Self::blank(name, amount, context);
        let mut attributes: Vec<u16> =
            foods.iter().flat_map(|food| &food.full_nutrients).map(|amount| amount.attr_id).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let amount = |attr_id| Some(NutrientAmount { attr_id, value: round(of_attribute(attr_id)?) });
        all.full_nutrients = attributes.into_iter().filter_map(amount).collect();
        all.set_nutrients(of_attribute);
        all
    }

    fn of_recipe(item: &RecipeItem, context: &NixContext) -> Self {
        let amount = Amount { quantity: item.quantity, unit: item.unit.clone(), grams: None };
        let mut row = Self::blank(&item.name, amount, context);
        row.set_values(|nutrient| macro_of(item.macros, nutrient).map(|value| value / context.servings));
        row
    }

    fn of_food(food: &Food, name: &str, macros: Option<Macros>, amount: Amount, context: &NixContext) -> Self {
        let grams = amount.grams.unwrap_or_default();
        let value = |nutrient| {
            let stated = macros.and_then(|macros| macro_of(macros, nutrient));
            let of_table = || Some(f64::from(food.nutrients.get(nutrient)?) * grams / 100.0);
            stated.or_else(of_table).map(|value| value / context.servings)
        };
        let tags = NixTags {
            item: name.to_lowercase(),
            measure: (!amount.unit.is_empty()).then(|| amount.unit.clone()),
            quantity: format!("{:?}", round(amount.quantity)),
            food_group: None,
            tag_id: tag_id(&food.id),
        };
        let mut row = Self::blank(name, amount, context);
        row.set_values(value);
        let is_branded = food.origin.source() == Source::Branded;
        row.brand_name.clone_from(&food.brand);
        row.nix_brand_name.clone_from(&food.brand);
        row.nix_brand_id = food.brand.as_deref().map(brand_id);
        row.nix_item_name = is_branded.then(|| food.name.clone());
        row.nix_item_id = is_branded.then(|| food.id.clone());
        row.upc = food.gtin.map(|gtin| format!("{gtin:012}"));
        row.source = if is_branded { SOURCE_LABEL } else { SOURCE_USDA };
        row.ndb_no = food.id.strip_prefix("sr_").and_then(|number| number.parse().ok());
        row.metadata.is_raw_food = is_raw(food);
        row.tags = Some(tags);
        row.alt_measures = measures_of(food);
        row
    }

    fn blank(name: &str, amount: Amount, context: &NixContext) -> Self {
        Self {
            food_name: name.to_owned(),
            brand_name: None,
            serving_qty: round(amount.quantity),
            serving_unit: amount.unit,
            serving_weight_grams: amount.grams.map(|grams| round(grams / context.servings)),
            nf_calories: None,
            nf_total_fat: None,
            nf_saturated_fat: None,
            nf_cholesterol: None,
            nf_sodium: None,
            nf_total_carbohydrate: None,
            nf_dietary_fiber: None,
            nf_sugars: None,
            nf_protein: None,
            nf_potassium: None,
            nf_p: None,
            full_nutrients: Vec::new(),
            nix_brand_name: None,
            nix_brand_id: None,
            nix_item_name: None,
            nix_item_id: None,
            upc: None,
            consumed_at: context.consumed_at.clone(),
            metadata: NixMetadata::default(),
            source: SOURCE_USDA,
            ndb_no: None,
            tags: None,
            alt_measures: Vec::new(),
            lat: (),
            lng: (),
            meal_type: context.meal_type.unwrap_or(ANY_TIME),
            photo: NixPhoto::at(&context.picture),
            sub_recipe: (),
        }
    }

    fn set_values(&mut self, value: impl Fn(Nutrient) -> Option<f64>) {
        self.full_nutrients = amounts(|nutrient| value(nutrient).map(round));
        let known = std::mem::take(&mut self.full_nutrients);
        self.set_nutrients(|attr_id| known.iter().find(|amount| amount.attr_id == attr_id).map(|amount| amount.value));
        self.full_nutrients = known;
    }

    /// Sets the nutrients that have fields of their own, by their numbers.
    fn set_nutrients(&mut self, value: impl Fn(u16) -> Option<f64>) {
        let value = |attr_id| value(attr_id).map(round);
        self.nf_calories = value(208);
        self.nf_total_fat = value(204);
        self.nf_saturated_fat = value(606);
        self.nf_cholesterol = value(601);
        self.nf_sodium = value(307);
        self.nf_total_carbohydrate = value(205);
        self.nf_dietary_fiber = value(291);
        self.nf_sugars = value(269);
        self.nf_protein = value(203);
        self.nf_potassium = value(306);
        self.nf_p = value(305);
    }
}

fn macro_of(macros: Macros, nutrient: Nutrient) -> Option<f64> {
    Some(match nutrient {
        Nutrient::Calories => macros.calories,
        Nutrient::Protein => macros.protein,
        Nutrient::Carbs => macros.carbs,
        Nutrient::Fat => macros.fat,
        _ => return None,
    })
}

/// Returns the amount and the unit of a serving.
pub fn serving_of(food: &Food) -> (f64, String) {
    let measure = foods::unit::measure(&food.serving.description);
    if measure.unit.is_empty() {
        return (1.0, "serving".to_owned());
    }
    (f64::from(measure.amount), measure.unit)
}

/// Returns a number for a food that is always the same.
pub fn tag_id(food_id: &str) -> u64 {
    // Clients keep it as a signed number of 32 bits.
    fnv1a(food_id.as_bytes()) & 0x7FFF_FFFF
}

/// Returns an id for a brand that is always the same.
pub fn brand_id(brand: &str) -> String {
    format!("{:016x}", fnv1a(brand.as_bytes()))
}

fn measures_of(food: &Food) -> Vec<NixMeasure> {
    let of_portion = |(index, portion): (usize, &foods::Portion)| {
        let measure = portion.measure();
        (!measure.unit.is_empty()).then(|| NixMeasure {
            serving_weight: round(f64::from(portion.grams)),
            measure: measure.unit,
            seq: Some(index + 1),
            qty: f64::from(measure.amount),
        })
    };
    let grams = NixMeasure { serving_weight: 100.0, measure: "g".to_owned(), seq: None, qty: 100.0 };
    food.portions.iter().enumerate().filter_map(of_portion).chain([grams]).collect()
}

fn is_raw(food: &Food) -> bool {
    let names = [Some(&food.name), food.description.as_ref()];
    names.into_iter().flatten().any(|name| name.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| w == "raw"))
}

/// Rounds to two decimals, as Nutritionix does.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
