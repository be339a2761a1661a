//! A food as the catalog knows it.

use std::str::FromStr;

use nutrition::Macros;

use crate::food_table::FoodTable;
use crate::nutrients::{Nutrient, Nutrients};
use crate::unit::{self, Measure, Unit};

/// The source of a food's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// USDA Food and Nutrient Database for Dietary Studies, 2021-2023.
    Fndds2021,
    /// The 2017-2018 edition, for codes that the newer one dropped.
    Fndds2017,
    /// USDA Foundation Foods.
    Foundation,
    /// USDA Standard Reference (SR Legacy, SR28).
    StandardReference,
    /// USDA FoodData Central, branded products.
    FdcBranded,
    /// Open Food Facts.
    OpenFoodFacts,
    /// Any other FNDDS edition, imported from an FDC archive.
    FnddsOther,
    /// A nutrition label in a photo; never in a catalog.
    Label,
    /// A dish missing from the tables, composed of foods that USDA's tables have.
    Dish,
    /// A product with the values that its maker publishes, from our own list.
    Maker,
    /// A food table other than USDA's.
    Table(FoodTable),
}

/// The origins before the tables, by their code.
const CODED: &[Origin] = &[
    Origin::Fndds2021,
    Origin::Fndds2017,
    Origin::Foundation,
    Origin::StandardReference,
    Origin::FdcBranded,
    Origin::OpenFoodFacts,
    Origin::FnddsOther,
    Origin::Label,
    Origin::Dish,
    Origin::Maker,
];
/// The code of the first table; the numbers before it are for other origins.
const FIRST_TABLE: u8 = 64;

impl Origin {
    /// Checks whether a food is one of the survey, which names what people say that they ate.
    pub fn is_survey(self) -> bool {
        matches!(self, Origin::Fndds2021 | Origin::Fndds2017 | Origin::FnddsOther)
    }

    /// Returns the number in files.
    pub(crate) fn code(self) -> u8 {
        match self {
            Origin::Table(table) => FIRST_TABLE + table as u8,
            other => CODED.iter().position(|origin| *origin == other).unwrap_or_default() as u8,
        }
    }

    /// Returns the origin with a number in files; `None` if this version does not know it.
    pub(crate) fn from_code(code: u8) -> Option<Self> {
        match code.checked_sub(FIRST_TABLE) {
            Some(table) => FoodTable::ALL.get(usize::from(table)).copied().map(Origin::Table),
            None => CODED.get(usize::from(code)).copied(),
        }
    }

    /// Returns the origin's stable name.
    pub fn name(self) -> &'static str {
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
            Origin::Maker => "maker",
            Origin::Table(table) => table.name(),
        }
    }

    /// Returns the `source` of the API: [`Source::Branded`] for values that the maker publishes, [`Source::Dish`] for dishes that
    /// we composed, the table for foods of another country, [`Source::Usda`] for the rest.
    pub const fn source(self) -> Source {
        match self {
            Origin::FdcBranded | Origin::OpenFoodFacts | Origin::Label | Origin::Maker => Source::Branded,
            Origin::Dish => Source::Dish,
            Origin::Table(table) => Source::Table(table),
            _ => Source::Usda,
        }
    }

    /// Returns the table that a food is from, if it is not one of USDA's.
    pub const fn table(self) -> Option<FoodTable> {
        match self {
            Origin::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// The coarse source that the API shows and filters by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Foods measured or modeled by USDA.
    Usda,
    /// Products with the values that their maker publishes, on the label or elsewhere.
    Branded,
    /// Dishes that we composed of USDA's foods.
    Dish,
    /// Foods of another table.
    Table(FoodTable),
}

impl Source {
    /// Returns every source, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Source> {
        [Source::Usda, Source::Branded, Source::Dish]
            .into_iter()
            .chain(FoodTable::ALL.iter().copied().map(Source::Table))
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Source::Usda => "usda",
            Source::Branded => "branded",
            Source::Dish => "dish",
            Source::Table(table) => table.name(),
        }
    }
}

/// The error for a text that is not the name of a [`Source`].
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown source; expected usda, branded, dish or the name of a food table")]
pub struct UnknownSource;

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(name: &str) -> Result<Self, UnknownSource> {
        Self::all().find(|source| source.name() == name).ok_or(UnknownSource)
    }
}

