//! The words that stand for foods which a text names exactly, in the language of a national table or by an everyday name that
//! the rules would lose: one each, which no one can type.

use super::dish_words;

/// Begins the word that stands for a food. No text has it: words are made of letters.
const MARK: char = '\u{e003}';

/// A food that a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedFood {
    /// Its number in the layer.
    pub food: u32,
    /// The number of the common food, if it was named by an everyday name.
    pub common: Option<u32>,
}

impl NamedFood {
    /// Returns the word that stands for it.
    pub fn word(self) -> String {
        let common = self.common.map(|number| format!(":{number}")).unwrap_or_default();
        format!("{MARK}{}{common}", self.food)
    }

    /// Returns the food that a word stands for.
    pub fn of_word(word: &str) -> Option<Self> {
        let numbers = word.strip_prefix(MARK)?;
        let (food, common) = numbers.split_once(':').map_or((numbers, None), |(food, common)| (food, Some(common)));
        Some(Self { food: food.parse().ok()?, common: common.and_then(|common| common.parse().ok()) })
    }
}

/// Checks whether a word stands for a food or a dish of the catalog.
pub(crate) fn stands_for_food(word: &str) -> bool {
    NamedFood::of_word(word).is_some() || dish_words::of_word(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_its_food() {
        for food in [NamedFood { food: 7, common: None }, NamedFood { food: 7, common: Some(12) }] {
            assert_eq!(NamedFood::of_word(&food.word()), Some(food));
        }
        assert_eq!(NamedFood::of_word("egg"), None);
    }
}
