//! Telling a text again in plain words, before anything in it is named or split: only what the writer ate, each meal in a
//! sentence of its own, each food with its own amount.

mod each;
mod eaters;
mod factors;
mod glued;
mod meals;
mod more;

pub use glued::is_glued;

use super::text::{Text, Uses};
use super::token::Token;
use crate::lexicon::Lexicon;

/// Tells a text again; returns `None` if it is plain already. `is_known` checks whether some plain food has a word in its name,
/// `is_everyday` whether a word is an everyday name.
pub fn retell(
    tokens: &[Token],
    lexicon: &Lexicon,
    is_known: impl Fn(&str) -> bool,
    is_everyday: impl Fn(&str) -> bool,
) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut uses = Uses::new(tokens, lexicon);
    for rule in [eaters::only_own, meals::set_apart, each::give_to_each, factors::put_before, more::name_again] {
        let text = out.as_deref().unwrap_or(tokens);
        if let Some(told) = rule(Text::new(text, &uses, lexicon)) {
            uses = Uses::new(&told, lexicon);
            out = Some(told);
        }
    }
    let told = glued::take_apart(out.as_deref().unwrap_or(tokens), lexicon, is_known, is_everyday);
    told.or(out)
}
