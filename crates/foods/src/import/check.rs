//! The checks that every food must pass, whoever published it.

use super::report::Skip;
use crate::food::{Food, Portion, Serving};
use crate::id;
use crate::nutrients::{Nutrient, Nutrients};

/// The most kilocalories in 100 g: pure fat has 902; the rest allows for rounding and laboratory error.
const MAX_CALORIES: f32 = 950.0;
/// The most grams of anything in 100 g: analyses of parts do not add up exactly.
const MAX_GRAMS: f32 = 105.0;
/// The most grams of protein, carbs and fat together, each with its own error.
const MAX_MACRO_GRAMS: f32 = 115.0;
/// The most grams of a portion.
const MAX_PORTION_GRAMS: f32 = 50_000.0;
/// The most characters of a name; the rest is cut.
const MAX_NAME_CHARS: usize = 300;

/// Checks and tidies a whole food.
pub fn food(food: &mut Food) -> Result<(), Skip> {
    if !food.name.chars().any(char::is_alphanumeric) {
        return Err(Skip::NoName);
    }
    food.name = name(&food.name);
    food.description = food.description.take().map(|text| name(&text)).filter(|text| *text != food.name);
    nutrients(&mut food.nutrients)?;
    food.portions.retain(is_valid_portion);
    for portion in &mut food.portions {
        portion.grams = round3(portion.grams);
    }
    if !is_weight(food.serving.grams) {
        food.serving = Serving::hundred_grams();
    }
    food.serving.grams = round3(food.serving.grams);
    food.density = food.density.filter(|density| density.is_finite() && *density > 0.0);
    Ok(())
}

/// Checks the values of 100 g, drops absurd values of minor nutrients, and rounds to three decimals.
pub fn nutrients(nutrients: &mut Nutrients) -> Result<(), Skip> {
    let known: Vec<(Nutrient, f32)> = nutrients.iter().collect();
    if known.iter().any(|(_, value)| !value.is_finite()) {
        return Err(Skip::NotANumber);
    }
    if known.iter().any(|(_, value)| *value < 0.0) {
        return Err(Skip::Negative);
    }
    if !nutrients.has_macros() {
        return Err(Skip::NoValues);
    }
    for (nutrient, value) in known {
        let most = most(nutrient);
        if value <= most {
            nutrients.set(nutrient, round3(value));
        } else if is_measured_in_milligrams(nutrient) {
            nutrients.clear(nutrient);
        } else {
            return Err(Skip::Impossible);
        }
    }
    let macros = [Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat];
    let sum: f32 = macros.iter().filter_map(|&nutrient| nutrients.get(nutrient)).sum();
    if sum > MAX_MACRO_GRAMS { Err(Skip::Impossible) } else { Ok(()) }
}

/// Returns the most of a nutrient that 100 g can have, in its own unit; for minerals and vitamins what pure salts and the
/// strongest supplements reach.
fn most(nutrient: Nutrient) -> f32 {
    match nutrient {
        Nutrient::Calories => MAX_CALORIES,
        Nutrient::Sodium | Nutrient::Potassium | Nutrient::Calcium | Nutrient::Phosphorus => 60_000.0,
        Nutrient::Magnesium | Nutrient::VitaminC | Nutrient::Choline | Nutrient::Caffeine => 100_000.0,
        Nutrient::Iron | Nutrient::Zinc | Nutrient::VitaminE | Nutrient::VitaminB6 => 20_000.0,
        Nutrient::Cholesterol => 10_000.0,
        other if other.name().ends_with("_mcg") => 1_000_000.0,
        _ => MAX_GRAMS,
    }
}

/// Returns whether a nutrient's unit is smaller than a gram.
fn is_measured_in_milligrams(nutrient: Nutrient) -> bool {
    nutrient.name().ends_with("_mg") || nutrient.name().ends_with("_mcg")
}

