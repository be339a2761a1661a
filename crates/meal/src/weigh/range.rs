//! How far off a number may be: by how the amount became grams, by how much of the food's name was in the text, and by how
//! different the other foods are that may be meant.
//!
//! The widths are calibrated on the development meals, so that the true totals are inside for at least three meals of four of every
//! kind: American meals in the words of the survey, meals of other countries, and entries of diaries.

use foods::{Food, Nutrient, Origin, text};
use nutrition::Macros;

use super::item::{Range, Tier};
use crate::portion::{Weight, WeightSource};
use crate::read::segment::SegmentWord;

/// The share of the amount by which it may be off, by how it became grams.
const MASS: f64 = 0.02;
const PORTION: f64 = 0.12;
const DENSITY: f64 = 0.25;
const USUAL: f64 = 0.65;
/// The share by which the composition of a food varies from one kitchen to the next: of foods in published tables, and of
/// dishes that the catalog adds.
const COMPOSITION: f64 = 0.12;
const COMPOSITION_OF_DISH: f64 = 0.4;
/// The share that is added if no word of the food's name was in the text: the food is then likely only similar to what was eaten.
const UNSAID: f64 = 0.45;
/// How far the range reaches toward the other foods that may be meant.
const TOWARD_OTHERS: f64 = 0.35;
/// The same for a food that was called by its everyday name: the others are less likely.
const TOWARD_OTHERS_OF_NAMED: f64 = 0.25;
/// The share that is added if the food itself is a guess.
const GUESS: f64 = 0.1;
/// Whoever says that they ate something ate some of it.
const MAX_WIDTH: f64 = 0.8;
/// Shorter words are found inside of others by chance.
const MIN_LETTERS_INSIDE: usize = 4;

/// The nutrients that answers show.
const SHOWN: Macros<Nutrient> =
    Macros { calories: Nutrient::Calories, protein: Nutrient::Protein, carbs: Nutrient::Carbs, fat: Nutrient::Fat };

/// Returns the range of the numbers of an amount of food.
///
/// `unsaid` is the share of the food's name that was not in the text, `None` if the food was called by its everyday name.
pub(crate) fn range_of(food: &Food, weight: &Weight, tier: Tier, unsaid: Option<f64>, others: &[Food]) -> Range {
    let width = width_of(food, weight, tier, unsaid.unwrap_or(0.0));
    let toward_others = if unsaid.is_some() { TOWARD_OTHERS } else { TOWARD_OTHERS_OF_NAMED };
    let end = |nutrient: Nutrient, is_high: bool| {
        let own = f64::from(food.nutrients.get(nutrient).unwrap_or(0.0));
        let others = others.iter().filter_map(|other| other.nutrients.get(nutrient)).map(f64::from);
        let farthest = if is_high { others.fold(own, f64::max) } else { others.fold(own, f64::min) };
        let per_100_grams = own + (farthest - own) * toward_others;
        let factor = if is_high { 1.0 + width } else { 1.0 - width };
        per_100_grams * factor * weight.grams / 100.0
    };
    let ends = |is_high: bool| SHOWN.map(|nutrient| end(nutrient, is_high)).shown();
    Range { low: ends(false), high: ends(true) }
}

/// Returns the share by which the numbers may be off, apart from other foods that may be meant.
fn width_of(food: &Food, weight: &Weight, tier: Tier, unsaid: f64) -> f64 {
    let is_dish = food.origin == Origin::Dish;
    let composition = if is_dish { COMPOSITION_OF_DISH } else { COMPOSITION + UNSAID * unsaid };
    let amount = match weight.source {
        WeightSource::Mass => MASS,
        WeightSource::Portion(_) => PORTION,
        WeightSource::Density => DENSITY,
        WeightSource::Usual => USUAL,
    };
    let is_guess = tier == Tier::Estimated && !is_dish && weight.source != WeightSource::Usual;
    (composition + amount + if is_guess { GUESS } else { 0.0 }).min(MAX_WIDTH)
}

/// Returns the share of a food's name that is not among the words of a text.
pub(crate) fn unsaid_share(food: &Food, typed: &[SegmentWord]) -> f64 {
    let name: Vec<String> = text::words(&food.name);
    // "Sourdough" says both words of "sour dough".
    let is_inside = |word: &str, typed: &str| word.len() >= MIN_LETTERS_INSIDE && typed.contains(word);
    let is_said = |word: &&String| typed.iter().any(|typed| typed.word == **word || is_inside(word, &typed.word));
    let said = name.iter().filter(is_said).count();
    if name.is_empty() { 0.0 } else { 1.0 - said as f64 / name.len() as f64 }
}
