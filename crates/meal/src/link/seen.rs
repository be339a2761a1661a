//! That a part of a meal was seen in a photo, and how.

use std::sync::Arc;

use foods::Food;
use nutrition::sighting::SeenBy;

/// That a part of a meal was seen, and how.
#[derive(Clone, Debug)]
pub struct Seen {
    /// In which of the photos, counted from 1.
    pub photo: usize,
    /// How.
    pub by: SeenBy,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
    /// Why nobody better saw it.
    pub note: Option<Arc<str>>,
    /// The food, where it does not follow from words.
    pub(crate) food: Option<Food>,
    /// Whether what it weighs is known; a label may not tell.
    pub(crate) has_mass: bool,
    /// Whether a number of it follows from the others.
    pub(crate) is_derived: bool,
    /// Other foods that it may be.
    pub(crate) others: Vec<(Food, f32)>,
}

impl Seen {
    pub(crate) fn new(photo: usize, by: SeenBy) -> Self {
        let (has_mass, is_derived) = (true, false);
        Self { photo, by, confidence: 1.0, note: None, food: None, has_mass, is_derived, others: Vec::new() }
    }

    /// Whether it was made from a label, so that words about it name it and do not replace it.
    pub(crate) fn is_label(&self) -> bool {
        self.by == SeenBy::Label
    }

    /// The same by another name.
    pub(crate) fn renamed(&self, name: &str) -> Self {
        let mut renamed = self.clone();
        let mut letters = name.chars();
        if let (Some(food), Some(first)) = (&mut renamed.food, letters.next()) {
            food.name = first.to_uppercase().chain(letters).collect();
        }
        renamed
    }

    /// Whether the food stands whatever words say of it; a dish is only what it looks like.
    pub(crate) fn is_fixed(&self) -> bool {
        self.food.is_some()
    }

    /// Whether the grams of an item mean something.
    pub fn knows_mass(&self) -> bool {
        self.has_mass
    }
}
