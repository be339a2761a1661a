//! The photo that a part of a meal was seen in.

use std::sync::Arc;

use foods::Food;
use nutrition::sighting::{Region, SeenBy};

/// How a part of a meal was seen in a photo.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The number of the photo, counted from 1.
    pub photo: usize,
    /// What recognized it.
    pub by: SeenBy,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
    /// Why it was not recognized by something better.
    pub note: Option<Arc<str>>,
    /// What to ask if it is not clear what it is: "dosa or crepe?"
    pub question: Option<String>,
    /// Where it is in the photo, if that is known.
    pub region: Option<Region>,
    /// The food of a package; that of a dish follows from its words.
    pub(crate) food: Option<Food>,
    /// Whether its mass is known; a label may not have it.
    pub(crate) has_mass: bool,
    /// Whether one of its numbers was derived from the others.
    pub(crate) is_derived: bool,
    /// Other foods that it may be, with their confidence.
    pub(crate) others: Vec<(Food, f32)>,
}

impl Seen {
    pub(crate) fn new(photo: usize, by: SeenBy) -> Self {
        let (has_mass, is_derived) = (true, false);
        Self {
            photo,
            by,
            confidence: 1.0,
            note: None,
            question: None,
            region: None,
            food: None,
            has_mass,
            is_derived,
            others: Vec::new(),
        }
    }

    /// Checks whether it was made from a label, so that words about it name it and do not replace it.
    pub(crate) fn is_label(&self) -> bool {
        self.by == SeenBy::Label
    }

    /// Returns the same with another name.
    pub(crate) fn renamed(&self, name: &str) -> Self {
        let mut renamed = self.clone();
        let mut letters = name.chars();
        if let (Some(food), Some(first)) = (&mut renamed.food, letters.next()) {
            food.name = first.to_uppercase().chain(letters).collect();
        }
        renamed
    }

    /// Checks whether it is a package, whose food is certain; a dish is only what it looks like.
    pub(crate) fn is_fixed(&self) -> bool {
        self.food.is_some()
    }

    /// Checks whether the grams of the item mean something.
    pub fn knows_mass(&self) -> bool {
        self.has_mass
    }
}
