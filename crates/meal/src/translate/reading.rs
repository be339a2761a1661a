//! A text of another language, cut into pieces: the longest phrases of the tables first.

use std::borrow::Cow;

use foods::text::singular;

use super::cover;
use super::entry::{Kind, TableEntry};
use super::language::Language;
use super::piece::{English, FACTOR, Piece, is_universal};
use super::table_names::TableNames;
use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::named_foods::NamedFood;
use crate::read::token::Token;

/// A word of a name that English has too, in a language that lists it.
const LISTED_NAME_WEIGHT: f32 = 0.8;
/// The minutes of an hour.
const MINUTES: f64 = 60.0;
/// A shorter word with another ending is as likely a function word of another language: Turkish "un" is flour, "una" is not.
const MIN_INFLECTED: usize = 4;

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
        let dish = dish.filter(|width| !are_two_foods(&words[at..at + width], language, english.lexicon()));
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
            let piece = piece_of(entry, &text[at..at + width], &readings[at..at + width], language, english);
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

/// Returns what an entry of the tables stands for, and how surely the words of the text are of the language.
fn piece_of(
    entry: &TableEntry,
    text: &[Token],
    readings: &[Readings],
    language: &Language,
    english: &impl English,
) -> Piece {
    let is_unsure = |word: &str, readings: &Readings| readings.is_slip || is_inflected(word, language);
    // Neither a number nor the "x" before it tells a language.
    let words = text.iter().zip(readings).filter_map(|(token, readings)| Some((token.word()?, readings)));
    let words = words.filter(|(word, _)| *word != FACTOR);
    let said: Vec<(&str, bool)> = words.map(|(word, readings)| (word, is_unsure(word, readings))).collect();
    // Two letters are about a word where these have no spaces between them.
    let letters: usize = said.iter().filter(|(word, _)| !word.is_ascii()).map(|(word, _)| word.chars().count()).sum();
    let is_run = language.settings().is_unspaced && letters > 0;
    let words = if is_run { (letters as f32 * 0.5).max(1.0) } else { said.len() as f32 };
    let mut piece = Piece::of_entry(entry, words).weighed(&said);
    let is_slip = said.iter().any(|(_, is_slip)| *is_slip);
    piece.is_shown = piece.food.and_then(|food| language.words().food(food)).is_some_and(|food| {
        let mut rest = said.iter().map(|(word, _)| *word);
        food.words.split(' ').all(|word| rest.next().is_some_and(|said| is_form_of(said, word)))
            && rest.next().is_none()
    });
    if !is_slip && is_same_in_english(text, &piece, english) {
        let words = said.iter().filter(|(word, _)| !is_universal(word, english.lexicon()));
        let certainty: f32 = words.map(|(word, _)| english.certainty(word)).sum();
        // A language that lists the name is likelier than one that only lets it be.
        let listed = if said.len() > 1 { said.len() as f32 * LISTED_NAME_WEIGHT } else { 0.0 };
        piece.weight = certainty.max(listed);
    }
    piece
}

/// Checks whether a word is another one or its plural.
fn is_form_of(said: &str, word: &str) -> bool {
    let mut stem = word.chars();
    stem.next_back();
    said == word || word.is_ascii() && word.len() > MIN_INFLECTED && said.starts_with(stem.as_str())
}

