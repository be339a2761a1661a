//! Finds the printed serving.

use nutrition::sighting::{LabelServing, Per};

use super::columns::Columns;
use super::rows::{TableCell, TableRow};
use super::token::{Amount, Token, Unit, tokens};
use super::vocabulary::contains_word;

/// How "size" is printed or misread.
const SIZE: [&str; 3] = ["size", "slze", "sze"];

/// Returns the printed serving.
pub(super) fn find(rows: &[TableRow], columns: &Columns) -> Option<LabelServing> {
    let mut serving = None;
    let mut is_counted = false;
    for row in rows {
        let text = row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ");
        let tokens = tokens(row);
        let words: Vec<&str> = tokens
            .iter()
            .filter_map(|token| if let Token::Word(word, _) = token { Some(word.as_str()) } else { None })
            .collect();
        // Canadian labels: "Per 1 tbsp (14 g)".
        if serving.is_none() && columns.per == Per::Serving && words.first().is_some_and(|word| *word == "per") {
            serving = text.get(3..).and_then(parse).filter(|serving| serving.grams.or(serving.milliliters).is_some());
        }
        if !words.iter().any(|word| is_serving_word(word)) {
            continue;
        }
        let joined = words.concat();
        let is_package = contains_word(&words, "container") || contains_word(&words, "package");
        if is_package && !is_counted && !joined.contains("amount") {
            // "8 servings per container" does not say how large a serving is.
            is_counted = tokens.iter().any(is_count);
        } else if serving.is_none() && SIZE.iter().any(|size| joined.contains(size)) {
            serving = after_size(&text);
        }
    }
    serving.or_else(|| portion(columns))
}

fn is_serving_word(word: &str) -> bool {
    word.starts_with("serv") || contains_word(&[word], "serving") || contains_word(&[word], "servings")
}

fn is_count(token: &Token) -> bool {
    matches!(token, Token::Amount(Amount { value, unit: Unit::None, .. }) if (1.0..=200.0).contains(value))
}

/// Returns the portion in the heading of a column.
fn portion(columns: &Columns) -> Option<LabelServing> {
    let amount = columns.portion_grams;
    let (grams, milliliters) = match columns.per {
        Per::Serving => return None,
        Per::HundredGrams => (amount, None),
        Per::HundredMilliliters => (None, amount),
    };
    amount.map(|_| LabelServing { text: String::new(), grams, milliliters })
}

/// Parses what follows "serving size": "2/3 cup (55g)".
fn after_size(text: &str) -> Option<LabelServing> {
    let lower = text.to_ascii_lowercase();
    let start = SIZE.iter().find_map(|word| lower.find(word).map(|at| at + word.len()))?;
    parse(text.get(start..)?)
}

/// Parses a serving in words, with its mass or volume in brackets.
fn parse(text: &str) -> Option<LabelServing> {
    let text = text.trim_start_matches([':', '.', ' ']);
    let cell = TableCell { text: text.to_owned(), left: 0.0, right: 1.0 };
    let words = text.split(['(', '[']).next().unwrap_or_default().trim().to_owned();
    let mut serving = LabelServing { text: words, ..LabelServing::default() };
    let mut in_brackets = false;
    for token in tokens(&TableRow { cells: vec![cell], ..TableRow::default() }) {
        match token {
            Token::Bracket(bracket) => in_brackets = bracket == '(',
            Token::Amount(Amount { value, unit: Unit::Gram, .. }) if value > 0.0 => serving.grams = Some(value),
            Token::Amount(Amount { value, unit: Unit::Milliliter, .. }) if value > 0.0 => {
                serving.milliliters = Some(value);
            }
            // "(559)": the g was read as a 9.
            Token::Amount(Amount { unit: Unit::None, without_last: Some(value), .. })
                if in_brackets && value >= 1.0 =>
            {
                serving.grams = Some(value);
            }
            _ => {}
        }
    }
    let is_known = serving.grams.is_some() || serving.milliliters.is_some() || !serving.text.is_empty();
    is_known.then_some(serving)
}
