//! Reading an amount: "two", "1 1/2", "half a dozen", "2-3", "a couple of".

use std::ops::Range;

use super::text::Text;
use super::token::Token;
use crate::lexicon::{Measure, Role, Roles};

/// Nobody eats more of anything; what is above is a slip of the finger.
const MAX_AMOUNT: f64 = 100_000.0;

/// How much larger the end of a range can be than its start.
const MAX_SPREAD: f64 = 4.0;

/// The whole in percent.
const PERCENT: f64 = 100.0;

/// Smaller percentages are of fat.
const MIN_PERCENT: f64 = 5.0;

/// Words that begin an amount.
const BEGINNINGS: Roles = Roles::of(&[Role::Indefinite, Role::Another, Role::Amount, Role::Number]);

/// Words between a share and what it is a share of: "half the pizza".
const WHOLES: Roles = Roles::of(&[Role::Indefinite, Role::Definite, Role::Possessive, Role::Demonstrative, Role::Of]);

/// How many of something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amount {
    /// The number.
    pub value: f64,
    /// Whether it is a number, and not only implied by "a" or "an".
    pub explicit: bool,
    /// The lowest and the highest number of a range.
    pub range: Option<(f64, f64)>,
    /// Nobody counted: "a few", "several".
    pub is_vague: bool,
    /// It is a share of what there was, and not of one: "half of the fries".
    pub is_share: bool,
}

impl Amount {
    /// Makes a number that is said.
    pub fn explicit(value: f64) -> Self {
        Self { value, explicit: true, range: None, is_vague: false, is_share: false }
    }

    /// One, which only "a" says.
    pub fn implied_one() -> Self {
        Self { explicit: false, ..Self::explicit(1.0) }
    }
}

/// An amount and the position behind it.
type Found = Option<(Amount, usize)>;

/// Checks whether the word at a position begins an amount.
pub fn begins(text: Text<'_>, at: usize) -> bool {
    text.any(at, BEGINNINGS) || is_part_of(text, at) || percentage(text, at).is_some()
}

/// Checks whether a fraction and "of" are here: "third of a pizza".
fn is_part_of(text: Text<'_>, at: usize) -> bool {
    text.value(at, Role::Fraction).is_some() && text.has(at + 1, Role::Of)
}

/// Reads an amount at a position; returns it and the position behind it.
pub fn read(text: Text<'_>, start: usize) -> Found {
    let (mut amount, mut at) = simple(text, start)?;
    // "2 to 3", "2-3", "two or three".
    if text.has(at, Role::Range)
        && amount.explicit
        && let Some((second, after)) = simple(text, at + 1)
        && second.explicit
        && second.value > amount.value
        && second.value <= amount.value * MAX_SPREAD
    {
        let range = (amount.value, second.value);
        amount = Amount { range: Some(range), ..explicit(f64::midpoint(range.0, range.1)) };
        at = after;
    }
    at = behind_several(text, amount, at).unwrap_or(at);
    // "2 x 30 g" counts twice thirty.
    if text.has(at, Role::Times)
        && let Some((second, after)) = simple(text, at + 1)
        && second.explicit
    {
        amount.value *= second.value;
        at = after;
    }
    if let Some(scale) = text.value(at, Role::Scale) {
        amount = explicit(amount.value * scale);
        at += 1;
    }
    amount.value = amount.value.min(MAX_AMOUNT);
    amount.is_share = amount.value < 1.0 && is_of_all(text, start..at);
    Some((amount, at))
}

/// Checks whether an amount is of what there was: "half of the", "half my", but not "half of a".
fn is_of_all(text: Text<'_>, amount: Range<usize>) -> bool {
    const ALL: Roles = Roles::of(&[Role::Definite, Role::Possessive, Role::Demonstrative, Role::Of]);
    let mut behind = amount.start + 1..=amount.end;
    behind.clone().any(|at| text.any(at, ALL)) && !behind.any(|at| text.has(at, Role::Indefinite))
}

/// Steps over how many there were of which some were eaten: "3 of 8 slices", "one of my two burgers". "2 of 100 g" are two.
fn behind_several(text: Text<'_>, eaten: Amount, at: usize) -> Option<usize> {
    let of = at + usize::from(text.has(at, Role::Away));
    if !eaten.explicit || eaten.value < 1.0 || !text.has(of, Role::Of) {
        return None;
    }
    let (several, after) = simple(text, of + 1 + usize::from(text.any(of + 1, WHOLES)))?;
    let is_weight = matches!(text.unit(after), Some((_, Measure::Mass(_) | Measure::Volume(_), _)));
    let is_name = || text.word(after).is_some_and(|next| text.lexicon.is_number_name(several.value, next));
    let is_other = is_weight || text.has(after, Role::OtherUnit) || is_name();
    (several.explicit && several.value > eaten.value && !is_other).then_some(after)
}

