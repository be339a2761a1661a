//! Sizes and packs in the words of shops: "twix bar fun size" is a fun size twix bar, and "12 pack of coke" are twelve.

use super::no_names::NO_NAMES;
use crate::lexicon::{Measure, MeasureTrait, Role, measure_is};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of a food before its size.
const MAX_WORDS: usize = 4;
/// So many of something come in one pack; two or three packs are packs.
const MIN_OF_PACK: f64 = 4.0;
/// The word behind what a size is called.
const SIZE: [&str; 2] = ["size", "sized"];

/// Puts sizes before their foods and counts packs; returns `None` if there are none. `is_name` checks whether words in the singular
/// are the name of a food or a dish.
pub(super) fn put_before(text: Text<'_>, is_name: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let is_named = |from: usize, to: usize| key_of(&text.tokens[from..to]).is_some_and(|key| is_name(&key));
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for at in 0..text.len() {
        if let Some(end) = pack_end(text, at) {
            let out = out.get_or_insert_default();
            let article = at.checked_sub(1).filter(|&before| text.has(before, Role::Indefinite)).unwrap_or(at);
            out.extend_from_slice(&text.tokens[copied..article.max(copied)]);
            out.push(text.tokens[at].clone());
            copied = end;
        } else if let Some(name) = food_of_size(text, at).filter(|name| *name >= copied && !is_named(*name, at + 2)) {
            let out = out.get_or_insert_default();
            out.extend_from_slice(&text.tokens[copied..name]);
            out.extend_from_slice(&text.tokens[at..at + 2]);
            out.extend_from_slice(&text.tokens[name..at]);
            copied = at + 2;
        }
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns where the words of a pack of so many end.
fn pack_end(text: Text<'_>, at: usize) -> Option<usize> {
    let Some(Token::Number(MIN_OF_PACK.., false)) = text.tokens.get(at) else { return None };
    let (unit, measure, width) = text.unit(at + 1)?;
    let is_pack = measure_is(unit, MeasureTrait::Pack) && matches!(measure, Measure::Household(_));
    let is_one = text.word(at + 1).is_some_and(|word| foods::text::singular(word) == word);
    let end = at + 1 + width + usize::from(text.has(at + 1 + width, Role::Of));
    (is_pack && is_one && text.is_word(end)).then_some(end)
}

/// Returns where the food begins whose size is said here, if nothing else is before the next mark.
fn food_of_size(text: Text<'_>, at: usize) -> Option<usize> {
    let is_size = text.has(at, Role::Size) && text.word(at + 1).is_some_and(|word| SIZE.contains(&word));
    let ends = !text.is_word(at + 2) || text.any(at + 2, NO_NAMES) || text.has(at + 2, Role::And);
    if !is_size || !ends {
        return None;
    }
    let is_word = |at: &usize| text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And);
    let words = (0..at).rev().take_while(is_word).take(MAX_WORDS + 1).count();
    (1..=MAX_WORDS).contains(&words).then_some(at - words)
}
