//! The words that stand for dishes of the catalog in a text: one each, which no one can type.

use std::ops::Range;

use foods::catalog::Layer;
use foods::{Food, Origin};

/// Begins the word that stands for a dish. No text has it: words are made of letters.
const MARK: char = '\u{e000}';

/// Returns the word that stands for a dish, and which of its names it was called by: 0 is its own, then the synonyms.
pub fn word(food: u32, name: usize) -> String {
    format!("{MARK}{food}:{name}")
}

/// Returns the dish that a word stands for.
pub fn of_word(word: &str) -> Option<u32> {
    numbers_in(word)?.0.parse().ok()
}

/// Returns the synonym by which a word calls the dish that it stands for.
pub fn synonym_in<'f>(word: &str, dish: &'f Food) -> Option<&'f str> {
    let name: usize = numbers_in(word)?.1.parse().ok()?;
    dish.synonyms.get(name.checked_sub(1)?).map(String::as_str)
}

fn numbers_in(word: &str) -> Option<(&str, &str)> {
    word.strip_prefix(MARK)?.split_once(':')
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

#[cfg(test)]
mod tests {
    use foods::Nutrients;

    use super::*;

    #[test]
    fn a_word_stands_for_a_dish_by_one_of_its_names() {
        let mut dish = Food::new("dish_x", Origin::Dish, "X", Nutrients::default());
        dish.synonyms = vec!["y".to_owned()];
        assert_eq!((of_word(&word(7, 1)), synonym_in(&word(7, 1), &dish)), (Some(7), Some("y")));
        assert_eq!(synonym_in(&word(7, 0), &dish), None);
        assert_eq!((of_word("egg"), synonym_in("egg", &dish)), (None, None));
    }
}
