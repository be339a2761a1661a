//! What dishes are seasoned with or styled after: "lemon garlic salmon flatbread" is salmon flatbread, and no lemon and garlic
//! beside one.
//!
//! A dish that is called so is left as it is; of others the seasonings go, which change its calories little.

use foods::text::singular;

use super::no_names::NO_NAMES;
use crate::lexicon::{Role, Roles, TableTrait, table_traits};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// Longer runs of words are no name.
const MAX_WORDS: usize = 8;
/// A dish of fewer words may be another one with a seasoning before it: "mexican pizza".
const MIN_WORDS: usize = 2;
/// What may be before the seasonings.
const BEFORE: Roles = Roles::of(&[Role::Size, Role::Filler, Role::Optional, Role::State]);

/// Takes the seasonings before dishes out; returns `None` if there are none. `is_name` checks whether words in the singular are
/// the name of a food or a dish.
pub(super) fn take_out(text: Text<'_>, is_name: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let names = |tokens: &[Token]| key_of(tokens).is_some_and(|key| is_name(&key));
    let is_word = |at: &usize| text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And);
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let end = at + (at..text.len()).take_while(is_word).count();
        // "tomato and roasted pepper soup" is one dish.
        let is_joined = at > 0 && text.has(at - 1, Role::And);
        if let Some((first, dish)) = seasonings(text, at, end, names).filter(|_| !is_joined) {
            let out = out.get_or_insert_default();
            out.extend_from_slice(&text.tokens[copied..first]);
            copied = dish;
        }
        at = end + 1;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns where the seasonings begin that are in a run of words, and where the dish behind them does.
fn seasonings(text: Text<'_>, from: usize, end: usize, names: impl Fn(&[Token]) -> bool) -> Option<(usize, usize)> {
    let is_holder = |at: usize| text.word(at).is_some_and(|head| table_traits(&singular(head)).has(TableTrait::Holder));
    // "stir fry" is one by its first word.
    let is_dish = end > from + 1 && (is_holder(end - 1) || is_holder(end - 2));
    if !is_dish || !(MIN_WORDS + 1..=MAX_WORDS).contains(&(end - from)) {
        return None;
    }
    let dish = (from..=end - MIN_WORDS).find(|&start| names(&text.tokens[start..end]))?;
    let is_seasoning = |at: &usize| {
        let is_listed = text.word(*at).is_some_and(|word| table_traits(&singular(word)).has(TableTrait::Seasoning));
        is_listed || text.has(*at, Role::Flavor)
    };
    let first = dish - (from..dish).rev().take_while(is_seasoning).count();
    (first < dish && (from..first).all(|at| text.any(at, BEFORE))).then_some((first, dish))
}
