//! What was seen in photos becomes parts of a meal.

pub(crate) mod sightings;
pub(crate) mod views;

mod label;
