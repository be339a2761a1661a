//! The dishes that the catalog adds to the published tables, by their whole names.
//!
//! Tables name foods by what they are and how they are, so that a part of a name still tells which food it is. The names of
//! these dishes are proper names: groundnuts are not a groundnut stew. So a name counts only as a whole, and is one word in
//! the index, which no one can type.

use std::collections::HashMap;
use std::ops::Range;

use foods::catalog::{FoodName, Layer, NameWord};
use foods::index::{MAIN_COST, Zone};

use super::name_stats;
use crate::read::dish_words;

/// The dishes of a layer. Each has a word of its own, numbered behind those of the catalog.
#[derive(Debug)]
pub(crate) struct CatalogDishes {
    pub foods: Range<u32>,
    first_word: u32,
    /// Those with a name of one word, by the catalog's number of that word.
    named: HashMap<u32, u32>,
}

impl CatalogDishes {
    /// Returns the dishes of a layer, and the names of its other plain foods.
    pub fn split_off(layer: &Layer) -> (Self, Vec<FoodName>) {
        let mut dishes =
            Self { foods: dish_words::numbers(layer), first_word: layer.word_count() as u32, named: HashMap::new() };
        let mut others = Vec::new();
        for name in layer.plain_names() {
            if !dishes.foods.contains(&name.food) {
                others.push(name);
            } else if let [word] = &name.words[..] {
                dishes.named.entry(word.word).or_insert(name.food);
            }
        }
        name_stats::drop_purposes(layer, &mut others);
        name_stats::drop_ways_to_cook(layer, &mut others);
        (dishes, others)
    }

    /// Returns the word that stands for a dish.
    pub fn word(&self, food: u32) -> Option<u32> {
        self.foods.contains(&food).then(|| self.first_word + (food - self.foods.start))
    }

    /// Returns the word that stands for the dish named by a word of the catalog.
    pub fn named(&self, word: u32) -> Option<u32> {
        self.word(*self.named.get(&word)?)
    }

    /// Returns each dish under its word.
    pub fn names(&self) -> impl Iterator<Item = FoodName> + '_ {
        self.foods.clone().zip(self.first_word..).map(|(food, word)| FoodName {
            food,
            prior: 0.0,
            words: vec![NameWord { word, zone: Zone::Main, cost: MAIN_COST }],
        })
    }
}
