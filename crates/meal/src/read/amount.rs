//! Reading an amount: "two", "1 1/2", "half a dozen", "2-3", "a couple of".

use super::token::Token;
use crate::lexicon::{fraction_word, number_word};

/// How many of something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amount {
    /// The number.
    pub value: f64,
    /// Whether it is a number, and not only implied by "a" or "an".
    pub explicit: bool,
    /// The lowest and the highest number of a range.
    pub range: Option<(f64, f64)>,
}

/// Reads an amount at a position; gives it and the position behind it.
pub fn read(tokens: &[Token], start: usize) -> Option<(Amount, usize)> {
    let (first, mut at) = simple(tokens, start)?;
    let mut amount = first;
    // "2 to 3", "2-3", "two or three".
    if word(tokens, at).is_some_and(|joint| joint == "to" || joint == "or")
        && amount.explicit
        && let Some((second, after)) = simple(tokens, at + 1)
        && second.explicit
        && second.value > amount.value
        && second.value <= amount.value * 4.0
    {
        let range = (amount.value, second.value);
        amount = Amount { value: f64::midpoint(range.0, range.1), explicit: true, range: Some(range) };
        at = after;
    }
    // "2 x 30 g" counts twice thirty.
    if word(tokens, at) == Some("x")
        && let Some((second, after)) = simple(tokens, at + 1)
        && second.explicit
    {
        amount.value *= second.value;
        at = after;
    }
    if word(tokens, at).is_some_and(|word| word == "dozen" || word == "dozens") {
        amount = Amount { value: amount.value * 12.0, explicit: true, range: None };
        at += 1;
    }
    amount.value = amount.value.min(MAX_AMOUNT);
    Some((amount, at))
}

/// Nobody eats more of anything; what is above is a slip of the finger.
const MAX_AMOUNT: f64 = 100_000.0;

fn explicit(value: f64) -> Amount {
    Amount { value, explicit: true, range: None }
}

/// One number, without ranges.
fn simple(tokens: &[Token], start: usize) -> Option<(Amount, usize)> {
    match tokens.get(start)? {
        Token::Number(value, is_fraction) => {
            let mut value = *value;
            let mut at = start + 1;
            if !is_fraction && let Some(Token::Number(part, true)) = tokens.get(at) {
                value += part;
                at += 1;
            } else if let (Some("and"), Some("a"), Some("half")) =
                (word(tokens, at), word(tokens, at + 1), word(tokens, at + 2))
            {
                value += 0.5;
                at += 3;
            } else if let (Some("and"), Some(Token::Number(part, true))) = (word(tokens, at), tokens.get(at + 1)) {
                value += part;
                at += 2;
            }
            Some((explicit(value), at))
        }
        Token::Word(first) => number_in_words(tokens, start, first),
        _ => None,
    }
}

