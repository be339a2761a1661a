//! Dishes of the catalog that no table has, by their whole names.
//!
//! Tables name foods by what they are and how they are, so a part of a name still tells the food. The names of these dishes
//! are proper names: groundnuts are no groundnut stew. So a name counts only as a whole, and stands in a text as one word
//! that nobody can type.

use std::collections::HashMap;
use std::ops::Range;

use foods::Source;
use foods::catalog::{Layer, NameOfFood, WordOfName};
use foods::search::entry::Zone;

use super::name_stats as names;
use crate::read::dish_words;

/// Dishes that are known by their whole names: each has a word of its own behind those of the catalog.
#[derive(Debug)]
pub(crate) struct Dishes {
    pub foods: Range<u32>,
    first_word: u32,
    /// Those that are called by one word, by the catalog's number of it.
    called: HashMap<u32, u32>,
}

impl Dishes {
    /// The dishes of a layer, and the names of its other plain foods.
    pub fn apart(layer: &Layer) -> (Self, Vec<NameOfFood>) {
        let mut dishes =
            Self { foods: dish_words::numbers(layer), first_word: layer.word_count() as u32, called: HashMap::new() };
        let mut others = Vec::new();
        for name in layer.names(Source::Usda) {
            if !dishes.foods.contains(&name.food) {
                others.push(name);
            } else if let [word] = &name.words[..] {
                dishes.called.entry(word.word).or_insert(name.food);
            }
        }
        (dishes, others)
    }

    /// The word of a dish.
    pub fn word(&self, food: u32) -> Option<u32> {
        self.foods.contains(&food).then(|| self.first_word + (food - self.foods.start))
    }

    /// The word of the dish that is called by a word of the catalog.
    pub fn called(&self, word: u32) -> Option<u32> {
        self.word(*self.called.get(&word)?)
    }

    /// Each dish under its word.
    pub fn names(&self) -> impl Iterator<Item = NameOfFood> + '_ {
        self.foods.clone().zip(self.first_word..).map(|(food, word)| NameOfFood {
            food,
            prior: 0.0,
            words: vec![WordOfName { word, zone: Zone::Main, cost: names::MAIN_COST }],
        })
    }
}
