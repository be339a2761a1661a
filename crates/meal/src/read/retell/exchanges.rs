//! What was ordered in the place of something else: "a club sandwich, sub fruit for the fries" has fruit beside it, and no fries.

use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of what was exchanged.
const MAX_WORDS: usize = 4;
/// A verb that is a sandwich too, so that only the words around it tell which.
const SUB: &str = "sub";
/// The word that denies what was not taken.
const NO: &str = "no";

/// Tells exchanges as what there was and what was left out; returns `None` if there are none.
pub(super) fn tell(text: Text<'_>) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for at in 1..text.len() {
        let is_behind_dish = text.is_word(at - 1) || text.tokens[at - 1] == Token::Comma;
        if !(text.has(at, Role::Substituted) || text.word(at) == Some(SUB)) || at < copied || !is_behind_dish {
            continue;
        }
        let taken = words_from(text, at + 1);
        let other = at + 1 + taken + 1;
        let other = other + usize::from(text.any(other, const { Roles::of(&[Role::Definite, Role::Possessive]) }));
        let left_out = words_from(text, other);
        if taken == 0 || left_out == 0 || !is_for(text, at + 1 + taken) {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..at]);
        out.pop_if(|last| *last == Token::Comma);
        out.push(Token::Word(NO.to_owned()));
        out.extend_from_slice(&text.tokens[other..other + left_out]);
        out.push(Token::Comma);
        out.extend_from_slice(&text.tokens[at + 1..at + 1 + taken]);
        copied = other + left_out;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Checks whether "for" is at a position. What a sub is filled with, or ordered to go, is not exchanged.
fn is_for(text: Text<'_>, at: usize) -> bool {
    text.has(at, Role::ExchangedFor)
        && !text.any(at, const { Roles::of(&[Role::With, Role::In, Role::Range, Role::When]) })
}

/// Returns how many words from a position on may name one food.
fn words_from(text: Text<'_>, from: usize) -> usize {
    let ends = Roles::of(&[Role::ExchangedFor, Role::And, Role::With, Role::On, Role::In, Role::But, Role::Denial]);
    (from..text.len()).take_while(|&at| text.is_word(at) && !text.any(at, ends)).take(MAX_WORDS).count()
}
