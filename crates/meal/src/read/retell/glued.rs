//! Amounts that nothing separates from their foods: "2x eggs", "100gchicken".

use foods::text::singular;

use crate::lexicon::{Lexicon, Measure, Role};
use crate::read::token::Token;

/// The most letters of a unit that is glued to a food.
const MAX_UNIT: usize = 4;
/// Nobody counts so many of a food whose name begins with a unit.
const MANY: f64 = 20.0;
/// The fewest letters of a food that is glued to a unit.
const MIN_FOOD: usize = 3;

/// Takes apart what follows numbers; returns `None` if nothing is glued. `is_known` checks whether some plain food has a word in
/// its name, `is_word` whether a product or a dish has, `is_everyday` whether a word is an everyday name.
pub(super) fn take_apart(
    tokens: &[Token],
    lexicon: &Lexicon,
    is_known: impl Fn(&str) -> bool,
    is_word: impl Fn(&str) -> bool,
    is_everyday: impl Fn(&str) -> bool,
) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    for (at, token) in tokens.iter().enumerate() {
        let is_behind_number = at > 0 && matches!(tokens[at - 1], Token::Number(..));
        let are_many = at > 0 && matches!(tokens[at - 1], Token::Number(MANY.., false));
        let word = token.word().filter(|_| is_behind_number);
        let is_whole = word.is_some_and(|word| is_known(&singular(word)) || is_word(word) || is_word(&singular(word)));
        // Nobody eats fifty goats.
        let is_food = |word: &str| if is_whole { are_many && is_everyday(word) } else { is_known(word) };
        let is_factor = |word: &str| lexicon.roles(word).has(Role::Times);
        if word.is_some_and(is_factor) && tokens.get(at + 1).and_then(Token::word).is_some() {
            // "2x eggs" are two.
            out.get_or_insert_with(|| tokens[..at].to_vec());
        } else if let Some((unit, food)) = word.and_then(|word| unit_and_food(word, lexicon, is_food)) {
            let words = [unit, food].map(|word| Token::Word(word.to_owned()));
            out.get_or_insert_with(|| tokens[..at].to_vec()).extend(words);
        } else if let Some(out) = &mut out {
            out.push(token.clone());
        }
    }
    out
}

/// Checks whether a word is a unit and a food with nothing between them.
pub fn is_glued(word: &str, lexicon: &Lexicon, is_known: impl Fn(&str) -> bool) -> bool {
    unit_and_food(word, lexicon, is_known).is_some()
}

/// Splits a word into a unit and a food: "gchicken". The shorter unit is meant: "grice" is no ice.
fn unit_and_food<'w>(word: &'w str, lexicon: &Lexicon, is_known: impl Fn(&str) -> bool) -> Option<(&'w str, &'w str)> {
    if !word.is_ascii() || lexicon.is_listed(word) || lexicon.spelling(word).is_some() {
        return None;
    }
    let parts = (1..=MAX_UNIT).filter_map(|length| word.split_at_checked(length));
    let is_unit = |unit: &str| matches!(lexicon.unit(unit), Some((_, Measure::Mass(_) | Measure::Volume(_))));
    let is_food = |food: &str| food.len() >= MIN_FOOD && is_known(&singular(food));
    parts.into_iter().find(|(unit, food)| is_unit(unit) && is_food(food))
}
