//! Whether a food is raw or cooked. What a text says about that binds: 80 g of raw lentils are not cooked ones.

use std::collections::HashMap;

use foods::catalog::{FoodName, Layer};

use crate::lexicon::{TableTrait, table_traits, table_words};

/// A state that excludes the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoodState {
    /// As it is bought: raw, dry.
    Raw,
    /// After cooking of any kind.
    Cooked,
}

impl FoodState {
    /// Returns the state that words name.
    pub fn of<'a>(words: impl Iterator<Item = &'a str>) -> Option<Self> {
        words.filter_map(Self::of_word).reduce(Self::or)
    }

    /// Checks whether a word says nothing but this state. "Fried" says more.
    pub fn is_only(self, word: &str) -> bool {
        match self {
            Self::Raw => Self::of_word(word) == Some(Self::Raw),
            Self::Cooked => word == "cooked",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        let traits = table_traits(word);
        if traits.has(TableTrait::Cooked) {
            Some(Self::Cooked)
        } else if traits.has(TableTrait::Raw) {
            Some(Self::Raw)
        } else {
            None
        }
    }

    /// Returns the state of what has two: what is cooked by dry heat is cooked.
    fn or(self, other: Self) -> Self {
        if self == Self::Cooked { self } else { other }
    }
}

/// The words of a layer's names that name a state.
#[derive(Debug)]
pub(crate) struct StateWords(HashMap<u32, FoodState>);

impl StateWords {
    /// Looks up the words.
    pub fn new(layer: &Layer) -> Self {
        let numbers = |what: TableTrait, state: FoodState| {
            table_words(what).filter_map(move |word| Some((layer.word(word)?, state)))
        };
        let raw = numbers(TableTrait::Raw, FoodState::Raw);
        Self(raw.chain(numbers(TableTrait::Cooked, FoodState::Cooked)).collect())
    }

    /// Checks whether a word of the names is a state.
    pub fn has(&self, word: u32) -> bool {
        self.0.contains_key(&word)
    }

    /// Returns the state that a name has.
    pub fn of_name(&self, name: &FoodName) -> Option<FoodState> {
        name.words.iter().filter_map(|word| self.0.get(&word.word).copied()).reduce(FoodState::or)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cooking_ends_rawness() {
        for (words, expected) in [
            ("white rice", None),
            ("raw rice", Some(FoodState::Raw)),
            ("uncooked pasta", Some(FoodState::Raw)),
            ("boiled potatoes", Some(FoodState::Cooked)),
            ("salmon cooked dry heat", Some(FoodState::Cooked)),
            ("dry roasted peanuts", Some(FoodState::Cooked)),
        ] {
            assert_eq!(FoodState::of(words.split(' ')), expected, "{words}");
        }
    }
}
