//! How close the calories of photos come to those of the usual portion of what they show.
//!
//! Nobody weighed what is in the photos. So this measures what recognition adds to the error: a photo whose food is surely
//! recognised comes to the usual portion of that food.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use foods::catalog::Catalog;
use meal::{By, Engine, Guess, Message, Part, RecipeBook, Sighting};
use serde::Serialize;
use vision::Eyes;
use vision::photo::Photo;

use super::super::table::{Align, Table};
use super::percent;
use crate::photo_reader::to_meal;

/// Photos in a folder of this name show no food.
const NOT_FOOD: &str = "not food";
/// An estimate this close to the usual portion is near, as a share of it.
const NEAR: f64 = 0.2;

/// How the photos of a food, or of all, were estimated.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    food: String,
    /// Of the usual portion.
    calories: Option<f64>,
    photos: usize,
    /// Photos that nothing was found in.
    nothing_found: usize,
    /// Photos that came to more than one item.
    several_items: usize,
    /// Share of the usual portion by which half of the photos are off at most; where nothing is found, all of it.
    median_error: f64,
    calories_within_20_percent: f64,
    calories_in_range: f64,
}

/// What a photo came to.
struct Shot {
    items: usize,
    calories: f64,
    low: f64,
    high: f64,
    usual: f64,
}

/// Estimates every photo of the folders in `folder`, which are called like the food that they show; the last row is of all.
pub(super) fn measure(folder: &Path, catalog: &Arc<Catalog>) -> Result<Vec<Row>> {
    let engine = Engine::new(Arc::clone(catalog));
    let eyes = Eyes::default();
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for (food, photos) in folders(folder)? {
        let surely = Guess { words: food.clone(), confidence: 1.0 };
        let surely = Sighting::Dish { guesses: vec![surely], by: By::Dish, note: None };
        let usual = Shot::of(&engine, vec![surely], 0.0).calories;
        if usual <= 0.0 {
            eprintln!("“{food}” is left out: it comes to no calories");
            continue;
        }
        let shots: Vec<Shot> = photos.iter().filter_map(|file| shoot(file, &eyes, &engine, catalog, usual)).collect();
        rows.push(Row::new(food, Some(usual), &shots));
        all.extend(shots);
    }
    if all.is_empty() {
        bail!("{} has no folders with photos that are called like a food", folder.display());
    }
    rows.push(Row::new("all".to_owned(), None, &all));
    Ok(rows)
}

/// The rows as people read them.
pub(super) fn table(rows: &[Row]) -> Table {
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

impl Row {
    fn new(food: String, calories: Option<f64>, shots: &[Shot]) -> Self {
        let mut errors: Vec<f64> = shots.iter().map(Shot::error).collect();
        errors.sort_unstable_by(f64::total_cmp);
        let count = |is_so: &dyn Fn(&Shot) -> bool| shots.iter().filter(|shot| is_so(shot)).count();
        let share = |is_so: &dyn Fn(&Shot) -> bool| count(is_so) as f64 / shots.len().max(1) as f64;
        Self {
            food,
            calories,
            photos: shots.len(),
            nothing_found: count(&|shot| shot.items == 0),
            several_items: count(&|shot| shot.items > 1),
            median_error: errors.get(errors.len() / 2).copied().unwrap_or_default(),
            calories_within_20_percent: share(&|shot| shot.error() <= NEAR),
            calories_in_range: share(&|shot| shot.low <= shot.usual && shot.usual <= shot.high),
        }
    }
}

impl Shot {
    /// What is seen, as a meal.
    fn of(engine: &Engine, seen: Vec<Sighting>, usual: f64) -> Self {
        let message = Message { text: String::new(), photos: vec![seen] };
        let mut shot = Self { items: 0, calories: 0.0, low: 0.0, high: 0.0, usual };
        for part in meal::estimate(engine, &[message], &RecipeBook::default()) {
            if let Part::Food(item) = part {
                shot.items += 1;
                shot.calories += item.values.calories;
                shot.low += item.range.low.calories;
                shot.high += item.range.high.calories;
            }
        }
        shot
    }

    /// How far off it is, as a share of the usual portion.
    fn error(&self) -> f64 {
        (self.calories - self.usual).abs() / self.usual
    }
}

/// Estimates a photo as the service does. A file that is no photo is left out.
fn shoot(file: &Path, eyes: &Eyes, engine: &Engine, catalog: &Catalog, usual: f64) -> Option<Shot> {
    let photo = match fs::read(file).map_err(anyhow::Error::from).and_then(|bytes| Ok(Photo::read(&bytes)?)) {
        Ok(photo) => photo,
        Err(error) => {
            eprintln!("{} is left out: {error}", file.display());
            return None;
        }
    };
    let is_known = |digits: &str| digits.parse().is_ok_and(|gtin| catalog.by_gtin(gtin).is_some());
    Some(Shot::of(engine, eyes.look(&photo, is_known).into_iter().filter_map(to_meal).collect(), usual))
}

/// The folders of foods, and the files in each, in order.
fn folders(folder: &Path) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let listed = |folder: &Path| -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
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
