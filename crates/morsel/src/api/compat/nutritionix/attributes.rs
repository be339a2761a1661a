//! The numbers by which Nutritionix knows nutrients; most are USDA's.

use foods::Nutrient;
use serde::Serialize;
use utoipa::ToSchema;

/// A nutrient and its number.
#[rustfmt::skip]
const ATTRIBUTES: [(Nutrient, u16); 32] = [
    (Nutrient::Protein, 203), (Nutrient::Fat, 204), (Nutrient::Carbs, 205), (Nutrient::Calories, 208),
    (Nutrient::Alcohol, 221), (Nutrient::Water, 255), (Nutrient::Caffeine, 262), (Nutrient::Sugars, 269),
    (Nutrient::Fiber, 291), (Nutrient::Calcium, 301), (Nutrient::Iron, 303), (Nutrient::Magnesium, 304),
    (Nutrient::Phosphorus, 305), (Nutrient::Potassium, 306), (Nutrient::Sodium, 307), (Nutrient::Zinc, 309),
    (Nutrient::Selenium, 317), (Nutrient::VitaminA, 320), (Nutrient::VitaminE, 323), (Nutrient::VitaminD, 328),
    (Nutrient::VitaminC, 401), (Nutrient::VitaminB6, 415), (Nutrient::Folate, 417), (Nutrient::VitaminB12, 418),
    (Nutrient::Choline, 421), (Nutrient::VitaminK, 430), (Nutrient::AddedSugars, 539), (Nutrient::Cholesterol, 601),
    (Nutrient::TransFat, 605), (Nutrient::SaturatedFat, 606), (Nutrient::MonounsaturatedFat, 645),
    (Nutrient::PolyunsaturatedFat, 646),
];
/// The number of energy in kilojoules.
const KILOJOULES: u16 = 268;
const KILOJOULES_PER_KILOCALORIE: f64 = 4.184;

/// An amount of a nutrient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct NutrientAmount {
    /// The number of the nutrient.
    pub attr_id: u16,
    /// The amount, in the nutrient's unit.
    pub value: f64,
}

/// Returns the known nutrients, in the order of their numbers.
pub fn amounts(value: impl Fn(Nutrient) -> Option<f64>) -> Vec<NutrientAmount> {
    let mut amounts: Vec<NutrientAmount> = ATTRIBUTES
        .iter()
        .filter_map(|(nutrient, attr_id)| Some(NutrientAmount { attr_id: *attr_id, value: value(*nutrient)? }))
        .collect();
    if let Some(calories) = value(Nutrient::Calories) {
        let kilojoules = NutrientAmount { attr_id: KILOJOULES, value: (calories * KILOJOULES_PER_KILOCALORIE).round() };
        let place = amounts.partition_point(|amount| amount.attr_id < KILOJOULES);
        amounts.insert(place, kilojoules);
    }
    amounts
}
