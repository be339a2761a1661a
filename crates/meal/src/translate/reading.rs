//! A text of another language, cut into pieces: the longest phrases of the tables first.

use std::borrow::Cow;

use foods::text::singular;

use super::cover;
use super::language::Language;
use super::piece::{English, Piece, is_universal};
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
    let (text, goes_on) = apart(text, language);
    let readings: Vec<Readings> = text.iter().map(|token| Readings::of(token, language, english)).collect();
    let words: Vec<&[u32]> = readings.iter().map(|readings| readings.words.as_slice()).collect();
    let mut pieces: Vec<Piece> = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let first = pieces.len();
        let known = language.words().longest(&words[at..]);
        // A dish with a name of its own keeps it.
        let dish = english.dish_at(&text[at..]).filter(|width| known.is_none_or(|(_, known)| *width > known));
        // A table may know a name that the list does not explain.
        let table = || names.and_then(|names| names.longest(&text[at..]));
        let table = || table().filter(|(_, width)| !is_explained(&words[at..at + width], language));
        let width = if let Some(width) = dish.filter(|width| *width > 1) {
            pieces.push(Piece::of_name(&text[at..at + width]));
            width
        } else if let Some((food, width)) = table() {
            let name = Token::Word(NamedFood { food, common: None }.word());
            pieces.push(Piece { weight: width as f32, ..Piece::of_name(&[name]) });
            width
        } else if let Some((entry, width)) = known {
            // A number tells no language.
            let said: Vec<(&str, bool)> = text[at..at + width]
                .iter()
                .zip(&readings[at..at + width])
                .filter_map(|(token, readings)| Some((token.word()?, readings.is_slip)))
                .collect();
            let mut piece = Piece::of_entry(entry, said.len() as f32).weighed(&said);
            let is_slip = said.iter().any(|(_, is_slip)| *is_slip);
            if !is_slip && is_same_in_english(&text[at..at + width], &piece, english) {
                let words = text[at..at + width].iter().filter_map(Token::word);
                let words = words.filter(|word| !is_universal(word, english.lexicon()));
                piece.weight = words.map(|word| english.certainty(word)).sum();
            }
            pieces.push(piece);
            width
        } else {
            match &text[at] {
                Token::Word(word) => read_word(word, language, english, &mut pieces),
                token => pieces.push(Piece::of_token(token)),
            }
            1
        };
        if let Some(piece) = pieces.get_mut(first).filter(|_| goes_on[at]) {
            piece.begins_word = false;
        }
        at += width;
    }
    pieces
}

/// Returns a text with those words apart that people of the language write together, and whether each goes on in a word.
fn apart<'t>(text: &'t [Token], language: &Language) -> (Cow<'t, [Token]>, Vec<bool>) {
    if !language.settings().is_glued {
        return (Cow::Borrowed(text), vec![false; text.len()]);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut goes_on = Vec::with_capacity(text.len());
    for token in text {
        if let Some(words) = token.word().and_then(|word| cover::words_in(word, language)) {
            goes_on.extend((0..words.len()).map(|place| place > 0));
            out.extend(words.into_iter().map(|word| Token::Word(word.to_owned())));
        } else {
            goes_on.push(false);
            out.push(token.clone());
        }
    }
    (Cow::Owned(out), goes_on)
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
