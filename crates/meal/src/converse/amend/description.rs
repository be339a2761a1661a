//! Words and an amount of a clause.

use crate::lexicon::Lexicon;
use crate::read::segment::{Joint, Quantity, SegmentWord};
use crate::read::split;
use crate::read::token::Token;

/// Words and an amount of a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct FoodDescription {
    pub words: Vec<SegmentWord>,
    pub quantity: Quantity,
}

impl FoodDescription {
    /// Reads tokens as one food, whatever separates them.
    pub fn read(tokens: &[Token], lexicon: &Lexicon) -> Self {
        let mut said = Self::default();
        for segment in split::segments(tokens, lexicon) {
            if segment.joint == Joint::Aside && !segment.starts {
                continue;
            }
            for word in segment.words {
                if !said.words.iter().any(|known| known.word == word.word) {
                    said.words.push(word);
                }
            }
            if !said.quantity.is_explicit() {
                let sizes = std::mem::take(&mut said.quantity.sizes);
                said.quantity = segment.quantity;
                said.quantity.sizes.extend(sizes);
            }
        }
        said
    }

    /// The words that tell which food is meant.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| !word.optional).map(|word| word.word.as_str())
    }

    /// Where the word stands that may say what the food is.
    pub fn head(&self) -> Option<usize> {
        self.words.iter().rposition(|word| !word.optional)
    }

    pub fn head_word(&self) -> Option<&str> {
        self.required().last()
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known.word == word)
    }

    pub fn says_how_much(&self) -> bool {
        self.quantity.is_explicit() || !self.quantity.sizes.is_empty()
    }
}
