//! Measures without a number that half of one is added to: "cup and a half of rice" is one and a half cups.

use crate::lexicon::{Role, Roles};
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// Words that say already how many there are.
const AMOUNTS: Roles =
    Roles::of(&[Role::Indefinite, Role::Number, Role::Fraction, Role::Amount, Role::Another, Role::Size]);

/// Counts such measures as one; returns `None` if there are none.
pub(super) fn count_measures(text: Text<'_>) -> Option<Vec<Token>> {
    let is_bare = |at: usize| {
        let before = at.checked_sub(1);
        let is_counted =
            before.is_some_and(|before| matches!(text.tokens[before], Token::Number(..)) || text.any(before, AMOUNTS));
        // "half and half" is a cream.
        let is_half = text.word(at).is_some_and(|word| text.lexicon.value(word, Role::Fraction).is_some());
        let behind = text.unit(at).filter(|_| !is_half).map(|(_, _, width)| at + width);
        !is_counted && behind.is_some_and(|behind| amount::and_part(text, behind).is_some())
    };
    let bare: Vec<usize> = (0..text.len()).filter(|&at| is_bare(at)).collect();
    (!bare.is_empty()).then(|| {
        let one = |at: usize| bare.binary_search(&at).is_ok().then_some(Token::Number(1.0, false));
        text.tokens.iter().enumerate().flat_map(|(at, token)| one(at).into_iter().chain([token.clone()])).collect()
    })
}
