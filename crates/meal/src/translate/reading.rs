//! A text of another language, cut into pieces: the longest phrases of the tables first.

use foods::text::singular;

use super::cover;
use super::language::Language;
use super::piece::{English, Piece, SLIP_WEIGHT, is_universal};
use super::table_names::TableNames;
use crate::read::named_foods::NamedFood;
use crate::read::token::Token;

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
        let known = language.words().longest(&words[at..]);
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
            let name = Token::Word(NamedFood { food, common: None }.word());
            pieces.push(Piece { weight: width as f32, ..Piece::of_name(&[name]) });
            at += width;
            continue;
        }
        if let Some((entry, width)) = known {
            // A number tells no language.
            let said = text[at..at + width].iter().filter(|token| token.word().is_some()).count();
            let mut piece = Piece::of_entry(entry, said as f32);
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
        let Some((_, width)) = language.words().longest(&words[at..]) else { return false };
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
                let words = language.words().readings(word);
                let is_slip = words.is_empty()
                    && !english.knows(word)
                    && language.words().elision(word).is_none()
                    && cover::compound(word, language).is_none();
                Self { words: if is_slip { language.words().misspelled(word) } else { words }, is_slip }
            }
            Token::Number(value, false) => {
                Self { words: language.words().numeral(*value).into_iter().collect(), is_slip: false }
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
    if language.settings().is_unspaced && !word.is_ascii() {
        cover::cut(word, language, english, pieces);
    } else if let Some((entry, rest)) = language.words().elision(word) {
        pieces.push(Piece::of_entry(entry, 0.5));
        match language.words().longest(&[&language.words().readings(rest)]) {
            Some((entry, _)) => pieces.push(Piece::of_entry(entry, 0.5)),
            None => pieces.push(Piece::of_unknown(rest, english)),
        }
    } else if let Some(compound) = cover::compound(word, language) {
        pieces.push(compound);
    } else {
        pieces.push(Piece::of_unknown(word, english));
    }
}
