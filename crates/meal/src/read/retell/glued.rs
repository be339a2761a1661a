//! Amounts that nothing separates from their foods: "2x eggs", "100gchicken".

use foods::text::singular;

use crate::lexicon::{Lexicon, Measure, Role};
use crate::read::token::Token;

/// The most letters of a unit that is glued to a food.
const MAX_UNIT: usize = 4;
/// The fewest letters of a food that is glued to a unit.
const MIN_FOOD: usize = 3;

/// Takes apart what follows numbers; returns `None` if nothing is glued.
pub(super) fn take_apart(tokens: &[Token], lexicon: &Lexicon, is_known: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    for (at, token) in tokens.iter().enumerate() {
        let is_behind_number = at > 0 && matches!(tokens[at - 1], Token::Number(..));
        let word = token.word().filter(|_| is_behind_number);
        let is_factor = |word: &str| lexicon.roles(word).has(Role::Times);
        if word.is_some_and(is_factor) && tokens.get(at + 1).and_then(Token::word).is_some() {
            // "2x eggs" are two.
            out.get_or_insert_with(|| tokens[..at].to_vec());
        } else if let Some((unit, food)) = word.and_then(|word| unit_and_food(word, lexicon, &is_known)) {
            let words = [unit, food].map(|word| Token::Word(word.to_owned()));
            out.get_or_insert_with(|| tokens[..at].to_vec()).extend(words);
        } else if let Some(out) = &mut out {
            out.push(token.clone());
        }
    }
    out
}

/// Splits a word into a unit and a food: "gchicken". The shorter unit is meant: "grice" is no ice.
fn unit_and_food<'w>(word: &'w str, lexicon: &Lexicon, is_known: &impl Fn(&str) -> bool) -> Option<(&'w str, &'w str)> {
    if !word.is_ascii() || lexicon.is_listed(word) || lexicon.spelling(word).is_some() || is_known(&singular(word)) {
        return None;
    }
    let parts = (1..=MAX_UNIT).filter_map(|length| word.split_at_checked(length));
    let is_unit = |unit: &str| matches!(lexicon.unit(unit), Some((_, Measure::Mass(_) | Measure::Volume(_))));
    let is_food = |food: &str| food.len() >= MIN_FOOD && is_known(&singular(food));
    parts.into_iter().find(|(unit, food)| is_unit(unit) && is_food(food))
}