/// Returns a text with those words apart that people of the language write together, and whether each goes on in a word.
fn apart<'t>(text: &'t [Token], language: &Language) -> (Cow<'t, [Token]>, Vec<bool>) {
    if language.settings().is_unspaced {
        return with_mixed_words(text, language);
    }
    let is_glued = language.settings().is_glued;
    let is_split = |word: &str| number_and_unit(word, language).is_some() || is_hour(word);
    if !is_glued && !text.iter().filter_map(Token::word).any(is_split) {
        return (Cow::Borrowed(text), vec![false; text.len()]);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut goes_on = Vec::with_capacity(text.len());
    for (at, token) in text.iter().enumerate() {
        let is_behind_hour = || at > 0 && text[at - 1].word().is_some_and(is_hour);
        if matches!(token, Token::Number(minutes, false) if *minutes < MINUTES) && is_behind_hour() {
            continue;
        }
        let glued = token.word().filter(|_| is_glued).and_then(|word| cover::words_in(word, language));
        if let Some(words) = glued {
            goes_on.extend((0..words.len()).map(|place| place > 0));
            out.extend(words.into_iter().map(|word| Token::Word(word.to_owned())));
        } else if let Some((value, unit)) = token.word().and_then(|word| number_and_unit(word, language)) {
            goes_on.extend([false, false]);
            out.extend([Token::Number(value, false), Token::Word(unit.to_owned())]);
        } else {
            goes_on.push(false);
            out.push(token.clone());
        }
    }
    (Cow::Owned(out), goes_on)
}

/// Checks whether a word is an hour, which minutes may follow: "8h30".
fn is_hour(word: &str) -> bool {
    let hour = word.strip_suffix('h').unwrap_or_default();
    !hour.is_empty() && hour.len() <= 2 && hour.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the number and the unit of the language that a word is: "2el" are two "Esslöffel". The words that English knows so,
/// such as "2g", are two tokens already.
fn number_and_unit<'w>(word: &'w str, language: &Language) -> Option<(f64, &'w str)> {
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let value = word[..word.len() - unit.len()].parse().ok()?;
    let is_unit = language.words().entry_of(unit).is_some_and(|entry| entry.kind == Kind::Unit);
    (is_unit && !language.words().has(word)).then_some((value, unit))
}

/// Returns a text of a language without spaces with those words in one token that have a number or Latin letters in them.
fn with_mixed_words<'t>(text: &'t [Token], language: &Language) -> (Cow<'t, [Token]>, Vec<bool>) {
    let mut out: Vec<Token> = Vec::with_capacity(text.len());
    let mut goes_on: Vec<bool> = Vec::with_capacity(text.len());
    // What is left of the next word, of which the front is in the word before.
    let mut rest: Option<&str> = None;
    for (at, token) in text.iter().enumerate() {
        let told = rest.take().or(token.word());
        if let Some((value, unit)) = told.and_then(|word| number_and_unit(word, language)) {
            out.extend([Token::Number(value, false), Token::Word(unit.to_owned())]);
            goes_on.resize(out.len(), false);
            continue;
        }
        let middle = match token {
            Token::Number(value, false) => Some(value.to_string()),
            _ => told.filter(|word| word.is_ascii()).map(str::to_owned),
        };
        let before = out.last().and_then(Token::word).filter(|word| !word.is_ascii()).unwrap_or_default();
        let behind = text.get(at + 1).and_then(Token::word).unwrap_or_default();
        let found = middle.as_deref().and_then(|middle| language.words().mixed(before, middle, behind));
        let Some((front, end)) = found else {
            match told {
                Some("") => {}
                Some(word) => out.push(Token::Word(word.to_owned())),
                None => out.push(token.clone()),
            }
            goes_on.resize(out.len(), at > 0 && told.is_some_and(|word| token.word() != Some(word)));
            continue;
        };
        let kept = before.len() - front.len();
        let word = [front, middle.as_deref().unwrap_or_default(), end].concat();
        if !front.is_empty() {
            let Some(Token::Word(before)) = out.last_mut() else { continue };
            before.truncate(kept);
            if before.is_empty() {
                out.pop();
                goes_on.pop();
            }
        }
        out.push(Token::Word(word));
        goes_on.resize(out.len(), kept > 0);
        rest = (!behind.is_empty()).then(|| &behind[end.len()..]);
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

/// Checks whether the tables of a language explain words as two foods with a joint between them: "Schnitzel mit Pommes".
/// People who say it so mean two foods, even if a list has both as one dish.
fn are_two_foods(words: &[&[u32]], language: &Language, lexicon: &Lexicon) -> bool {
    let joints = const { Roles::of(&[Role::And, Role::With]) };
    let mut entries = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((entry, width)) = language.words().longest(&words[at..]) else { return false };
        entries.push(entry);
        at += width;
    }
    let is_food = |entry: Option<&&TableEntry>| entry.is_some_and(|entry| entry.kind == Kind::Food);
    is_food(entries.first())
        && is_food(entries.last())
        && entries.iter().any(|entry| lexicon.roles(entry.english).any(joints))
}

/// Checks whether a short word is in the tables only with another ending.
fn is_inflected(word: &str, language: &Language) -> bool {
    word.chars().count() < MIN_INFLECTED && !language.words().has(word)
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
