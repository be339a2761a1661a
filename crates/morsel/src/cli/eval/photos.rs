//! The accuracy of calories from photos, compared with the usual portion of the food that they show.
//!
//! The food in the photos was not weighed, so this measures only the error that recognition adds: a photo whose food is
//! recognized with certainty gets the usual portion of that food.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use foods::catalog::Catalog;
use meal::{Engine, Message, MessagePart, Part, RecipeBook};
use nutrition::sighting::{Guess, SeenBy, Sighting};
use serde::Serialize;
use vision::PhotoAnalyzer;
use vision::photo::Photo;

use super::format::percent;
use crate::cli::table::{Align, Table};

/// Folder of photos without food.
const NOT_FOOD: &str = "not food";
/// Tolerance for calories, as a share of the usual portion.
const CALORIES_SHARE: f64 = 0.2;

/// The accuracy on the photos of one food, or of all.
#[derive(Debug, Serialize)]
pub(super) struct PhotoSummary {
    food: String,
    /// Calories of the usual portion.
    calories: Option<f64>,
    photos: usize,
    /// Photos in which no food was found.
    nothing_found: usize,
    /// Photos that gave more than one item.
    several_items: usize,
    /// Median error as a share of the usual portion; 1 for a photo in which nothing was found.
    median_error: f64,
    calories_within_20_percent: f64,
    calories_in_range: f64,
}

/// The estimate from one photo.
struct PhotoEstimate {
    items: usize,
    calories: f64,
    low: f64,
    high: f64,
    usual: f64,
}

/// Estimates every photo in the subfolders of `folder`, which are named after foods. The last row is the total.
pub(super) fn measure(folder: &Path, catalog: &Arc<Catalog>) -> Result<Vec<PhotoSummary>> {
    let engine = Engine::new(Arc::clone(catalog));
    let analyzer = PhotoAnalyzer::default();
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for (food, photos) in folders(folder)? {
        let certain = Guess { words: food.clone(), confidence: 1.0 };
        let certain = Sighting::Dish { guesses: vec![certain], by: SeenBy::Dish, note: None, region: None };
        let usual = PhotoEstimate::of(&engine, vec![certain], 0.0).calories;
        if usual <= 0.0 {
            eprintln!("skipped “{food}”: it has no calories");
            continue;
        }
        let estimates: Vec<PhotoEstimate> =
            photos.iter().filter_map(|file| estimate(file, &analyzer, &engine, catalog, usual)).collect();
        rows.push(PhotoSummary::new(food, Some(usual), &estimates));
        all.extend(estimates);
    }
    if all.is_empty() {
        bail!("{} has no subfolders of photos that are named after foods", folder.display());
    }
    rows.push(PhotoSummary::new("all".to_owned(), None, &all));
    Ok(rows)
}

/// Returns the rows as a table.
pub(super) fn table(rows: &[PhotoSummary]) -> Table {
    let mut table = Table::new(&[
        ("Food", Align::Left),
        ("Usual kcal", Align::Right),
        ("Photos", Align::Right),
        ("Nothing found", Align::Right),
        ("Several items", Align::Right),
        ("Median error", Align::Right),
        ("kcal ±20 %", Align::Right),
        ("kcal in range", Align::Right),
    ]);
    for row in rows {
        table.row(vec![
            row.food.clone(),
            row.calories.map(|calories| format!("{calories:.0}")).unwrap_or_default(),
            row.photos.to_string(),
            row.nothing_found.to_string(),
            row.several_items.to_string(),
            percent(row.median_error),
            percent(row.calories_within_20_percent),
            percent(row.calories_in_range),
        ]);
    }
    table
}

impl PhotoSummary {
    fn new(food: String, calories: Option<f64>, estimates: &[PhotoEstimate]) -> Self {
        let mut errors: Vec<f64> = estimates.iter().map(PhotoEstimate::error).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let count = |holds: &dyn Fn(&PhotoEstimate) -> bool| estimates.iter().filter(|one| holds(one)).count();
        let share = |holds: &dyn Fn(&PhotoEstimate) -> bool| count(holds) as f64 / estimates.len().max(1) as f64;
        Self {
            food,
            calories,
            photos: estimates.len(),
            nothing_found: count(&|one| one.items == 0),
            several_items: count(&|one| one.items > 1),
            median_error: errors.get(errors.len() / 2).copied().unwrap_or_default(),
            calories_within_20_percent: share(&|one| one.error() <= CALORIES_SHARE),
            calories_in_range: share(&|one| one.low <= one.usual && one.usual <= one.high),
        }
    }
}

impl PhotoEstimate {
    /// Estimates what was recognized in a photo.
    fn of(engine: &Engine, seen: Vec<Sighting>, usual: f64) -> Self {
        let message = Message { parts: vec![MessagePart::Photo(seen)] };
        let mut estimate = Self { items: 0, calories: 0.0, low: 0.0, high: 0.0, usual };
        for part in meal::estimate(engine, &[message], &RecipeBook::default()) {
            if let Part::Food(item) = part {
                estimate.items += 1;
                estimate.calories += item.macros.calories;
                estimate.low += item.range.low.calories;
                estimate.high += item.range.high.calories;
            }
        }
        estimate
    }

    /// Returns the error as a share of the usual portion.
    fn error(&self) -> f64 {
        (self.calories - self.usual).abs() / self.usual
    }
}

/// Estimates a photo as the service does. A file that is not a photo is skipped.
fn estimate(
    file: &Path,
    analyzer: &PhotoAnalyzer,
    engine: &Engine,
    catalog: &Catalog,
    usual: f64,
) -> Option<PhotoEstimate> {
    let photo = match fs::read(file).map_err(anyhow::Error::from).and_then(|bytes| Ok(Photo::read(&bytes)?)) {
        Ok(photo) => photo,
        Err(error) => {
            eprintln!("skipped {}: {error}", file.display());
            return None;
        }
    };
    let sightings = analyzer.analyze(&photo, |gtin| catalog.by_gtin(gtin).is_some());
    Some(PhotoEstimate::of(engine, sightings, usual))
}

/// Lists the subfolders with their food and their files, in order.
fn folders(folder: &Path) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let listed = |folder: &Path| -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    };
    let mut found = Vec::new();
    for inner in listed(folder)?.into_iter().filter(|path| path.is_dir()) {
        let food = inner.file_name().unwrap_or_default().to_string_lossy().replace('_', " ");
        if food != NOT_FOOD {
            found.push((food, listed(&inner)?));
        }
    }
    Ok(found)
}
