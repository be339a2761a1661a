//! What photo recognition reports.

use std::sync::Arc;

use super::label::Label;
use crate::link::seen::By;

/// What was seen in one photo.
pub type Photo = Vec<Sighting>;

/// Something seen in a photo.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighting {
    /// The number of a bar code.
    Barcode(u64),
    /// The numbers of a printed table.
    Label(Label),
    /// A dish: what it may be, the likeliest first.
    Dish {
        /// In words as a person would say them, with an amount where one was seen: "2 fried eggs".
        guesses: Vec<Guess>,
        /// Who saw it.
        by: By,
        /// Why nobody better saw it, in words for people.
        note: Option<Arc<str>>,
    },
}

/// What a dish may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The words.
    pub words: String,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
}
