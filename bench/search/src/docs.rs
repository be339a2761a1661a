//! Foods as the engines index them, and the parts of their names by which results are judged.

use std::path::PathBuf;

use anyhow::{Context, Result};
use foods::catalog::Layer;
use foods::{Food, Source, text};

/// Where the foods of a measurement come from.
#[derive(Clone, Debug)]
pub enum Foods {
    /// The embedded catalog.
    Embedded,
    /// A catalog file of another size, for the growth part.
    File(PathBuf),
}

impl Foods {
    pub fn layer(&self) -> Result<Layer> {
        match self {
            Foods::Embedded => Layer::from_static(embedded::CATALOG).context("the embedded catalog"),
            Foods::File(path) => Layer::open(path).with_context(|| path.display().to_string()),
        }
    }

    /// Formats it as an argument for a measuring process.
    pub fn to_arg(&self) -> String {
        match self {
            Foods::Embedded => "embedded".to_owned(),
            Foods::File(path) => path.display().to_string(),
        }
    }

    pub fn from_arg(arg: &str) -> Self {
        if arg == "embedded" { Foods::Embedded } else { Foods::File(PathBuf::from(arg)) }
    }
}

/// The searchable part of a food. Its number is its position in the catalog.
#[derive(Clone, Debug)]
pub struct Doc {
    pub id: String,
    pub usda: bool,
    pub name: String,
    pub brand: String,
    pub synonyms: Vec<String>,
}

impl Doc {
    pub fn new(food: Food) -> Self {
        Self {
            usda: food.origin.source() == Source::Usda,
            id: food.id,
            name: food.name,
            brand: food.brand.unwrap_or_default(),
            synonyms: food.synonyms,
        }
    }

    /// Returns what the peers index: all of it in one text.
    pub fn all_text(&self) -> String {
        let parts = [&self.name, &self.brand].into_iter().chain(&self.synonyms);
        parts.filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Returns the main part of the name: what is before the first comma or bracket.
    pub fn main(&self) -> &str {
        main_part(&self.name)
    }

    /// Returns the main part and the part after the first comma: "Egg, whole" of "Egg, whole, raw".
    pub fn main_and_next(&self) -> &str {
        let end = self.name.match_indices(',').nth(1).map_or(self.name.len(), |(at, _)| at);
        let bracket = self.name.find(['(', '[']).filter(|&at| at > 0).unwrap_or(self.name.len());
        &self.name[..end.min(bracket)]
    }
}

pub fn main_part(name: &str) -> &str {
    let cut = name.find([',', '(', '[']).filter(|&at| at > 0).unwrap_or(name.len());
    name[..cut].trim()
}

/// Returns the folded words, sorted, so that texts with the same words are equal in any order.
pub fn key(text: &str) -> String {
    let mut words = text::words(text);
    words.sort_unstable();
    words.join(" ")
}

/// Returns every food of a catalog, by number.
pub fn load(foods: &Foods) -> Result<Vec<Doc>> {
    Ok(foods.layer()?.foods().map(Doc::new).collect())
}
