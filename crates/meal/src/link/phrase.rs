//! A phrase, which may be one food, and a link from it to a food of the catalog.

use crate::read::segment::SegmentWord;

/// Words that may be one food.
#[derive(Clone, Debug)]
pub(crate) struct Phrase<'a> {
    /// The words, each once.
    pub words: &'a [SegmentWord],
    /// The positions of the words that may be the head: the one that says what the food is.
    pub heads: Vec<usize>,
    /// How many of the words are from the first segment. If there are more, the food must have one of these.
    pub first: usize,
}

impl<'a> Phrase<'a> {
    /// A phrase of one segment, whose last word is its head.
    pub fn of(words: &'a [SegmentWord]) -> Self {
        Self { words, heads: vec![words.len().saturating_sub(1)], first: words.len() }
    }

    /// Checks whether the words come from several segments.
    pub fn is_joined(&self) -> bool {
        self.first < self.words.len()
    }
}

/// A food that a phrase may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// The food's number in the layer.
    pub food: u32,
    /// How well it fits.
    pub score: f32,
    /// The share of the phrase's idf that the name covers.
    pub covered: f32,
    /// Which words of the phrase the name has.
    pub matched: MatchedWords,
    /// The number of the name that matched.
    pub name: u32,
    /// The common food whose everyday name the phrase is, if it is one.
    pub common: Option<u32>,
}

impl Link {
    /// The number in place of a name that is not in the index.
    pub const NOT_INDEXED: u32 = u32::MAX;

    /// A food that is named by something else than a name of the index.
    pub fn of_name(food: u32) -> Self {
        Self { food, score: 0.0, covered: 1.0, matched: MatchedWords::Rewritten, name: Self::NOT_INDEXED, common: None }
    }

    /// Checks whether the food was found by something else than a name of the index: by a word in another language, or by the
    /// whole name of a food that USDA's tables lack.
    pub fn is_outside_index(&self) -> bool {
        self.name == Self::NOT_INDEXED
    }

    /// Checks whether the name has the word at a position of the phrase.
    pub fn has(&self, at: usize) -> bool {
        match self.matched {
            MatchedWords::Rewritten => true,
            MatchedWords::Bits(bits) => bits & word_bit(at) != 0,
        }
    }
}

/// Which words of a phrase a name has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchedWords {
    /// Other words were looked up instead (a synonym, or two words written as one), so that all count as matched.
    Rewritten,
    /// A bit for each position.
    Bits(u64),
}

/// Returns the bit of a position in [`MatchedWords::Bits`]; positions from the sixty-fourth on have none.
pub(crate) fn word_bit(at: usize) -> u64 {
    1u64.checked_shl(at as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_words_whose_bits_are_set() {
        let link = |matched| Link { food: 0, score: 0.0, covered: 0.0, matched, name: 0, common: None };
        let some = link(MatchedWords::Bits(word_bit(0) | word_bit(3)));
        assert_eq!((0..5).filter(|&at| some.has(at)).collect::<Vec<_>>(), [0, 3]);
        assert!(!link(MatchedWords::Bits(u64::MAX)).has(64), "more words than bits");
        assert!(link(MatchedWords::Rewritten).has(200));
    }
}
