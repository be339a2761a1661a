//! Dishes of the catalog that no table has, by their whole names.
//!
//! Tables name foods by what they are and how they are, so a part of a name still tells the food. The names of these dishes
//! are proper names: groundnuts are no groundnut stew. So a name counts only as a whole, and stands in a text as one word
//! that nobody can type.

use std::ops::Range;

use foods::catalog::Layer;
use foods::{Food, Origin};

/// Begins the word that stands for a dish. No text has it: words are made of letters.
const MARK: char = '\u{e000}';

/// The word that stands for a dish.
pub fn word(food: u32) -> String {
    format!("{MARK}{food}")
}

/// The dish that a word stands for.
pub fn of_word(word: &str) -> Option<u32> {
    word.strip_prefix(MARK)?.parse().ok()
}

/// The numbers of a layer's dishes: the build adds them behind all other foods.
pub fn numbers(layer: &Layer) -> Range<u32> {
    let is_dish = |number: &u32| layer.origin_of(*number) == Some(Origin::Dish);
    let start = (0..layer.len()).rev().take_while(is_dish).last().unwrap_or(layer.len());
    start..layer.len()
}

/// The dishes of a layer with their numbers.
pub fn all(layer: &Layer) -> impl Iterator<Item = (u32, Food)> + '_ {
    numbers(layer).filter_map(|number| Some((number, layer.food(number)?)))
}
