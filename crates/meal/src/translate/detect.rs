//! Which language a text is in: the one that explains most of it.

use super::language::Language;
use super::piece::{self, English, Piece, is_universal};
use super::{Spoken, Translator};
use crate::read::token::Token;

/// The most tokens that are looked at.
const MAX_TOKENS: usize = 120;
/// The most languages that a text is read in to compare them.
const MAX_TRIED: usize = 4;
/// English is more likely than any other language.
const ENGLISH_PRIOR: f32 = 0.5;
/// A language that the person understands is more likely than others.
const UNDERSTOOD_PRIOR: f32 = 0.6;
/// What a word is worth that is spelled nearly like an English one.
const MISSPELLED: f32 = 0.3;
/// What an unknown word costs.
const UNKNOWN: f32 = -0.5;
/// A language that explains less of a text is not the one it is in.
const MIN_SHARE: f32 = 0.4;

/// Checks whether a letter is outside of the Latin alphabet.
pub(super) fn is_beyond_latin(letter: char) -> bool {
    letter as u32 > 0x24f
}

impl Translator {
    /// Returns the language that a text is in.
    pub(super) fn detect(&self, text: &[Token], understands: &[String], english: &impl English) -> Spoken<'_> {
        let text = &text[..text.len().min(MAX_TOKENS)];
        let words: Vec<&str> =
            text.iter().filter_map(Token::word).filter(|word| !is_universal(word, english.lexicon())).collect();
        if understands.is_empty() && english.names_food(&words) {
            return Spoken::English;
        }
        let english_score: f32 = words.iter().map(|word| score_in_english(word, english)).sum();
        match self.best(text, &words, understands, english) {
            Some((score, language)) if score > english_score + ENGLISH_PRIOR => Spoken::Other(language),
            _ if is_unknown(&words, english) => Spoken::Unknown,
            _ => Spoken::English,
        }
    }

    /// Returns the language but English that explains most of a text, and how much.
    fn best(
        &self,
        text: &[Token],
        words: &[&str],
        understands: &[String],
        english: &impl English,
    ) -> Option<(f32, &Language)> {
        let prior = |language: &Language| {
            let place = understands.iter().position(|code| code == language.code());
            place.map_or(0.0, |place| UNDERSTOOD_PRIOR / (place + 1) as f32)
        };
        let mut tried: Vec<(usize, &Language)> = self.candidates(words);
        tried.truncate(MAX_TRIED.max(if words.len() <= 2 { tried.len() } else { 0 }));
        let mut best: Option<(f32, &Language)> = None;
        for (_, language) in tried {
            let pieces = piece::pieces_of(text, language, None, english);
            let score: f32 = pieces.iter().map(|piece| piece.weight).sum::<f32>() + prior(language);
            if share_of(&pieces) >= MIN_SHARE && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, language));
            }
        }
        best
    }

    /// Returns the languages that a text may be in, those with most of its words first.
    fn candidates(&self, words: &[&str]) -> Vec<(usize, &Language)> {
        let mut counts = vec![0usize; self.languages.len()];
        for word in words {
            let mut bits = self.by_word.get(*word).copied().unwrap_or(0);
            for letter in word.chars().filter(|letter| is_beyond_latin(*letter)).take(4) {
                bits |= self.by_letter.get(&letter).copied().unwrap_or(0);
            }
            for (at, count) in counts.iter_mut().enumerate() {
                *count += (bits >> at & 1) as usize;
            }
        }
        // A single compound word is in no table as it is.
        let is_any = counts.iter().any(|count| *count > 0);
        let all = counts.into_iter().zip(&self.languages);
        let mut found: Vec<(usize, &Language)> =
            all.filter(|(count, language)| *count > 0 || !is_any && !language.links.is_empty()).collect();
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        found
    }
}

/// Returns how much a word speaks for English.
fn score_in_english(word: &str, english: &impl English) -> f32 {
    match english.certainty(word) {
        score if score > 0.0 => score,
        _ if english.may_be_misspelled(word) => MISSPELLED,
        _ => UNKNOWN,
    }
}

/// Returns the share of a text that a language explains.
fn share_of(pieces: &[Piece]) -> f32 {
    let known: f32 = pieces.iter().map(|piece| piece.weight.max(0.0)).sum();
    let unknown = pieces.iter().filter(|piece| piece.weight < 0.0).count();
    if known > 0.0 { known / (known + unknown as f32) } else { 0.0 }
}

/// Checks whether a text is in a language that is not known: few of its words are English, and most of the others are no
/// misspelled English either.
fn is_unknown(words: &[&str], english: &impl English) -> bool {
    let unknown: Vec<&&str> = words.iter().filter(|word| !english.knows(word)).collect();
    let share = 1.0 - unknown.len() as f32 / words.len().max(1) as f32;
    unknown.len() >= 2
        && share < MIN_SHARE
        && unknown.iter().filter(|word| english.may_be_misspelled(word)).count() * 2 < unknown.len()
}
