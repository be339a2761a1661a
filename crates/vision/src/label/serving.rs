//! How much a serving is, and how many a package holds.

use super::columns::Columns;
use super::rows::Row;
use super::token::{Amount, Token, Unit, tokens};
use super::vocabulary::says;
use crate::sighting::{Per, Serving};

/// The printed serving and the number of servings.
pub(super) fn find(rows: &[Row], columns: &Columns) -> (Option<Serving>, Option<f64>) {
    let mut serving = None;
    let mut servings = None;
    for row in rows {
        let text = row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ");
        let tokens = tokens(row);
        let words: Vec<&str> = tokens
            .iter()
            .filter_map(|token| if let Token::Word(word, _) = token { Some(word.as_str()) } else { None })
            .collect();
        // Canadian labels say "Per 1 tbsp (14 g)".
        if serving.is_none() && columns.per == Per::Serving && words.first().is_some_and(|word| *word == "per") {
            serving = text.get(3..).and_then(read).filter(|serving| serving.grams.or(serving.millilitres).is_some());
        }
        let speaks =
            words.iter().any(|word| word.starts_with("serv") || says(&[word], "serving") || says(&[word], "servings"));
        if !speaks {
            continue;
        }
        let joined = words.concat();
        let of_package = says(&words, "container") || says(&words, "package");
        if servings.is_none() && of_package && !joined.contains("amount") {
            servings = tokens.iter().find_map(|token| match token {
                Token::Amount(Amount { value, unit: Unit::None, .. }) if *value >= 1.0 && *value <= 200.0 => {
                    Some(*value)
                }
                _ => None,
            });
        } else if serving.is_none() && (joined.contains("size") || joined.contains("slze") || joined.contains("sze")) {
            serving = after_size(&text);
        }
    }
    if serving.is_none()
        && let (Some(grams), Per::HundredGrams | Per::HundredMillilitres) = (columns.portion_grams, columns.per)
    {
        let (grams, millilitres) =
            if columns.per == Per::HundredGrams { (Some(grams), None) } else { (None, Some(grams)) };
        serving = Some(Serving { text: String::new(), grams, millilitres });
    }
    (serving, servings)
}

/// What stands behind "serving size": "2/3 cup (55g)".
fn after_size(text: &str) -> Option<Serving> {
    let lower = text.to_ascii_lowercase();
    let start = ["size", "slze", "sze"].iter().find_map(|word| lower.find(word).map(|at| at + word.len()))?;
    read(text.get(start..)?)
}

/// A serving in words, with its mass or volume in brackets.
fn read(text: &str) -> Option<Serving> {
    let rest = text.trim_start_matches([':', '.', ' ']);
    let row = Row { cells: vec![super::rows::Cell { text: rest.to_owned(), left: 0.0, right: 1.0 }], ..Row::default() };
    let mut serving =
        Serving { text: rest.split(['(', '[']).next().unwrap_or_default().trim().to_owned(), ..Serving::default() };
    let mut in_brackets = false;
    for token in tokens(&row) {
        match token {
            Token::Bracket(bracket) => in_brackets = bracket == '(',
            Token::Amount(Amount { value, unit: Unit::Gram, .. }) if value > 0.0 => serving.grams = Some(value),
            Token::Amount(Amount { value, unit: Unit::Millilitre, .. }) if value > 0.0 => {
                serving.millilitres = Some(value);
            }
            // "(559)": the g was taken for a 9.
            Token::Amount(Amount { unit: Unit::None, without_last: Some(value), .. })
                if in_brackets && value >= 1.0 =>
            {
                serving.grams = Some(value);
            }
            _ => {}
        }
    }
    let is_known = serving.grams.is_some() || serving.millilitres.is_some() || !serving.text.is_empty();
    is_known.then_some(serving)
}