fn number_in_words(tokens: &[Token], start: usize, first: &str) -> Option<(Amount, usize)> {
    let next = |offset: usize| word(tokens, start + offset);
    match first {
        "a" | "an" | "another" | "one" => {
            match next(1) {
                Some("couple" | "pair") => return Some((explicit(2.0), start + skip_of(tokens, start + 2, 2))),
                Some("few" | "several") => return Some((explicit(3.0), start + skip_of(tokens, start + 2, 2))),
                Some("dozen") => return Some((explicit(12.0), start + 2)),
                Some("half") if next(2) == Some("dozen") => return Some((explicit(6.0), start + 3)),
                Some("hundred") => return Some((explicit(100.0), start + 2)),
                _ => {}
            }
            if let Some(part) = next(1).and_then(fraction_word).filter(|_| counts(next(2))) {
                return Some((explicit(part), start + skip_of(tokens, start + 2, 2)));
            }
            if first == "one" && next(1) == Some("and") && next(2) == Some("a") && next(3) == Some("half") {
                return Some((explicit(1.5), start + 4));
            }
            // "another doughnut" is one more.
            let is_said = first != "a" && first != "an";
            Some((Amount { value: 1.0, explicit: is_said, range: None }, start + 1))
        }
        "couple" => Some((explicit(2.0), start + skip_of(tokens, start + 1, 1))),
        "few" | "several" => Some((explicit(3.0), start + 1)),
        "dozen" => Some((explicit(12.0), start + 1)),
        "half" => match (next(1), next(2)) {
            (Some("a" | "an" | "of"), Some("dozen")) => Some((explicit(6.0), start + 3)),
            (Some("dozen"), _) => Some((explicit(6.0), start + 2)),
            (Some("a" | "an" | "of" | "the" | "my"), _) => Some((explicit(0.5), start + 2)),
            // "half and half" is cream.
            (Some("and"), Some("half")) => None,
            _ => Some((explicit(0.5), start + 1)),
        },
        "quarter" if counts(next(1)) => Some((explicit(0.25), start + skip_of(tokens, start + 1, 1))),
        _ => {
            let mut value = number_word(first)?;
            let mut at = start + 1;
            if let Some(part) = word(tokens, at).and_then(fraction_word) {
                return Some((explicit(value * part), skip_of(tokens, at + 1, at + 1)));
            }
            if (20.0..100.0).contains(&value)
                && let Some(ones) = word(tokens, at).and_then(number_word).filter(|ones| *ones < 10.0)
            {
                value += ones;
                at += 1;
            }
            if word(tokens, at) == Some("hundred") {
                value *= 100.0;
                at += 1;
                if let Some(rest) = word(tokens, at).and_then(number_word) {
                    value += rest;
                    at += 1;
                }
            }
            if word(tokens, at) == Some("and")
                && word(tokens, at + 1) == Some("a")
                && word(tokens, at + 2) == Some("half")
            {
                value += 0.5;
                at += 3;
            }
            Some((explicit(value), at))
        }
    }
}

/// Whether a fraction before this word is an amount: "a quarter of", "a quarter cup", but not "a quarter pounder".
fn counts(next: Option<&str>) -> bool {
    next.is_none_or(|next| !next.starts_with("pound") && next != "and")
}

/// Steps over "of", "a", "of a" behind an amount.
fn skip_of(tokens: &[Token], at: usize, from: usize) -> usize {
    let mut extra = 0;
    if word(tokens, at) == Some("of") {
        extra = 1;
    }
    if word(tokens, at + extra).is_some_and(|article| matches!(article, "a" | "an" | "the")) {
        extra += 1;
    }
    from + extra
}

pub(crate) fn word(tokens: &[Token], at: usize) -> Option<&str> {
    match tokens.get(at)? {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::token::tokens;

    fn value(text: &str) -> Option<(f64, usize)> {
        let tokens = tokens(text);
        read(&tokens, 0).map(|(amount, at)| (amount.value, tokens.len() - at))
    }

    #[test]
    fn amounts_in_all_their_forms() {
        for (text, expected, left) in [
            ("2 eggs", 2.0, 1),
            ("two eggs", 2.0, 1),
            ("1 1/2 cups", 1.5, 1),
            ("1½ cups", 1.5, 1),
            ("½ cup", 0.5, 1),
            ("one and a half cups", 1.5, 1),
            ("2-3 eggs", 2.5, 1),
            ("two or three eggs", 2.5, 1),
            ("a couple of eggs", 2.0, 1),
            ("half a dozen eggs", 6.0, 1),
            ("a dozen eggs", 12.0, 1),
            ("two dozen eggs", 24.0, 1),
            ("half an apple", 0.5, 1),
            ("a quarter of a pizza", 0.25, 1),
            ("three quarters cup", 0.75, 1),
            ("one eighth of a pie", 0.125, 1),
            ("another beer", 1.0, 1),
            ("two hundred grams", 200.0, 1),
            ("twenty five grams", 25.0, 1),
            ("2 x 30 g", 60.0, 1),
        ] {
            assert_eq!(value(text), Some((expected, left)), "{text}");
        }
        assert_eq!(value("eggs"), None);
    }
}
