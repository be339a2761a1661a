//! A product of Open Food Facts, whichever export it comes from.

use crate::food::{Food, Origin, Portion, Serving};
use crate::import::check;
use crate::import::ranked::Ranked;
use crate::import::report::Skip;
use crate::import::serving::{self, LabelUnit};
use crate::name;
use crate::nutrients::Nutrient;

/// Fields of values per 100 g: the nutrient, the rank (lower is better), and the factor to the nutrient's unit.
/// Open Food Facts gives everything but energy in grams.
pub(super) const VALUES: &[(&str, Nutrient, u8, f32)] = &[
    ("energy-kcal_100g", Nutrient::Calories, 0, 1.0),
    ("energy-kj_100g", Nutrient::Calories, 1, 1.0 / 4.184),
    ("energy_100g", Nutrient::Calories, 2, 1.0 / 4.184),
    ("proteins_100g", Nutrient::Protein, 0, 1.0),
    ("carbohydrates_100g", Nutrient::Carbs, 0, 1.0),
    ("fat_100g", Nutrient::Fat, 0, 1.0),
    ("fiber_100g", Nutrient::Fiber, 0, 1.0),
    ("sugars_100g", Nutrient::Sugars, 0, 1.0),
    ("added-sugars_100g", Nutrient::AddedSugars, 0, 1.0),
    ("saturated-fat_100g", Nutrient::SaturatedFat, 0, 1.0),
    ("trans-fat_100g", Nutrient::TransFat, 0, 1.0),
    ("monounsaturated-fat_100g", Nutrient::MonounsaturatedFat, 0, 1.0),
    ("polyunsaturated-fat_100g", Nutrient::PolyunsaturatedFat, 0, 1.0),
    ("sodium_100g", Nutrient::Sodium, 0, 1000.0),
    ("salt_100g", Nutrient::Sodium, 1, 400.0),
    ("cholesterol_100g", Nutrient::Cholesterol, 0, 1000.0),
    ("potassium_100g", Nutrient::Potassium, 0, 1000.0),
    ("calcium_100g", Nutrient::Calcium, 0, 1000.0),
    ("iron_100g", Nutrient::Iron, 0, 1000.0),
    ("magnesium_100g", Nutrient::Magnesium, 0, 1000.0),
    ("phosphorus_100g", Nutrient::Phosphorus, 0, 1000.0),
    ("zinc_100g", Nutrient::Zinc, 0, 1000.0),
    ("selenium_100g", Nutrient::Selenium, 0, 1e6),
    ("vitamin-a_100g", Nutrient::VitaminA, 0, 1e6),
    ("vitamin-c_100g", Nutrient::VitaminC, 0, 1000.0),
    ("vitamin-d_100g", Nutrient::VitaminD, 0, 1e6),
    ("vitamin-e_100g", Nutrient::VitaminE, 0, 1000.0),
    ("vitamin-k_100g", Nutrient::VitaminK, 0, 1e6),
    ("vitamin-b6_100g", Nutrient::VitaminB6, 0, 1000.0),
    ("vitamin-b12_100g", Nutrient::VitaminB12, 0, 1e6),
    ("vitamin-b9_100g", Nutrient::Folate, 0, 1e6),
    ("choline_100g", Nutrient::Choline, 0, 1000.0),
    ("caffeine_100g", Nutrient::Caffeine, 0, 1000.0),
];

/// The fields of a product that are imported.
#[derive(Debug, Default)]
pub(super) struct Product {
    pub code: String,
    /// Names, best first; the first that is not empty counts.
    pub names: [String; 3],
    pub brands: String,
    pub category: Option<String>,
    pub serving_size: String,
    pub serving_quantity: Option<f32>,
    pub values: Ranked,
}

impl Product {
    /// Adds a value by its index in [`VALUES`].
    pub fn add_value(values: &mut Ranked, index: usize, value: f32) {
        if let Some(&(_, nutrient, rank, factor)) = VALUES.get(index) {
            values.add(nutrient, rank, value * factor);
        }
    }

