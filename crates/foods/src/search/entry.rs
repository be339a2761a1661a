//! Searchable names: what a food is found by, and how good a find it is before anybody has asked.
//!
//! A food has one entry for its name and one for each synonym. Entries are numbered by their score, best first, so that
//! postings come out in the order in which they are most likely wanted, and a search can stop early.

use std::collections::HashSet;

use crate::food::{Food, Origin};
use crate::{name, text};

/// The part of a name that a term stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Zone {
    /// What the food is: "Greek yogurt".
    Main = 0,
    /// How it is: "vanilla, nonfat".
    Detail = 1,
    /// Who makes it.
    Brand = 2,
    /// Words of the publisher's own name that ours leaves out ("Fish").
    Aside = 3,
}

impl Zone {
    pub fn from_bits(bits: u32) -> Self {
        match bits {
            0 => Zone::Main,
            1 => Zone::Detail,
            2 => Zone::Brand,
            _ => Zone::Aside,
        }
    }

    /// What a word of this zone costs an entry when the query does not mention it. Given back for each that it does.
    pub fn length_cost(self) -> f32 {
        match self {
            Zone::Main => 0.5,
            Zone::Detail => 0.15,
            Zone::Brand => 0.1,
            Zone::Aside => 0.0,
        }
    }
}

/// A name to be indexed.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// Folded words, each with its zone, in order.
    pub words: Vec<(String, Zone)>,
    /// How likely this is what somebody wants, before they have said anything.
    pub score: f32,
}

/// Words kept of one name; the rest decides nothing.
const MAX_WORDS: usize = 24;

/// Every name under which a food is found. The first is its own.
pub(crate) fn names(food: &Food) -> Vec<Name> {
    let prior = prior(food);
    let mut all = vec![own_name(food, prior)];
    let mut seen: HashSet<String> = HashSet::from([main_words(&all[0])]);
    for synonym in &food.synonyms {
        let words: Vec<_> = text::words(synonym).into_iter().take(MAX_WORDS).map(|word| (word, Zone::Main)).collect();
        let mut name = Name { score: prior - 0.4, words };
        name.score -= length_cost(&name);
        if !name.words.is_empty() && seen.insert(main_words(&name)) {
            all.push(name);
        }
    }
    all
}

fn own_name(food: &Food, prior: f32) -> Name {
    let (main, detail) = split_main(&food.name);
    let mut words: Vec<(String, Zone)> = text::words(main).into_iter().map(|word| (word, Zone::Main)).collect();
    let mut add = |text: &str, zone: Zone| {
        for word in text::words(text) {
            if words.len() < MAX_WORDS && !words.iter().any(|(known, _)| *known == word) {
                words.push((word, zone));
            }
        }
    };
    add(detail, Zone::Detail);
    add(food.brand.as_deref().unwrap_or(""), Zone::Brand);
    if let Some(description) = &food.description {
        add(description.split(',').next().unwrap_or(""), Zone::Aside);
    }
    words.truncate(MAX_WORDS);
    let mut name = Name { words, score: prior };
    name.score -= length_cost(&name);
    name
}

/// What the food is, and how it is: the name up to its first comma or bracket, and the rest.
fn split_main(name: &str) -> (&str, &str) {
    let cut = name.find([',', '(']).filter(|&at| at > 0).unwrap_or(name.len());
    name.split_at(cut)
}

fn main_words(name: &Name) -> String {
    let words: Vec<&str> = name.words.iter().filter(|(_, zone)| *zone == Zone::Main).map(|(word, _)| &**word).collect();
    words.join(" ")
}

fn length_cost(name: &Name) -> f32 {
    name.words.iter().map(|(_, zone)| zone.length_cost()).sum()
}

/// How likely a food is meant: what people say they eat (FNDDS) before laboratory tables, those before products; a
/// table's own "not further specified" before its variants; food for infants last of all.
fn prior(food: &Food) -> f32 {
    let mut prior = match food.origin {
        Origin::Fndds2021 | Origin::FnddsOther => 0.0,
        Origin::Foundation => -0.4,
        Origin::Fndds2017 => -0.5,
        Origin::StandardReference => -0.7,
        Origin::FdcBranded => -2.5,
        Origin::OpenFoodFacts => -2.6,
    };
    prior += (food.occurrences.max(1) as f32).ln().min(4.0) * 0.12;
    if food.description.as_deref().is_some_and(name::is_default) {
        prior += 0.3;
    }
    let category = food.category.as_deref().unwrap_or("").to_lowercase();
    if category.contains("baby") || category.contains("infant") || category.contains("human milk") {
        prior -= 2.0;
    }
    prior
}
