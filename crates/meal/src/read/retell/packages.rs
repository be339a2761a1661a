//! Shares of a package whose size is said: "half a tub of hummus (200 g)" is 100 g, and so is "half of a 200 g tub".

use crate::lexicon::{Measure, MeasureTrait, Role, Roles, measure_is};
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// How far behind a package its size is said, in brackets.
const MAX_AHEAD: usize = 8;

/// Says the share of a package as the amount that it is; returns `None` if there is none.
pub(super) fn weigh_shares(text: Text<'_>) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(share) = share_at(text, at) else {
            at += 1;
            continue;
        };
        let out = out.get_or_insert_default();
        out.extend_from_slice(&text.tokens[copied..share.start]);
        out.extend_from_slice(&text.tokens[share.package..share.size]);
        out.push(Token::Number(share.amount, false));
        (copied, at) = (share.size + 1, share.size + 1);
    }
    if let Some(out) = &mut out {
        out.extend_from_slice(&text.tokens[copied..]);
    }
    out
}

/// A share of a package, by the places of its tokens.
struct PackageShare {
    /// Where the words of the share begin, which its amount takes the place of.
    start: usize,
    /// Where what stays of the text begins.
    package: usize,
    /// Where the number of the size is.
    size: usize,
    amount: f64,
}

/// Returns the share of a package that begins at a position.
fn share_at(text: Text<'_>, at: usize) -> Option<PackageShare> {
    if matches!(text.tokens[at], Token::Word(_)) && !amount::begins(text, at) {
        return None;
    }
    let (share, after) = amount::read(text, at).filter(|(amount, _)| amount.explicit && is_part(amount.value))?;
    // "half of a 200 g bar": the words of the share go.
    let next = after + (after..after + 2).take_while(|&at| is_between(text, at)).count();
    if let Some(size) = size_at(text, next) {
        let amount = share.value * size;
        return Some(PackageShare { start: at, package: next, size: next, amount });
    }
    // "half a tub of hummus (200 g)": the share of a tub is the tub's. What half an apple weighs is the half's weight.
    let (unit, measure, _) = text.unit(after)?;
    let is_package = [MeasureTrait::Container, MeasureTrait::Pack].iter().any(|what| measure_is(unit, *what))
        && matches!(measure, Measure::Household(_));
    let ahead = after..text.len().min(after + MAX_AHEAD);
    let open = ahead.filter(|_| is_package).find(|&at| !text.is_word(at))?;
    let size = size_at(text, open + 1).filter(|_| text.tokens[open] == Token::Open)?;
    let behind = open + 2 + text.unit(open + 2).map_or(0, |(_, _, width)| width);
    let closes = matches!(text.tokens.get(behind), None | Some(Token::Close));
    closes.then_some(PackageShare { start: at, package: at, size: open + 1, amount: share.value * size })
}

/// Checks whether a number is a share of something: the "0.0" of a beer is none.
fn is_part(share: f64) -> bool {
    share > 0.0 && share < 1.0
}

/// Checks whether a word only joins a share to what it is of.
fn is_between(text: Text<'_>, at: usize) -> bool {
    text.any(at, const { Roles::of(&[Role::Of, Role::Indefinite, Role::Definite, Role::Possessive]) })
}

/// Returns the number at a position if it counts a mass or a volume.
fn size_at(text: Text<'_>, at: usize) -> Option<f64> {
    let Some(Token::Number(size, false)) = text.tokens.get(at) else { return None };
    let is_size = matches!(text.unit(at + 1), Some((_, Measure::Mass(_) | Measure::Volume(_), _)));
    is_size.then_some(*size)
}
