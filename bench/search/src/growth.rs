//! Generates larger catalogs: names recombined from the words of real ones, with realistic lengths and frequencies.

use std::path::Path;

use anyhow::Result;
use foods::catalog::{Manifest, Writer};
use foods::{Food, Nutrient, Nutrients, Origin};

use crate::docs::Doc;
use crate::rng::Rng;

const SEED: u64 = 0x6772_6f77;
/// The percentage of words that are taken from another name.
const EXCHANGED: usize = 35;
/// The percentage of foods with an invented brand, so that the vocabulary grows as in real catalogs.
const NEW_BRANDS: usize = 50;
/// Foods of one invented brand.
const FOODS_PER_BRAND: usize = 60;

/// Writes a catalog of `count` generated foods.
pub fn write(path: &Path, docs: &[Doc], count: usize) -> Result<()> {
    let mut rng = Rng::new(SEED);
    let mut writer = Writer::create(path)?;
    for number in 0..count {
        writer.add(&food(number, count, docs, &mut rng))?;
    }
    writer.finish(&Manifest::default())?;
    Ok(())
}

fn food(number: usize, count: usize, docs: &[Doc], rng: &mut Rng) -> Food {
    let name = name(docs, rng);
    let brand = if rng.chance(NEW_BRANDS) {
        brand_name(rng.below(count / FOODS_PER_BRAND + 1))
    } else {
        rng.pick(docs).map(|doc| doc.brand.clone()).unwrap_or_default()
    };
    let mut nutrients = Nutrients::default();
    nutrients.set(Nutrient::Calories, rng.below(600) as f32);
    Food {
        brand: Some(brand).filter(|brand| !brand.is_empty()),
        ..Food::new(format!("made_{number}"), Origin::FdcBranded, name, nutrients)
    }
}

/// Replaces some words of a real name by words at the same position of other names. Commas stay where they are, so that
/// main parts and details keep their lengths.
fn name(docs: &[Doc], rng: &mut Rng) -> String {
    let Some(base) = rng.pick(docs) else { return String::new() };
    let mut words: Vec<String> = Vec::new();
    for (at, word) in base.name.split_whitespace().enumerate() {
        let other = rng.chance(EXCHANGED).then(|| rng.pick(docs)?.name.split_whitespace().nth(at)).flatten();
        let mut word = match other {
            Some(other) => other.trim_matches([',', '(', ')']).to_owned() + if word.ends_with(',') { "," } else { "" },
            None => word.to_owned(),
        };
        if word == "," {
            word.clear();
        }
        words.push(word);
    }
    words.join(" ")
}

/// Returns a word that is unique to this number.
fn brand_name(number: usize) -> String {
    const STARTS: [&str; 20] = [
        "ba", "bel", "cor", "da", "fen", "gra", "hal", "jo", "kir", "lu", "mar", "nor", "or", "pel", "ro", "sal",
        "tor", "ul", "vin", "wes",
    ];
    const ENDS: [&str; 10] = ["den", "field", "lo", "mont", "ner", "ra", "son", "tti", "vale", "wick"];
    let mut rest = number;
    let mut name = String::new();
    loop {
        name.push_str(STARTS[rest % STARTS.len()]);
        rest /= STARTS.len();
        if rest == 0 {
            break;
        }
    }
    name.push_str(ENDS[number % ENDS.len()]);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_differ() {
        let names: std::collections::HashSet<String> = (0..40_000).map(brand_name).collect();
        assert!(names.len() > 39_000, "{}", names.len());
    }
}