    /// Converts the product to a food.
    pub fn into_food(self) -> Result<Food, Skip> {
        let code: String = self.code.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
        if code.is_empty() {
            return Err(Skip::Malformed);
        }
        let raw = self.names.into_iter().find(|name| !name.trim().is_empty()).ok_or(Skip::NoName)?;
        let gtin = check::gtin(&code);
        let brand = name::brand("", self.brands.split(',').next().unwrap_or_default().trim());
        let (household, labeled) = read_serving(&self.serving_size, self.serving_quantity);
        let portions: Vec<Portion> =
            labeled.as_ref().and_then(|serving| serving::portion_of(&household, serving)).into_iter().collect();
        let id = check::product_id(gtin, || format!("off_{code}"));
        let name = name::product(&raw, brand.as_deref());
        let food = Food {
            description: Some(raw),
            brand,
            gtin,
            category: self.category,
            serving: labeled.unwrap_or_else(Serving::hundred_grams),
            ..Food::new(id, Origin::OpenFoodFacts, name, self.values.values())
        };
        Ok(food.with_portions(portions))
    }
}

/// Parses the household words of a serving, and the serving: "1 biscuit (12,5 g)" is "1 biscuit" of 12.5 g.
fn read_serving(text: &str, quantity: Option<f32>) -> (String, Option<Serving>) {
    let weight = last_weight(text);
    let amount = quantity.filter(|&grams| check::is_weight(grams)).or(weight.map(|(amount, _)| amount));
    let label_unit = weight.map_or(LabelUnit::Gram, |(_, unit)| unit);
    let household = household_words(text);
    let labeled = amount.and_then(|amount| serving::labeled(&household, amount, label_unit));
    (household, labeled)
}

/// Returns the part of a serving's text without a weight: outside the parentheses, otherwise inside.
fn household_words(text: &str) -> String {
    let (outside, inside) = match text.split_once('(') {
        Some((before, after)) => (before.trim(), after.split(')').next().unwrap_or_default().trim()),
        None => (text.trim(), ""),
    };
    let part = [outside, inside].into_iter().find(|part| !part.is_empty() && last_weight(part).is_none());
    part.unwrap_or_default().to_owned()
}

/// Returns the last weight or volume in a text, in grams or milliliters.
fn last_weight(text: &str) -> Option<(f32, LabelUnit)> {
    let mut found = None;
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let tail = &rest[start..];
        let is_part = |character: char| character.is_ascii_digit() || ".,".contains(character);
        let end = tail.find(|character: char| !is_part(character)).unwrap_or(tail.len());
        let word = tail[end..].trim_start();
        let word = &word[..word.find(|character: char| !character.is_alphabetic()).unwrap_or(word.len())];
        if let (Ok(number), Some((factor, unit))) = (tail[..end].replace(',', ".").parse::<f32>(), metric(word)) {
            found = Some((number * factor, unit));
        }
        rest = &tail[end..];
    }
    found
}

/// Returns a metric unit in grams or milliliters.
fn metric(word: &str) -> Option<(f32, LabelUnit)> {
    match word.to_lowercase().as_str() {
        "kg" => Some((1000.0, LabelUnit::Gram)),
        "l" => Some((1000.0, LabelUnit::Milliliter)),
        "dl" => Some((100.0, LabelUnit::Milliliter)),
        "cl" => Some((10.0, LabelUnit::Milliliter)),
        other => LabelUnit::from_word(other).map(|unit| (1.0, unit)),
    }
}

/// Returns the category from tags: the last English one is the narrowest; "en:sweet-snacks" reads "Sweet snacks".
pub(super) fn category_from_tags<'a>(tags: impl Iterator<Item = &'a str>) -> Option<String> {
    let tag = tags.filter_map(|tag| tag.trim().strip_prefix("en:")).last()?;
    let words = tag.replace('-', " ");
    let mut characters = words.chars();
    let first = characters.next()?;
    Some(first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_in_servings() {
        assert_eq!(last_weight("1 biscuit (12,5 g)"), Some((12.5, LabelUnit::Gram)));
        assert_eq!(last_weight("33cl"), Some((330.0, LabelUnit::Milliliter)));
        assert_eq!(last_weight("2 slices"), None);
        assert_eq!(last_weight("1.2.3 g"), None);
        assert_eq!(household_words("1 biscuit (12,5 g)"), "1 biscuit");
        assert_eq!(household_words("30 g (2 biscuits)"), "2 biscuits");
        assert_eq!(household_words("30 g"), "");
    }

    #[test]
    fn the_narrowest_english_category() {
        let tags = ["en:snacks", "en:sweet-snacks", "fr:galette"];
        assert_eq!(category_from_tags(tags.into_iter()).as_deref(), Some("Sweet snacks"));
        assert_eq!(category_from_tags(["fr:galette"].into_iter()), None);
    }
}
