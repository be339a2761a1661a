//! How much of a text a language can explain at most: far less work than to read the text in it.

use super::cover;
use super::language::Language;
use super::piece::{English, FOOD_WEIGHT, NAME_WEIGHT, slip_weight};
use crate::read::token::Token;

/// The most that the pieces of a text weigh together, in any language.
pub(super) struct Bound<'t> {
    /// The words that are the least English come first.
    words: Vec<WordBound<'t>>,
    total: f32,
}

/// The most that a word weighs.
struct WordBound<'t> {
    word: &'t str,
    /// In any language.
    most: f32,
    /// In a language that does not have it.
    most_if_lacking: f32,
}

impl<'t> Bound<'t> {
    /// Adds up the most that the tokens of a text weigh.
    pub fn of(text: &'t [Token], english: &impl English) -> Self {
        let others = text.iter().filter(|token| token.word().is_none()).count();
        let words = text.iter().filter_map(Token::word);
        let (known, unknown): (Vec<&str>, Vec<&str>) = words.partition(|word| english.knows(word));
        // A word that English has is part of a dish's name at best, another one a slip.
        let unknown = unknown.into_iter().map(|word| (word, slip_weight(word)));
        let words = unknown.chain(known.into_iter().map(|word| (word, NAME_WEIGHT)));
        let bound = |(word, most_if_lacking)| WordBound { word, most: most_of(word, english), most_if_lacking };
        let words: Vec<WordBound<'t>> = words.map(bound).collect();
        let total = words.iter().map(|word| word.most).sum::<f32>() + others as f32 * NAME_WEIGHT;
        Self { words, total }
    }

    /// Checks whether a language can explain more of the text than this.
    pub fn can_exceed(&self, weight: f32, language: &Language) -> bool {
        let mut total = self.total;
        for WordBound { word, most, most_if_lacking } in &self.words {
            if total <= weight {
                return false;
            }
            if word.is_ascii() && !has(language, word) {
                total -= most - most_if_lacking;
            }
        }
        total > weight
    }
}

/// Returns the most that a word weighs.
fn most_of(word: &str, english: &impl English) -> f32 {
    // Every letter may be a word of a language without spaces.
    if word.is_ascii() { english.certainty(word).max(FOOD_WEIGHT) } else { f32::INFINITY }
}

/// Checks whether a language has a word, in some form or as a compound.
fn has(language: &Language, word: &str) -> bool {
    let words = language.words();
    words.has(word.trim_start_matches(|letter: char| letter.is_ascii_digit()))
        || !words.readings(word).is_empty()
        || words.elision(word).is_some()
        || cover::compound(word, language).is_some()
}
