//! Second thoughts: "2 cookies, fine, 4 cookies" is a correction, told in other words.

use super::edits::Edits;
use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// The word that announces a correction plainly.
const ACTUALLY: &str = "actually";
/// Words that announce one before an amount.
const ANNOUNCES: Roles = Roles::of(&[Role::Correction, Role::Opener, Role::Answer]);
/// Words between them and the amount: "jk it was 20".
const BETWEEN: Roles = Roles::of(&[Role::Pronoun, Role::Copula, Role::Demonstrative, Role::Make, Role::Person]);
/// The most words of both kinds.
const MAX_WORDS: usize = 5;

/// Tells second thoughts plainly; returns `None` if a text has none.
pub(super) fn tell(text: Text<'_>) -> Option<Vec<Token>> {
    let is_mark = |at: usize| matches!(text.tokens.get(at), Some(Token::Comma | Token::Stop));
    let mut edits = Edits::of(text.tokens);
    for mark in (1..text.len()).filter(|&at| is_mark(at) && !is_mark(at + 1)) {
        if let Some(amount) = amount_behind(text, mark) {
            let first = (0..mark).rev().take_while(|&at| is_mark(at)).last().unwrap_or(mark);
            edits.replace(first..amount, [Token::Comma, Token::Word(ACTUALLY.to_owned())]);
        }
    }
    edits.finish()
}

/// Returns where the amount of a second thought begins behind a mark: ", fine, 4 cookies", ".. jk it was 20".
fn amount_behind(text: Text<'_>, mark: usize) -> Option<usize> {
    let announces = |at: usize| text.any(at, ANNOUNCES) && !text.any(at, BETWEEN);
    if !announces(mark + 1) {
        return None;
    }
    let goes_on = |at: usize| announces(at) || text.any(at, BETWEEN) || text.tokens.get(at) == Some(&Token::Comma);
    let amount = (mark + 2..text.len().min(mark + 2 + MAX_WORDS)).find(|&at| !goes_on(at))?;
    (is_count(text, amount) && is_counted_before(text, mark)).then_some(amount)
}

/// Checks whether a number is at a position.
fn is_count(text: Text<'_>, at: usize) -> bool {
    matches!(text.tokens[at], Token::Number(..)) || text.has(at, Role::Number)
}

/// Checks whether something was counted in the sentence before a mark.
fn is_counted_before(text: Text<'_>, mark: usize) -> bool {
    let before = (0..mark).rev().skip_while(|&at| text.tokens[at] == Token::Stop);
    let mut sentence = before.take_while(|&at| !matches!(text.tokens[at], Token::Stop | Token::Colon));
    sentence.any(|at| is_count(text, at) || text.has(at, Role::Indefinite))
}
