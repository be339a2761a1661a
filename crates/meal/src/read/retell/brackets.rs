//! Brackets that only describe the food before them: "mixed vegetables (corn, peas and carrots)" are one food, "tacos (fish)" are
//! fish tacos, and "eggs (breakfast)" are eggs.

use std::ops::Range;

use super::no_names::NO_NAMES;
use crate::lexicon::Role;
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of the name of a food.
const MAX_WORDS: usize = 4;
/// The most tokens in a bracket.
const MAX_DESCRIPTION: usize = 16;
/// Takes descriptions out of brackets; returns `None` if there are none. `is_name` checks whether words in the singular are the
/// name of a food or a dish.
pub(super) fn describe(text: Text<'_>, is_name: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let names = |tokens: &[Token]| key_of(tokens).is_some_and(|key| is_name(&key));
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for open in 1..text.len() {
        let Some(close) = end_of_list(text, open) else { continue };
        // "eggs (breakfast)" are no breakfast eggs.
        if (open + 1..close).all(|at| text.has(at, Role::Meal)) {
            out.get_or_insert_default().extend_from_slice(&text.tokens[copied..open]);
            copied = close + 1;
            continue;
        }
        let Some(name) = name_before(text, open, names).filter(|name| name.start >= copied) else { continue };
        let listed = &text.tokens[open + 1..close];
        let of_kind = [listed, &text.tokens[name.clone()]].concat();
        let is_kind = names(&of_kind);
        let is_described = || parts(text, open + 1..close).any(|part| names(&text.tokens[part]));
        if !is_kind && (!is_whole(text, &name) || !is_described()) {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..name.start]);
        out.extend_from_slice(if is_kind { &of_kind } else { &text.tokens[name] });
        copied = close + 1;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns where a bracket closes that has only names in it.
fn end_of_list(text: Text<'_>, open: usize) -> Option<usize> {
    if text.tokens[open] != Token::Open {
        return None;
    }
    let is_listed = |at: &usize| match &text.tokens[*at] {
        Token::Word(_) => !text.any(*at, NO_NAMES) && text.unit(*at).is_none(),
        token => *token == Token::Comma,
    };
    let end = open + 1 + (open + 1..text.len()).take(MAX_DESCRIPTION).take_while(is_listed).count();
    // The name may go on: "dried fish (omena) broth".
    let goes_on = text.is_word(end + 1) && !text.any(end + 1, NO_NAMES) && !text.has(end + 1, Role::And);
    (end > open + 1 && text.tokens.get(end) == Some(&Token::Close) && !goes_on).then_some(end)
}

/// Returns the longest name of a food that ends before a bracket.
fn name_before(text: Text<'_>, open: usize, names: impl Fn(&[Token]) -> bool) -> Option<Range<usize>> {
    (open.saturating_sub(MAX_WORDS)..open).map(|start| start..open).find(|name| {
        let tokens = &text.tokens[name.clone()];
        tokens.iter().all(|token| token.word().is_some()) && names(tokens)
    })
}

/// Iterates over what a list in a bracket names, one after the other.
fn parts(text: Text<'_>, list: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let is_joint = move |at: usize| at == list.end || !text.is_word(at) || text.has(at, Role::And);
    let mut start = list.start;
    (list.start..=list.end).filter(move |&at| is_joint(at)).map(move |at| {
        let part = start..at;
        start = at + 1;
        part
    })
}

/// Checks whether a food is more than what it is made of: a salad without an amount is its parts.
fn is_whole(text: Text<'_>, name: &Range<usize>) -> bool {
    let counts = |at: usize| matches!(text.tokens[at], Token::Number(..)) || text.has(at, Role::Number);
    let ends_before = |at: &usize| matches!(text.tokens[*at], Token::Comma | Token::Stop | Token::Colon | Token::Close);
    !text.has(name.end - 1, Role::Mixture) || (0..name.start).rev().take_while(|at| !ends_before(at)).any(counts)
}
