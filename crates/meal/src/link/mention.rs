//! A mention: the words of one food.

use std::sync::Arc;

use foods::Food;

use super::phrase::Link;
use super::seen::Seen;
use crate::read::segment::{Joint, Quantity, SegmentWord, required};
use crate::translate::foreign_words;

/// Words that are one food, with its amount.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    /// How it is joined to the food before it.
    pub joint: Joint,
    /// How much of it.
    pub quantity: Quantity,
    pub words: Vec<SegmentWord>,
    /// The positions of the words that may be the head.
    pub heads: Vec<usize>,
    /// The foods it may be, best first; empty if nothing fits.
    pub links: Vec<Link>,
    /// What was said to be left out of it, in the singular.
    pub without: Vec<String>,
    /// Its parts that are told with amounts of their own, in the singular.
    pub told_apart: Vec<String>,
    /// The food that it is, if that was said by its id; then the links are only what else it may have been.
    pub named: Option<Arc<Food>>,
    /// The photo it was seen in, if it was not typed.
    pub seen: Option<Arc<Seen>>,
}

impl Mention {
    /// Words without an amount that are not linked to foods.
    pub fn of_words(words: Vec<SegmentWord>) -> Self {
        let quantity = Quantity::default();
        Self {
            joint: Joint::Start,
            quantity,
            words,
            heads: Vec::new(),
            links: Vec::new(),
            without: Vec::new(),
            told_apart: Vec::new(),
            named: None,
            seen: None,
        }
    }

    /// Returns the words that say what it is.
    pub fn required_words(&self) -> Vec<&str> {
        required(&self.words).map(|word| word.word.as_str()).collect()
    }

    /// Returns the words that say what it is, as one text.
    pub fn required_text(&self) -> String {
        foreign_words::unmarked(&self.required_words().join(" "))
    }

    /// Checks whether it may have been added to the food before it: it has no amount of its own. A size that says which food it
    /// is ("whole milk") is none.
    pub fn may_be_added(&self) -> bool {
        let quantity = &self.quantity;
        let has_amount = quantity.is_explicit() || quantity.amount.is_some() || quantity.container.is_some();
        matches!(self.joint, Joint::With | Joint::And) && !has_amount && !quantity.is_stated() && !quantity.has_size()
    }

    /// Returns how many units of it there are.
    pub fn count(&self) -> f64 {
        self.quantity.amount.map_or(1.0, |amount| amount.value)
    }

    /// Checks whether it was counted or measured, if only by "a": then it is something to eat.
    pub fn is_counted(&self) -> bool {
        self.quantity.amount.is_some() || self.quantity.unit.is_some()
    }
}
