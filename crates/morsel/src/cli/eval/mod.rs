//! `morsel eval`: the accuracy of estimates, on meals with known totals or on photos.

mod html;
mod photos;
mod phrases;

mod format;
mod plot;
mod score;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use foods::catalog::live::Live;
use meal::{Engine, Estimate};

use serde::de::DeserializeOwned;

use super::args::{DataDirArgs, UsageError};
use super::table::{Align, Table};
use format::{percent, speed};
use phrases::{GoldPhrase, PhraseSummary};
use score::{EvalReport, GoldMeal, MissKind, ScoredMeal, SetSummary};

/// Arguments of `morsel eval`.
#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// Meals with known totals, one per line: {"set", "text", "calories", "protein", "carbs", "fat"}; "country" and "items"
    /// are optional. Or phrases with acceptable answers: {"text", "kcal": [low, high], "items": [min, max], "kind"}
    #[arg(value_name = "FILE.jsonl", required_unless_present = "photos")]
    file: Option<PathBuf>,
    /// Measure photos instead: a folder with one subfolder per food, named after it
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["file", "html"])]
    photos: Option<PathBuf>,
    /// Also write an HTML page with plots
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDirArgs,
}

impl EvalArgs {
    pub fn run(&self) -> Result<()> {
        match (&self.photos, &self.file) {
            (Some(folder), _) => self.measure_photos(folder),
            (None, Some(file)) => self.measure_texts(file),
            (None, None) => Err(UsageError("give a file of meals, or a folder of photos with --photos".into()).into()),
        }
    }

    fn report_phrases(&self, summaries: &[PhraseSummary]) -> Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, summaries)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", phrases::table(summaries))?;
        }
        Ok(())
    }

    fn measure_photos(&self, folder: &Path) -> Result<()> {
        let rows = photos::measure(folder, &Live::open(embedded::CATALOG, &self.data.data_dir)?.current())?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &rows)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", photos::table(&rows))?;
        }
        Ok(())
    }

    fn measure_texts(&self, file: &Path) -> Result<()> {
        let engine = Engine::new(Live::open(embedded::CATALOG, &self.data.data_dir)?.current());
        // Phrases have other fields than meals.
        if let Ok(phrases) = read::<GoldPhrase>(file) {
            return self.report_phrases(&phrases::measure(&engine, &phrases));
        }
        let gold: Vec<GoldMeal> = read(file)?;
        let meals: Vec<ScoredMeal<'_>> = gold
            .iter()
            .map(|gold| {
                let start = Instant::now();
                let estimate = Estimate::of_text(&engine, &gold.text);
                ScoredMeal::new(gold, &estimate, start.elapsed())
            })
            .collect();
        let report = EvalReport::new(&meals);
        if let Some(path) = &self.html {
            let page = html::page(file, &meals, &report)?;
            fs::write(path, page).with_context(|| path.display().to_string())?;
            eprintln!("Wrote {}", path.display());
        }
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", accuracy(&report.sets))?;
            writeln!(out, "\nMeals whose carbs are off by 7.5 g or more, by cause:\n")?;
            write!(out, "{}", errors(&report.sets))?;
            writeln!(out, "\n{}", speed(&report.speed))?;
        }
        Ok(())
    }
}

/// Reads the meals; empty lines are skipped.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let mut out = Vec::new();
    for (line, number) in BufReader::new(file).lines().zip(1..) {
        let line = line.with_context(|| format!("{name}, line {number}"))?;
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(&line) {
            Ok(gold) => out.push(gold),
            Err(error) => {
                // The parser sees one line at a time, so its own line number is always 1.
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or(&message);
                bail!("{name}, line {number}, column {}: {reason}", error.column());
            }
        }
    }
    if out.is_empty() {
        bail!("{name} has no meals");
    }
    Ok(out)
}

fn accuracy(sets: &[SetSummary]) -> Table {
    let mut table = Table::new(&[
        ("Set", Align::Left),
        ("Meals", Align::Right),
        ("Acc@7.5", Align::Right),
        ("Carbs MAE", Align::Right),
        ("Protein MAE", Align::Right),
        ("Fat MAE", Align::Right),
        ("kcal MAE", Align::Right),
        ("kcal ±20 %", Align::Right),
        ("Carbs in range", Align::Right),
        ("kcal in range", Align::Right),
    ]);
    for set in sets {
        table.row(vec![
            set.set.clone(),
            set.meals.to_string(),
            percent(set.accuracy),
            format!("{:.2}", set.mean_error.carbs),
            format!("{:.2}", set.mean_error.protein),
            format!("{:.2}", set.mean_error.fat),
            format!("{:.1}", set.mean_error.calories),
            percent(set.calories_within_20_percent),
            percent(set.carbs_in_range),
            percent(set.calories_in_range),
        ]);
    }
    table
}

fn errors(sets: &[SetSummary]) -> Table {
    let mut heading = vec![("Set", Align::Left), ("Meals", Align::Right)];
    heading.extend(MissKind::ALL.map(|kind| (kind.title(), Align::Right)));
    let mut table = Table::new(&heading);
    for set in sets {
        let mut cells = vec![set.set.clone(), set.errors.all().to_string()];
        cells.extend(MissKind::ALL.map(|kind| set.errors.of(kind).to_string()));
        table.row(cells);
    }
    table
}
