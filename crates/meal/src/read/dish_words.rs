//! The words that stand for dishes of the catalog in a text: one each, which no one can type.

use std::ops::Range;

use foods::catalog::Layer;
use foods::{Food, Origin};

/// Begins the word that stands for a dish. No text has it: words are made of letters.
const MARK: char = '\u{e000}';

/// Returns the word that stands for a dish.
pub fn word(food: u32) -> String {
    format!("{MARK}{food}")
}

/// Returns the dish that a word stands for.
pub fn of_word(word: &str) -> Option<u32> {
    word.strip_prefix(MARK)?.parse().ok()
}

/// Returns the numbers of a layer's dishes, which the build adds behind all other foods.
pub fn numbers(layer: &Layer) -> Range<u32> {
    let is_dish = |number: &u32| layer.origin_of(*number) == Some(Origin::Dish);
    let start = (0..layer.len()).rev().take_while(is_dish).last().unwrap_or(layer.len());
    start..layer.len()
}

/// Returns the dishes of a layer with their numbers.
pub fn all(layer: &Layer) -> impl Iterator<Item = (u32, Food)> + '_ {
    numbers(layer).filter_map(|number| Some((number, layer.food(number)?)))
}
