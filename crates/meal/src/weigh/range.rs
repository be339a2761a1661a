//! How far off a number may be: by how the amount became grams, and by how different the other foods are that may be meant.
//!
//! The widths are calibrated on the development meals: the true totals are inside for about four meals of five.

use foods::{Food, Nutrient, Origin};
use nutrition::Macros;

use super::item::{Range, Tier};
use crate::portion::{Weight, WeightSource};

/// The share of the amount by which it may be off, by how it became grams.
const MASS: f64 = 0.02;
const PORTION: f64 = 0.07;
const DENSITY: f64 = 0.25;
const USUAL: f64 = 0.25;
/// The share by which the composition of a food varies from one kitchen to the next: of foods in published tables, and of
/// dishes that the catalog adds.
const COMPOSITION: f64 = 0.04;
const COMPOSITION_OF_DISH: f64 = 0.2;
/// How far the range reaches toward the other foods that may be meant.
const TOWARD_OTHERS: f64 = 0.1;
/// The factor on the width if the food itself is a guess.
const GUESS: f64 = 2.0;

/// The nutrients that answers show.
const SHOWN: Macros<Nutrient> =
    Macros { calories: Nutrient::Calories, protein: Nutrient::Protein, carbs: Nutrient::Carbs, fat: Nutrient::Fat };

/// Returns the range of the numbers of an amount of food.
pub(crate) fn range_of(food: &Food, weight: &Weight, tier: Tier, alternatives: &[Food]) -> Range {
    let width = width_of(food, weight, tier);
    let end = |nutrient: Nutrient, is_high: bool| {
        let own = f64::from(food.nutrients.get(nutrient).unwrap_or(0.0));
        let others = alternatives.iter().filter_map(|other| other.nutrients.get(nutrient)).map(f64::from);
        let farthest = if is_high { others.fold(own, f64::max) } else { others.fold(own, f64::min) };
        let per_100_grams = own + (farthest - own) * TOWARD_OTHERS;
        let factor = if is_high { 1.0 + width } else { (1.0 - width).max(0.0) };
        per_100_grams * factor * weight.grams / 100.0
    };
    let ends = |is_high: bool| SHOWN.map(|nutrient| end(nutrient, is_high)).shown();
    Range { low: ends(false), high: ends(true) }
}

/// Returns the share by which the numbers may be off, apart from other foods that may be meant.
fn width_of(food: &Food, weight: &Weight, tier: Tier) -> f64 {
    let is_dish = food.origin == Origin::Dish;
    let composition = if is_dish { COMPOSITION_OF_DISH } else { COMPOSITION };
    let amount = match weight.source {
        WeightSource::Mass => MASS,
        WeightSource::Portion(_) => PORTION,
        WeightSource::Density => DENSITY,
        WeightSource::Usual => USUAL,
    };
    let is_guess = tier == Tier::Estimated && !is_dish && weight.source != WeightSource::Usual;
    (composition + amount) * if is_guess { GUESS } else { 1.0 }
}
