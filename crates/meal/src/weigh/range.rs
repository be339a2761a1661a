//! How far off a number may be: from how the amount became grams and from how different the foods are that may be meant.
//!
//! The widths are calibrated on the development meals: the true totals lie inside for about four meals of five.

use foods::{Food, Nutrient, Origin};

use super::item::{Range, Tier, Values};
use crate::portion::{Weight, WeightSource};

/// Share of the amount by which it may be off, by how it became grams.
const MASS: f64 = 0.02;
const PORTION: f64 = 0.07;
const DENSITY: f64 = 0.25;
const USUAL: f64 = 0.25;
/// Share by which the composition of a food varies from one kitchen to the next: of what tables have, and of dishes that
/// they do not have.
const COMPOSITION: f64 = 0.04;
const COMPOSITION_OF_DISH: f64 = 0.2;
/// How far towards the other foods that may be meant the range reaches.
const TOWARDS_OTHERS: f64 = 0.1;
/// Widening when the food itself is a guess.
const GUESS: f64 = 2.0;

/// The range of a food's numbers.
pub fn of(food: &Food, weight: &Weight, tier: Tier, alternatives: &[Food]) -> Range {
    let is_dish = food.origin == Origin::Dish;
    let mut width = if is_dish { COMPOSITION_OF_DISH } else { COMPOSITION }
        + match weight.source {
            WeightSource::Mass => MASS,
            WeightSource::Portion(_) => PORTION,
            WeightSource::Density => DENSITY,
            WeightSource::Usual => USUAL,
        };
    if tier == Tier::Estimated && !is_dish && !matches!(weight.source, WeightSource::Usual) {
        width *= GUESS;
    }
    let end = |nutrient: Nutrient, high: bool| {
        let own = f64::from(food.nutrients.get(nutrient).unwrap_or(0.0));
        let others = alternatives.iter().filter_map(|other| other.nutrients.get(nutrient)).map(f64::from);
        let farthest = if high { others.fold(own, f64::max) } else { others.fold(own, f64::min) };
        let per_100 = own + (farthest - own) * TOWARDS_OTHERS;
        let factor = if high { 1.0 + width } else { (1.0 - width).max(0.0) };
        per_100 * factor * weight.grams / 100.0
    };
    let ends = |high: bool| Values {
        calories: end(Nutrient::Calories, high),
        protein: end(Nutrient::Protein, high),
        carbs: end(Nutrient::Carbs, high),
        fat: end(Nutrient::Fat, high),
    };
    Range { low: ends(false).shown(), high: ends(true).shown() }
}
