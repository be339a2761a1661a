//! From a table's entry or a label's capitals to a name that reads naturally.
//!
//! - [`usda`]: "Fish, salmon, sockeye, cooked" is "Sockeye salmon, cooked".
//! - [`branded`]: "CHOBANI, GREEK YOGURT, VANILLA" is "Greek Yogurt, Vanilla" by "Chobani".
//! - [`synonyms`]: which of a table's remarks are other names of the food.
//!
//! The rules speak of words, never of single foods; the words are in the text files next to this one.

mod branded;
mod brands;
mod case;
mod synonyms;
mod usda;
mod vocabulary;

use std::collections::HashSet;

pub use branded::{Branded, brand, branded, product};
pub use brands::BrandHeads;
pub use synonyms::{common_names, synonyms};
pub use usda::{is_default, usda};

/// The entries of a word list: one a line or several with commas between, `#` starts a remark.
fn words(list: &'static str) -> HashSet<&'static str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|word| !word.is_empty()).collect()
}

/// The parts between commas, where commas inside brackets do not count; none of them empty, all trimmed.
fn segments(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(6);
    let (mut start, mut depth) = (0, 0_u32);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    if depth > 0 {
        // A bracket that is never closed would swallow the rest.
        parts = text.split(',').map(str::trim).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The text with every run of white space as one space.
fn single_spaced(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commas_in_brackets_do_not_split() {
        assert_eq!(segments("a, b (c, d), e,, "), ["a", "b (c, d)", "e"]);
        assert_eq!(segments("a (b, c"), ["a (b", "c"]);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_nothing_with_letters_becomes_empty(text in "\\PC{0,80}") {
            let heads = BrandHeads::new();
            let has_letters = text.chars().any(char::is_alphanumeric);
            for name in [usda(&text), branded(&text, &heads).name, product(&text, Some("ab"))] {
                prop_assert!(!has_letters || !name.is_empty());
            }
            let _ = (synonyms(&text), brand(&text, ""), is_default(&text));
        }
    }

    #[test]
    fn long_input_is_fine() {
        let long = "Ünïcode, (NFS ".repeat(1000);
        assert!(!usda(&long).is_empty());
        assert!(!branded(&long, &BrandHeads::new()).name.is_empty());
    }
}
