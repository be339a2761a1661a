//! What a word of a query may stand for in one layer: the term itself, a longer one it is the start of, or another
//! spelling.

use std::ops::Range;

use super::query::Word;
use crate::catalog::{Layer, Postings};

/// A longer word that the typed one is the start of: when the typed one is a word of many names itself ("egg" is not
/// the start of "eggnog"), when it is a rare word, and when it is none.
const COMPLETED_COMMON: f32 = 2.0;
const COMPLETED_RARE: f32 = 0.5;
const COMPLETED: f32 = 0.25;
/// Each edit between the typed word and the term.
const EDIT: f32 = 1.0;
/// The first letters differ as well.
const OTHER_INITIAL: f32 = 0.6;
/// Shortest words in which one edit, and two, are forgiven.
const ONE_EDIT_CHARS: usize = 4;
const TWO_EDIT_CHARS: usize = 8;
/// A word of this many names is meant as it stands, not as the start of another.
const COMMON_WORD: u32 = 30;
/// A word that this many names have is not taken for a misspelling.
const COMMON: u32 = 400;
/// How much more common another spelling must be when the typed one exists.
const MORE_COMMON: u32 = 8;

/// The terms of one layer that a word of a query may stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Term {
    exact: Option<u32>,
    completions: Range<u32>,
    completion_penalty: f32,
    spellings: Vec<(u32, f32)>,
}

impl Term {
    /// Looks a word up in a layer's dictionary, as it is typed.
    pub fn typed(layer: &Layer, word: &Word) -> Self {
        let dictionary = layer.dictionary();
        let exact = dictionary.get(&word.term);
        let names = exact.map_or(0, |term| count(layer, term));
        let mut term = Self { exact, ..Self::default() };
        if names < COMMON {
            term.add_completions(layer, word);
        }
        term
    }

    /// Adds the longer words that the word may be the start of; says whether there are any that were not there.
    pub fn add_completions(&mut self, layer: &Layer, word: &Word) -> bool {
        let Some(prefix) = word.prefix.as_ref().filter(|_| self.completions.is_empty()) else { return false };
        self.completions = layer.dictionary().prefix(prefix);
        self.completion_penalty = match self.exact.map_or(0, |term| count(layer, term)) {
            0 => COMPLETED,
            1..COMMON_WORD => COMPLETED_RARE,
            _ => COMPLETED_COMMON,
        };
        !self.completions.is_empty()
    }

    /// Adds other spellings, if the word is rare enough to be one of another; says whether there are any.
    pub fn add_spellings(&mut self, layer: &Layer, word: &Word) -> bool {
        let names = self.exact.map_or(0, |term| count(layer, term));
        let completed = layer.posting_count(self.completions.clone());
        if !word.certain && names < COMMON && completed < COMMON.max(names + 1) {
            self.spellings = spellings(layer, word, names);
        }
        !self.spellings.is_empty()
    }

    /// The one list of names that have the word, if it stands for one term only.
    pub fn single<'a>(&self, layer: &'a Layer) -> Option<Postings<'a>> {
        let only = self.completions.is_empty() && self.spellings.is_empty();
        self.exact.filter(|_| only).map(|term| layer.postings(term))
    }

    /// What it costs to read a term as this word; `None` if it is another word altogether.
    pub fn penalty(&self, term: u32) -> Option<f32> {
        if self.exact == Some(term) {
            return Some(0.0);
        }
        if self.completions.contains(&term) {
            return Some(self.completion_penalty);
        }
        self.spellings.iter().find(|(spelling, _)| *spelling == term).map(|(_, penalty)| *penalty)
    }

    /// Whether nothing in the layer can be meant.
    pub fn is_unknown(&self) -> bool {
        self.exact.is_none() && self.completions.is_empty() && self.spellings.is_empty()
    }

    /// How many postings the terms have together.
    pub fn weight(&self, layer: &Layer) -> u32 {
        let exact = self.exact.filter(|term| !self.completions.contains(term));
        exact.map_or(0, |term| count(layer, term))
            + layer.posting_count(self.completions.clone())
            + self.spellings.iter().map(|(term, _)| count(layer, *term)).sum::<u32>()
    }

    /// All terms, each once.
    pub fn terms(&self) -> impl Iterator<Item = u32> + '_ {
        let exact = self.exact.filter(|term| !self.completions.contains(term));
        let spellings = self.spellings.iter().map(|(term, _)| *term).filter(|term| !self.completions.contains(term));
        exact.into_iter().chain(self.completions.clone()).chain(spellings)
    }
}

/// Other spellings of a word that enough names have.
fn spellings(layer: &Layer, word: &Word, names: u32) -> Vec<(u32, f32)> {
    let chars = word.term.chars().count();
    if chars < ONE_EDIT_CHARS || word.term.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let dictionary = layer.dictionary();
    let enough = if names == 0 { 1 } else { names.saturating_mul(MORE_COMMON) };
    let within = |edits: u8| -> Vec<(u32, f32)> {
        let spellings = dictionary.spellings(&word.term, edits).into_iter();
        spellings
            .filter(|spelling| spelling.edits > 0 && count(layer, spelling.term) >= enough)
            .map(|spelling| (spelling.term, penalty(spelling.edits, spelling.other_initial)))
            .collect()
    };
    // Two edits cost ten times as much to look for, and are rare: only for words that nothing else explains.
    let mut found = within(1);
    if found.is_empty() && names == 0 && chars >= TWO_EDIT_CHARS {
        found = within(2);
    }
    if found.is_empty() && names == 0 && word.prefix.is_some() {
        let half_typed = dictionary.spellings_of_prefix(&word.term);
        found.extend(half_typed.iter().map(|s| (s.term, penalty(s.edits.max(1), s.other_initial) + COMPLETED)));
    }
    found
}

fn penalty(edits: u8, other_initial: bool) -> f32 {
    f32::from(edits) * EDIT + if other_initial { OTHER_INITIAL } else { 0.0 }
}

fn count(layer: &Layer, term: u32) -> u32 {
    layer.posting_count(term..term + 1)
}
