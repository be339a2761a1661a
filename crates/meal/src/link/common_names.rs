//! The everyday names of common foods, as names of the index.
//!
//! Most are read word by word, like the names of the tables. A name that a reader of sentences would cut ("fish and chips",
//! "7 up") is one word in the text and in the index, which no one can type.

use std::collections::{HashMap, HashSet};

use foods::catalog::{FoodName, Layer, NameWord};
use foods::common::{CommonFood, CommonPortion};
use foods::index::{MAIN_COST, Zone};
use foods::text::{is_stop_word, raw_words, words};

use crate::read::common_words;
use crate::read::named_foods::NamedFood;

/// The prior of a food that is only the closest one that the catalog has.
const STAND_IN_PRIOR: f32 = -0.4;

/// The common foods of a layer.
#[derive(Debug, Default)]
pub(crate) struct CommonNames {
    /// The foods and their portions.
    entries: Vec<CommonEntry>,
    /// The names as people type them, with the foods that they mean. A common food is known by the number of one of its names.
    typed: Vec<(&'static str, NamedFood)>,
    /// The entry of each of those names.
    entry_of: Vec<u32>,
    /// The names, each with its number.
    names: Vec<(u32, FoodName)>,
    /// The words of those that have a word that joins: "coffee with milk".
    joined: HashSet<Vec<u32>>,
    /// The number of the first name with these words.
    by_words: HashMap<Vec<u32>, u32>,
    /// The number of the first of the names in the index.
    first_name: u32,
    /// The words that no name of the catalog has, by number.
    words: HashMap<String, u32>,
    /// The first entry of each food that does not stand in for another.
    by_food: HashMap<u32, u32>,
}

/// A common food of a layer.
#[derive(Debug)]
pub(crate) struct CommonEntry {
    /// The id of the food.
    pub id: &'static str,
    /// Its first everyday name.
    pub name: &'static str,
    /// It is only the closest one that the catalog has.
    pub is_stand_in: bool,
    /// Calories per 100 g.
    pub calories: f32,
    /// Its usual portions, the one without an amount first.
    pub portions: Vec<CommonPortion>,
}

impl CommonNames {
    /// Looks up the common foods that a layer has. `first_word` is the first number that no word has yet, `first_name` the
    /// first that no name of the index has.
    pub fn new(layer: &Layer, first_word: u32, first_name: u32) -> Self {
        let mut all = Self { first_name, ..Self::default() };
        for (place, food) in foods::common::all().enumerate() {
            all.add(layer, first_word, place, food);
        }
        all
    }

    fn add(&mut self, layer: &Layer, first_word: u32, place: usize, common: CommonFood) {
        let Some(food) = layer.find_id(common.id) else { return };
        let entry = self.entries.len() as u32;
        let prior = if common.is_stand_in { STAND_IN_PRIOR } else { 0.0 };
        for (at, name) in common.names.iter().enumerate() {
            let number = self.typed.len() as u32;
            self.typed.push((*name, NamedFood { food, common: Some(number) }));
            self.entry_of.push(entry);
            let mut numbers: Vec<NameWord> = Vec::new();
            let whole = common_words::word(place, at, &common).map(|word| vec![word]);
            for word in whole.unwrap_or_else(|| words(name)) {
                let next = first_word + self.words.len() as u32;
                let word = layer.word(&word).unwrap_or_else(|| *self.words.entry(word).or_insert(next));
                if !numbers.iter().any(|known| known.word == word) {
                    numbers.push(NameWord { word, zone: Zone::Main, cost: MAIN_COST });
                }
            }
            if !numbers.is_empty() {
                if raw_words(name, usize::MAX).iter().any(|word| is_stop_word(word)) {
                    self.joined.insert(numbers_of(&numbers));
                }
                self.by_words.entry(numbers_of(&numbers)).or_insert(number);
                self.names.push((number, FoodName { food, prior, words: numbers }));
            }
        }
        // What stands in for another food is not eaten in the portions of that.
        if !common.is_stand_in {
            self.by_food.entry(food).or_insert(entry);
        }
        self.entries.push(CommonEntry {
            id: common.id,
            name: common.names.first().copied().unwrap_or_default(),
            is_stand_in: common.is_stand_in,
            calories: common.calories,
            portions: common.portions,
        });
    }

    /// Returns the names as people type them, with the foods that they mean.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, NamedFood)> {
        self.typed.iter().copied()
    }

    /// Returns the names, in the order in which they are indexed.
    pub fn names(&self) -> impl Iterator<Item = &FoodName> {
        self.names.iter().map(|(_, name)| name)
    }

    /// Counts the words that no name of the catalog has.
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of a word that no name of the catalog has.
    pub fn word(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// Returns the number of the common food that a name of the index belongs to.
    pub fn number_of(&self, name: u32) -> Option<u32> {
        self.names.get(name.checked_sub(self.first_name)? as usize).map(|(number, _)| *number)
    }

    /// Returns the common food that words are an everyday name of.
    pub fn meaning(&self, words: &[u32]) -> Option<&CommonEntry> {
        self.get(*self.by_words.get(words)?)
    }

    /// Returns the last word of an everyday name, which says what it is. None if people also say it with a word that joins: a "rum
    /// coke" is a rum and coke.
    pub fn head_of(&self, name: u32) -> Option<u32> {
        let place = name.checked_sub(self.first_name)? as usize;
        let words = &self.names.get(place)?.1.words;
        words.last().map(|word| word.word).filter(|_| !self.joined.contains(&numbers_of(words)))
    }

    /// Returns the common food that a name of the index belongs to.
    pub fn of_name(&self, name: u32) -> Option<&CommonEntry> {
        self.get(self.number_of(name)?)
    }

    /// Returns a common food by its number.
    pub fn get(&self, number: u32) -> Option<&CommonEntry> {
        self.entries.get(*self.entry_of.get(number as usize)? as usize)
    }

    /// Returns the name that a common food was called by.
    pub fn called(&self, number: u32) -> Option<&'static str> {
        self.typed.get(number as usize).map(|(name, _)| *name)
    }

    /// Returns the first common food that is a food of the layer.
    pub fn of_food(&self, food: u32) -> Option<&CommonEntry> {
        self.entries.get(*self.by_food.get(&food)? as usize)
    }
}

/// Returns the numbers of words.
fn numbers_of(words: &[NameWord]) -> Vec<u32> {
    words.iter().map(|word| word.word).collect()
}
