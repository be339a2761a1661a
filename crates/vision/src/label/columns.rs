//! Finds what the numbers are printed for: a serving, 100 grams or 100 milliliters.

use nutrition::sighting::Per;

use super::rows::TableRow;
use super::token::{Amount, Token, Unit, tokens};
use super::vocabulary::{NutrientName, contains_word, nutrient_name};

/// Which numbers of a row to use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Columns {
    pub per: Per,
    /// The position of the heading of the column to use; without a heading it is the first column.
    pub at: Option<f32>,
    /// The position of the heading of the column for a portion.
    pub portion: Option<f32>,
    /// The mass of a portion, if the heading has it.
    pub portion_grams: Option<f64>,
}

/// Looks for "per 100 g" and similar headings. American labels have none; their numbers are per serving.
pub(super) fn find(rows: &[TableRow]) -> Columns {
    let mut columns = Columns { per: Per::Serving, at: None, portion: None, portion_grams: None };
    let mut is_american = false;
    for row in rows {
        let tokens = tokens(row);
        let words: Vec<&str> = tokens.iter().filter_map(word).collect();
        is_american |= contains_word(&words, "dailyvalue")
            || contains_word(&words, "amountperserving")
            || contains_word(&words, "servingspercontainer");
        for (at, token) in tokens.iter().enumerate() {
            let Token::Amount(amount) = token else { continue };
            if let Some(per) = hundred_of(amount)
                && columns.at.is_none()
                && is_heading(&tokens, at)
            {
                columns.per = per;
                columns.at = Some(amount.at);
            } else if let Amount { value, unit: Unit::Gram | Unit::Milliliter, .. } = amount
                && hundred_of(amount).is_none()
                && *value >= 5.0
                && columns.portion_grams.is_none()
                && is_portion(&tokens, at, &words)
            {
                columns.portion_grams = Some(*value);
                columns.portion = columns.portion.or(Some(amount.at));
            }
        }
        if columns.portion.is_none() && columns.at.is_some() {
            columns.portion = tokens.iter().find_map(|token| match token {
                Token::Word(word, at) if is_portion_word(word) => Some(*at),
                _ => None,
            });
        }
    }
    if is_american {
        return Columns { per: Per::Serving, at: None, portion: None, ..columns };
    }
    columns
}

fn word(token: &Token) -> Option<&str> {
    match token {
        Token::Word(word, _) => Some(word),
        _ => None,
    }
}

fn hundred_of(amount: &Amount) -> Option<Per> {
    let is = |value: f64, wanted: f64| (value - wanted).abs() < 0.01;
    match amount.unit {
        Unit::Gram if is(amount.value, 100.0) => Some(Per::HundredGrams),
        Unit::Milliliter if is(amount.value, 100.0) => Some(Per::HundredMilliliters),
        // "1009": the g was read as a 9.
        Unit::None if amount.without_last.is_some_and(|value| is(value, 100.0)) => Some(Per::HundredGrams),
        _ => None,
    }
}

/// Checks whether "100 g" at this position heads a column: it follows "per" or a similar word, or it is alone.
fn is_heading(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| word(&tokens[at]));
    let heads = before.is_some_and(|before| {
        matches!(before, "per" | "pro" | "je" | "pour" | "por" | "par" | "pr" | "fur" | "pur" | "auf")
    });
    let glued = before.is_some_and(|before| ["per", "pro", "pour", "por"].iter().any(|end| before.ends_with(end)));
    let others = tokens
        .iter()
        .filter(|token| matches!(token, Token::Amount(amount) if !matches!(amount.unit, Unit::Percent)))
        .count();
    heads || glued || (others <= 2 && tokens.iter().filter_map(word).count() <= 4)
}

fn is_portion(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    let bracketed = at > 0 && tokens[at - 1] == Token::Bracket('(');
    let named = words.iter().any(|word| is_portion_word(word));
    let names_other = nutrient_name(words).is_some_and(|name| name != NutrientName::Other);
    !names_other && (named || (bracketed && tokens.len() <= 6))
}

fn is_portion_word(word: &str) -> bool {
    ["portion", "serving", "racion", "porcion", "porzione", "portie"].iter().any(|known| contains_word(&[word], known))
}
