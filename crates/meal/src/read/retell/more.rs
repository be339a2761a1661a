//! More of the same: "two beers, then two more" are four.

use super::edits::Edits;
use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of what there was more of.
const MAX_WORDS: usize = 6;
/// Words that end what was counted.
const ENDS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::On,
    Role::In,
    Role::Aside,
    Role::But,
    Role::Eating,
    Role::Person,
    Role::Copula,
    Role::When,
    Role::Filler,
]);
/// Words that count.
const COUNTS: Roles = Roles::of(&[Role::Number, Role::Indefinite, Role::Another]);

/// Names again what there was more of; returns `None` if nothing says "more".
pub(super) fn name_again(text: Text<'_>) -> Option<Vec<Token>> {
    let mut edits = Edits::of(text.tokens);
    for at in (1..text.len()).filter(|&at| is_more(text, at)) {
        if let Some(food) = counted_before(text, at - 1) {
            edits.replace(at..at + 1, food.to_vec());
        }
    }
    edits.finish()
}

/// Checks whether the word here stands for a food that was named before: "two more", "another one".
fn is_more(text: Text<'_>, at: usize) -> bool {
    let is_behind_count = matches!(text.tokens[at - 1], Token::Number(..)) || text.has(at - 1, Role::Number);
    let is_one = text.has(at - 1, Role::Another) && text.has(at, Role::Pronoun) && text.has(at, Role::Number);
    let ends = !text.is_word(at + 1) || text.any(at + 1, ENDS);
    ends && (text.has(at, Role::More) && is_behind_count || is_one)
}

/// Returns the words of the last food before a position that has a count.
fn counted_before(text: Text<'_>, end: usize) -> Option<&[Token]> {
    let is_count = |at: &usize| matches!(text.tokens[*at], Token::Number(..)) || text.any(*at, COUNTS);
    let counts = (0..end).rev().filter(is_count);
    counts
        .map(|count| &text.tokens[count + 1..count + 1 + words_from(text, count + 1, end)])
        .find(|food| !food.is_empty())
}

/// Returns how many words from a position on may name a food.
fn words_from(text: Text<'_>, from: usize, end: usize) -> usize {
    let is_part = |at: &usize| text.is_word(*at) && !text.any(*at, ENDS) && !text.has(*at, Role::More);
    (from..end).take_while(is_part).take(MAX_WORDS).count()
}
