//! How many people a dish is for: "a third of a pie that serves six" are two servings, and "a pie, serves 6" is one of them.

use std::ops::Range;

use crate::lexicon::Role;
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// How far before it the share of a dish is said.
const MAX_BEFORE: usize = 16;
/// The word for what one of the people gets.
const SERVINGS: &str = "servings";

/// Counts shares of a dish in servings, and leaves out for how many it is; returns `None` if nothing says so.
pub(super) fn count(text: Text<'_>) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    for at in 0..text.len() {
        let Some((people, end)) = people_at(text, at).filter(|_| at >= copied) else { continue };
        let out = out.get_or_insert_default();
        if let Some((share, words)) = share_before(text, copied, at) {
            out.extend_from_slice(&text.tokens[copied..words.start]);
            out.push(Token::Number(share * people, false));
            out.push(Token::Word(SERVINGS.to_owned()));
            copied = words.end;
        }
        out.extend_from_slice(&text.tokens[copied..at]);
        copied = end;
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// Returns for how many people a dish is, if that is said at a position, and where the words for it end.
fn people_at(text: Text<'_>, at: usize) -> Option<(f64, usize)> {
    let (people, after) = amount::read(text, at + 1).filter(|_| text.has(at, Role::Serves))?;
    let is_count = people.explicit && people.value >= 1.0;
    is_count.then(|| (people.value, after + usize::from(text.has(after, Role::OtherUnit))))
}

/// Returns the share that is said last between two positions, and where its words are.
fn share_before(text: Text<'_>, from: usize, to: usize) -> Option<(f64, Range<usize>)> {
    let is_near = from.max(to.saturating_sub(MAX_BEFORE))..to;
    let starts = is_near.rev().take_while(|&at| !text.is_end(at));
    starts.filter(|&at| !text.is_word(at) || amount::begins(text, at)).find_map(|at| {
        let (share, after) = amount::read(text, at)?;
        let is_share = share.explicit && share.value < 1.0 && text.unit(after).is_none();
        // The article of "a third" is part of it.
        let is_article = at > from && text.has(at - 1, Role::Indefinite);
        is_share.then(|| (share.value, at - usize::from(is_article)..after))
    })
}
