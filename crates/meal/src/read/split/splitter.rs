//! How far a text has been split.

use crate::lexicon::Lexicon;
use crate::read::segment::Segment;
use crate::read::token::Token;

/// A text that is being split into segments.
pub(super) struct Splitter<'a> {
    pub tokens: &'a [Token],
    pub lexicon: &'a Lexicon,
    pub at: usize,
    pub out: Vec<Segment>,
    pub current: Segment,
}
