//! Flavors that stand before the name of a product: "birthday cake Oreos".

use foldhash::{HashMap, HashSet};
use foods::products::Flavor;

use super::maker_words::key;
use super::token::{Token, tokens};

/// The most words of a flavor.
const MAX_WORDS_OF_FLAVOR: usize = 5;
/// The most flavors of one product: "chocolate peanut butter cookie dough".
const MAX_FLAVORS: usize = 3;

/// The flavors of products.
#[derive(Debug, Default)]
pub(super) struct Flavors {
    /// All their words.
    words: HashSet<String>,
    /// Each with its words in the singular, and whether no drink has it.
    phrases: HashMap<Vec<String>, bool>,
}

impl Flavors {
    /// Adds a flavor, and returns its words in the singular.
    pub fn add(&mut self, flavor: Flavor) -> Vec<String> {
        let words: Vec<String> = tokens(flavor.text).iter().filter_map(key).collect();
        self.words.extend(words.iter().cloned());
        self.phrases.insert(words.clone(), flavor.is_of_foods);
        words
    }

    /// Checks whether a flavor has a word.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Returns where the flavors begin that end at a token, and not before `from`: each is the longest that ends there. A "pizza
    /// fanta" has none.
    pub fn start_before(&self, text: &[Token], end: usize, from: usize, is_drink: bool) -> Option<usize> {
        let mut start = end;
        for _ in 0..MAX_FLAVORS {
            let first = from.max(start.saturating_sub(MAX_WORDS_OF_FLAVOR));
            let longest = (first..start).find(|&at| self.is_flavor(&text[at..start], is_drink));
            let Some(longest) = longest else { break };
            start = longest;
        }
        (start < end).then_some(start)
    }

    fn is_flavor(&self, words: &[Token], is_drink: bool) -> bool {
        let said: Vec<String> = words.iter().filter_map(key).collect();
        let is_of_foods = self.phrases.get(&said).filter(|_| said.len() == words.len());
        is_of_foods.is_some_and(|is_of_foods| !(is_drink && *is_of_foods))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_flavors_before_a_name_are_found() {
        let mut flavors = Flavors::default();
        for flavor in ["key lime pie", "lime", "cookies and cream", "chocolate", "peanut butter"] {
            flavors.add(Flavor { text: flavor, is_of_foods: false });
        }
        flavors.add(Flavor { text: "pizza", is_of_foods: true });
        let before_last = |text: &str| {
            let text = tokens(text);
            flavors.start_before(&text, text.len() - 1, 0, false)
        };
        assert_eq!(before_last("a key lime pie yoplait"), Some(1));
        assert_eq!(before_last("cookies and cream quest"), Some(0));
        assert_eq!(before_last("2 chocolate peanut butter rxbars"), Some(1));
        assert_eq!(before_last("apple pie larabar"), None);
        assert_eq!(before_last("chocolate, larabar"), None);
        assert_eq!(before_last("pizza pringles"), Some(0));
        assert_eq!(flavors.start_before(&tokens("pizza fanta"), 1, 0, true), None);
    }
}
