//! Which language a text is in: the one that explains most of it.

use super::bound::Bound;
use super::language::Language;
use super::piece::{English, Piece, is_universal};
use super::reading;
use super::spoken::Spoken;
use super::table_rows::{FOREIGN_FOOD, FUNCTION_WORD, LAST_LATIN};
use crate::lexicon::Role;
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
/// What a word is worth that English has only in borrowed names, and other languages as a function word or as a food: "con",
/// "pollo".
const BORROWED: f32 = 0.3;
const BORROWED_FOOD: f32 = 0.6;
/// What an unknown word costs.
const UNKNOWN: f32 = -0.5;
/// A language that explains less of a text is not the one it is in.
const MIN_SHARE: f32 = 0.4;

/// Shorter words that measure in English are others elsewhere: "pan".
const MIN_LETTERS_OF_MEASURE: usize = 4;

/// The languages that have each word, as bits in the order of their codes, which the build script has listed.
static WORDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.fst"));
/// The languages that have each letter outside of the Latin alphabet, likewise.
static LETTERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/letters.fst"));

/// The words and letters by which languages are told apart.
#[derive(Debug)]
pub(super) struct Detector {
    by_word: fst::Map<&'static [u8]>,
    by_letter: fst::Map<&'static [u8]>,
}

impl Detector {
    /// Opens the lists.
    pub fn new() -> Self {
        let open = |list| fst::Map::new(list).expect("the build script has written it");
        Self { by_word: open(WORDS), by_letter: open(LETTERS) }
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
        if understands.is_empty() && (english.names_food(&words) || english.names_food(behind_measure(&words, english)))
        {
            return Spoken::English;
        }
        let english_score: f32 = words.iter().map(|word| self.score_in_english(word, english)).sum();
        let to_exceed = english_score + ENGLISH_PRIOR;
        match self.best(languages, text, &words, understands, english, to_exceed) {
            Some((score, language)) if score > to_exceed && !english.is_product(text) => Spoken::Other(language),
            _ if is_unknown(&words, english) && !english.names_product(text) => Spoken::Unknown,
            _ => Spoken::English,
        }
    }

    /// Returns how much a word speaks for English.
    fn score_in_english(&self, word: &str, english: &impl English) -> f32 {
        let bits = self.by_word.get(word).unwrap_or(0);
        let is_english = || english.lexicon().is_listed(word) || english.lexicon().spelling(word).is_some();
        let is_foreign_food = || bits & FOREIGN_FOOD != 0 && !is_english() && !english.names_food(&[word]);
        match english.certainty(word) {
            score if score > BORROWED && bits & FUNCTION_WORD != 0 && !english.lexicon().is_listed(word) => BORROWED,
            score if score > BORROWED_FOOD && score <= 1.0 && is_foreign_food() => BORROWED_FOOD,
            score if score > 0.0 => score,
            _ if english.may_be_misspelled(word) => MISSPELLED,
            _ => UNKNOWN,
        }
    }

    /// Returns the language but English that explains most of a text, and how much, unless none can exceed a score.
    fn best<'l>(
        &self,
        languages: &'l [Language],
        text: &[Token],
        words: &[&str],
        understands: &[String],
        english: &impl English,
        to_exceed: f32,
    ) -> Option<(f32, &'l Language)> {
        let prior = |language: &Language| {
            let place = understands.iter().position(|code| code == language.code());
            place.map_or(0.0, |place| UNDERSTOOD_PRIOR / (place + 1) as f32)
        };
        let mut tried = self.candidates(languages, words);
        tried.truncate(MAX_TRIED.max(if words.len() <= 2 { tried.len() } else { 0 }));
        let bound = Bound::of(text, english);
        let mut best: Option<(f32, &'l Language)> = None;
        for (_, language) in tried {
            let to_exceed = best.map_or(to_exceed, |(most, _)| to_exceed.max(most));
            if !bound.can_exceed(to_exceed - prior(language), language) {
                continue;
            }
            let pieces = reading::pieces_of(text, language, None, english);
            let score: f32 = pieces.iter().map(|piece| piece.weight).sum::<f32>() + prior(language);
            if share_of(&pieces) >= MIN_SHARE && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, language));
            }
        }
        best
    }

    fn bits_of_letter(&self, letter: char) -> u32 {
        self.by_letter.get(letter.encode_utf8(&mut [0; 4])).unwrap_or(0) as u32
    }

    /// Returns the languages that a text may be in, those with most of its words first.
    fn candidates<'l>(&self, languages: &'l [Language], words: &[&str]) -> Vec<(usize, &'l Language)> {
        let mut counts = vec![0usize; languages.len()];
        for word in words {
            let mut bits = self.by_word.get(word).unwrap_or(0) as u32;
            for letter in word.chars().filter(|letter| *letter > LAST_LATIN).take(4) {
                bits |= self.bits_of_letter(letter);
            }
            for (at, count) in counts.iter_mut().enumerate() {
                *count += (bits >> at & 1) as usize;
            }
        }
        // A single compound word is in no table as it is.
        let is_any = counts.iter().any(|count| *count > 0);
        let all = counts.into_iter().zip(languages);
        let mut found: Vec<(usize, &'l Language)> =
            all.filter(|(count, language)| *count > 0 || !is_any && !language.settings().links.is_empty()).collect();
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        found
    }
}

/// Returns the words behind those that measure in English: "bowl of nilagang baka", where a bowl is a dish in other languages.
fn behind_measure<'w, 't>(words: &'w [&'t str], english: &impl English) -> &'w [&'t str] {
    let lexicon = english.lexicon();
    let measures = |word: &str| word.len() >= MIN_LETTERS_OF_MEASURE && lexicon.unit(word).is_some();
    let words = match words {
        [article, rest @ ..] if lexicon.roles(article).has(Role::Indefinite) => rest,
        _ => words,
    };
    match words {
        [first, of, rest @ ..] if measures(first) && lexicon.roles(of).has(Role::Of) => rest,
        [first, rest @ ..] if measures(first) => rest,
        _ => words,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::translate::settings;
    use std::sync::Arc;

    #[test]
    fn the_lists_have_the_words_of_every_language() {
        let lexicon = Arc::new(Lexicon::default());
        let detector = Detector::new();
        for (at, tables) in settings::ALL.iter().enumerate() {
            let language = Language::new(tables, Arc::clone(&lexicon));
            for word in language.words().words() {
                let bits = match word.chars().find(|letter| *letter > LAST_LATIN) {
                    Some(letter) => detector.bits_of_letter(letter),
                    None if language.settings().is_unspaced => continue,
                    None => detector.by_word.get(word).unwrap_or(0) as u32,
                };
                assert!(bits >> at & 1 == 1, "{word} of {}", language.code());
            }
        }
    }
}
