//! Colons behind a food that is eaten beside what follows it: "toast: butter, jam" is more than a heading of a list.

use crate::lexicon::Role;
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of such a food.
const MAX_WORDS: usize = 4;
/// Ids of dishes, which are made of what follows, begin so.
const DISH: &str = "dish_";

/// Replaces the colons behind single foods by commas; returns `None` if there are none. `food_of` returns the id of the food that
/// an everyday name means.
pub(super) fn list_foods<'f>(text: Text<'_>, food_of: impl Fn(&str) -> Option<&'f str>) -> Option<Vec<Token>> {
    let is_food = |name: &str| food_of(name).is_some_and(|id| !id.starts_with(DISH));
    let is_start = |at: usize| at == 0 || matches!(text.tokens[at - 1], Token::Stop);
    let follows_food = |colon: usize| {
        let words = (0..colon).rev().take_while(|&at| text.is_word(at)).take(MAX_WORDS + 1).count();
        let name = colon - words..colon;
        let is_mixture = name.clone().any(|at| text.has(at, Role::Mixture));
        let is_measured = matches!(text.tokens.get(colon + 1), Some(Token::Number(..)));
        is_start(name.start)
            && !is_mixture
            && !is_measured
            && key_of(&text.tokens[name]).is_some_and(|key| is_food(&key))
    };
    let colons: Vec<usize> =
        (1..text.len()).filter(|&at| text.tokens[at] == Token::Colon && follows_food(at)).collect();
    let told =
        |(at, token): (usize, &Token)| if colons.binary_search(&at).is_ok() { Token::Comma } else { token.clone() };
    (!colons.is_empty()).then(|| text.tokens.iter().enumerate().map(told).collect())
}
