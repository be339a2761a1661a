//! What a segment is: words, how much was said of them, how they are joined to the words before.

use super::amount::Amount;
use crate::lexicon::Measure;

/// How a segment is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// It begins a sentence, a line or the text.
    Start,
    /// A comma.
    Comma,
    /// "and", "plus".
    And,
    /// "with", "topped with".
    With,
    /// "on", "in", "over": what follows may be part of the food or another food.
    Preposition,
    /// "for", "to", "at", "from": what follows is seldom a food.
    Aside,
    /// Nothing but an amount: "2 eggs 1 banana".
    Amount,
    /// A bracket.
    Bracket,
}

/// A word of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SegmentWord {
    /// Folded and singular, as the catalog has it.
    pub word: String,
    /// It need not be in the food's name.
    pub optional: bool,
    /// It was said not to be there: "no sugar".
    pub negated: bool,
}

/// How much was said of a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    /// How many.
    pub amount: Option<Amount>,
    /// The unit's name as people write it: "g", "cup", "slice".
    pub unit: Option<String>,
    /// What the unit stands for.
    pub measure: Option<Measure>,
    /// Words such as "large" or "thick".
    pub sizes: Vec<String>,
    /// The size of the container: the "12 fl oz" of a "12 fl oz can".
    pub container: Option<Measure>,
    /// That size was said in ounces, which are fluid ounces of a drink.
    pub container_in_ounces: bool,
    /// A length in inches.
    pub inches: Option<f64>,
    /// It was said behind the food.
    pub trailing: bool,
    /// It is the amount of each of several.
    pub each: bool,
}

impl Quantity {
    /// Whether a number or a unit was said, so that this must be a food of its own.
    pub fn is_said(&self) -> bool {
        self.amount.is_some_and(|amount| amount.said) || self.unit.is_some()
    }

    /// Whether nothing was said at all.
    pub fn is_empty(&self) -> bool {
        self.amount.is_none() && self.unit.is_none() && self.sizes.is_empty() && self.container.is_none()
    }
}

/// A run of words with its amount.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// How it is joined to the one before.
    pub joint: Joint,
    /// It begins a sentence, a line or the text.
    pub starts: bool,
    /// How much.
    pub quantity: Quantity,
    /// What.
    pub words: Vec<SegmentWord>,
    /// "no", "without".
    pub negated: bool,
    /// It stands in a text that lists foods and tells no story, so that every noun is one.
    pub terse: bool,
}

impl Segment {
    pub(crate) fn new(joint: Joint) -> Self {
        Self {
            joint,
            starts: joint == Joint::Start,
            quantity: Quantity::default(),
            words: Vec::new(),
            negated: false,
            terse: false,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.quantity.is_empty()
    }
}
