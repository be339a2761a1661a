//! A text of another language in pieces: what each of its words and phrases stands for.

use foods::text::singular;

use super::cover;
use super::entry::{Entry, Kind, kind_of};
use super::foreign_words;
use super::language::Language;
use super::table_names::TableNames;
use crate::lexicon::Lexicon;
use crate::read::table_words;
use crate::read::token::{Token, tokens};

/// A word or phrase with its English words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub tokens: Vec<Token>,
    pub kind: Kind,
    /// It stands behind the food, where English has it before.
    pub is_after: bool,
    /// It joins two foods, the head first.
    pub is_genitive: bool,
    /// The number of the food in the list of the language, if it is one.
    pub food: Option<u32>,
    /// It begins a word of the text, rather than going on in one without spaces.
    pub begins_word: bool,
    /// How many words of the text it has, and how sure it is that they are of this language.
    pub weight: f32,
}

/// A word that the language does not have but English does is as likely a name.
const ENGLISH_WEIGHT: f32 = 0.3;
/// A word of a dish whose name is the same in all languages.
const NAME_WEIGHT: f32 = 0.6;
/// A word that is only spelled nearly like one of the language.
const SLIP_WEIGHT: f32 = 0.3;
/// A word that neither has.
const UNKNOWN_WEIGHT: f32 = -0.5;
/// A word of a food of the list is surer than another.
const FOOD_WEIGHT: f32 = 1.2;

impl Piece {
    /// A token that is the same in all languages.
    fn of_token(token: &Token) -> Self {
        let kind = match token {
            Token::Number(value, _) => Kind::Number(*value),
            Token::Word(_) => Kind::Modifier,
            Token::Comma | Token::Stop | Token::Colon | Token::Open | Token::Close => Kind::Break,
        };
        Self {
            tokens: vec![token.clone()],
            kind,
            is_after: false,
            is_genitive: false,
            food: None,
            begins_word: true,
            weight: 0.0,
        }
    }

    /// The name of a dish, which is the same in all languages.
    fn of_name(name: &[Token]) -> Self {
        let weight = name.len() as f32 * NAME_WEIGHT;
        Self {
            tokens: name.to_vec(),
            kind: Kind::Food,
            is_after: false,
            is_genitive: false,
            food: None,
            begins_word: true,
            weight,
        }
    }

    /// What an entry of the tables stands for; `words` says how many of the text it has.
    pub fn of_entry(entry: &Entry, words: f32) -> Self {
        let tokens = match entry.kind {
            Kind::Nothing | Kind::Number(_) | Kind::Scale(_) => Vec::new(),
            _ => tokens(entry.english),
        };
        let weight = if entry.kind == Kind::Food { words * FOOD_WEIGHT } else { words };
        Self {
            tokens,
            kind: entry.kind,
            is_after: entry.is_after,
            is_genitive: entry.is_genitive,
            food: entry.food,
            begins_word: true,
            weight,
        }
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
    /// Checks whether a word may be one of those, misspelled.
    fn may_be_misspelled(&self, word: &str) -> bool;
    /// Returns how sure it is that a word is English, as the weights of pieces are.
    fn certainty(&self, word: &str) -> f32;
}

/// Checks whether a word is the same in many languages: "g", "ml", a percentage.
pub(super) fn is_universal(word: &str, lexicon: &Lexicon) -> bool {
    word.ends_with('%') || word == "x" || word.len() <= 2 && lexicon.unit(word).is_some()
}

/// Reads a text as one of a language.
pub(super) fn pieces_of(
    text: &[Token],
    language: &Language,
    names: Option<&TableNames>,
    english: &impl English,
) -> Vec<Piece> {
    let readings: Vec<Readings> = text.iter().map(|token| Readings::of(token, language, english)).collect();
    let words: Vec<&[u32]> = readings.iter().map(|readings| readings.words.as_slice()).collect();
    let mut pieces = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let known = language.longest(&words[at..]);
        // A dish with a name of its own keeps it.
        let dish = english.dish_at(&text[at..]).filter(|width| known.is_none_or(|(_, known)| *width > known));
        if let Some(width) = dish.filter(|width| *width > 1) {
            pieces.push(Piece::of_name(&text[at..at + width]));
            at += width;
            continue;
        }
        // A table may know a name that the list does not explain.
        let table = names.and_then(|names| names.longest(&text[at..]));
        if let Some((food, width)) = table.filter(|(_, width)| !is_explained(&words[at..at + width], language)) {
            let name = Token::Word(table_words::word(food));
            pieces.push(Piece { weight: width as f32, ..Piece::of_name(&[name]) });
            at += width;
            continue;
        }
        if let Some((entry, width)) = known {
            let mut piece = Piece::of_entry(entry, width as f32);
            if readings[at..at + width].iter().any(|readings| readings.is_slip) {
                piece.weight = SLIP_WEIGHT;
            } else if is_same_in_english(&text[at..at + width], &piece, english) {
                let words = text[at..at + width].iter().filter_map(Token::word);
                let words = words.filter(|word| !is_universal(word, english.lexicon()));
                piece.weight = words.map(|word| english.certainty(word)).sum();
            }
            pieces.push(piece);
            at += width;
            continue;
        }
        match &text[at] {
            Token::Word(word) => read_word(word, language, english, &mut pieces),
            token => pieces.push(Piece::of_token(token)),
        }
        at += 1;
    }
    pieces
}

