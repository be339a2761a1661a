//! What a clause says of one food: its words and its amount.

use crate::lexicon::Lexicon;
use crate::read::segment::{Joint, Quantity, SegmentWord, required};
use crate::read::split;
use crate::read::token::Token;

/// The most words of a description; no name of a food has nearly as many.
const MAX_WORDS: usize = 64;

/// Words and an amount, without the food that they may be.
#[derive(Clone, Debug, Default)]
pub(super) struct FoodDescription {
    pub words: Vec<SegmentWord>,
    pub quantity: Quantity,
}

impl FoodDescription {
    /// Reads tokens as one food, whatever separates them.
    pub fn read(tokens: &[Token], lexicon: &Lexicon) -> Self {
        let mut read = Self::default();
        for segment in split::segments(tokens, lexicon) {
            if segment.joint == Joint::Aside && !segment.starts {
                continue;
            }
            for word in segment.words {
                if read.words.len() < MAX_WORDS && !read.has(&word.word) {
                    read.words.push(word);
                }
            }
            if !read.quantity.is_explicit() {
                let sizes = std::mem::take(&mut read.quantity.sizes);
                read.quantity = segment.quantity;
                read.quantity.sizes.extend(sizes);
            }
        }
        read
    }

    /// Returns the words that say which food is meant.
    pub fn required(&self) -> impl DoubleEndedIterator<Item = &str> {
        required(&self.words).map(|word| word.word.as_str())
    }

    /// Checks whether it says which food is meant.
    pub fn names_food(&self) -> bool {
        self.required().next().is_some()
    }

    /// Returns the position of the head: the word that says what the food is.
    pub fn head(&self) -> Option<usize> {
        self.words.iter().rposition(|word| !word.optional)
    }

    /// Returns the word that says what the food is.
    pub fn head_word(&self) -> Option<&str> {
        self.required().next_back()
    }

    /// Checks whether it has a word.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known.word == word)
    }

    /// Checks whether it says how many or how large.
    pub fn says_how_much(&self) -> bool {
        self.quantity.is_explicit() || !self.quantity.sizes.is_empty()
    }

    /// Checks whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.says_how_much()
    }
}
