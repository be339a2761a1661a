//! From a table's entry or a label's capitals to a name that reads naturally.
//!
//! - [`usda`]: "Fish, salmon, sockeye, cooked" is "Sockeye salmon, cooked".
//! - [`branded`]: "CHOBANI, GREEK YOGURT, VANILLA" is "Greek Yogurt, Vanilla" by "Chobani".
//! - [`synonyms`]: which of a table's remarks are other names of the food.
//!
//! The rules are about words, never about single foods; the words are in the text files next to this one.

mod branded;
mod brands;
mod usda;
mod vocabulary;
mod synonyms;
mod case;
mod lists;

pub use branded::{Branded, brand, branded, product};
pub use brands::BrandHeads;
pub use synonyms::{common_names, synonyms};
pub use usda::{is_default, usda};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
