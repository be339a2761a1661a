//! Counts behind their foods: "bud light x2" are two, whatever the words before the count are a name of.

use crate::lexicon::{Role, Roles};
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of what is counted.
const MAX_WORDS: usize = 6;
/// The most words behind a count that say what kind it is of.
const MAX_WORDS_BEHIND: usize = 2;
/// The most words of a name before its "and".
const MAX_FRONT: usize = 2;
/// Words that begin what is counted.
const BEGINNINGS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Eating,
    Role::Person,
    Role::Copula,
    Role::Meal,
    Role::Times,
]);
/// Words that say already how many there are.
const AMOUNTS: Roles = Roles::of(&[Role::Indefinite, Role::Number, Role::Fraction, Role::Amount, Role::Each]);

/// Puts counts before what they count; returns `None` if there is none. `is_everyday` checks whether words in the singular are an
/// everyday name, `is_name` whether they are one or the name of a dish.
pub(super) fn put_before(
    text: Text<'_>,
    is_everyday: impl Fn(&str) -> bool,
    is_name: impl Fn(&str) -> bool,
) -> Option<Vec<Token>> {
    text.position(Role::Times)?;
    let mut out: Vec<Token> = Vec::with_capacity(text.len());
    let (mut at, mut is_told) = (0, false);
    while at < text.len() {
        let Some((count, words)) = factor(text, at).filter(|(_, words)| *words <= out.len()) else {
            out.push(text.tokens[at].clone());
            at += 1;
            continue;
        };
        let words = (words + width_of_front(text, at - words, at, &is_name)).min(out.len());
        // "a pint of beer x 3" are three pints.
        let words = (words + width_of_measure(text, at - words)).min(out.len());
        let article = (at - words).checked_sub(1).filter(|article| text.has(*article, Role::Indefinite));
        let behind = words_behind(text, at + 2);
        let name = out.split_off(out.len() - words);
        out.truncate(out.len().saturating_sub(usize::from(article.is_some())));
        // "rice cakes with peanut butter x2" are two of both.
        let with = (at - words).checked_sub(1).filter(|with| text.has(*with, Role::With));
        if let Some(rest) = with.and_then(|with| counted(text, with)).filter(|rest| *rest < out.len()) {
            out.insert(out.len() - rest - 1, count.clone());
        }
        out.push(count.clone());
        let kind = &text.tokens[at + 2..at + 2 + behind];
        // "empanadas x2 beef" are beef empanadas, "eggs x2 toast" eggs and toast.
        let named_last = [kind, &name].concat();
        if behind > 0 && key_of(&named_last).is_some_and(|key| is_everyday(&key)) {
            out.extend(named_last);
        } else {
            out.extend(name);
            out.extend((behind > 0).then_some(Token::Comma));
            out.extend_from_slice(kind);
        }
        is_told = true;
        at += 2 + behind;
    }
    is_told.then_some(out)
}

/// Returns the count behind a food that begins here, and how many words before it are the food.
fn factor(text: Text<'_>, at: usize) -> Option<(&Token, usize)> {
    let count = text.tokens.get(at + 1).filter(|_| text.has(at, Role::Times))?;
    let is_count = matches!(count, Token::Number(1.0.., false));
    let ends = ends(text, at + 2) || words_behind(text, at + 2) > 0;
    Some((count, counted(text, at).filter(|_| is_count && ends)?))
}

/// Returns how many tokens measure what begins at a position: the "pint of" before "beer".
fn width_of_measure(text: Text<'_>, start: usize) -> usize {
    let is_measure = start >= 2 && text.has(start - 1, Role::Of) && text.unit(start - 2).is_some();
    if is_measure { 2 } else { 0 }
}

/// Returns how many tokens before "and" belong to a name: the "gin and" before "tonic".
fn width_of_front(text: Text<'_>, start: usize, end: usize, is_name: impl Fn(&str) -> bool) -> usize {
    let is_joined = start >= 2 && text.has(start - 1, Role::And);
    let is_front = |front: &usize| {
        let words = start - 1 - front..start - 1;
        words.clone().all(|at| text.is_word(at))
            && key_of(&text.tokens[words.start..end]).is_some_and(|key| is_name(&key))
    };
    let longest = if is_joined { MAX_FRONT.min(start - 1) } else { 0 };
    (1..=longest).rev().find(is_front).map_or(0, |front| front + 1)
}

/// Returns how many words stand between a count and the next mark or joint, if they are few.
fn words_behind(text: Text<'_>, at: usize) -> usize {
    let is_part = |at: &usize| text.is_word(*at) && !text.any(*at, BEGINNINGS);
    let words = (at..text.len()).take_while(is_part).take(MAX_WORDS_BEHIND + 1).count();
    let is_amount = |at: usize| text.any(at, AMOUNTS) || text.unit(at).is_some();
    let is_few = words <= MAX_WORDS_BEHIND && ends(text, at + words) && !(at..at + words).any(is_amount);
    if is_few { words } else { 0 }
}

/// Checks whether nothing of the same food is at a position.
fn ends(text: Text<'_>, at: usize) -> bool {
    !matches!(text.tokens.get(at), Some(Token::Number(..))) && (!text.is_word(at) || text.any(at, BEGINNINGS))
}

/// Returns how many words before a position are what is counted there; `None` if they have an amount.
fn counted(text: Text<'_>, end: usize) -> Option<usize> {
    let is_part = |at: &usize| text.is_word(*at) && !text.any(*at, BEGINNINGS);
    let words = (0..end).rev().take_while(is_part).take(MAX_WORDS + 1).count();
    let start = end - words;
    let is_amount = |at: usize| text.any(at, AMOUNTS) || text.unit(at).is_some();
    let is_behind_number = start.checked_sub(1).is_some_and(|before| matches!(text.tokens[before], Token::Number(..)));
    let is_free = (1..=MAX_WORDS).contains(&words) && !(start..end).any(is_amount) && !is_behind_number;
    is_free.then_some(words)
}
