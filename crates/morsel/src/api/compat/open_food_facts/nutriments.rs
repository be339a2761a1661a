//! The nutrients of a product: for each an amount in 100 g and in a serving, both in grams, and the unit to show it in.

use foods::{Food, Nutrient};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A nutrient by the names of its three values.
struct NutrimentKeys {
    nutrient: Nutrient,
    per_100: &'static str,
    per_serving: &'static str,
    unit_key: &'static str,
    unit: &'static str,
    /// How many of our units are a gram.
    per_gram: f64,
}

macro_rules! keys {
    ($nutrient:ident $name:literal $unit:literal $per_gram:literal) => {
        NutrimentKeys {
            nutrient: Nutrient::$nutrient,
            per_100: concat!($name, "_100g"),
            per_serving: concat!($name, "_serving"),
            unit_key: concat!($name, "_unit"),
            unit: $unit,
            per_gram: $per_gram,
        }
    };
}

const KEYS: [NutrimentKeys; 28] = [
    keys!(Protein "proteins" "g" 1.0),
    keys!(Carbs "carbohydrates" "g" 1.0),
    keys!(Fat "fat" "g" 1.0),
    keys!(SaturatedFat "saturated-fat" "g" 1.0),
    keys!(MonounsaturatedFat "monounsaturated-fat" "g" 1.0),
    keys!(PolyunsaturatedFat "polyunsaturated-fat" "g" 1.0),
    keys!(TransFat "trans-fat" "g" 1.0),
    keys!(Cholesterol "cholesterol" "mg" 1_000.0),
    keys!(Sugars "sugars" "g" 1.0),
    keys!(AddedSugars "added-sugars" "g" 1.0),
    keys!(Fiber "fiber" "g" 1.0),
    keys!(Sodium "sodium" "mg" 1_000.0),
    keys!(Potassium "potassium" "mg" 1_000.0),
    keys!(Calcium "calcium" "mg" 1_000.0),
    keys!(Iron "iron" "mg" 1_000.0),
    keys!(Magnesium "magnesium" "mg" 1_000.0),
    keys!(Phosphorus "phosphorus" "mg" 1_000.0),
    keys!(Zinc "zinc" "mg" 1_000.0),
    keys!(Selenium "selenium" "µg" 1_000_000.0),
    keys!(VitaminA "vitamin-a" "µg" 1_000_000.0),
    keys!(VitaminC "vitamin-c" "mg" 1_000.0),
    keys!(VitaminD "vitamin-d" "µg" 1_000_000.0),
    keys!(VitaminE "vitamin-e" "mg" 1_000.0),
    keys!(VitaminK "vitamin-k" "µg" 1_000_000.0),
    keys!(VitaminB6 "vitamin-b6" "mg" 1_000.0),
    keys!(VitaminB12 "vitamin-b12" "µg" 1_000_000.0),
    keys!(Folate "vitamin-b9" "µg" 1_000_000.0),
    keys!(Caffeine "caffeine" "mg" 1_000.0),
];

const KILOJOULES_PER_KILOCALORIE: f64 = 4.184;
/// Grams of salt that have a milligram of sodium.
const SALT_PER_SODIUM: f64 = 2.5 / 1_000.0;

/// The nutrients of a food. What its source does not say is left out: a program would take 0 for the truth.
pub(super) struct Nutriments<'a>(pub &'a Food);

impl Serialize for Nutriments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Nutriments(food) = self;
        let per_serving = f64::from(food.serving.grams) / 100.0;
        let mut map = serializer.serialize_map(None)?;
        if let Some(calories) = food.nutrients.get(Nutrient::Calories).map(f64::from) {
            let kilojoules = calories * KILOJOULES_PER_KILOCALORIE;
            // "energy" is in kilojoules, whatever unit is shown.
            for (keys, amount, unit) in [
                (["energy-kcal_100g", "energy-kcal_serving", "energy-kcal_unit"], calories, "kcal"),
                (["energy-kj_100g", "energy-kj_serving", "energy-kj_unit"], kilojoules, "kJ"),
                (["energy_100g", "energy_serving", "energy_unit"], kilojoules, "kJ"),
            ] {
                map.serialize_entry(keys[0], &in_tenths(amount))?;
                map.serialize_entry(keys[1], &in_tenths(amount * per_serving))?;
                map.serialize_entry(keys[2], unit)?;
            }
        }
        for keys in &KEYS {
            if let Some(amount) = food.nutrients.get(keys.nutrient).map(f64::from) {
                map.serialize_entry(keys.per_100, &in_grams(amount, keys.per_gram))?;
                map.serialize_entry(keys.per_serving, &in_grams(amount * per_serving, keys.per_gram))?;
                map.serialize_entry(keys.unit_key, keys.unit)?;
            }
        }
        if let Some(sodium) = food.nutrients.get(Nutrient::Sodium).map(f64::from) {
            let salt = sodium * SALT_PER_SODIUM;
            map.serialize_entry("salt_100g", &in_grams(salt, 1.0))?;
            map.serialize_entry("salt_serving", &in_grams(salt * per_serving, 1.0))?;
            map.serialize_entry("salt_unit", "g")?;
        }
        map.end()
    }
}

/// Converts an amount into grams, with three decimals of its own unit. One division of whole numbers has no noise at its end.
fn in_grams(amount: f64, per_gram: f64) -> f64 {
    (amount * 1_000.0).round() / (1_000.0 * per_gram)
}

fn in_tenths(amount: f64) -> f64 {
    (amount * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use foods::{Nutrients, Origin, Serving};
    use serde_json::json;

    #[test]
    fn amounts_are_in_grams_and_unknown_ones_absent() {
        let mut nutrients = Nutrients::default();
        for (nutrient, value) in [
            (Nutrient::Calories, 52.0),
            (Nutrient::Fat, 0.0),
            (Nutrient::Sodium, 1.3),
            (Nutrient::VitaminB12, 0.45),
            (Nutrient::Protein, 0.1),
        ] {
            nutrients.set(nutrient, value);
        }
        let mut food = Food::new("sr_1", Origin::StandardReference, "Apple", nutrients);
        food.serving = Serving { description: "1 apple".to_owned(), grams: 182.0 };
        let expected = json!({
            "energy-kcal_100g": 52.0, "energy-kcal_serving": 94.6, "energy-kcal_unit": "kcal",
            "energy-kj_100g": 217.6, "energy-kj_serving": 396.0, "energy-kj_unit": "kJ",
            "energy_100g": 217.6, "energy_serving": 396.0, "energy_unit": "kJ",
            "proteins_100g": 0.1, "proteins_serving": 0.182, "proteins_unit": "g",
            "fat_100g": 0.0, "fat_serving": 0.0, "fat_unit": "g",
            "sodium_100g": 0.0013, "sodium_serving": 0.002_366, "sodium_unit": "mg",
            "vitamin-b12_100g": 0.000_000_45, "vitamin-b12_serving": 0.000_000_819, "vitamin-b12_unit": "µg",
            "salt_100g": 0.003, "salt_serving": 0.006, "salt_unit": "g",
        });
        assert_eq!(serde_json::to_value(Nutriments(&food)).expect("JSON"), expected);
    }
}
