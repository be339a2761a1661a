//! Dishes that are named by two or three fillings: "two spinach and ricotta calzones" are calzones, and no spinach beside one.
//!
//! A dish that is called so is left as it is. Of the others the name of a dish with one of the fillings is told, with meat or fish
//! rather than with anything else, since that says most about it.

use std::ops::Range;

use foods::text::singular;

use crate::lexicon::{Measure, MeasureTrait, Role, Roles, TableTrait, measure_is, table_traits};
use crate::read::everyday_names::{BEFORE, key_of};
use crate::read::text::Text;
use crate::read::token::Token;

/// The most fillings of a dish, the most words of one, and of the dish: "stuffed peppers".
const MAX_FILLINGS: usize = 3;
const MAX_WORDS: usize = 2;
const MAX_WORDS_OF_DISH: usize = 3;

/// What may be before the first filling, besides the words that begin any food.
const ALSO_BEFORE: Roles = Roles::of(&[Role::Eating, Role::Meal]);

/// What may be behind the dish.
const BEHIND: Roles =
    Roles::of(&[Role::With, Role::And, Role::On, Role::In, Role::Denial, Role::But, Role::When, Role::Preposition]);

/// Tells dishes by one of their fillings; returns `None` if there are none. `is_name` checks whether words in the singular are
/// the name of a food or a dish.
pub(super) fn name_dishes(text: Text<'_>, is_name: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let names = |tokens: &[Token]| key_of(tokens).is_some_and(|key| is_name(&key));
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for and in (1..text.len()).filter(|&at| text.has(at, Role::And)) {
        let Some((fillings, dish)) = fillings_and_dish(text, and) else { continue };
        let start = fillings[0].start;
        if start < copied || names(&text.tokens[start..dish.end]) || !is_counted_as_dish(text, start, &dish) {
            continue;
        }
        let Some(name) = name_of(text, &fillings, &dish, names) else { continue };
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..start]);
        out.extend(name);
        copied = dish.end;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns the fillings on both sides of an "and", and the dish that they are in.
fn fillings_and_dish(text: Text<'_>, and: usize) -> Option<(Vec<Range<usize>>, Range<usize>)> {
    let last = and + 1..filling_end(text, and + 1)?;
    let dish = last.end..dish_end(text, last.end)?;
    let mut fillings = vec![last];
    let mut end = and - usize::from(text.tokens[and - 1] == Token::Comma);
    while let Some(start) = filling_start(text, end).filter(|_| fillings.len() < MAX_FILLINGS) {
        fillings.insert(0, start..end);
        let Some(comma) = start.checked_sub(1).filter(|&at| text.tokens[at] == Token::Comma) else { break };
        end = comma;
    }
    let first = fillings[0].start;
    let begins = first.checked_sub(1).is_none_or(|before| {
        let begins_food = |at: usize| text.any(at, BEFORE) || text.any(at, ALSO_BEFORE);
        let is_unit = || text.unit(before).is_some_and(|(_, _, width)| width == 1);
        !text.is_word(before) && text.tokens[before] != Token::Comma || begins_food(before) || is_unit()
    });
    (fillings.len() > 1 && begins).then_some((fillings, dish))
}

/// Returns where a filling ends that begins at a position and is the last.
fn filling_end(text: Text<'_>, start: usize) -> Option<usize> {
    let is_filling = |at: &usize| is(text, *at, TableTrait::Filling) || is(text, *at, TableTrait::LastFilling);
    let words = (start..text.len()).take_while(is_filling).take(MAX_WORDS).count();
    (words > 0).then_some(start + words)
}

/// Returns where a filling begins that ends at a position. Nobody names one in the plural that is not the last.
fn filling_start(text: Text<'_>, end: usize) -> Option<usize> {
    let is_one = text.word(end.checked_sub(1)?).is_some_and(|word| singular(word) == word);
    let is_filling = |at: &usize| is(text, *at, TableTrait::Filling);
    let words = (0..end).rev().take_while(is_filling).take(MAX_WORDS).count();
    (is_one && words > 0).then_some(end - words)
}

/// Returns where the words for a dish end that begin at a position: "casserole", "noodle casserole", "stuffed bell peppers".
fn dish_end(text: Text<'_>, start: usize) -> Option<usize> {
    let end =
        (start..text.len()).take(MAX_WORDS_OF_DISH).find(|&at| !text.is_word(at + 1) || text.any(at + 1, BEHIND))?;
    let is_dish = is(text, end, TableTrait::Holder) || end > start && is(text, start, TableTrait::Holder);
    is_dish.then_some(end + 1)
}

/// Checks whether what was counted before the fillings is the dish: "2 eggs and ham sandwich" are two eggs.
fn is_counted_as_dish(text: Text<'_>, start: usize, dish: &Range<usize>) -> bool {
    if let Some((unit, measure, _)) = (0..start).rev().take(2).find_map(|at| text.unit(at)) {
        let is_sliced = measure_is(unit, MeasureTrait::Slice) && is(text, dish.end - 1, TableTrait::Sliced);
        return is_sliced || !measure_is(unit, MeasureTrait::Slice) && !matches!(measure, Measure::Mass(_));
    }
    let counts = start.checked_sub(1).is_some_and(|before| match &text.tokens[before] {
        Token::Number(value, _) => *value > 1.0,
        _ => text.value(before, Role::Number).is_some_and(|value| value > 1.0),
    });
    !counts || text.word(dish.end - 1).is_some_and(|head| singular(head) != head)
}

/// Checks whether the word at a position has a trait, in the singular.
fn is(text: Text<'_>, at: usize, what: TableTrait) -> bool {
    text.word(at).is_some_and(|word| table_traits(&singular(word)).has(what))
}

/// Returns the best known name of a dish with some of the fillings, or of the dish alone.
fn name_of(
    text: Text<'_>,
    fillings: &[Range<usize>],
    dish: &Range<usize>,
    names: impl Fn(&[Token]) -> bool,
) -> Option<Vec<Token>> {
    let head = &text.tokens[dish.clone()];
    let with = |parts: &[&Range<usize>]| {
        let fillings = parts.iter().flat_map(|part| &text.tokens[(*part).clone()]);
        fillings.chain(head).cloned().collect::<Vec<Token>>()
    };
    let (first, last) = (fillings.first()?, fillings.last()?);
    let is_meat = |part: &&Range<usize>| (*part).clone().any(|at| is(text, at, TableTrait::Meat));
    let pairs = [vec![first, last], vec![last, first]];
    let meat = fillings.iter().filter(is_meat).map(|part| vec![part]);
    let others = fillings.iter().rev().map(|part| vec![part]);
    let mut all = pairs.into_iter().chain(meat).chain(others).chain([Vec::new()]);
    all.find_map(|parts| Some(with(&parts)).filter(|name| names(name)))
}
