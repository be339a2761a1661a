//! What was seen in a photo, before it is known which food that is and how much it weighs.

use std::sync::Arc;

use crate::Macros;

/// Everything that was seen in one photo.
pub type PhotoSightings = Vec<Sighting>;

/// Something seen in a photo.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighting {
    /// A bar code.
    Barcode {
        /// Its number.
        gtin: u64,
        /// Where it is.
        region: Option<Region>,
    },
    /// A table of nutrition facts.
    Label {
        /// What is printed.
        label: Label,
        /// Where it is.
        region: Option<Region>,
    },
    /// A food or dish.
    Dish {
        /// What it may be, the most likely first. The confidences add up to at most 1.
        guesses: Vec<Guess>,
        /// What recognized it.
        by: SeenBy,
        /// Why it was not recognized by something better, in words for people.
        note: Option<Arc<str>>,
        /// Where it is, if that is known.
        region: Option<Region>,
    },
}

/// A rectangle of an upright photo, in shares of its width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// From the left edge of the photo, from 0 to 1.
    pub left: f32,
    /// From the upper edge, from 0 to 1.
    pub top: f32,
    /// Its width, from 0 to 1.
    pub width: f32,
    /// Its height, from 0 to 1.
    pub height: f32,
}

impl Region {
    /// Returns the region between two corners, without what is beyond the photo; `None` if nothing is left.
    pub fn between((left, top): (f32, f32), (right, bottom): (f32, f32)) -> Option<Self> {
        let (left, top) = (left.clamp(0.0, 1.0), top.clamp(0.0, 1.0));
        let (width, height) = (right.min(1.0) - left, bottom.min(1.0) - top);
        (width > 0.0 && height > 0.0).then_some(Self { left, top, width, height })
    }

    /// Returns its middle: from the left, from the top.
    pub fn center(self) -> (f32, f32) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }
}

/// What a dish may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Its name as a person would say it, with an amount if one was seen: "apple pie", "2 fried eggs".
    pub words: String,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
}

/// How something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenBy {
    /// A bar code was read.
    Barcode,
    /// A table of nutrition facts was read.
    Label,
    /// The embedded networks recognized a dish.
    Dish,
    /// An external model recognized a dish.
    Model,
}

impl SeenBy {
    /// Returns the name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Barcode => "barcode",
            Self::Label => "label",
            Self::Dish => "dish",
            Self::Model => "model",
        }
    }

    /// Checks whether the food itself is certain.
    pub const fn is_certain(self) -> bool {
        matches!(self, Self::Barcode | Self::Label)
    }
}

/// A table of nutrition facts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// What the numbers are printed for.
    pub per: Per,
    /// The printed serving.
    pub serving: Option<LabelServing>,
    /// The numbers.
    pub facts: NutritionFacts,
}

/// What the numbers of a label are printed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// One serving.
    #[default]
    Serving,
    /// 100 grams.
    HundredGrams,
    /// 100 milliliters.
    HundredMilliliters,
}

/// A printed serving: "2/3 cup (55g)" is "2/3 cup" and 55 grams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelServing {
    /// The words, without the mass or volume in brackets; may be empty.
    pub text: String,
    /// Its mass, if printed.
    pub grams: Option<f64>,
    /// Its volume, if printed.
    pub milliliters: Option<f64>,
}

/// The numbers of a label; `None` if a number is not printed or not readable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NutritionFacts {
    /// Calories, protein, carbs and fat. Kilojoules are converted if only those are printed.
    pub macros: Macros<Option<f64>>,
    /// Grams.
    pub fiber: Option<f64>,
    /// Grams.
    pub sugars: Option<f64>,
    /// Grams.
    pub saturated_fat: Option<f64>,
    /// Milligrams; salt is converted if sodium is not printed.
    pub sodium: Option<f64>,
}

impl NutritionFacts {
    /// Derives the one missing number of calories, protein, carbs and fat from the others: protein and carbs have 4
    /// kcal per gram, fat has 9. Returns the facts and whether a number was derived; `None` if more than one is
    /// missing.
    pub fn completed(self) -> Option<(Self, bool)> {
        let rest = |energy: f64, known: f64, per_gram: f64| Some(((energy - known) / per_gram).max(0.0));
        let mut macros = self.macros;
        match (macros.calories, macros.protein, macros.carbs, macros.fat) {
            (Some(_), Some(_), Some(_), Some(_)) => return Some((self, false)),
            (None, Some(p), Some(c), Some(f)) => macros.calories = Some(4.0 * p + 4.0 * c + 9.0 * f),
            (Some(e), None, Some(c), Some(f)) => macros.protein = rest(e, 4.0 * c + 9.0 * f, 4.0),
            (Some(e), Some(p), None, Some(f)) => macros.carbs = rest(e, 4.0 * p + 9.0 * f, 4.0),
            (Some(e), Some(p), Some(c), None) => macros.fat = rest(e, 4.0 * p + 4.0 * c, 9.0),
            _ => return None,
        }
        Some((Self { macros, ..self }, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_inside_the_photo() {
        let corner = Region::between((-0.5, 0.25), (0.5, 1.75)).expect("half of it is in the photo");
        assert_eq!(corner, Region { left: 0.0, top: 0.25, width: 0.5, height: 0.75 });
        assert_eq!(corner.center(), (0.25, 0.625));
        assert_eq!(Region::between((1.25, 0.0), (1.5, 0.5)), None);
    }

    #[test]
    fn one_missing_number_is_derived() {
        let all = Macros { calories: Some(106.0), protein: Some(4.0), carbs: Some(9.0), fat: Some(6.0) };
        let completed = |macros| {
            let facts = NutritionFacts { macros, fiber: Some(1.0), ..NutritionFacts::default() };
            facts.completed().map(|(facts, is_derived)| (facts.macros, is_derived))
        };
        assert_eq!(completed(all), Some((all, false)));
        assert_eq!(completed(Macros { calories: None, ..all }), Some((all, true)));
        assert_eq!(completed(Macros { protein: None, ..all }), Some((all, true)));
        assert_eq!(completed(Macros { carbs: None, ..all }), Some((all, true)));
        assert_eq!(completed(Macros { fat: None, ..all }), Some((all, true)));
        let too_little = Macros { calories: Some(10.0), protein: None, ..all };
        assert_eq!(completed(too_little), Some((Macros { protein: Some(0.0), ..too_little }, true)));
        assert_eq!(completed(Macros { carbs: None, fat: None, ..all }), None);
    }
}
