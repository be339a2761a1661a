//! Capitalization: labels are in capitals, names should not be.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lists::words;

static ABBREVIATIONS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("abbreviations.txt")));

/// Words that stay lowercase inside a title.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "con", "de", "for", "from", "in", "n", "of", "on", "or", "the", "to", "with",
    "w",
];

/// Endings after an apostrophe that are not names: "Wendy's", but "O'Brien".
const CLIPPED: &[&str] = &["s", "t", "n", "ll", "re", "ve", "d", "m", "em"];

/// Returns whether the text carries no case information: all capitals, or none.
pub(super) fn is_flat(text: &str) -> bool {
    let (mut upper, mut lower) = (0_usize, 0_usize);
    for character in text.chars() {
        upper += usize::from(character.is_uppercase());
        lower += usize::from(character.is_lowercase());
    }
    upper == 0 || lower * 6 <= upper
}

/// Converts flat text to title case and leaves other text as it is, since its capitals were chosen.
pub(super) fn natural_title(text: &str) -> String {
    if is_flat(text) { title(text) } else { text.to_owned() }
}

/// Converts to title case: every word with a capital, except small words and abbreviations.
pub(super) fn title(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            result.push(' ');
        }
        let lower = word.to_lowercase();
        let is_small = index > 0 && SMALL.contains(&lower.trim_end_matches([',', '/']));
        if is_small {
            result.push_str(&lower);
        } else {
            title_word(word, &mut result);
        }
    }
    result
}

/// Converts words that are all capitals ("SNICKERS Bar") and leaves the others.
pub(super) fn calm(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            result.push(' ');
        }
        match word {
            "AND" | "OF" | "THE" | "WITH" | "ON" | "IN" | "FOR" | "N" if index > 0 => {
                result.push_str(&word.to_ascii_lowercase());
            }
            _ if shouts(word) => title_word(word, &mut result),
            _ => result.push_str(word),
        }
    }
    result
}

/// Returns whether a word is in capitals, including "McDONALD'S" and "REESE's".
pub(super) fn shouts(word: &str) -> bool {
    let word = word.strip_prefix("Mc").unwrap_or(word);
    let word = word.trim_end_matches(|character: char| !character.is_alphanumeric());
    let word = word.strip_suffix("'s").unwrap_or(word);
    let upper = word.chars().filter(|character| character.is_uppercase()).count();
    upper >= 2 && !word.chars().any(char::is_lowercase)
}

/// Appends one word in title case, a run of letters at a time.
fn title_word(word: &str, result: &mut String) {
    let mut before: Option<char> = None;
    let mut previous = "";
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        if !first.is_alphabetic() {
            result.push(first);
            before = Some(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|character: char| !character.is_alphabetic()).unwrap_or(rest.len());
        let (run, tail) = rest.split_at(end);
        push_run(run, before, previous, result);
        previous = run;
        before = None;
        rest = tail;
    }
}

/// Appends a run of letters in the case that fits what precedes it.
fn push_run(run: &str, before: Option<char>, previous: &str, result: &mut String) {
    let after_apostrophe = matches!(before, Some('\'' | '\u{2019}'));
    let after_digit = before.is_some_and(|character| character.is_ascii_digit());
    let lower = run.to_lowercase();
    let name_follows = matches!(previous, "O" | "D" | "L" | "o" | "d" | "l") && !CLIPPED.contains(&lower.as_str());
    let clipped = after_apostrophe && !previous.is_empty() && !name_follows;
    if clipped || (after_digit && run.len() > 1) {
        result.push_str(&lower);
    } else if !after_apostrophe && ABBREVIATIONS.contains(run.to_uppercase().as_str()) {
        result.push_str(&run.to_uppercase());
    } else if lower.starts_with("mc") && lower.len() > 5 && lower.is_ascii() {
        result.push_str("Mc");
        push_capital(&lower[2..], result);
    } else {
        push_capital(&lower, result);
    }
}

/// Appends the text with its first letter capitalized.
pub(super) fn push_capital(text: &str, result: &mut String) {
    let mut characters = text.chars();
    if let Some(first) = characters.next() {
        result.extend(first.to_uppercase());
        result.push_str(characters.as_str());
    }
}

/// Returns the text with its first letter in lowercase, unless the first word has other capitals too.
pub(super) fn without_capital(text: &str) -> String {
    let first_word = text.split([' ', ',']).next().unwrap_or(text);
    let further_capital = first_word.chars().skip(1).any(char::is_uppercase);
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if !further_capital => first.to_lowercase().chain(characters).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (raw, wanted) in [
            ("WENDY'S", "Wendy's"),
            ("M&M'S", "M&M's"),
            ("O'BRIEN POTATOES", "O'Brien Potatoes"),
            ("MAC & CHEESE WITH BBQ SAUCE", "Mac & Cheese with BBQ Sauce"),
            ("THE BEST OF THE WEST", "The Best of the West"),
            ("MCCORMICK 15OZ", "McCormick 15oz"),
            ("SMOKIN' GOOD", "Smokin' Good"),
            ("NON-GMO S'MORES", "Non-GMO S'mores"),
            ("CRÈME FRAÎCHE", "Crème Fraîche"),
        ] {
            assert_eq!(title(raw), wanted);
        }
    }

    #[test]
    fn calm_leaves_chosen_capitals() {
        assert_eq!(calm("McDONALD'S Big Mac"), "McDonald's Big Mac");
        assert_eq!(calm("CREAM OF WHEAT"), "Cream of Wheat");
        assert_eq!(calm("with DHA and ARA"), "with DHA and ARA");
    }
}
