//! Words that are one food.

use std::sync::Arc;

use super::phrase::Link;
use super::seen::Seen;
use crate::read::segment::{Joint, Quantity, SegmentWord};

/// Words that are one food, with the amount that was said for it.
#[derive(Clone, Debug)]
pub struct Mention {
    /// How it is joined to the food before it.
    pub joint: Joint,
    /// How much.
    pub quantity: Quantity,
    /// The words.
    pub words: Vec<SegmentWord>,
    /// Where those stand that may say what the food is.
    pub heads: Vec<usize>,
    /// The foods it may be, best first; empty when nothing fits.
    pub links: Vec<Link>,
    /// It was seen in a photo, not said.
    pub seen: Option<Arc<Seen>>,
}

impl Mention {
    /// The words that tell what it is.
    pub(crate) fn telling(&self) -> String {
        let words: Vec<&str> = self.words.iter().filter(|word| !word.optional).map(|word| word.word.as_str()).collect();
        words.join(" ")
    }

    /// Whether it may have been added to the food before it: nothing was said of how much.
    pub(crate) fn may_be_added(&self) -> bool {
        matches!(self.joint, Joint::With | Joint::And) && self.quantity.is_empty()
    }
}
