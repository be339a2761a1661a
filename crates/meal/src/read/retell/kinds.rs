//! Kinds that are said behind the amount: "yogurt 150 g low fat" is 150 g of low fat yogurt, and "bagel (1) cinnamon raisin" a
//! cinnamon raisin bagel.

use std::ops::Range;

use super::no_names::NO_NAMES;
use crate::lexicon::Role;
use crate::read::amount;
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of a food, and of its kind.
const MAX_WORDS: usize = 3;
/// Puts kinds before their foods; returns `None` if there are none. `food_of` returns the id of the food that an everyday name
/// means.
pub(super) fn put_before<'f>(text: Text<'_>, food_of: impl Fn(&str) -> Option<&'f str>) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for at in 1..text.len() {
        let Some((amount, kind)) = amount_and_kind(text, at) else { continue };
        let words = words_before(text, at);
        let name = at - words..at;
        if name.start < copied || !is_kind_of(text, &name, &kind, &food_of) {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..name.start]);
        out.extend_from_slice(&text.tokens[amount]);
        copied = kind.end;
        out.extend_from_slice(&text.tokens[kind]);
        out.extend_from_slice(&text.tokens[name]);
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns the amount that begins at a position, and the words behind it if nothing else is before the next mark.
fn amount_and_kind(text: Text<'_>, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let is_bracket = text.tokens[at] == Token::Open;
    let start = at + usize::from(is_bracket);
    let Some(Token::Number(..)) = text.tokens.get(start) else { return None };
    let (_, after) = amount::read(text, start)?;
    let end = after + text.unit(after).map_or(0, |(_, _, width)| width);
    let closes = is_bracket && text.tokens.get(end) == Some(&Token::Close);
    if is_bracket != closes || !is_bracket && end == after {
        return None;
    }
    let kind = end + usize::from(closes);
    let is_word = |at: &usize| {
        text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And) && text.unit(*at).is_none()
    };
    let words = (kind..text.len()).take_while(is_word).take(MAX_WORDS + 1).count();
    let ends = !matches!(text.tokens.get(kind + words), Some(Token::Word(_) | Token::Number(..)));
    ((1..=MAX_WORDS).contains(&words) && ends).then_some((start..end, kind..kind + words))
}

/// Returns how many words are between the mark before a position and it, if they may name a food.
fn words_before(text: Text<'_>, end: usize) -> usize {
    let is_word = |at: &usize| {
        text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And) && text.unit(*at).is_none()
    };
    let words = (0..end).rev().take_while(is_word).take(MAX_WORDS + 1).count();
    let begins = (end - words).checked_sub(1).is_none_or(|before| !text.is_word(before));
    if words <= MAX_WORDS && begins { words } else { 0 }
}

/// Checks whether words behind an amount say which kind of food it is, and are no other food.
fn is_kind_of<'f>(
    text: Text<'_>,
    name: &Range<usize>,
    kind: &Range<usize>,
    food_of: impl Fn(&str) -> Option<&'f str>,
) -> bool {
    let food = |tokens: &[Token]| key_of(tokens).and_then(|key| food_of(&key));
    let of_kind = food(&[&text.tokens[kind.clone()], &text.tokens[name.clone()]].concat());
    !name.is_empty() && of_kind.is_some() && food(&text.tokens[kind.clone()]).is_none_or(|other| Some(other) == of_kind)
}