/// The name of a food in a language other than English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// The code of the language: "de", "pt".
    pub language: String,
    /// The name. The first one of a language is the food's own, further ones are synonyms.
    pub name: String,
}

impl LocalName {
    /// The most bytes of a language's code.
    pub const MAX_LANGUAGE: usize = 8;
}

/// A measure of a food and its weight: "1 cup, diced" is 140 g.
#[derive(Clone, Debug, PartialEq)]
pub struct Portion {
    /// The source's words, tidied: "1 cup, diced", "Quantity not specified".
    pub text: String,
    /// The weight of the whole portion in grams.
    pub grams: f32,
}

impl Portion {
    /// Creates a portion from the words of its source.
    pub fn new(text: String, grams: f32) -> Self {
        Self { text, grams }
    }

    /// Parses amount and unit out of the words: 1 and "cup". Done on demand, since a search never needs it.
    pub fn measure(&self) -> Measure {
        unit::measure(&self.text)
    }
}

/// The portion that is meant when no amount is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Serving {
    /// In words: "1 cup", "2 slices (56 g)".
    pub description: String,
    /// Its weight.
    pub grams: f32,
}

impl Serving {
    /// Returns the serving of a food about which nothing is known.
    pub fn hundred_grams() -> Self {
        Self { description: "100 g".to_owned(), grams: 100.0 }
    }
}

/// A food with everything the catalog knows about it. Values are per 100 g.
#[derive(Clone, Debug, PartialEq)]
pub struct Food {
    /// Stable across releases: `fndds_11111000`, `sr_01001`, `fdc_321358`, `gtin_00894700010045`, `br_…`, `off_…`,
    /// `maker_…`, `bls_C131000`.
    pub id: String,
    /// The source of the values.
    pub origin: Origin,
    /// The name people read: "Greek Yogurt, Vanilla".
    pub name: String,
    /// The publisher's own name where it differs from `name`.
    pub description: Option<String>,
    /// "Chobani".
    pub brand: Option<String>,
    /// The barcode as a number (GTIN-14 without leading zeros).
    pub gtin: Option<u64>,
    /// The publisher's category.
    pub category: Option<String>,
    /// Other names for this food.
    pub synonyms: Vec<String>,
    /// Its names in other languages than English.
    pub local_names: Vec<LocalName>,
    /// Values per 100 g.
    pub nutrients: Nutrients,
    /// Every measure that the source gives.
    pub portions: Vec<Portion>,
    /// Grams per milliliter, from the food's own portions; in an opened catalog otherwise the median of its category.
    pub density: Option<f32>,
    /// One serving.
    pub serving: Serving,
    /// How many rows of the source were merged into this food: a hint of how common it is.
    pub occurrences: u32,
}

/// What a search result shows of a food.
#[derive(Clone, Debug, PartialEq)]
pub struct FoodSummary<'f> {
    /// Stable identifier.
    pub id: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its name.
    pub name: &'f str,
    /// Its brand, if it has one.
    pub brand: Option<&'f str>,
    /// One serving, for people to read.
    pub serving_description: &'f str,
    /// One serving in grams.
    pub serving_grams: f32,
    /// Values of [`Nutrient::SHOWN`] per 100 g.
    pub nutrients: Nutrients,
}

impl FoodSummary<'_> {
    /// Returns how much of a nutrient one serving has.
    pub fn per_serving(&self, nutrient: Nutrient) -> Option<f32> {
        self.nutrients.in_grams(nutrient, self.serving_grams)
    }
}

impl Food {
    /// Creates a food with a serving of 100 g and nothing else known about it.
    pub fn new(id: impl Into<String>, origin: Origin, name: impl Into<String>, nutrients: Nutrients) -> Self {
        Self {
            id: id.into(),
            origin,
            name: name.into(),
            description: None,
            brand: None,
            gtin: None,
            category: None,
            synonyms: Vec::new(),
            local_names: Vec::new(),
            nutrients,
            portions: Vec::new(),
            density: None,
            serving: Serving::hundred_grams(),
            occurrences: 1,
        }
    }

    /// Adds portions and the density that follows from them.
    #[must_use]
    pub fn with_portions(mut self, portions: Vec<Portion>) -> Self {
        self.density = density(&portions);
        self.portions = portions;
        self
    }

