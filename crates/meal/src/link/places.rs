//! Places whose food differs from home cooking.

use std::collections::HashSet;

use foods::catalog::Layer;
use foods::text::words;

use crate::lexicon::Lexicon;
use crate::read::segment::SegmentWord;

/// A kind of place whose foods differ from home cooking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A fast food restaurant.
    FastFood,
    /// The cafeteria of a school.
    School,
}

/// The word that names a school, in texts and in names of foods.
pub(crate) const SCHOOL: &str = "school";

/// The names of fast food chains.
#[derive(Debug)]
pub(crate) struct FastFoodChains {
    names: Vec<Vec<String>>,
}

impl FastFoodChains {
    /// Folds the names as the catalog does.
    pub fn new(lexicon: &Lexicon) -> Self {
        let names = lexicon.chains().map(|name| words(&name.join(" ")));
        Self { names: names.filter(|name| !name.is_empty()).collect() }
    }

    /// Checks whether words name one of them.
    pub fn are_named_in(&self, words: &[SegmentWord]) -> bool {
        let runs = |name: &Vec<String>| {
            words.windows(name.len()).any(|run| run.iter().zip(name).all(|(word, known)| word.word == *known))
        };
        self.names.iter().any(runs)
    }

    /// Returns the names as numbers of the layer's words, to find them in names of foods: "Big Mac (McDonalds)".
    pub fn words_of_names(&self, layer: &Layer) -> HashSet<Vec<u32>> {
        let numbers = |name: &Vec<String>| name.iter().map(|word| layer.word(word)).collect();
        self.names.iter().filter_map(numbers).collect()
    }
}
