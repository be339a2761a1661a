//! What is seen in a photo: words, codes and printed numbers, each with how sure it is and where it stands. Which food
//! that is, and what it weighs, is for others to say.

/// Something seen in a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// What it is.
    pub what: What,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// Where it is.
    pub region: Region,
}

/// The kinds of things that are seen.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The number under a bar code, digits with a right check digit: EAN-8, EAN-13, UPC-A; a UPC-E is written out.
    Barcode(String),
    /// A table of nutrition facts.
    Label(Label),
    /// A food: what it may be, the likeliest first. Never empty.
    Dish(Vec<Guess>),
}

/// A food that something may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Its name in plain words, as a person would say it: "apple pie", "banana".
    pub name: &'static str,
    /// How likely it is, from 0 to 1; over all guesses at most 1.
    pub confidence: f32,
}

/// A part of a photo, as shares of its width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// From the left edge.
    pub left: f32,
    /// From the upper edge.
    pub top: f32,
    /// Of the width.
    pub width: f32,
    /// Of the height.
    pub height: f32,
}

impl Region {
    /// The whole photo.
    pub const WHOLE: Self = Self { left: 0.0, top: 0.0, width: 1.0, height: 1.0 };
}

/// The numbers of a printed table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// What the numbers are printed for.
    pub per: Per,
    /// The printed serving: "2/3 cup (55g)" is 55 grams, described as "2/3 cup".
    pub serving: Option<Serving>,
    /// How many servings the package holds.
    pub servings: Option<f64>,
    /// The numbers.
    pub facts: Facts,
}

/// What the numbers of a label are printed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// One serving.
    #[default]
    Serving,
    /// 100 grams.
    HundredGrams,
    /// 100 millilitres.
    HundredMillilitres,
}

/// A printed serving.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Serving {
    /// In words, as printed: "2/3 cup".
    pub text: String,
    /// Its mass, where it is printed.
    pub grams: Option<f64>,
    /// Its volume, where it is printed.
    pub millilitres: Option<f64>,
}

/// The numbers of a label; what is not printed, or cannot be read, is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// Kilocalories; kilojoules are converted where nothing else is printed.
    pub calories: Option<f64>,
    /// Grams.
    pub protein: Option<f64>,
    /// Grams.
    pub carbs: Option<f64>,
    /// Grams.
    pub fat: Option<f64>,
    /// Grams.
    pub fiber: Option<f64>,
    /// Grams.
    pub sugars: Option<f64>,
    /// Grams.
    pub saturated_fat: Option<f64>,
    /// Milligrams; salt is converted where sodium is not printed.
    pub sodium: Option<f64>,
}
