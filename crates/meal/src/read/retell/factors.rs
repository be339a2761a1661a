//! Counts behind their foods: "bud light x2" are two, whatever the words before the count are a name of.

use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// The most words of what is counted.
const MAX_WORDS: usize = 6;
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

/// Puts counts before what they count; returns `None` if there is none.
pub(super) fn put_before(text: Text<'_>) -> Option<Vec<Token>> {
    text.position(Role::Times)?;
    let mut out: Vec<Token> = Vec::with_capacity(text.len());
    let (mut at, mut is_told) = (0, false);
    while at < text.len() {
        let count = text.tokens.get(at + 1).filter(|_| text.has(at, Role::Times) && ends(text, at + 2));
        let words = count.and_then(|count| Some((count, counted(text, at).filter(|words| *words <= out.len())?)));
        if let Some((count @ Token::Number(1.0.., false), words)) = words {
            out.insert(out.len() - words, count.clone());
            is_told = true;
            at += 2;
        } else {
            out.push(text.tokens[at].clone());
            at += 1;
        }
    }
    is_told.then_some(out)
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
