//! What is said of a food behind a comma, as tables write it: "hot dog, beef" is a beef hot dog, and "chips, salt and vinegar
//! flavored" are no salt.

use std::ops::Range;

use foods::text::singular;

use super::no_names::NO_NAMES;
use crate::lexicon::{Role, TableTrait, table_traits};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of a food, of what it is made of, and of a flavor.
const MAX_WORDS: usize = 3;
const MAX_WORDS_OF_FLAVOR: usize = 6;

/// Puts what is said behind a comma before its food; returns `None` if nothing is. `is_everyday` checks whether words are an
/// everyday name.
pub(super) fn put_before(text: Text<'_>, is_everyday: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for comma in (1..text.len()).filter(|&at| text.tokens[at] == Token::Comma) {
        let Some((name, said)) = flavor(text, comma).or_else(|| material(text, comma, &is_everyday)) else { continue };
        if name.start < copied {
            continue;
        }
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..name.start]);
        copied = said.end;
        // "cookies and cream ice cream" is a name, with "flavor" in it there are cookies beside.
        let taste = said.start..said.end - usize::from(text.has(said.end - 1, Role::Tasting));
        let is_name = key_of(&[&text.tokens[taste.clone()], &text.tokens[name.clone()]].concat());
        let said = if is_name.is_some_and(|key| is_everyday(&key)) { taste } else { said };
        out.extend_from_slice(&text.tokens[said]);
        out.extend_from_slice(&text.tokens[name]);
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns the food before a comma and what it tastes of, if nothing else is before the next mark.
fn flavor(text: Text<'_>, comma: usize) -> Option<(Range<usize>, Range<usize>)> {
    let is_said = |at: &usize| text.is_word(*at) && (text.has(*at, Role::And) || !text.any(*at, NO_NAMES));
    let words = (comma + 1..text.len()).take_while(is_said).take(MAX_WORDS_OF_FLAVOR + 1).count();
    let end = comma + 1 + words;
    let is_flavor = words > 1 && text.has(end - 1, Role::Tasting) && ends(text, end);
    let name = names_before(text, comma).next().filter(|_| is_flavor)?;
    // "popcorn, ready-to-eat, butter flavored": what is between says more about the food, too.
    let is_first = name.start.checked_sub(1).is_none_or(|before| text.tokens[before] != Token::Comma);
    if !is_first {
        return None;
    }
    Some((name, comma + 1..end))
}

/// Returns the food before a comma and what it is made of, if the two are an everyday name the other way around and no list of
/// more foods follows.
fn material(text: Text<'_>, comma: usize, is_everyday: impl Fn(&str) -> bool) -> Option<(Range<usize>, Range<usize>)> {
    if !text.word(comma - 1).is_some_and(|head| table_traits(&singular(head)).has(TableTrait::MadeOf)) {
        return None;
    }
    let is_said = |at: &usize| text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And);
    let words = (comma + 1..text.len()).take_while(is_said).take(MAX_WORDS + 1).count();
    let said = comma + 1..comma + 1 + words;
    let is_list = |at: usize| text.tokens[at] == Token::Comma && text.is_word(at + 1) && !text.has(at + 1, Role::With);
    let other_comma = |at: &usize| *at != comma && is_list(*at);
    if !(1..=MAX_WORDS).contains(&words) || !ends(text, said.end) || (1..text.len()).any(|at| other_comma(&at)) {
        return None;
    }
    let is_kind = |name: &Range<usize>| {
        let of_kind = [&text.tokens[said.clone()], &text.tokens[name.clone()]].concat();
        key_of(&of_kind).is_some_and(|key| is_everyday(&key))
    };
    Some((names_before(text, comma).find(is_kind)?, said))
}

/// Iterates over the words that may be the name of the food before a comma, the longest first.
fn names_before(text: Text<'_>, comma: usize) -> impl Iterator<Item = Range<usize>> {
    let is_word = |at: &usize| {
        text.is_word(*at) && !text.any(*at, NO_NAMES) && !text.has(*at, Role::And) && text.unit(*at).is_none()
    };
    let words = (0..comma).rev().take_while(is_word).take(MAX_WORDS).count();
    (comma - words..comma).map(move |start| start..comma)
}

/// Checks whether what was said of a food ends at a position: there, or before what comes with it.
fn ends(text: Text<'_>, at: usize) -> bool {
    !text.is_word(at) || text.has(at, Role::With)
}
