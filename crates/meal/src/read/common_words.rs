//! The words that stand for common foods in a text whose names a reader of sentences would cut: "7 up", "hot
//! dog no bun".
//! One each, which no one can type.

use foods::common::CommonFood;

use super::token::{Token, tokens};
use crate::lexicon::{Role, Roles, roles_in_any_language};

/// Begins the word that stands for a name. No text has it: words are made of letters.
const MARK: char = '\u{e001}';

/// What words do that count or deny.
const CUTS: Roles = Roles::of(&[Role::Denial, Role::Number]);

/// Returns the word that stands for a name of a common food, if a reader of sentences would cut the name; `food` and `name`
/// are the places in the list.
pub fn word(food: usize, name: usize, common: &CommonFood) -> Option<String> {
    let tokens = tokens(common.names.get(name)?);
    let is_cut = |token: &Token| match token {
        // "One bar" counts more often than it names a brand.
        Token::Word(word) => roles_in_any_language(word).any(CUTS) && !roles_in_any_language(word).has(Role::Pronoun),
        _ => true,
    };
    // A number alone is an amount.
    (tokens.len() > 1 && tokens.iter().any(is_cut)).then(|| format!("{MARK}{food}:{name}"))
}

/// Returns each name of the list that would be cut, with the word that stands for it.
pub fn all() -> impl Iterator<Item = (&'static str, String)> {
    foods::common::all().enumerate().flat_map(|(food, common)| {
        let names: Vec<_> =
            (0..common.names.len()).filter_map(|name| Some((common.names[name], word(food, name, &common)?))).collect();
        names
    })
}
