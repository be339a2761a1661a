//! The account's recipes: the list, one recipe, and which of them a text matches.

pub(super) mod edit;
pub(super) mod list;
mod matching;
mod builder;
mod ingredients;
