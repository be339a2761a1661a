//! Words that may be one food, and a food that they may mean.

use crate::read::segment::SegmentWord;

/// Words that may be one food.
#[derive(Clone, Debug)]
pub struct Phrase<'a> {
    /// The words, each once.
    pub words: &'a [SegmentWord],
    /// Where those stand that may say what the food is.
    pub heads: Vec<usize>,
    /// How many of the words are from the first segment. Where there are more, the food has one of those.
    pub first: usize,
}

impl<'a> Phrase<'a> {
    /// Words of one segment, of which the last says what the food is.
    pub(crate) fn of(words: &'a [SegmentWord]) -> Self {
        Self { words, heads: vec![words.len().saturating_sub(1)], first: words.len() }
    }

    pub(crate) fn is_joined(&self) -> bool {
        self.first < self.words.len()
    }
}

/// A food that a phrase may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The food's number in the layer.
    pub food: u32,
    /// How well it fits.
    pub score: f32,
    /// The share of what the phrase tells that the name has.
    pub covered: f32,
    /// Which words of the phrase the name has, a bit each.
    pub matched: u64,
    pub(crate) name: u32,
}
