//! Words that only describe what is before them: "salmon with skin" has no potato skins beside it, "olives 10 green" no lettuce,
//! "yogurt 125 g pot" no hot pot, and "chips from the chinese" no Chinese broccoli.

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
/// The most words of a food before what describes it.
const MAX_WORDS: usize = 3;

/// Takes out what only describes the food before it; returns `None` if there is nothing. `is_everyday` checks whether words are
/// an everyday name.
pub(super) fn take_out(text: Text<'_>, is_everyday: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for at in 1..text.len() {
        let Some((start, end)) = part(text, at).or_else(|| container(text, at)).or_else(|| kitchen(text, at)) else {
            if let Some((name, word)) = kind_behind(text, at, &is_everyday).filter(|(name, _)| *name >= copied) {
                let out = out.get_or_insert_default();
                out.extend_from_slice(&text.tokens[copied..name]);
                out.push(text.tokens[word].clone());
                let comma = word - 1;
                let kept = if text.tokens[comma] == Token::Comma { comma } else { word };
                out.extend_from_slice(&text.tokens[name..kept]);
                copied = word + 1;
            }
            continue;
        };
        if start < copied {
            continue;
        }
        out.get_or_insert_default().extend_from_slice(&text.tokens[copied..start]);
        copied = end;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Checks whether nothing of the same food follows at a position.
fn ends(text: Text<'_>, at: usize) -> bool {
    !text.is_word(at) && !matches!(text.tokens.get(at), Some(Token::Number(..))) || text.any(at, ENDS)
}

/// Checks whether a word has a trait.
fn is(text: Text<'_>, at: usize, what: TableTrait) -> bool {
    text.word(at).is_some_and(|word| table_traits(word).has(what))
}

/// Returns what ends at a part that nobody eats by itself: "with skin", "in the shell".
fn part(text: Text<'_>, at: usize) -> Option<(usize, usize)> {
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
    (!is_skinned && ends).then_some((joint, at + 1))
}

/// Returns the container beside the mass that it holds: "yogurt 125 g pot", "scratchings bag 40 g".
fn container(text: Text<'_>, at: usize) -> Option<(usize, usize)> {
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
    (is_container(at) && (is_behind || is_before() && !is_counted())).then_some((at, at + 1))
}

/// Returns where a food was bought, by the kitchen of a country: "from the chinese", "at the indian place".
fn kitchen(text: Text<'_>, at: usize) -> Option<(usize, usize)> {
    let is_from = text.any(at, const { Roles::of(&[Role::In, Role::Aside, Role::Preposition]) });
    if !is_from || !text.has(at + 1, Role::Definite) || !is(text, at + 2, TableTrait::Kitchen) {
        return None;
    }
    let places = (at + 3..text.len()).take_while(|&at| text.has(at, Role::Venue)).take(MAX_WORDS).count();
    let end = at + 3 + places;
    ends(text, end).then_some((at, end))
}

/// Returns where the food begins, and the word behind it that says which kind it is: "pepper, green", "olives 10 green".
fn kind_behind(text: Text<'_>, at: usize, is_everyday: impl Fn(&str) -> bool) -> Option<(usize, usize)> {
    let is_number = |at: usize| matches!(text.tokens[at], Token::Number(..));
    if !is(text, at, TableTrait::Color) || !ends(text, at + 1) || at < 2 {
        return None;
    }
    let end = (text.tokens[at - 1] == Token::Comma || is_number(at - 1)).then_some(at - 1)?;
    let words = (0..end).rev().take_while(|&at| text.is_word(at) && !text.any(at, ENDS)).take(MAX_WORDS).count();
    let names = (end - words..end).find(|&start| {
        let name = &text.tokens[start..end];
        let of_kind = [&text.tokens[at..=at], name].concat();
        let is_name = |tokens: &[Token]| key_of(tokens).is_some_and(|key| is_everyday(&key));
        is_name(&of_kind) || is_name(name)
    });
    names.map(|start| (start, at))
}