/// Collapses spaces in a name and cuts it at a word if it is too long.
pub fn name(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((cut, _)) = folded.char_indices().nth(MAX_NAME_CHARS) else { return folded };
    let whole = &folded[..cut];
    let at_word = whole.rfind(' ').filter(|&place| place > cut / 2).unwrap_or(cut);
    whole[..at_word].trim_end_matches([',', ' ', ';']).to_owned()
}

/// Returns whether a portion has words and a plausible weight.
fn is_valid_portion(portion: &Portion) -> bool {
    is_weight(portion.grams) && !portion.text.is_empty()
}

/// Returns whether a number can be the weight of a portion in grams.
pub fn is_weight(grams: f32) -> bool {
    grams.is_finite() && grams > 0.0005 && grams <= MAX_PORTION_GRAMS
}

/// Rounds to three decimals, so that 0.800000011920929 is 0.8 again.
pub fn round3(value: f32) -> f32 {
    ((f64::from(value) * 1000.0).round() / 1000.0) as f32
}

/// Parses a number of a table: `None` if the field is empty, NaN if it is not a number.
pub fn number(text: &str) -> Option<f32> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.parse().unwrap_or(f32::NAN))
}

/// Parses a barcode of 8 to 14 digits.
pub fn gtin(text: &str) -> Option<u64> {
    let digits = text.trim();
    let plausible = (8..=14).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&number| plausible && number != 0)
}

/// Returns the id of a product: by its barcode if it has one, so that it is the same for every publisher.
pub fn product_id(gtin: Option<u64>, otherwise: impl FnOnce() -> String) -> String {
    gtin.map_or_else(otherwise, id::from_gtin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(values: [f32; 4]) -> Nutrients {
        let mut nutrients = Nutrients::default();
        for (&nutrient, value) in Nutrient::ALL.iter().zip(values) {
            nutrients.set(nutrient, value);
        }
        nutrients
    }

    #[test]
    fn nonsense_is_named() {
        assert_eq!(nutrients(&mut with([717.0, 0.85, 0.06, 81.11])), Ok(()));
        assert_eq!(nutrients(&mut with([f32::NAN, 1.0, 1.0, 1.0])), Err(Skip::NotANumber));
        assert_eq!(nutrients(&mut with([1.0, f32::INFINITY, 1.0, 1.0])), Err(Skip::NotANumber));
        assert_eq!(nutrients(&mut with([1.0, -0.1, 1.0, 1.0])), Err(Skip::Negative));
        assert_eq!(nutrients(&mut with([951.0, 1.0, 1.0, 1.0])), Err(Skip::Impossible));
        assert_eq!(nutrients(&mut with([400.0, 50.0, 50.0, 20.0])), Err(Skip::Impossible));
        assert_eq!(nutrients(&mut Nutrients::default()), Err(Skip::NoValues));
    }

    #[test]
    fn absurd_milligrams_cost_the_value_only() {
        let mut values = with([100.0, 1.0, 1.0, 1.0]);
        values.set(Nutrient::Sodium, 1e9);
        assert_eq!(nutrients(&mut values), Ok(()));
        assert_eq!(values.get(Nutrient::Sodium), None);
    }

    #[test]
    fn long_names_end_at_a_word() {
        let long = "tasty ".repeat(100);
        let cut = name(&long);
        assert!(cut.chars().count() <= MAX_NAME_CHARS && cut.ends_with("tasty"));
        assert_eq!(name(&"é".repeat(400)).chars().count(), MAX_NAME_CHARS);
    }

    #[test]
    fn barcodes() {
        assert_eq!(gtin("00894700010045"), Some(894_700_010_045));
        assert_eq!(gtin("00000000"), None);
        assert_eq!(gtin("1234567"), None);
        assert_eq!(gtin("123456789012345"), None);
        assert_eq!(gtin("+1234567890"), None);
        assert_eq!(product_id(gtin("894700010045"), String::new), "gtin_00894700010045");
    }
}
