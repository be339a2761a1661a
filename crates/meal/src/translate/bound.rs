//! How much of a text a language can explain at most: far less work than to read the text in it.

use super::cover;
use super::language::Language;
use super::piece::{English, FOOD_WEIGHT, LONG_SLIP_WEIGHT, NAME_WEIGHT};
use crate::read::token::Token;

/// The most that the pieces of a text weigh together, in any language.
pub(super) struct Bound<'t> {
    /// The words with the most that each weighs, those first that are the least English.
    words: Vec<(&'t str, f32)>,
    total: f32,
}

impl<'t> Bound<'t> {
    /// Adds up the most that the tokens of a text weigh.
    pub fn of(text: &'t [Token], english: &impl English) -> Self {
        let others = text.iter().filter(|token| token.word().is_none()).count();
        let mut words: Vec<(&str, f32)> =
            text.iter().filter_map(Token::word).map(|word| (word, most_of(word, english))).collect();
        let total = words.iter().map(|(_, most)| most).sum::<f32>() + others as f32 * NAME_WEIGHT;
        words.sort_by_key(|(word, _)| english.knows(word));
        Self { words, total }
    }

    /// Checks whether a language can explain more of the text than this.
    pub fn can_exceed(&self, weight: f32, language: &Language) -> bool {
        let mut total = self.total;
        for (word, most) in &self.words {
            if total <= weight {
                return false;
            }
            if word.is_ascii() && !has(language, word) {
                // It is a slip at best, or a part of a dish's name.
                total -= most - LONG_SLIP_WEIGHT;
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
