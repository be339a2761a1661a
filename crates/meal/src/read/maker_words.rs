//! The words of texts and of names of products, so that they can be compared.

use foods::text::singular;

use super::token::Token;

/// A word of names, and how another name has it: "whopper no mayo", "whopper without mayo".
const NO: &str = "no";
const WITHOUT: &str = "without";

/// Checks whether a text begins with words.
pub(super) fn begins_with(text: &[Token], words: &[String], key: impl Fn(&Token) -> Option<String>) -> bool {
    text.len() >= words.len() && text.iter().zip(words).all(|(token, word)| key(token).as_ref() == Some(word))
}

/// Returns a word in the singular, or a number.
pub(super) fn key(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) if word == NO => Some(WITHOUT.to_owned()),
        Token::Word(word) => Some(singular(word)),
        other => raw_key(other),
    }
}

/// Returns a word as it is typed, or a number. "Chili's" are no chilis.
pub(super) fn raw_key(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.clone()),
        Token::Number(value, false) => Some(value.to_string()),
        _ => None,
    }
}
