//! Searchable names, and their scores before any query.
//!
//! A food has one entry for its name, one for each synonym and one for each of two names in one ("Gouda or Edam"). Entries
//! are numbered by their score, best first, so that posting lists are in the order in which results are most likely wanted
//! and a search can stop early.

use std::collections::HashSet;

use crate::food::{Food, Origin, Source};
use crate::{name, text};

/// The part of a name that a word is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Zone {
    /// What the food is: "Greek yogurt".
    Main = 0,
    /// How it is: "vanilla, nonfat".
    Detail = 1,
    /// The brand.
    Brand = 2,
    /// Words of the publisher's own name that ours leaves out ("Fish").
    Aside = 3,
}

/// Whether a word names the usual form of a food, which a query need not mention, or a special one, which it would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum WordForm {
    Neither = 0,
    Everyday = 1,
    Special = 2,
}

/// Usual forms: an egg is whole, rice is white and cooked, unless the query says otherwise.
const EVERYDAY: &[&str] = &["cooked", "fresh", "plain", "raw", "regular", "white", "whole"];
/// Special forms: "milk" does not mean dried milk.
const SPECIAL: &[&str] = &[
    "concentrate",
    "decaffeinated",
    "fortified",
    "free",
    "junior",
    "lite",
    "nonfat",
    "pickled",
    "strained",
    "unsalted",
    "undiluted",
    "unprepared",
    "unsweetened",
    "vegetarian",
    "canned",
    "condensed",
    "dehydrated",
    "diet",
    "dried",
    "dry",
    "evaporated",
    "extra",
    "frozen",
    "imitation",
    "instant",
    "light",
    "low",
    "lowfat",
    "meatless",
    "no",
    "powder",
    "powdered",
    "reduced",
    "school",
    "without",
];

/// Returns whether a word only names the usual form of a food.
pub(crate) fn is_everyday_form(word: &str) -> bool {
    EVERYDAY.contains(&word)
}

/// The zone and form of a word, in four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role(u8);

impl Role {
    fn new(zone: Zone, word: &str) -> Self {
        let form = if EVERYDAY.contains(&word) {
            WordForm::Everyday
        } else if SPECIAL.contains(&word) {
            WordForm::Special
        } else {
            WordForm::Neither
        };
        Self(zone as u8 | (form as u8) << 2)
    }

    /// Returns the role of a word for something added to a food ("with milk"), which a query would mention.
    fn addition() -> Self {
        Self(Zone::Detail as u8 | (WordForm::Special as u8) << 2)
    }

    pub fn from_bits(bits: u32) -> Self {
        Self(bits as u8 & 15)
    }

    pub fn bits(self) -> u32 {
        u32::from(self.0)
    }

    pub fn zone(self) -> Zone {
        match self.0 & 3 {
            0 => Zone::Main,
            1 => Zone::Detail,
            2 => Zone::Brand,
            _ => Zone::Aside,
        }
    }

    /// Returns what a word costs an entry if the query lacks it. Refunded if the query has it.
    pub fn cost(self) -> f32 {
        match (self.zone(), self.0 >> 2) {
            (Zone::Main | Zone::Detail, 1) => 0.05,
            (Zone::Main, _) => MAIN_COST,
            (Zone::Detail, 2) => DETAIL_COST,
            (Zone::Detail, _) => 0.15,
            (Zone::Brand, _) => BRAND_COST,
            (Zone::Aside, _) => 0.0,
        }
    }
}

/// The most that any word costs.
pub const MAIN_COST: f32 = 0.5;
/// The most that any word outside the main part costs.
pub(crate) const DETAIL_COST: f32 = 0.3;
/// What a word of the brand costs.
pub(crate) const BRAND_COST: f32 = 0.1;

/// A name to be indexed.
#[derive(Clone, Debug)]
pub(crate) struct EntryName {
    /// Folded words, each with its role, in order.
    pub words: Vec<(String, Role)>,
    /// How likely this is the wanted name, before any query.
    pub score: f32,
}

/// The most words indexed of one name; the rest would decide nothing.
const MAX_WORDS: usize = 24;
/// The penalty of a synonym relative to the name.
const SYNONYM: f32 = 0.4;
/// The penalty of one of the names of "Gouda or Edam cheese".
const ALTERNATIVE: f32 = 0.1;

/// Returns every name under which a food is found. The first is its own. The index is English: foods of tables without
/// English names have none.
pub(crate) fn names(food: &Food) -> Vec<EntryName> {
    if food.origin.table().is_some_and(|table| !table.has_english_names()) {
        return Vec::new();
    }
    let (main, detail) = split_main(&food.name);
    let prior = prior(food, detail.is_empty());
    let mut all = vec![own_name(food, main, detail, prior)];
    all.extend(alternatives(main).iter().map(|main| own_name(food, main, detail, prior - ALTERNATIVE)));
    let mut seen: HashSet<String> = HashSet::from([text::words(&food.name).join(" ")]);
    for synonym in &food.synonyms {
        if seen.insert(text::words(synonym).join(" ")) {
            let (main, detail) = split_main(synonym);
            let words = zoned(main, Zone::Main).chain(details(detail));
            all.push(EntryName::new(words, prior - SYNONYM));
        }
    }
    all.retain(|name| !name.words.is_empty());
    all
}

impl EntryName {
    fn new(words: impl Iterator<Item = (String, Role)>, prior: f32) -> Self {
        let mut distinct: Vec<(String, Role)> = Vec::new();
        for (word, role) in words {
            if distinct.len() < MAX_WORDS && !distinct.iter().any(|(known, _)| *known == word) {
                distinct.push((word, role));
            }
        }
        let words = distinct;
        let cost: f32 = words.iter().map(|(_, role)| role.cost()).sum();
        Self { words, score: prior - cost }
    }
}