/// Checks whether every word of a text is in the tables of a language.
fn is_explained(words: &[&[u32]], language: &Language) -> bool {
    let mut at = 0;
    while at < words.len() {
        let Some((_, width)) = language.longest(&words[at..]) else { return false };
        at += width;
    }
    true
}

/// The words of the tables that a token may be.
#[derive(Debug, Default)]
struct Readings {
    words: Vec<u32>,
    /// They are only spelled nearly like it.
    is_slip: bool,
}

impl Readings {
    fn of(token: &Token, language: &Language, english: &impl English) -> Self {
        match token {
            Token::Word(word) => {
                let words = language.readings(word);
                let is_slip = words.is_empty()
                    && !english.knows(word)
                    && language.elision(word).is_none()
                    && cover::compound(word, language).is_none();
                Self { words: if is_slip { language.misspelled(word) } else { words }, is_slip }
            }
            Token::Number(value, false) => {
                Self { words: language.numeral(*value).into_iter().collect(), is_slip: false }
            }
            _ => Self::default(),
        }
    }
}

/// Checks whether words are the same in English, so that they do not tell the language.
fn is_same_in_english(text: &[Token], piece: &Piece, english: &impl English) -> bool {
    let folded = |token: &Token| token.word().map(singular);
    let words: Vec<&str> = text.iter().filter_map(Token::word).collect();
    let is_equal = text.len() == piece.tokens.len()
        && text.iter().zip(&piece.tokens).all(|(one, other)| folded(one) == folded(other));
    words.iter().all(|word| english.knows(word)) && (is_equal || english.names_food(&words))
}

/// Reads a word that is not in the tables as it is.
fn read_word(word: &str, language: &Language, english: &impl English, pieces: &mut Vec<Piece>) {
    if language.is_unspaced && !word.is_ascii() {
        cover::cut(word, language, english, pieces);
    } else if let Some((entry, rest)) = language.elision(word) {
        pieces.push(Piece::of_entry(entry, 0.5));
        match language.longest(&[&language.readings(rest)]) {
            Some((entry, _)) => pieces.push(Piece::of_entry(entry, 0.5)),
            None => pieces.push(Piece::of_unknown(rest, english)),
        }
    } else if let Some(compound) = cover::compound(word, language) {
        pieces.push(compound);
    } else {
        pieces.push(Piece::of_unknown(word, english));
    }
}
