//! The data types of FoodData Central, which say what kind of table a food is from.

use foods::{FoodTable, Origin};

/// A data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DataType {
    Branded,
    Foundation,
    Legacy,
    Survey,
}

impl DataType {
    /// Returns the data type of foods of an origin. There is none for tables of other countries and for dishes; they are like
    /// the table that is closest in kind.
    pub fn of(origin: Origin) -> Self {
        match origin {
            Origin::Foundation => Self::Foundation,
            Origin::StandardReference | Origin::Table(_) => Self::Legacy,
            Origin::Fndds2021 | Origin::Fndds2017 | Origin::FnddsOther | Origin::Dish => Self::Survey,
            Origin::FdcBranded | Origin::OpenFoodFacts | Origin::Label | Origin::Maker => Self::Branded,
        }
    }

    /// Reads a name; `None` if there is no such data type here.
    pub fn parse(name: &str) -> Option<Self> {
        match name.trim() {
            "Branded" => Some(Self::Branded),
            "Foundation" => Some(Self::Foundation),
            "SR Legacy" => Some(Self::Legacy),
            "Survey (FNDDS)" | "Survey" => Some(Self::Survey),
            _ => None,
        }
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Branded => "Branded",
            Self::Foundation => "Foundation",
            Self::Legacy => "SR Legacy",
            Self::Survey => "Survey (FNDDS)",
        }
    }

    /// Returns the class of foods that a data type is in.
    pub const fn food_class(self) -> &'static str {
        match self {
            Self::Branded => "Branded",
            Self::Foundation | Self::Legacy => "FinalFood",
            Self::Survey => "Survey",
        }
    }
}

/// Returns the origins of foods of some data types.
pub(super) fn origins_of(types: &[DataType]) -> Vec<Origin> {
    let usda = [
        Origin::Foundation,
        Origin::StandardReference,
        Origin::Fndds2021,
        Origin::Fndds2017,
        Origin::FnddsOther,
        Origin::Dish,
        Origin::FdcBranded,
        Origin::OpenFoodFacts,
        Origin::Maker,
    ];
    let all = usda.into_iter().chain(FoodTable::ALL.iter().copied().map(Origin::Table));
    all.filter(|origin| types.contains(&DataType::of(*origin))).collect()
}
