//! Words that only describe what is before them: "salmon with skin" has no potato skins beside it, "olives 10 green" no lettuce,
//! "yogurt 125 g pot" no hot pot, and "chips from the chinese" no Chinese broccoli.

use std::ops::Range;

use super::edits::Edits;
use crate::lexicon::{Measure, MeasureTrait, Role, Roles, TableTrait, measure_is, table_traits};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// Words that a food does not begin behind.
const ENDS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::On,
    Role::In,
    Role::Aside,
    Role::But,
    Role::When,
    Role::Denial,
    Role::Preposition,
    Role::Today,
]);
/// The most words of a food, and of a place where it was bought.
const MAX_WORDS: usize = 3;

/// Removes what only describes the food before it, or puts it before that food; returns `None` if there is nothing. `is_everyday`
/// checks whether words are an everyday name.
pub(super) fn move_before_food(text: Text<'_>, is_everyday: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let mut edits = Edits::of(text.tokens);
    for at in 1..text.len() {
        let removed = part(text, at).or_else(|| container(text, at)).or_else(|| cuisine(text, at));
        if let Some(range) = removed {
            edits.replace(range, []);
        } else if let Some(food) = food_before_color(text, at, &is_everyday) {
            let name = text.tokens[food.clone()].iter();
            // "olives 10 green": the number stays behind.
            let number = text.tokens[food.end..at].iter().filter(|token| **token != Token::Comma);
            let told: Vec<Token> = text.tokens[at..=at].iter().chain(name).chain(number).cloned().collect();
            edits.replace(food.start..at + 1, told);
        }
    }
    edits.finish()
}

/// Checks whether nothing of the same food follows at a position.
fn ends(text: Text<'_>, at: usize) -> bool {
    !text.is_word(at) && !matches!(text.tokens.get(at), Some(Token::Number(..))) || text.any(at, ENDS)
}

/// Checks whether a word has a trait.
fn is(text: Text<'_>, at: usize, what: TableTrait) -> bool {
    text.word(at).is_some_and(|word| table_traits(word).has(what))
}

/// Returns the words of a part that nobody eats by itself, from the joint to the part at a position: "with skin".
fn part(text: Text<'_>, at: usize) -> Option<Range<usize>> {
    if !is(text, at, TableTrait::Inedible) {
        return None;
    }
    let is_joint = |at: usize| text.any(at, const { Roles::of(&[Role::With, Role::In, Role::On]) });
    let article = usize::from(at > 1 && text.has(at - 1, Role::Definite));
    let joint = at.checked_sub(1 + article).filter(|&before| before > 0 && is_joint(before))?;
    let ends = ends(text, at + 1) || matches!(text.tokens.get(at + 1), Some(Token::Number(..)));
    // "bone in skin on chicken thigh".
    let around = joint.saturating_sub(MAX_WORDS)..at + MAX_WORDS;
    let is_skinned = around.filter(|&at| at < text.len()).any(|at| is(text, at, TableTrait::Skinned));
    (!is_skinned && ends).then_some(joint..at + 1)
}

/// Returns the container at a position beside the mass that it holds: "yogurt 125 g pot", "scratchings bag 40 g".
fn container(text: Text<'_>, at: usize) -> Option<Range<usize>> {
    let is_container = |at: usize| {
        let unit = text.unit(at).filter(|(_, _, width)| *width == 1);
        unit.map_or_else(
            || is(text, at, TableTrait::Container),
            |(name, measure, _)| measure_is(name, MeasureTrait::Container) && matches!(measure, Measure::Household(_)),
        )
    };
    let is_mass = |at: usize| text.unit(at).is_some_and(|(_, measure, _)| matches!(measure, Measure::Mass(_)));
    let is_number = |at: usize| matches!(text.tokens.get(at), Some(Token::Number(..)));
    let is_behind = at >= 3 && is_mass(at - 1) && is_number(at - 2) && text.is_word(at - 3) && ends(text, at + 1);
    let is_before = || is_number(at + 1) && is_mass(at + 2) && text.is_word(at - 1) && ends(text, at + 3);
    // "1 bag 40 g" counts bags.
    let is_counted =
        || at >= 1 && (is_number(at - 1) || text.any(at - 1, const { Roles::of(&[Role::Size, Role::Number]) }));
    (is_container(at) && (is_behind || is_before() && !is_counted())).then_some(at..at + 1)
}

/// Returns the words for a takeaway that begin at a position: "from the chinese", "at the indian place".
fn cuisine(text: Text<'_>, at: usize) -> Option<Range<usize>> {
    let is_from = text.any(at, const { Roles::of(&[Role::In, Role::Aside, Role::Preposition]) });
    if !is_from || !text.has(at + 1, Role::Definite) || !is(text, at + 2, TableTrait::Cuisine) {
        return None;
    }
    let places = (at + 3..text.len()).take_while(|&at| text.has(at, Role::Venue)).take(MAX_WORDS).count();
    let end = at + 3 + places;
    ends(text, end).then_some(at..end)
}

/// Returns the food that the color at a position tells the kind of: "pepper, green", "olives 10 green".
fn food_before_color(text: Text<'_>, at: usize, is_everyday: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    if at < 2 || !is(text, at, TableTrait::Color) || !ends(text, at + 1) {
        return None;
    }
    let end = matches!(text.tokens[at - 1], Token::Comma | Token::Number(..)).then_some(at - 1)?;
    let words = (0..end).rev().take_while(|&at| text.is_word(at) && !text.any(at, ENDS)).take(MAX_WORDS).count();
    let is_name = |tokens: &[Token]| key_of(tokens).is_some_and(|key| is_everyday(&key));
    let is_food = |start: &usize| {
        let name = &text.tokens[*start..end];
        is_name(&[&text.tokens[at..=at], name].concat()) || is_name(name)
    };
    (end - words..end).find(is_food).map(|start| start..end)
}