/// In [`EntryName::shape`]: the name has a brand.
pub(crate) const SHAPE_BRAND: u8 = 0x80;
/// In [`EntryName::shape`]: the food is a product.
pub(crate) const SHAPE_PRODUCT: u8 = 0x40;
/// In [`EntryName::shape`]: the food is from a table other than USDA's.
pub(crate) const SHAPE_TABLE: u8 = 0x20;
/// In [`EntryName::shape`]: the number of words in the main part.
pub(crate) const SHAPE_MAIN: u8 = 0x1f;

impl EntryName {
    /// Returns what bounds the score of a name before its words are read: the number of words in the main part, and whether
    /// there is a brand and whose food it is.
    pub fn shape(&self, source: Source) -> u8 {
        let main = self.words.iter().filter(|(_, role)| role.zone() == Zone::Main).count() as u8;
        let has_brand = self.words.iter().any(|(_, role)| role.zone() == Zone::Brand);
        let source = match source {
            Source::Usda | Source::Dish => 0,
            Source::Branded => SHAPE_PRODUCT,
            Source::Table(_) => SHAPE_TABLE,
        };
        main.min(SHAPE_MAIN) | source | if has_brand { SHAPE_BRAND } else { 0 }
    }
}

fn own_name(food: &Food, main: &str, detail: &str, prior: f32) -> EntryName {
    // The description of a dish lists its parts, which are not names of it.
    let description = food.description.as_deref().filter(|_| food.origin != Origin::Dish).unwrap_or("");
    let words = zoned(main, Zone::Main)
        .chain(details(detail))
        .chain(zoned(food.brand.as_deref().unwrap_or(""), Zone::Brand))
        .chain(zoned(description.split(',').next().unwrap_or(""), Zone::Aside));
    EntryName::new(words, prior)
}

fn zoned(text: &str, zone: Zone) -> impl Iterator<Item = (String, Role)> {
    text::words(text).into_iter().map(move |word| {
        let role = Role::new(zone, &word);
        (word, role)
    })
}

/// Returns the words of the details, part by part.
fn details(text: &str) -> impl Iterator<Item = (String, Role)> {
    text.split(',').flat_map(|part| {
        let is_addition = part.trim_start().starts_with("with ");
        zoned(part, Zone::Detail).map(move |(word, role)| (word, if is_addition { Role::addition() } else { role }))
    })
}

/// Splits a name into main part and details, at its first comma or bracket. Commas of an enumeration ("Egg, cheese, and ham
/// on biscuit") do not count.
fn split_main(name: &str) -> (&str, &str) {
    let enumerated = name.find(", and ").map_or(0, |at| at + 1);
    let cut = name[enumerated..].find([',', '(']).map(|at| at + enumerated);
    name.split_at(cut.filter(|&at| at > 0).unwrap_or(name.len()))
}

/// Returns the names in "Gouda or Edam cheese", "Egg omelet or scrambled egg" or "Hot chocolate / Cocoa".
fn alternatives(main: &str) -> Vec<String> {
    if let Some((one, other)) = main.split_once(" / ")
        && !other.contains(' ')
    {
        return vec![one.to_owned(), other.to_owned()];
    }
    let Some((one, other)) = main.split_once(" or ") else { return Vec::new() };
    let (ones, others) = (text::words(one), text::words(other));
    if ones.iter().any(|word| others.contains(word)) {
        return vec![one.to_owned(), other.to_owned()];
    }
    match other.split_once(' ') {
        Some((_, rest)) if ones.len() == 1 && !rest.contains(" or ") => vec![format!("{one} {rest}"), other.to_owned()],
        _ => Vec::new(),
    }
}

/// Computes how likely a food is meant: FNDDS, what people report eating, before laboratory tables, those before dishes, those
/// before foods of other countries' tables and products; a table's own "not further specified" before its variants; food for
/// infants last.
fn prior(food: &Food, is_plain: bool) -> f32 {
    let mut prior = match food.origin {
        Origin::Fndds2021 | Origin::FnddsOther => 0.0,
        Origin::Foundation => -0.4,
        Origin::Fndds2017 => -0.5,
        Origin::StandardReference => -0.7,
        Origin::Dish => -1.4,
        Origin::Table(_) => -2.0,
        Origin::Maker => -2.3,
        Origin::FdcBranded => -2.5,
        Origin::OpenFoodFacts | Origin::Label => -2.6,
    };
    prior += (food.occurrences.max(1) as f32).ln().min(4.0) * 0.12;
    if food.description.as_deref().is_some_and(name::is_default) {
        prior += if is_plain { 0.3 } else { 0.1 };
    }
    let category = food.category.as_deref().unwrap_or("").to_lowercase();
    if category.contains("baby") || category.contains("infant") || category.contains("human milk") {
        prior -= 2.0;
    }
    prior
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_main_part() {
        assert_eq!(split_main("White rice, cooked"), ("White rice", ", cooked"));
        assert_eq!(split_main("Egg, cheese, and ham on biscuit").1, "");
        assert_eq!(split_main("Milk"), ("Milk", ""));
        assert_eq!(split_main("(x)"), ("(x)", ""));
    }

    #[test]
    fn either_name_finds_the_food() {
        assert_eq!(alternatives("Gouda or Edam cheese"), ["Gouda cheese", "Edam cheese"]);
        assert_eq!(alternatives("Egg omelet or scrambled egg"), ["Egg omelet", "scrambled egg"]);
        assert_eq!(alternatives("Macaroni or noodles with cheese"), ["Macaroni with cheese", "noodles with cheese"]);
        assert!(alternatives("Chicken or turkey").is_empty());
    }
}
