//! Places whose food differs from that of other kitchens.

use std::collections::HashSet;

use foods::catalog::Layer;
use foods::text::words;

use crate::read::segment::SegmentWord;

/// Where foods differ from those of other kitchens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A fast food place.
    FastFood,
    /// The cafeteria of a school.
    School,
}

/// The word for it.
pub const SCHOOL: &str = "school";

/// The names of places where all of a meal is fast food.
#[derive(Debug)]
pub struct Chains {
    names: Vec<Vec<String>>,
}

impl Default for Chains {
    fn default() -> Self {
        let lines = include_str!("../../lexicon/chains.txt").lines().filter(|line| !line.starts_with('#'));
        Self { names: lines.map(words).filter(|name| !name.is_empty()).collect() }
    }
}

impl Chains {
    /// Whether one of them is named in a text.
    pub fn are_said_in(&self, words: &[SegmentWord]) -> bool {
        let runs = |name: &Vec<String>| {
            words.windows(name.len()).any(|run| run.iter().zip(name).all(|(word, known)| word.word == *known))
        };
        self.names.iter().any(runs)
    }

    /// The numbers of the words that name such a place alone, for names of foods: "Big Mac (McDonalds)".
    pub fn words_of_names(&self, layer: &Layer) -> HashSet<Vec<u32>> {
        let numbers = |name: &Vec<String>| name.iter().map(|word| layer.word(word)).collect();
        self.names.iter().filter_map(numbers).collect()
    }
}
