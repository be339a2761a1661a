//! Several meals in one sentence: "breakfast eggs lunch soup dinner steak".

use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// Words that name a meal and something else too: a "dessert" is a food, a "snack" a size.
const OTHER_NOUNS: Roles = Roles::of(&[Role::Category, Role::Generic, Role::Size]);
/// Words behind which a meal is part of what they begin: "a dinner roll", "skipped lunch".
const BEGINNINGS: Roles = Roles::of(&[
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::Number,
    Role::And,
    Role::With,
    Role::Of,
    Role::Denial,
    Role::NotDone,
    Role::Not,
]);
/// Words that end what was said of a meal.
const JOINTS: Roles = Roles::of(&[Role::And, Role::With, Role::On, Role::In, Role::Aside, Role::Of, Role::But]);

/// Sets meals apart that follow each other without a mark; returns `None` if there are none.
pub(super) fn set_apart(text: Text<'_>) -> Option<Vec<Token>> {
    let is_meal = |at: &usize| text.has(*at, Role::Meal) && !text.any(*at, OTHER_NOUNS);
    let meals: Vec<usize> = (0..text.len()).filter(is_meal).collect();
    let mut stops: Vec<(usize, Token)> = Vec::new();
    let mut first = 0;
    while first < meals.len() {
        let same = 1 + meals[first..].windows(2).take_while(|two| !(two[0]..two[1]).any(|at| text.is_end(at))).count();
        stops.extend(stops_between(text, &meals[first..first + same]));
        first += same;
    }
    if stops.is_empty() {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() + stops.len());
    let mut stops = stops.into_iter().peekable();
    for (at, token) in text.tokens.iter().enumerate() {
        out.extend(stops.next_if(|(stop, _)| *stop == at).map(|(_, mark)| mark));
        out.push(token.clone());
    }
    Some(out)
}

/// Returns the marks that set the meals of one sentence apart, each with where it belongs.
fn stops_between(text: Text<'_>, meals: &[usize]) -> Vec<(usize, Token)> {
    let [first, .., last] = meals else { return Vec::new() };
    if text.word(*first) == text.word(*last) {
        return Vec::new();
    }
    let is_for = |meal: usize| meal > 0 && text.has(meal - 1, Role::Aside);
    let begin = |meal: usize| meal - usize::from(is_for(meal));
    let names_food = |at: usize| match text.tokens.get(at) {
        Some(Token::Word(_)) => !text.any(at, JOINTS) && (!text.has(at, Role::Filler) || text.any(at, VERBS)),
        Some(Token::Number(..)) => true,
        _ => false,
    };
    let before = (0..begin(*first)).rev().take_while(|&at| !text.is_end(at));
    let opens = before.take(MAX_OPENING).all(|at| text.has(at, Role::Filler));
    let is_like_first = |meal: usize| is_for(meal) == is_for(*first) && meal > first + 1;
    if opens && names_food(first + 1) {
        // "for breakfast oatmeal for lunch salad".
        let is_begun = |meal: usize| begin(meal).checked_sub(1).is_some_and(|at| text.any(at, BEGINNINGS));
        let begins = |meal: &&usize| is_like_first(**meal) && names_food(**meal + 1) && !is_begun(**meal);
        let later: Vec<usize> = meals[1..].iter().filter(begins).copied().collect();
        // "Breakfast eggs" are eggs, and no dish for breakfast.
        let is_label = |meal: usize| !text.any(meal + 1, VERBS);
        let label = |meal: usize| is_label(meal).then_some((meal + 1, Token::Colon));
        let first = label(*first).filter(|_| !later.is_empty());
        let others = later.iter().flat_map(|&meal| [Some((begin(meal), Token::Stop)), label(meal)]);
        return first.into_iter().chain(others.flatten()).collect();
    }
    // "oatmeal for breakfast salad for lunch".
    let is_behind = |meal: &&usize| is_for(**meal) && **meal < *last && is_for(*last) && names_food(**meal + 1);
    if opens { Vec::new() } else { meals.iter().filter(is_behind).map(|meal| (meal + 1, Token::Stop)).collect() }
}

/// How many words may open a sentence before its meal.
const MAX_OPENING: usize = 8;
/// Verbs between a meal and what it was.
const VERBS: Roles = Roles::of(&[Role::Copula, Role::Eating, Role::Person]);
