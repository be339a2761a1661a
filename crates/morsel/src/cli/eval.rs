//! `morsel eval`: how close the estimates come to meals whose numbers are known, and those of photos to usual portions.

mod html;
mod photos;
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

use super::table::{Align, Table};
use super::{DataDir, Usage};
use score::{Gold, Kind, Report, Scored, Speed, Summary};

/// Arguments of `morsel eval`.
#[derive(Debug, Args)]
pub(super) struct Eval {
    /// One meal a line: {"set", "text", "calories", "protein", "carbs", "fat"}, and "country" and "items" where known
    #[arg(value_name = "FILE.jsonl", required_unless_present = "photos")]
    file: Option<PathBuf>,
    /// Measure photos instead: a folder of folders, each called like the food that its photos show
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["file", "html"])]
    photos: Option<PathBuf>,
    /// Also write a page with plots
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDir,
}

impl Eval {
    pub fn run(&self) -> Result<()> {
        match (&self.photos, &self.file) {
            (Some(folder), _) => self.measure_photos(folder),
            (None, Some(file)) => self.measure_texts(file),
            (None, None) => Err(Usage("name a file of meals, or a folder of photos with --photos".into()).into()),
        }
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
        let gold = read(file)?;
        let engine = Engine::new(Live::open(embedded::CATALOG, &self.data.data_dir)?.current());
        let meals: Vec<Scored<'_>> = gold
            .iter()
            .map(|gold| {
                let start = Instant::now();
                let estimate = Estimate::of_text(&engine, &gold.text);
                Scored::new(gold, &estimate, start.elapsed())
            })
            .collect();
        let report = Report::new(&meals);
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
            writeln!(out, "\nMeals whose carbs are 7.5 g or more off, by what went wrong:\n")?;
            write!(out, "{}", errors(&report.sets))?;
            writeln!(out, "\n{}", speed(&report.speed))?;
        }
        Ok(())
    }
}

/// Reads the meals; empty lines are passed over.
fn read(path: &Path) -> Result<Vec<Gold>> {
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
                // The reader of one line calls every line the first.
                let said = error.to_string();
                let what = said.split(" at line ").next().unwrap_or(&said);
                bail!("{name}, line {number} is not a meal with known numbers: {what} (column {})", error.column());
            }
        }
    }
    if out.is_empty() {
        bail!("{name} has no meals");
    }
    Ok(out)
}

fn accuracy(sets: &[Summary]) -> Table {
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

fn errors(sets: &[Summary]) -> Table {
    let mut heading = vec![("Set", Align::Left), ("Meals", Align::Right)];
    heading.extend(Kind::ALL.map(|kind| (kind.title(), Align::Right)));
    let mut table = Table::new(&heading);
    for set in sets {
        let mut cells = vec![set.set.clone(), set.errors.all().to_string()];
        cells.extend(Kind::ALL.map(|kind| set.errors.of(kind).to_string()));
        table.row(cells);
    }
    table
}

fn speed(speed: &Speed) -> String {
    format!(
        "{:.0} µs a meal (median), {:.0} µs at the 99th percentile; {:.0} meals a second on one core",
        speed.median_us, speed.p99_us, speed.meals_per_second
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
