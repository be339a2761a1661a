//! Segments: runs of words, their amount, and how they are joined to the words before.

use nutrition::Macros;

use super::amount::Amount;
use crate::lexicon::{Measure, Role, measure, roles_in_any_language};

/// How a segment is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
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

/// What announces that a segment begins a list of what the food before it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListOpening {
    /// A colon: "smoothie: 1 banana, 1 cup milk".
    Colon,
    /// "made with", "from", or "of" before an amount.
    Made,
    /// "with", which may as well add something.
    With,
}

/// A word of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SegmentWord {
    /// Folded and in the singular, as in the catalog.
    pub word: String,
    /// It need not be in the food's name.
    pub optional: bool,
    /// It is denied: the "sugar" of "no sugar".
    pub negated: bool,
}

impl SegmentWord {
    /// A word that the name of the food should have.
    pub fn required(word: String) -> Self {
        Self { word, optional: false, negated: false }
    }
}

/// Returns the words that the name of the food should have.
pub(crate) fn required(words: &[SegmentWord]) -> impl DoubleEndedIterator<Item = &SegmentWord> {
    words.iter().filter(|word| !word.optional)
}

/// The measure of what is usually eaten.
const SERVING: &str = "serving";

/// An amount of food.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is said of an amount by itself")]
pub(crate) struct Quantity {
    /// How many.
    pub amount: Option<Amount>,
    /// The name of the unit as people write it: "g", "cup", "slice".
    pub unit: Option<String>,
    /// What the unit stands for.
    pub measure: Option<Measure>,
    /// Words such as "large" or "thick".
    pub sizes: Vec<String>,
    /// The size of the container: the "12 fl oz" of a "12 fl oz can".
    pub container: Option<Measure>,
    /// That size is in ounces, which are fluid ounces if it is a drink.
    pub container_in_ounces: bool,
    /// A length in inches.
    pub inches: Option<f64>,
    /// It stands behind the food.
    pub trailing: bool,
    /// It is the amount of each of several.
    pub each: bool,
    /// What the eater says that it has.
    pub stated: StatedNumbers,
    /// It is named in the plural.
    pub is_plural: bool,
}

/// What the eater knows of a food better than any table: "190 kcal", "9 g fat".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StatedNumbers {
    /// The numbers that are stated.
    pub numbers: Macros<Option<f64>>,
    /// They are those of each of several.
    pub each: bool,
}

impl Quantity {
    /// Checks whether nothing says how many, but they are named in the plural.
    pub fn are_several(&self) -> bool {
        self.is_plural && self.amount.is_none()
    }

    /// Checks whether there is a number or a unit, so that this must be a food of its own.
    pub fn is_explicit(&self) -> bool {
        self.amount.is_some_and(|amount| amount.explicit) || self.unit.is_some()
    }

    /// Multiplies the amount; without one, it becomes a share of the usual amount.
    pub fn multiply(&mut self, factor: f64) {
        if self.amount.is_none() && self.unit.is_none() && self.sizes.is_empty() {
            // "half of the fries" is not half a fry.
            self.unit = Some(SERVING.to_owned());
            self.measure = measure(SERVING).cloned();
        }
        let amount = self.amount.get_or_insert(Amount::explicit(1.0));
        amount.value *= factor;
        amount.explicit = true;
        amount.range = amount.range.map(|(low, high)| (low * factor, high * factor));
    }

    /// Checks whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.amount.is_none()
            && self.unit.is_none()
            && self.sizes.is_empty()
            && self.container.is_none()
            && !self.is_stated()
    }

    /// Checks whether there is a size that says how much, and not which food: "whole milk" is no large amount of it.
    pub fn has_size(&self) -> bool {
        !self.sizes.iter().all(|size| roles_in_any_language(size).has(Role::Kind))
    }

    /// Checks whether it is a mass or a volume.
    pub fn says_how_much(&self) -> bool {
        matches!(self.measure, Some(Measure::Mass(_) | Measure::Volume(_))) || self.container.is_some()
    }

    /// Checks whether the eater says what it has.
    pub fn is_stated(&self) -> bool {
        self.stated.numbers != Macros::default()
    }
}

/// A run of words with its amount.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is said of a segment by itself")]
pub(crate) struct Segment {
    /// How it is joined to the one before it.
    pub joint: Joint,
    /// It begins a sentence, a line or the text.
    pub starts: bool,
    /// How much of it.
    pub quantity: Quantity,
    pub words: Vec<SegmentWord>,
    /// It is denied by "no" or "without".
    pub negated: bool,
    /// The share of it that was eaten, or of the food before it if it names none.
    pub share: Option<f64>,
    /// The share that was eaten of a meal that it may be a part of. It counts if it is a food of its own.
    pub share_of_meal: Option<f64>,
    /// It begins a list of what the food before it is made of.
    pub opens_list: Option<ListOpening>,
    /// It is in a text that only lists foods, so that every noun is one.
    pub terse: bool,
    /// It says again, and right, how much of the food before it there was, or which it was.
    pub corrects: bool,
}

impl Segment {
    pub(crate) fn new(joint: Joint) -> Self {
        Self {
            joint,
            starts: joint == Joint::Start,
            quantity: Quantity::default(),
            words: Vec::new(),
            negated: false,
            share: None,
            share_of_meal: None,
            opens_list: None,
            terse: false,
            corrects: false,
        }
    }

    /// Checks whether it may name a food.
    pub(crate) fn has_required_words(&self) -> bool {
        required(&self.words).next().is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.quantity.is_empty() && self.share.is_none()
    }
}
