//! Measures behind their foods: "maltesers small bag" is a small bag of maltesers, and neither a dish that is called a bag nor
//! maltesers beside it.
//!
//! Many names end in a measure ("juice box", "granola bar"), so that only the list of foods can tell. Where it has the food
//! before the measure and not the two as one name, the measure is put before the food, as most people say it.

use foods::text::singular;

use super::token::Token;
use crate::lexicon::{Lexicon, Measure, MeasureTrait, Role, Roles, measure_is};

/// The most words of a name before a measure.
const MAX_WORDS: usize = 4;
/// The most sizes of a measure: "extra large tub".
const MAX_SIZES: usize = 2;
/// Letters alone are names rather than measures: "vitamin C".
const MIN_LETTERS: usize = 3;
/// Words that a name may follow, and those that may follow its measure.
const BEFORE: Roles = Roles::of(&[Role::And, Role::With, Role::Eating]);
const BEHIND: Roles = Roles::of(&[Role::And, Role::With, Role::But, Role::When, Role::Today]);
/// Words that no name has.
const NO_NAMES: Roles = Roles::of(&[
    Role::Of,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Or,
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::Number,
    Role::Fraction,
    Role::Denial,
    Role::NotDone,
    Role::Copula,
    Role::Person,
]);

/// A food with its measure behind it, by the places of their tokens.
struct TrailingMeasure {
    name: usize,
    /// Where the name ends, before a comma if there is one: "spaghetti, large plate".
    end: usize,
    /// Where the number is, else the sizes, else the unit.
    measure: usize,
    unit: usize,
}

/// A measure behind a food.
pub(crate) struct TrailingUnit<'t> {
    /// The name of the unit.
    pub name: &'t str,
    /// The word that makes a name with those of the food, if nothing is between.
    pub joined: Option<&'t Token>,
    /// A number is before it, and nothing but the food before that: the piece of a "lasagna with meat, 1 piece" is not of meat.
    pub is_counted: bool,
}

/// Puts measures before the foods that they are of; returns `None` if a text has none. `is_of` finds out whether a food comes
/// in a unit. `is_food` checks whether a word names a food.
pub(crate) fn put_before(
    text: &[Token],
    lexicon: &Lexicon,
    is_of: impl Fn(&[Token], &TrailingUnit<'_>) -> bool,
    is_food: impl Fn(&str) -> bool,
) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut done = 0;
    for unit in 1..text.len() {
        let found = trailing(text, unit, lexicon, &is_food).or_else(|| counted(text, unit, lexicon));
        let Some(found) = found.filter(|found| found.name >= done) else { continue };
        let name = &text[found.name..found.end];
        let measure = text[unit].word().and_then(|word| lexicon.unit(word));
        let is_counted = matches!(text[found.measure], Token::Number(..));
        let is_set_off = found.end < found.measure || is_counted;
        let joined = (!is_set_off).then_some(&text[unit]);
        let is_alone = found.name.checked_sub(1).is_none_or(|before| text[before].word().is_none());
        let is_counted = is_counted && is_alone;
        if !measure.is_some_and(|(measure, _)| is_of(name, &TrailingUnit { name: measure, joined, is_counted })) {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text[done..found.name]);
        out.extend_from_slice(&text[found.measure..=found.unit]);
        out.push(Token::Word("of".to_owned()));
        out.extend_from_slice(name);
        done = unit + 1;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text[done..]);
    }
    out
}