/// Reads a share in percent: "50% of a burrito". The "2%" of milk is no share.
fn percentage(text: Text<'_>, start: usize) -> Found {
    let number = || match text.tokens.get(start)? {
        Token::Number(value, false) => Some(*value),
        _ => text.value(start, Role::Number),
    };
    let in_words = || number().filter(|_| text.value(start + 1, Role::Fraction) == Some(1.0 / PERCENT));
    let with_sign = text.word(start).and_then(|word| word.strip_suffix('%')?.parse::<f64>().ok());
    let (value, of) = with_sign.map(|value| (value, start + 1)).or_else(|| Some((in_words()?, start + 2)))?;
    let is_share = (MIN_PERCENT..=PERCENT).contains(&value) && text.has(of, Role::Of);
    is_share.then(|| (explicit(value / PERCENT), of + 1 + usize::from(text.any(of + 1, WHOLES))))
}

/// Returns the fraction that a word names. A percentage is one only where it is a share: "two percent milk" is milk.
fn fraction(text: Text<'_>, at: usize) -> Option<f64> {
    text.value(at, Role::Fraction).filter(|part| *part > 1.0 / PERCENT)
}

fn explicit(value: f64) -> Amount {
    Amount::explicit(value)
}

/// A small number of something. A couple and a pair are two, of more nobody says how many.
fn group(value: f64) -> Amount {
    Amount { is_vague: value > 2.0, ..explicit(value) }
}

/// Reads one number, without ranges.
fn simple(text: Text<'_>, start: usize) -> Found {
    if let Some(share) = percentage(text, start) {
        return Some(share);
    }
    match text.tokens.get(start)? {
        Token::Number(value, is_fraction) => Some(in_digits(text, start, *value, *is_fraction)),
        Token::Word(_) => in_words(text, start),
        _ => None,
    }
}

/// Reads what belongs to a number in digits: "1 1/2", "1 and 1/2", "1 and a half".
fn in_digits(text: Text<'_>, start: usize, value: f64, is_fraction: bool) -> (Amount, usize) {
    let fraction = |at: usize| match text.tokens.get(at) {
        Some(Token::Number(part, true)) => Some(*part),
        _ => None,
    };
    let at = start + 1;
    if let Some(part) = fraction(at).filter(|_| !is_fraction) {
        return (explicit(value + part), at + 1);
    }
    if let Some(part) = fraction(at + 1).filter(|_| text.has(at, Role::And)) {
        return (explicit(value + part), at + 2);
    }
    and_a_fraction(text, at).map_or((explicit(value), at), |(part, after)| (explicit(value + part), after))
}

fn in_words(text: Text<'_>, start: usize) -> Found {
    let roles = text.roles(start);
    let number = text.value(start, Role::Number);
    if roles.any(const { Roles::of(&[Role::Indefinite, Role::Another]) }) || number == Some(1.0) {
        return Some(behind_article(text, start));
    }
    let is_share = roles.has(Role::Amount) || is_part_of(text, start);
    if let Some(part) = fraction(text, start).filter(|_| is_share) {
        return share(text, start, part);
    }
    if let Some(value) = text.value(start, Role::Group).filter(|_| roles.has(Role::Amount)) {
        return Some((group(value), skip_of(text, start + 1)));
    }
    match number {
        Some(value) => Some(number_in_words(text, start, value)),
        None => text.value(start, Role::Scale).map(|value| (explicit(value), start + 1)),
    }
}

/// Reads what follows "a", "another" or "one": "a couple of", "a dozen", "a half", "one and a half".
fn behind_article(text: Text<'_>, start: usize) -> (Amount, usize) {
    let next = start + 1;
    if let Some(value) = text.value(next, Role::Group) {
        return (group(value), skip_of(text, next + 1));
    }
    if let Some(value) = text.value(next, Role::Scale) {
        return (explicit(value), next + 1);
    }
    if let Some(part) = fraction(text, next) {
        if let Some(scale) = text.value(next + 1, Role::Scale) {
            return (explicit(part * scale), next + 2);
        }
        if counts(text, next + 1) {
            return (explicit(part), skip_of(text, next + 1));
        }
    }
    // "another doughnut" is one more.
    let is_explicit = !text.has(start, Role::Indefinite);
    match and_a_fraction(text, next).filter(|_| is_explicit) {
        Some((part, after)) => (explicit(1.0 + part), after),
        None => (Amount { explicit: is_explicit, ..Amount::implied_one() }, next),
    }
}

