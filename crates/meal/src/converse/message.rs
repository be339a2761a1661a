//! What a person sends: texts, photos, foods by their ids, and corrections of single items.

use std::fmt;

use nutrition::sighting::PhotoSightings;

/// The largest quantity of a food; above that it is a slip.
pub const MAX_QUANTITY: f64 = 100_000.0;
/// The most characters of a unit.
pub const MAX_UNIT_CHARS: usize = 100;

/// A message of a person.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// What it says, in order. Texts and photos next to each other are read together.
    pub parts: Vec<MessagePart>,
}

/// A piece of a message.
#[derive(Clone, Debug)]
pub enum MessagePart {
    /// Words.
    Text(String),
    /// What was recognized in a photo.
    Photo(PhotoSightings),
    /// A food that was eaten.
    Food(FoodPart),
    /// A change of an item that is already there.
    Correction(CorrectionPart),
}

impl MessagePart {
    /// Returns the words.
    pub fn text(&self) -> Option<&str> {
        match self {
            MessagePart::Text(text) => Some(text),
            MessagePart::Photo(_) | MessagePart::Food(_) | MessagePart::Correction(_) => None,
        }
    }
}

/// A food of the catalog or a recipe of the caller, named by its id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoodPart {
    /// The id of the food or recipe.
    pub food_id: String,
    /// How many units; 1 if absent.
    pub quantity: Option<f64>,
    /// A measure that texts understand; the usual serving if absent.
    pub unit: Option<String>,
}

/// Another food or another amount for one of the items so far. What is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CorrectionPart {
    /// The number of the item, counted from 1.
    pub item: usize,
    /// The id of the food or recipe that it really is.
    pub food_id: Option<String>,
    /// How many units; 0 removes the item.
    pub quantity: Option<f64>,
    /// The unit.
    pub unit: Option<String>,
}

/// A part of a message that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedPart {
    /// The index of the message.
    pub message: usize,
    /// The index of the part in the message.
    pub part: usize,
    /// What is wrong with it.
    pub reason: PartRefusal,
}

/// What is wrong with a part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRefusal {
    /// Neither the catalog nor the recipes have the id.
    UnknownFood,
    /// There are only so many items.
    UnknownItem {
        /// How many there are.
        items: usize,
    },
    /// The quantity is not a number from 0 to [`MAX_QUANTITY`], or 0 where nothing can be removed.
    BadQuantity,
    /// The unit is empty, too long, or not a measure of the food.
    UnknownUnit,
    /// The correction changes nothing.
    NoChange,
}

impl Message {
    /// A text with photos beside it.
    pub fn with_photos(text: String, photos: Vec<PhotoSightings>) -> Self {
        let photos = photos.into_iter().map(MessagePart::Photo);
        Self { parts: photos.chain([MessagePart::Text(text)]).collect() }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { parts: vec![MessagePart::Text(text)] }
    }
}

impl FoodPart {
    /// Checks what does not depend on the food.
    pub fn check(&self) -> Result<(), PartRefusal> {
        check_amount(self.quantity, self.unit.as_deref())?;
        if self.quantity == Some(0.0) { Err(PartRefusal::BadQuantity) } else { Ok(()) }
    }
}

impl CorrectionPart {
    /// Checks what does not depend on the items so far.
    pub fn check(&self) -> Result<(), PartRefusal> {
        check_amount(self.quantity, self.unit.as_deref())?;
        let is_change = self.food_id.is_some() || self.quantity.is_some() || self.unit.is_some();
        if is_change { Ok(()) } else { Err(PartRefusal::NoChange) }
    }
}

fn check_amount(quantity: Option<f64>, unit: Option<&str>) -> Result<(), PartRefusal> {
    // Not a number is in no range.
    if quantity.is_some_and(|quantity| !(0.0..=MAX_QUANTITY).contains(&quantity)) {
        return Err(PartRefusal::BadQuantity);
    }
    let is_bad = |unit: &str| unit.trim().is_empty() || unit.chars().count() > MAX_UNIT_CHARS;
    if unit.is_some_and(is_bad) { Err(PartRefusal::UnknownUnit) } else { Ok(()) }
}

impl fmt::Display for RefusedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of message {} {}", self.part + 1, self.message + 1, self.reason)
    }
}

impl std::error::Error for RefusedPart {}

impl fmt::Display for PartRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFood => f.write_str("names a food that is not known"),
            Self::UnknownItem { items } => write!(f, "corrects an item that is not there; there are {items}"),
            Self::BadQuantity => write!(f, "has a quantity that is not between 0 and {MAX_QUANTITY}"),
            Self::UnknownUnit => f.write_str("has a unit that is not a measure of the food"),
            Self::NoChange => f.write_str("changes nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_and_units_have_limits() {
        let food = |quantity: f64| FoodPart { quantity: Some(quantity), ..FoodPart::default() }.check();
        for quantity in [1e-9, 1.5, MAX_QUANTITY] {
            assert_eq!(food(quantity), Ok(()));
        }
        for quantity in [0.0, -1.0, MAX_QUANTITY + 1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(food(quantity), Err(PartRefusal::BadQuantity), "{quantity}");
        }
        let unit = |unit: String| FoodPart { unit: Some(unit), ..FoodPart::default() }.check();
        assert_eq!(unit("é".repeat(MAX_UNIT_CHARS)), Ok(()));
        assert_eq!(unit("é".repeat(MAX_UNIT_CHARS + 1)), Err(PartRefusal::UnknownUnit));
        assert_eq!(unit(" ".to_owned()), Err(PartRefusal::UnknownUnit));
    }

    #[test]
    fn a_correction_must_change_something_and_may_remove() {
        let nothing = CorrectionPart { item: 1, ..CorrectionPart::default() };
        assert_eq!(nothing.check(), Err(PartRefusal::NoChange));
        assert_eq!(CorrectionPart { quantity: Some(0.0), ..nothing.clone() }.check(), Ok(()));
        assert_eq!(CorrectionPart { unit: Some("g".to_owned()), ..nothing }.check(), Ok(()));
    }
}