/// Returns the food and the measure that end with a unit here, if nothing else is between two marks.
fn trailing(text: &[Token], unit: usize, lexicon: &Lexicon, is_food: impl Fn(&str) -> bool) -> Option<TrailingMeasure> {
    let roles = |at: usize| text.get(at).and_then(Token::word).map(|word| lexicon.roles(word));
    let has = |at: usize, some: Roles| roles(at).is_some_and(|roles| roles.any(some));
    let word = text[unit].word()?;
    let (name, measure) = lexicon.unit(word)?;
    let ends = match text.get(unit + 1) {
        Some(Token::Word(_)) => has(unit + 1, BEHIND),
        next => !matches!(next, Some(Token::Number(..))),
    };
    if !ends || word.len() < MIN_LETTERS {
        return None;
    }
    let is_size = |at: &usize| has(*at, const { Roles::of(&[Role::Size]) });
    let sizes = (0..unit).rev().take(MAX_SIZES).take_while(is_size).count();
    let is_number = |at: usize| matches!(text[at], Token::Number(1.0.., false));
    let number = (unit - sizes).checked_sub(1).filter(|&at| is_number(at));
    // "carrot sticks" are as many as are usual, and a bar without a number makes another food of what is before it. Numbers of
    // other units are read where they are, but of those that may be foods as well: "lime, 2 wedges", "lager 2 pints".
    let is_set_apart = (unit - sizes).checked_sub(2).is_some_and(|before| text[before] == Token::Comma);
    let may_be_food = || is_food(word) || is_set_apart && matches!(measure, Measure::Household(_));
    let is_ambiguous = number.is_some() && may_be_food();
    let is_compound = has(unit, const { Roles::of(&[Role::Compound]) });
    let is_serving = sizes > 0 && measure_is(name, MeasureTrait::Serving);
    let first = number.unwrap_or(unit - sizes);
    // Behind a comma, what food is cut into makes no name with it: "cheddar, slice".
    let is_comma =
        (number.is_none() || is_ambiguous) && first.checked_sub(1).is_some_and(|before| text[before] == Token::Comma);
    let is_set_off = is_comma && number.is_none() && sizes == 0;
    let is_one = || singular(word) == word && (is_serving || is_set_off || holds_food(name, measure));
    if is_compound != number.is_some() && !is_set_off && !is_ambiguous || number.is_none() && !is_one() {
        return None;
    }
    let is_named = |at: &usize| roles(*at).is_some_and(|roles| !roles.any(NO_NAMES) && !roles.any(BEFORE));
    let end = first - usize::from(is_comma);
    let words = (0..end).rev().take(MAX_WORDS + 1).take_while(is_named).count();
    let start = end - words;
    let begins = start
        .checked_sub(1)
        .is_none_or(|before| matches!(text[before], Token::Comma | Token::Stop | Token::Colon) || has(before, BEFORE));
    (begins && (1..=MAX_WORDS).contains(&words)).then_some(TrailingMeasure { name: start, end, measure: first, unit })
}

/// Returns the food and the measure that end with a unit here, if they are counted: "3 sugar packets", "a banana slice".
fn counted(text: &[Token], unit: usize, lexicon: &Lexicon) -> Option<TrailingMeasure> {
    let roles = |at: usize| text.get(at).and_then(Token::word).map(|word| lexicon.roles(word));
    let has = |at: usize, some: Roles| roles(at).is_some_and(|roles| roles.any(some));
    let word = text[unit].word()?;
    let (_, measure) = lexicon.unit(word).filter(|_| word.len() >= MIN_LETTERS)?;
    let goes_on = match text.get(unit + 1) {
        Some(Token::Word(_)) => !has(unit + 1, BEHIND),
        next => matches!(next, Some(Token::Number(..))),
    };
    let is_exact = matches!(measure, Measure::Mass(_) | Measure::Volume(_));
    if goes_on || is_exact {
        return None;
    }
    let is_named = |at: &usize| roles(*at).is_some_and(|roles| !roles.any(NO_NAMES) && !roles.any(BEFORE));
    let words = (0..unit).rev().take(MAX_WORDS + 1).take_while(is_named).count();
    let sizes = (unit - words..unit).take_while(|at| has(*at, const { Roles::of(&[Role::Size]) })).count();
    let name = unit - words + sizes;
    let is_counted = (unit - words).checked_sub(1).is_some_and(|before| match &text[before] {
        Token::Number(..) => true,
        _ => has(before, const { Roles::of(&[Role::Number, Role::Indefinite]) }),
    });
    let is_name = (1..=MAX_WORDS).contains(&(unit - name));
    // "16 g Twix bar" is weighed.
    let is_weighed = text[unit - words].word().is_some_and(|word| lexicon.unit(word).is_some());
    (is_counted && is_name && !is_weighed).then_some(TrailingMeasure { name, end: unit, measure: unit, unit })
}

/// Checks whether a measure is what food is put into. What food is cut into or shaped as is said behind its name anyway: "pizza
/// slice", "sausage patty".
fn holds_food(name: &str, measure: &Measure) -> bool {
    let is = |what: MeasureTrait| measure_is(name, what);
    let has_volume = !matches!(measure, Measure::Household(None) | Measure::Mass(_));
    // "applesauce cup", "peanut butter cup": a cup of that size is what they are sold in.
    let is_cup = is(MeasureTrait::Container) && matches!(measure, Measure::Volume(_));
    let holds = has_volume || is(MeasureTrait::Container) || is(MeasureTrait::Several) || is(MeasureTrait::Plain);
    holds && !is_cup && ![MeasureTrait::Fine, MeasureTrait::Vague, MeasureTrait::Piece].into_iter().any(is)
}
