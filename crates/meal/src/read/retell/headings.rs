//! Headings of lists. A colon behind a food that is eaten beside what follows it is none: "toast: butter, jam". A meal before a dash
//! is one: "snack - rice cake".

use crate::lexicon::{Role, Roles};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of such a food.
const MAX_WORDS: usize = 4;
/// Verbs, behind which a meal is what was eaten: "had a snack, apple".
const EATING: Roles = Roles::of(&[Role::Eating, Role::Has, Role::Person]);
/// Ids of dishes, which are made of what follows, begin so.
const DISH: &str = "dish_";

/// Replaces the colons behind single foods by commas; returns `None` if there are none. `is_place` checks whether tokens are the
/// name of a restaurant, which heads what was eaten there, and `food_of` returns the id of the food that an everyday name means.
pub(super) fn list_foods<'f>(
    text: Text<'_>,
    is_place: impl Fn(&[Token]) -> bool,
    food_of: impl Fn(&str) -> Option<&'f str>,
) -> Option<Vec<Token>> {
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
            && !is_place(&text.tokens[name.clone()])
            && key_of(&text.tokens[name]).is_some_and(|key| is_food(&key))
    };
    let colons: Vec<usize> =
        (1..text.len()).filter(|&at| text.tokens[at] == Token::Colon && follows_food(at)).collect();
    let told =
        |(at, token): (usize, &Token)| if colons.binary_search(&at).is_ok() { Token::Comma } else { token.clone() };
    (!colons.is_empty()).then(|| text.tokens.iter().enumerate().map(told).collect())
}

/// The most words before a meal that heads what was eaten: "mid afternoon snack - apple".
const MAX_OPENING: usize = 3;

/// Puts colons behind meals that head what was eaten; returns `None` if there are none. A "snack" may be a size of what follows.
pub(super) fn head_meals(text: Text<'_>) -> Option<Vec<Token>> {
    let is_heading = |comma: usize| {
        let opens = |at: &usize| text.has(*at, Role::Filler) && !text.any(*at, EATING);
        let before = (0..comma - 1).rev().take_while(opens).take(MAX_OPENING).count();
        let is_start = |at: usize| at == 0 || matches!(text.tokens[at - 1], Token::Stop);
        text.tokens[comma] == Token::Comma && text.has(comma - 1, Role::Meal) && is_start(comma - 1 - before)
    };
    let commas: Vec<usize> = (1..text.len()).filter(|&at| is_heading(at)).collect();
    let told = |(at, token): (usize, &Token)| {
        if commas.binary_search(&at).is_ok() { Token::Colon } else { token.clone() }
    };
    (!commas.is_empty()).then(|| text.tokens.iter().enumerate().map(told).collect())
}
