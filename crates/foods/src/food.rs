//! A food as the catalog knows it.

use crate::nutrients::{Nutrient, Nutrients};
use crate::unit::{self, Measure};

/// Where a food's numbers come from. The discriminant is part of the file format: append only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Origin {
    /// USDA Food and Nutrient Database for Dietary Studies, 2021-2023.
    Fndds2021 = 0,
    /// The 2017-2018 edition, for codes that the newer one dropped.
    Fndds2017 = 1,
    /// USDA Foundation Foods.
    Foundation = 2,
    /// USDA Standard Reference (SR Legacy, SR28).
    StandardReference = 3,
    /// USDA FoodData Central, branded products.
    FdcBranded = 4,
    /// Open Food Facts.
    OpenFoodFacts = 5,
    /// FNDDS in an edition that this program has no name for (imported from an FDC archive).
    FnddsOther = 6,
    /// The label in a photo; no catalog has such foods.
    Label = 7,
    /// A dish that no table has, made of foods that USDA's tables have.
    Dish = 8,
}

impl Origin {
    /// Every origin, in the order of the file format.
    pub const ALL: &'static [Origin] = &[
        Origin::Fndds2021,
        Origin::Fndds2017,
        Origin::Foundation,
        Origin::StandardReference,
        Origin::FdcBranded,
        Origin::OpenFoodFacts,
        Origin::FnddsOther,
        Origin::Label,
        Origin::Dish,
    ];

    /// The origin's stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Fndds2021 => "fndds_2021_2023",
            Origin::Fndds2017 => "fndds_2017_2018",
            Origin::Foundation => "usda_foundation",
            Origin::StandardReference => "usda_standard_reference",
            Origin::FdcBranded => "usda_branded",
            Origin::OpenFoodFacts => "open_food_facts",
            Origin::FnddsOther => "fndds",
            Origin::Label => "nutrition_label",
            Origin::Dish => "dish",
        }
    }

    /// The `source` of the API: `usda` for foods measured or modelled by USDA and what is made of them, `branded` for what a label says.
    pub const fn source(self) -> Source {
        match self {
            Origin::FdcBranded | Origin::OpenFoodFacts | Origin::Label => Source::Branded,
            _ => Source::Usda,
        }
    }
}

/// The coarse source that the API shows and filters by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Foods measured or modelled by USDA.
    Usda,
    /// Products with the values of their label.
    Branded,
}

impl Source {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Usda => "usda",
            Source::Branded => "branded",
        }
    }

    /// The source of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Source::Usda, Source::Branded].into_iter().find(|source| source.name() == name)
    }
}

/// A measure of a food and what it weighs: "1 cup, diced" is 140 g.
#[derive(Clone, Debug, PartialEq)]
pub struct Portion {
    /// The source's words, tidied: "1 cup, diced", "Quantity not specified".
    pub text: String,
    /// The weight of the whole portion in grams.
    pub grams: f32,
}

impl Portion {
    /// A portion from the words of its source.
    pub fn new(text: String, grams: f32) -> Self {
        Self { text, grams }
    }

    /// Amount and unit, read out of the words: 1 and "cup". Read when asked for, since a search never asks.
    pub fn measure(&self) -> Measure {
        unit::measure(&self.text)
    }
}

/// The portion that is meant when nobody says how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Serving {
    /// In words: "1 cup", "2 slices (56 g)".
    pub description: String,
    /// Its weight.
    pub grams: f32,
}

/// A food with everything the catalog knows of it. Values are per 100 g.
#[derive(Clone, Debug, PartialEq)]
pub struct Food {
    /// Stable across releases: `fndds_11111000`, `sr_01001`, `fdc_321358`, `gtin_00894700010045`, `br_…`, `off_…`.
    pub id: String,
    /// Where the numbers come from.
    pub origin: Origin,
    /// The name people read: "Greek Yogurt, Vanilla".
    pub name: String,
    /// The publisher's own name where it differs from `name`; what the tables call it.
    pub description: Option<String>,
    /// "Chobani".
    pub brand: Option<String>,
    /// The barcode as a number (GTIN-14, leading zeros gone).
    pub gtin: Option<u64>,
    /// The publisher's category.
    pub category: Option<String>,
    /// Other names that mean this food.
    pub synonyms: Vec<String>,
    /// Values per 100 g.
    pub nutrients: Nutrients,
    /// Every measure that the source gives.
    pub portions: Vec<Portion>,
    /// Grams per millilitre, from the food's own portions; in an opened catalog else the median of its category.
    pub density: Option<f32>,
    /// What one serving is.
    pub serving: Serving,
    /// How often the source has this food: rows that were folded into this one. A hint of how common it is.
    pub occurrences: u32,
}

impl Food {
    /// A nutrient of one serving.
    pub fn per_serving(&self, nutrient: Nutrient) -> Option<f32> {
        self.nutrients.get(nutrient).map(|value| value * self.serving.grams / 100.0)
    }
}
