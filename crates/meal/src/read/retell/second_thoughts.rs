//! Second thoughts: "2 cookies, fine, 4 cookies" and "large fries... medium actually" are corrections, told in other words.

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
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    let actually = Token::Word(ACTUALLY.to_owned());
    let is_mark = |at: usize| matches!(text.tokens[at], Token::Comma | Token::Stop);
    let last_marks = (1..text.len()).filter(|&at| is_mark(at) && (at + 1 == text.len() || !is_mark(at + 1)));
    for mark in last_marks {
        let (told, end) = if let Some(amount) = amount_behind(text, mark) {
            (vec![Token::Comma, actually.clone()], amount)
        } else if let Some(end) = size_behind(text, mark) {
            let size = text.tokens[mark + 1..end - 1].iter().cloned();
            ([Token::Comma, actually.clone()].into_iter().chain(size).collect(), end)
        } else {
            continue;
        };
        if mark < copied {
            continue;
        }
        let out = out.get_or_insert_default();
        let first = (copied..mark).rev().take_while(|&at| is_mark(at)).last().unwrap_or(mark);
        out.extend_from_slice(&text.tokens[copied..first]);
        out.extend(told);
        copied = end;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns where the amount of a second thought begins behind a mark: ", fine, 4 cookies", ".. jk it was 20".
fn amount_behind(text: Text<'_>, mark: usize) -> Option<usize> {
    let announces = |at: usize| text.any(at, ANNOUNCES) && !text.any(at, BETWEEN);
    if !announces(mark + 1) {
        return None;
    }
    let goes_on = |at: usize| announces(at) || text.any(at, BETWEEN) || text.tokens.get(at) == Some(&Token::Comma);
    let amount = (mark + 2..text.len().min(mark + 2 + MAX_WORDS)).find(|&at| !goes_on(at))?;
    let is_count = matches!(text.tokens[amount], Token::Number(..)) || text.has(amount, Role::Number);
    // What follows "and" or "then" is more, and a time is no amount.
    let is_plain =
        (mark + 1..amount).any(|at| text.any(at, const { Roles::of(&[Role::Correction, Role::Opener, Role::Answer]) }));
    (is_count && is_plain && is_counted_before(text, mark)).then_some(amount)
}

/// Returns where a size ends that corrects the one before a mark: "large fries... medium actually".
fn size_behind(text: Text<'_>, mark: usize) -> Option<usize> {
    let is_correction = text.has(mark + 1, Role::Size) && text.has(mark + 2, Role::Correction);
    let ends = !text.is_word(mark + 3) && !matches!(text.tokens.get(mark + 3), Some(Token::Number(..)));
    (is_correction && ends).then_some(mark + 3)
}

/// Checks whether something was counted between the mark before and this one.
fn is_counted_before(text: Text<'_>, mark: usize) -> bool {
    let is_count = |at: &usize| {
        matches!(text.tokens[*at], Token::Number(..))
            || text.any(*at, const { Roles::of(&[Role::Number, Role::Indefinite]) })
    };
    let mut before = (0..mark).rev().skip_while(|&at| text.tokens[at] == Token::Stop);
    before.by_ref().take_while(|&at| !matches!(text.tokens[at], Token::Stop | Token::Colon)).any(|at| is_count(&at))
}
