//! Rolls that are called by what is in them: a "ham barm" is a ham sandwich, and so is a "ham roll". An "egg roll" has a name of its
//! own.

use crate::lexicon::Role;
use crate::read::everyday_names::key_of;
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of what is in a roll: "cheese and onion".
const MAX_WORDS: usize = 3;
/// What such a roll is.
const SANDWICH: &str = "sandwich";

/// Calls rolls with something in them sandwiches; returns `None` if there are none. `is_name` checks whether words in the
/// singular are the name of a food or a dish.
pub(super) fn call_sandwiches(text: Text<'_>, is_name: impl Fn(&str) -> bool) -> Option<Vec<Token>> {
    let sandwich = Token::Word(SANDWICH.to_owned());
    let is_sandwich = |at: usize| {
        let called = |width: usize, head: &Token| {
            let name = [&text.tokens[at - width..at], std::slice::from_ref(head)].concat();
            key_of(&name).is_some_and(|key| is_name(&key))
        };
        let mut widths = 1..=at.min(MAX_WORDS);
        !widths.clone().any(|width| called(width, &text.tokens[at])) && widths.any(|width| called(width, &sandwich))
    };
    let rolls: Vec<usize> = (1..text.len()).filter(|&at| text.has(at, Role::BreadRoll) && is_sandwich(at)).collect();
    let told =
        |(at, token): (usize, &Token)| if rolls.binary_search(&at).is_ok() { sandwich.clone() } else { token.clone() };
    (!rolls.is_empty()).then(|| text.tokens.iter().enumerate().map(told).collect())
}
