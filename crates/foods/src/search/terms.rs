//! What a word of a query may mean in one layer: the term itself, a longer one that it begins, or another spelling.

use std::ops::Range;

use super::effort::Effort;
use super::query::Word;
use crate::catalog::{Layer, Postings};

/// Penalties for a longer word that the typed one begins: if the typed one is a word of many names itself ("egg" is not the
/// beginning of "eggnog"), if it is a rare word, and if it is not a word.
const COMPLETED_COMMON: f32 = 2.0;
const COMPLETED_RARE: f32 = 0.5;
const COMPLETED: f32 = 0.25;
/// The penalty for each edit between the typed word and the term.
const EDIT: f32 = 1.0;
/// The penalty if the first letters differ as well.
const OTHER_INITIAL: f32 = 0.6;
/// The shortest words in which one edit, and two, are allowed.
const ONE_EDIT_CHARS: usize = 4;
const TWO_EDIT_CHARS: usize = 8;
/// A word of this many names is meant as it is, not as the beginning of another.
const COMMON_WORD: u32 = 30;
/// A word of this many names is not a misspelling.
const COMMON: u32 = 400;
/// How much more common another spelling must be if the typed one exists.
const MORE_COMMON: u32 = 8;

/// The terms of one layer that a word of a query may mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Term {
    exact: Option<u32>,
    completions: Range<u32>,
    completion_penalty: f32,
    /// Ascending by term.
    spellings: Vec<(u32, f32)>,
    /// A bit for each of them, by their last bits: most terms are none of them, which one look tells.
    spelling_bits: u64,
}

impl Term {
    /// Looks up a word in a layer's dictionary, as typed.
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

    /// Adds the longer words that the word may begin; returns whether there are new ones.
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

    /// Adds other spellings within one or two edits, if the word is rare enough to be a misspelling; returns whether there are any.
    pub fn add_spellings(&mut self, layer: &Layer, word: &Word, max_edits: u8, effort: &mut Effort) -> bool {
        let names = self.exact.map_or(0, |term| count(layer, term));
        let completed = layer.posting_count(self.completions.clone());
        if !word.certain && names < COMMON && completed < COMMON.max(names + 1) {
            self.spellings = spellings(layer, word, names, max_edits, effort);
            self.spellings.sort_unstable_by_key(|(term, _)| *term);
            self.spelling_bits = self.spellings.iter().fold(0, |bits, (term, _)| bits | bit(*term));
        }
        !self.spellings.is_empty()
    }

    /// Returns the posting list of the word, if it means one term only.
    pub fn single<'a>(&self, layer: &'a Layer) -> Option<Postings<'a>> {
        let only = self.completions.is_empty() && self.spellings.is_empty();
        self.exact.filter(|_| only).map(|term| layer.postings(term))
    }

    /// Returns the penalty of reading the word as this term; `None` if it cannot mean it.
    pub fn penalty(&self, term: u32) -> Option<f32> {
        if self.exact == Some(term) {
            return Some(0.0);
        }
        if self.completions.contains(&term) {
            return Some(self.completion_penalty);
        }
        if self.spelling_bits & bit(term) == 0 {
            return None;
        }
        let at = self.spellings.binary_search_by_key(&term, |(spelling, _)| *spelling).ok()?;
        Some(self.spellings[at].1)
    }

    /// Returns the least penalty of reading the word as any term.
    pub fn least_penalty(&self) -> f32 {
        if self.exact.is_some() {
            return 0.0;
        }
        let completed = if self.completions.is_empty() { f32::INFINITY } else { self.completion_penalty };
        let least = self.spellings.iter().map(|(_, penalty)| *penalty).fold(completed, f32::min);
        if least.is_finite() { least } else { 0.0 }
    }

    /// Returns whether the word is a term, and may mean others too.
    pub fn is_word_or_other(&self) -> bool {
        self.exact.is_some() && !(self.completions.is_empty() && self.spellings.is_empty())
    }

    /// Keeps the word as typed; returns the other terms that it may mean.
    pub fn split_off_others(&mut self) -> Self {
        let as_typed = Self { exact: self.exact, ..Self::default() };
        let others = std::mem::replace(self, as_typed);
        Self { exact: None, ..others }
    }

    /// Returns whether the word can mean nothing in the layer.
    pub fn is_unknown(&self) -> bool {
        self.exact.is_none() && self.completions.is_empty() && self.spellings.is_empty()
    }

    /// Counts the postings of all terms.
    pub fn weight(&self, layer: &Layer) -> u32 {
        let exact = self.exact.filter(|term| !self.completions.contains(term));
        exact.map_or(0, |term| count(layer, term))
            + layer.posting_count(self.completions.clone())
            + self.spellings.iter().map(|(term, _)| count(layer, *term)).sum::<u32>()
    }

    /// Iterates over all terms, each once.
    pub fn terms(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges().flatten()
    }

    /// Iterates over the ranges that all terms are in.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        let spellings = self.spellings.iter().map(|(term, _)| *term);
        let singles = self.exact.into_iter().chain(spellings).filter(|term| !self.completions.contains(term));
        std::iter::once(self.completions.clone()).chain(singles.map(|term| term..term + 1))
    }
}

fn bit(term: u32) -> u64 {
    1 << (term % u64::BITS)
}

/// Returns other spellings of a word that enough names have.
fn spellings(layer: &Layer, word: &Word, names: u32, max_edits: u8, effort: &mut Effort) -> Vec<(u32, f32)> {
    let chars = word.term.chars().count();
    if chars < ONE_EDIT_CHARS || word.term.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let dictionary = layer.dictionary();
    let enough = if names == 0 { 1 } else { names.saturating_mul(MORE_COMMON) };
    let mut within = |edits: u8| -> Vec<(u32, f32)> {
        if !effort.spell(edits) {
            return Vec::new();
        }
        let spellings = dictionary.spellings(&word.term, edits).into_iter();
        spellings
            .filter(|spelling| spelling.edits > 0 && count(layer, spelling.term) >= enough)
            .map(|spelling| (spelling.term, penalty(spelling.edits, spelling.other_initial)))
            .collect()
    };
    // Two edits cost ten times as much to search for, and are rare: only for words that nothing else explains.
    let mut found = within(1);
    if found.is_empty() && names == 0 && chars >= TWO_EDIT_CHARS && max_edits > 1 {
        found = within(2);
    }
    if found.is_empty() && names == 0 && word.prefix.is_some() && effort.spell(1) {
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
