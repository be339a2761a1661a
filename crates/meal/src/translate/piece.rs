//! A piece of a text of another language: what a word or phrase stands for.

use std::ops::Range;

use super::entry::{Kind, TableEntry, kind_of};
use super::foreign_words;
use crate::lexicon::Lexicon;
use crate::read::named_foods::NamedFood;
use crate::read::token::{Token, tokens};

/// A word or phrase with its English words.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they do not depend on each other")]
pub(super) struct Piece {
    pub tokens: Vec<Token>,
    pub kind: Kind,
    /// It stands behind the food, where English has it before.
    pub is_after: bool,
    /// It joins two foods, the head first.
    pub is_genitive: bool,
    /// A time of day may follow.
    pub announces_time: bool,
    /// The number of the food in the list of the language, if it is one.
    pub food: Option<u32>,
    /// It begins a word of the text, rather than going on in one without spaces.
    pub begins_word: bool,
    /// It is a food by the name that answers show, rather than by another one.
    pub is_shown: bool,
    /// How many words of the text it has, and how sure it is that they are of this language.
    pub weight: f32,
}

/// The word between a food and how many of it there are, which some languages list too.
pub(super) const FACTOR: &str = "x";
/// A word that the language does not have but English does is as likely a name.
const ENGLISH_WEIGHT: f32 = 0.3;
/// A word of a dish whose name is the same in all languages.
pub(super) const NAME_WEIGHT: f32 = 0.6;
/// A word that is only spelled nearly like one of the language. Many short words are, and few long ones.
const SHORT_SLIP_WEIGHT: f32 = 0.3;
const SLIP_WEIGHT: f32 = 0.4;
const LONG_SLIP_WEIGHT: f32 = 0.7;
/// A word that neither has.
const UNKNOWN_WEIGHT: f32 = -0.5;
/// A word of a food of the list is surer than another.
pub(super) const FOOD_WEIGHT: f32 = 1.2;
/// A food of one or two letters is a common function word of other languages: "un" is flour in Turkish.
const TINY_FOOD_WEIGHT: f32 = 0.5;
/// A number is surer than the same word as another: "tres".
const NUMBER_WEIGHT: f32 = 1.1;

impl Piece {
    /// A token that is the same in all languages.
    pub fn of_token(token: &Token) -> Self {
        let kind = match token {
            Token::Number(value, _) => Kind::Number(*value),
            Token::Word(_) => Kind::Modifier,
            Token::Comma | Token::Stop | Token::Colon | Token::Open | Token::Close => Kind::Break,
        };
        Self::of(vec![token.clone()], kind, 0.0)
    }

    /// A comma that nobody typed.
    pub fn comma() -> Self {
        Self::of_token(&Token::Comma)
    }

    /// English words, as nothing special.
    pub fn of(tokens: Vec<Token>, kind: Kind, weight: f32) -> Self {
        Self {
            tokens,
            kind,
            is_after: false,
            is_genitive: false,
            announces_time: false,
            food: None,
            begins_word: true,
            is_shown: false,
            weight,
        }
    }

    /// The name of a dish, which is the same in all languages.
    pub fn of_name(name: &[Token]) -> Self {
        Self::of(name.to_vec(), Kind::Food, name.len() as f32 * NAME_WEIGHT)
    }

    /// What an entry of the tables stands for; `words` says how many of the text it has.
    pub fn of_entry(entry: &TableEntry, words: f32) -> Self {
        let tokens = match entry.kind {
            Kind::Nothing | Kind::Number(_) | Kind::Scale(_) => Vec::new(),
            _ => tokens(entry.english),
        };
        let weight = match entry.kind {
            Kind::Food => words * FOOD_WEIGHT,
            Kind::Number(_) => words * NUMBER_WEIGHT,
            _ => words,
        };
        Self {
            tokens,
            kind: entry.kind,
            is_after: entry.is_after,
            is_genitive: entry.is_genitive,
            announces_time: entry.announces_time,
            food: entry.food,
            begins_word: true,
            is_shown: false,
            weight,
        }
    }

    /// The same, where some of the words are only spelled nearly like those of the entry, or are very short.
    pub fn weighed(mut self, said: &[(&str, bool)]) -> Self {
        let whole = self.weight / said.len().max(1) as f32;
        let weight_of = |(word, is_slip): &(&str, bool)| match word.chars().count() {
            _ if *is_slip => slip_weight(word),
            0..=2 if self.kind == Kind::Food && said.len() == 1 && word.is_ascii() => TINY_FOOD_WEIGHT,
            _ => whole,
        };
        self.weight = said.iter().map(weight_of).sum();
        self
    }

    /// A word that the language does not have.
    pub fn of_unknown(word: &str, english: &impl English) -> Self {
        if english.knows(word) {
            let kind = match kind_of(word, english.lexicon()) {
                Kind::Number(_) | Kind::Scale(_) | Kind::Nothing => Kind::Modifier,
                kind => kind,
            };
            let weight = if is_universal(word, english.lexicon()) { 0.0 } else { ENGLISH_WEIGHT };
            return Self { kind, weight, ..Self::of_token(&Token::Word(word.to_owned())) };
        }
        Self { weight: UNKNOWN_WEIGHT, ..Self::of_token(&Token::Word(foreign_words::word(word))) }
    }
}

/// Returns what a word weighs that is only spelled nearly like one of the language.
pub(super) fn slip_weight(word: &str) -> f32 {
    match word.chars().count() {
        0..=4 => SHORT_SLIP_WEIGHT,
        5..=6 => SLIP_WEIGHT,
        _ => LONG_SLIP_WEIGHT,
    }
}

/// What English knows of words.
pub(crate) trait English {
    /// Returns the words that are not foods.
    fn lexicon(&self) -> &Lexicon;
    /// Checks whether a word is in the names of foods, or does something in a sentence.
    fn knows(&self, word: &str) -> bool;
    /// Returns how many tokens the name of a dish has that a text begins with.
    fn dish_at(&self, text: &[Token]) -> Option<usize>;
    /// Checks whether words are the whole name of a food.
    fn names_food(&self, words: &[&str]) -> bool;
    /// Checks whether a text names a product of a maker, which may be called by words that nothing else is.
    fn names_product(&self, text: &[Token]) -> bool;
    /// Returns where the name of the only product is that a short text names.
    fn product_in(&self, text: &[Token]) -> Option<Range<usize>>;
    /// Returns the food that an everyday name means, unless it is the name of a dish, which keeps its meaning.
    fn named(&self, name: &[&str]) -> Option<NamedFood>;
    /// Checks whether a word may be one of those, misspelled.
    fn may_be_misspelled(&self, word: &str) -> bool;
    /// Returns how sure it is that a word is English, as the weights of pieces are.
    fn certainty(&self, word: &str) -> f32;
}

/// Checks whether a word is the same in many languages: "g", "ml", a percentage.
pub(super) fn is_universal(word: &str, lexicon: &Lexicon) -> bool {
    word.ends_with('%') || word == FACTOR || word.len() <= 2 && lexicon.unit(word).is_some()
}
