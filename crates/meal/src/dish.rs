//! Dishes of the catalog that no table has, by their whole names.
//!
//! Tables name foods by what they are and how they are, so a part of a name still tells the food. The names of these dishes
//! are proper names: groundnuts are no groundnut stew. So a name counts only as a whole, and stands in a text as one word
//! that nobody can type.

use foods::catalog::Layer;
use foods::dishes::CATEGORY;
use foods::{Food, Source};

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

/// Whether a food of a layer is such a dish.
pub fn is_dish(layer: &Layer, food: u32) -> bool {
    layer.category_of(food) == Some(CATEGORY)
}

/// The dishes of a layer with their numbers.
pub fn all(layer: &Layer) -> Vec<(u32, Food)> {
    let mut numbers: Vec<u32> =
        layer.names(Source::Usda).map(|name| name.food).filter(|&food| is_dish(layer, food)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().filter_map(|number| Some((number, layer.food(number)?))).collect()
}
