//! One amount for each of several foods: "100 g each of chicken and rice", "chicken and rice, 100 g each".

use std::ops::Range;

use crate::lexicon::{Role, Roles};
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most tokens of an amount.
const MAX_AMOUNT: usize = 6;
/// How far the foods of a list are looked for.
const MAX_LIST: usize = 40;
/// Words that end a food of a list and the list.
const LIST_ENDS: Roles = Roles::of(&[Role::With, Role::On, Role::In, Role::Aside, Role::But]);

/// Gives an amount to each of the foods that it is said for; returns `None` if there is none.
pub(super) fn give_to_each(text: Text<'_>) -> Option<Vec<Token>> {
    let each = text.position(Role::Each)?;
    let amount = amount_before(text, each)?;
    let list = if text.has(each + 1, Role::Of) { behind(text, each + 2) } else { before(text, amount.start, each) };
    let (foods, rest) = list.filter(|(foods, _)| foods.len() > 1)?;
    let start = amount.start.min(foods[0].start);
    let mut out = text.tokens[..start].to_vec();
    for (at, food) in foods.into_iter().enumerate() {
        if at > 0 {
            out.push(Token::Comma);
        }
        out.extend_from_slice(&text.tokens[amount.clone()]);
        out.extend_from_slice(&text.tokens[food]);
    }
    out.extend_from_slice(&text.tokens[rest..]);
    Some(out)
}

/// Returns the amount that ends at a position.
fn amount_before(text: Text<'_>, end: usize) -> Option<Range<usize>> {
    let ends_here = |start: &usize| {
        let behind = amount::read(text, *start).map(|(_, after)| after + text.unit(after).map_or(0, |(_, _, len)| len));
        behind == Some(end)
    };
    (end.saturating_sub(MAX_AMOUNT)..end).find(ends_here).map(|start| start..end)
}

/// Returns the foods of the list that begins at a position, and where it ends: the food behind "and" is the last.
fn behind(text: Text<'_>, from: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let mut foods = Vec::new();
    let (mut start, mut at, mut is_last) = (from, from, false);
    loop {
        let is_comma = text.tokens.get(at) == Some(&Token::Comma);
        let is_and = text.has(at, Role::And);
        let ends = text.is_end(at) || text.any(at, LIST_ENDS) || at >= from + MAX_LIST || is_comma && is_last;
        if ends || is_comma || is_and {
            foods.extend((start < at).then_some(start..at));
            start = at + 1;
        }
        if ends {
            return Some((foods, at));
        }
        // An amount of its own belongs to another list.
        if amount::read(text, at).is_some_and(|(amount, _)| amount.explicit) {
            return None;
        }
        is_last |= is_and;
        at += 1;
    }
}

/// Returns the foods of the list that ends before an amount, and where the text goes on behind "each". Foods that have an amount
/// or something added keep what is theirs.
fn before(text: Text<'_>, amount: usize, each: usize) -> Option<(Vec<Range<usize>>, usize)> {
    if text.is_word(each + 1) {
        return None;
    }
    let end = if text.tokens.get(amount.checked_sub(1)?) == Some(&Token::Comma) { amount - 1 } else { amount };
    let farthest = end.saturating_sub(MAX_LIST);
    let begin = (farthest..end).rev().find(|&at| text.is_end(at)).map_or(farthest, |at| at + 1);
    let is_own =
        |at: usize| text.any(at, LIST_ENDS) || amount::read(text, at).is_some_and(|(amount, _)| amount.explicit);
    let first = (begin..end).find(|&at| !text.any(at, const { Roles::of(&[Role::Filler, Role::Aside]) }))?;
    if (first..end).any(is_own) {
        return None;
    }
    let mut foods = Vec::new();
    let mut start = first;
    for at in first..=end {
        if at == end || text.has(at, Role::And) || text.tokens[at] == Token::Comma {
            foods.extend((start < at).then_some(start..at));
            start = at + 1;
        }
    }
    Some((foods, each + 1))
}