    /// Returns how much of a nutrient one serving has.
    pub fn per_serving(&self, nutrient: Nutrient) -> Option<f32> {
        self.nutrients.in_grams(nutrient, self.serving.grams)
    }

    /// Returns what a search result shows of the food.
    pub fn summary(&self) -> FoodSummary<'_> {
        FoodSummary {
            id: self.id.clone(),
            origin: self.origin,
            name: &self.name,
            brand: self.brand.as_deref(),
            serving_description: &self.serving.description,
            serving_grams: self.serving.grams,
            nutrients: self.nutrients.shown(),
        }
    }

    /// Computes the macros of an amount in grams, without rounding. A value that is unknown counts as zero.
    pub fn macros(&self, grams: f64) -> Macros {
        let value = |nutrient| f64::from(self.nutrients.get(nutrient).unwrap_or(0.0)) * grams / 100.0;
        Macros {
            calories: value(Nutrient::Calories),
            protein: value(Nutrient::Protein),
            carbs: value(Nutrient::Carbs),
            fat: value(Nutrient::Fat),
        }
    }
}

/// Words that mark a portion whose weight is not that of the food as eaten.
const NOT_THE_FOOD_ITSELF: &[&str] = &[
    "yield",
    "dry",
    "with ice",
    "in shell",
    "unpopped",
    "uncooked",
    "with shell",
    "as purchased",
    "makes",
    "inedible",
];

/// Computes grams per milliliter from a food's portions, preferring cups and the shortest description.
pub fn density(portions: &[Portion]) -> Option<f32> {
    let candidates = portions.iter().filter_map(|portion| {
        let lower = portion.text.to_lowercase();
        let measure = portion.measure();
        let unit = volume_unit(&measure.unit)?;
        let misleading = NOT_THE_FOOD_ITSELF.iter().any(|words| lower.contains(words));
        let milliliters = unit.milliliters()? * f64::from(measure.amount);
        let density = f64::from(portion.grams) / milliliters;
        (!misleading && (0.02..=3.0).contains(&density)).then_some((rank(unit), portion.text.len(), density))
    });
    let best = candidates.min_by_key(|(rank, length, _)| (*rank, *length));
    best.map(|(_, _, density)| density as f32)
}

/// Returns the volume unit that the words are, or begin with ("cup diced").
fn volume_unit(words: &str) -> Option<Unit> {
    let volume = |text: &str| Unit::parse(text).filter(|unit| unit.milliliters().is_some());
    volume(words)
        .or_else(|| words.strip_prefix("fl oz ").map(|_| Unit::FluidOunce))
        .or_else(|| volume(words.split(' ').next()?))
}

/// Ranks units by how reliable the densities computed from them are; lower is better.
const fn rank(unit: Unit) -> u8 {
    match unit {
        Unit::Cup => 0,
        Unit::Tablespoon => 1,
        Unit::FluidOunce => 2,
        Unit::Teaspoon => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_origins_never_change() {
        let codes =
            [(0, Origin::Fndds2021), (4, Origin::FdcBranded), (8, Origin::Dish), (64, Origin::Table(FoodTable::Cnf))];
        for (code, origin) in codes {
            assert_eq!((origin.code(), Origin::from_code(code)), (code, Some(origin)));
        }
        let all = CODED.iter().copied().chain(FoodTable::ALL.iter().copied().map(Origin::Table));
        assert!(all.into_iter().all(|origin| Origin::from_code(origin.code()) == Some(origin)));
        assert_eq!((Origin::from_code(10), Origin::from_code(255)), (None, None));
    }

    #[test]
    fn the_plainest_cup_gives_the_density() {
        let portions: Vec<Portion> =
            [("1 tbsp", 30.0), ("1 cup, shredded", 113.0), ("1 cup", 240.0), ("1 cup, dry, yields", 90.0)]
                .map(|(text, grams)| Portion::new(text.to_owned(), grams))
                .into();
        let found = density(&portions).expect("there is a cup");
        assert!((found - 1.0144).abs() < 0.001);
        assert_eq!(density(&[Portion::new("1 cup".to_owned(), 5000.0)]), None);
        assert_eq!(density(&[]), None);
    }
}
