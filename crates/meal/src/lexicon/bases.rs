//! What dishes are mostly made of.

use foods::text::words;

/// Dishes that are mostly made of one of some foods.
#[derive(Debug, PartialEq)]
pub struct DishBase {
    /// The words of each name.
    dishes: Vec<Vec<String>>,
    /// Words of the foods.
    foods: Vec<&'static str>,
}

impl DishBase {
    /// Reads a row: names, foods.
    pub fn parse(row: &'static str) -> Option<Self> {
        let (names, foods) = row.split_once('\t')?;
        Some(Self { dishes: names.split(" | ").map(words).collect(), foods: foods.split(' ').collect() })
    }

    /// Checks whether it is about a dish with a name of these words.
    pub fn is_of(&self, name: &[String]) -> bool {
        self.dishes.iter().any(|dish| dish == name)
    }

    /// Checks whether a food with these words in its name is what the dish is mostly made of.
    pub fn is_base(&self, food: &[String]) -> bool {
        food.iter().any(|word| self.foods.contains(&word.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::language::{ENGLISH, rows};

    #[test]
    fn words_of_foods_are_as_in_the_catalog() {
        for row in rows(ENGLISH.bases) {
            let base = DishBase::parse(row).unwrap_or_else(|| panic!("expected names, a tab and foods in {row:?}"));
            assert!(base.foods.iter().all(|food| words(food) == [*food]), "{row}");
        }
    }
}