/// Reads an amount that begins with a fraction: "half a dozen", "half the pizza", "quarter of a pizza".
fn share(text: Text<'_>, start: usize, part: f64) -> Found {
    let next = start + 1;
    if !text.has(start, Role::Predeterminer) {
        return counts(text, next).then(|| (explicit(part), skip_of(text, next)));
    }
    let behind = next + usize::from(text.any(next, WHOLES));
    Some(match text.value(behind, Role::Scale) {
        Some(scale) => (explicit(part * scale), behind + 1),
        None => (explicit(part), behind),
    })
}

/// Reads a number in words: "three quarters", "twenty five", "two hundred and a half".
fn number_in_words(text: Text<'_>, start: usize, first: f64) -> (Amount, usize) {
    let number = |at: usize| text.value(at, Role::Number);
    let (mut value, mut at) = (first, start + 1);
    if let Some(part) = fraction(text, at) {
        return (explicit(value * part), skip_of(text, at + 1));
    }
    if let Some(ones) = number(at).filter(|ones| *ones < 10.0 && (20.0..100.0).contains(&value)) {
        value += ones;
        at += 1;
    }
    // "two hundred fifty"; a dozen is counted with what is before it.
    if let Some(scale) = text.value(at, Role::Scale).filter(|_| number(at).is_some()) {
        value *= scale;
        at += 1;
        if let Some(rest) = number(at) {
            value += rest;
            at += 1;
        }
    }
    and_a_fraction(text, at).map_or((explicit(value), at), |(part, after)| (explicit(value + part), after))
}

/// Reads "and a half" behind a number.
fn and_a_fraction(text: Text<'_>, at: usize) -> Option<(f64, usize)> {
    let is_here = text.has(at, Role::And) && text.has(at + 1, Role::Indefinite);
    fraction(text, at + 2).filter(|_| is_here).map(|part| (part, at + 3))
}

/// Reads "and a half" behind a measure, where people leave out the article too: "a cup and half".
pub fn and_part(text: Text<'_>, at: usize) -> Option<(f64, usize)> {
    let without_article = || fraction(text, at + 1).filter(|_| text.has(at, Role::And));
    and_a_fraction(text, at).or_else(|| without_article().map(|part| (part, at + 2)))
}

/// Checks whether a fraction before this word is an amount: "a quarter of", "a quarter cup", but not "a quarter pounder".
fn counts(text: Text<'_>, next: usize) -> bool {
    !text.any(next, const { Roles::of(&[Role::Pounder, Role::And]) })
}

/// Steps over "of", "a", "of a" behind an amount.
fn skip_of(text: Text<'_>, at: usize) -> usize {
    let behind = at + usize::from(text.has(at, Role::Of));
    behind + usize::from(text.any(behind, const { Roles::of(&[Role::Indefinite, Role::Definite]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::text::Uses;
    use crate::read::token::tokens;

    fn value(text: &str) -> Option<(f64, usize)> {
        let (tokens, lexicon) = (tokens(text), Lexicon::default());
        let uses = Uses::new(&tokens, &lexicon);
        read(Text::new(&tokens, &uses, &lexicon), 0).map(|(amount, at)| (amount.value, tokens.len() - at))
    }

    #[test]
    fn amounts_in_all_their_forms() {
        for (text, expected, left) in [
            ("2 eggs", 2.0, 1),
            ("two eggs", 2.0, 1),
            ("1 1/2 cups", 1.5, 1),
            ("1½ cups", 1.5, 1),
            ("½ cup", 0.5, 1),
            ("1 and 1/2 cups", 1.5, 1),
            ("one and a half cups", 1.5, 1),
            ("2 and a quarter cups", 2.25, 1),
            ("2-3 eggs", 2.5, 1),
            ("two or three eggs", 2.5, 1),
            ("a couple of eggs", 2.0, 1),
            ("few eggs", 3.0, 1),
            ("half a dozen eggs", 6.0, 1),
            ("half dozen eggs", 6.0, 1),
            ("a half dozen eggs", 6.0, 1),
            ("a dozen eggs", 12.0, 1),
            ("dozen eggs", 12.0, 1),
            ("two dozen eggs", 24.0, 1),
            ("half an apple", 0.5, 1),
            ("half my apple", 0.5, 1),
            ("a quarter of a pizza", 0.25, 1),
            ("third of a pizza", 1.0 / 3.0, 1),
            ("three quarters cup", 0.75, 1),
            ("one eighth of a pie", 0.125, 1),
            ("another beer", 1.0, 1),
            ("two hundred grams", 200.0, 1),
            ("two hundred fifty grams", 250.0, 1),
            ("a hundred grams", 100.0, 1),
            ("twenty five grams", 25.0, 1),
            ("seventy seven grams", 77.0, 1),
            ("seventeen almonds", 17.0, 1),
            ("2 x 30 g", 60.0, 1),
        ] {
            assert_eq!(value(text), Some((expected, left)), "{text}");
        }
        for text in ["eggs", "half and half", "quarter pounder", "pair it"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
