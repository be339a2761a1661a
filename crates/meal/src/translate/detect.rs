//! Which language a text is in: the one that explains most of it.

use std::collections::HashMap;

use super::language::Language;
use super::piece::{English, Piece, is_universal};
use super::reading;
use super::spoken::Spoken;
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
fn is_beyond_latin(letter: char) -> bool {
    letter as u32 > 0x24f
}

/// The words and letters by which languages are told apart.
#[derive(Debug, Default)]
pub(super) struct Detector {
    /// Which languages have a word, as bits.
    by_word: HashMap<String, u32>,
    /// Which languages have a letter outside of the Latin alphabet, as bits.
    by_letter: HashMap<char, u32>,
}

impl Detector {
    /// Lists the words and letters of languages.
    pub fn new(languages: &[Language]) -> Self {
        let mut all = Self::default();
        for (at, language) in languages.iter().enumerate() {
            for word in language.words() {
                for letter in word.chars().filter(|letter| is_beyond_latin(*letter)) {
                    *all.by_letter.entry(letter).or_default() |= 1 << at;
                }
                if !language.is_unspaced {
                    *all.by_word.entry(word.to_owned()).or_default() |= 1 << at;
                }
            }
        }
        all
    }

    /// Returns the language that a text is in.
    pub fn detect<'l>(
        &self,
        languages: &'l [Language],
        text: &[Token],
        understands: &[String],
        english: &impl English,
    ) -> Spoken<'l> {
        let text = &text[..text.len().min(MAX_TOKENS)];
        let words: Vec<&str> =
            text.iter().filter_map(Token::word).filter(|word| !is_universal(word, english.lexicon())).collect();
        if understands.is_empty() && english.names_food(&words) {
            return Spoken::English;
        }
        let english_score: f32 = words.iter().map(|word| score_in_english(word, english)).sum();
        match self.best(languages, text, &words, understands, english) {
            Some((score, language)) if score > english_score + ENGLISH_PRIOR => Spoken::Other(language),
            _ if is_unknown(&words, english) => Spoken::Unknown,
            _ => Spoken::English,
        }
    }

    /// Returns the language but English that explains most of a text, and how much.
    fn best<'l>(
        &self,
        languages: &'l [Language],
        text: &[Token],
        words: &[&str],
        understands: &[String],
        english: &impl English,
    ) -> Option<(f32, &'l Language)> {
        let prior = |language: &Language| {
            let place = understands.iter().position(|code| code == language.code());
            place.map_or(0.0, |place| UNDERSTOOD_PRIOR / (place + 1) as f32)
        };
        let mut tried = self.candidates(languages, words);
        tried.truncate(MAX_TRIED.max(if words.len() <= 2 { tried.len() } else { 0 }));
        let mut best: Option<(f32, &'l Language)> = None;
        for (_, language) in tried {
            let pieces = reading::pieces_of(text, language, None, english);
            let score: f32 = pieces.iter().map(|piece| piece.weight).sum::<f32>() + prior(language);
            if share_of(&pieces) >= MIN_SHARE && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, language));
            }
        }
        best
    }

    /// Returns the languages that a text may be in, those with most of its words first.
    fn candidates<'l>(&self, languages: &'l [Language], words: &[&str]) -> Vec<(usize, &'l Language)> {
        let mut counts = vec![0usize; languages.len()];
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
        let all = counts.into_iter().zip(languages);
        let mut found: Vec<(usize, &'l Language)> =
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
