//! `morsel estimate`: one meal in words, photos or both; or many meals in words, one per line or row.

mod csv_file;
mod lines;
mod pool;
mod table;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::http::HeaderMap;
use clap::Args;
use foods::catalog::Catalog;
use foods::catalog::live::Live;
use meal::{Engine, Message, Part, Speaker};
use nutrition::sighting::PhotoSightings;
use vision::PhotoAnalyzer;

use self::pool::Estimator;
use super::args::{DataDirArgs, UsageError};
use super::recipe_file;
use crate::api::estimate::content::MAX_IMAGES;
use crate::api::estimate::include::Include;
use crate::api::estimate::meal_csv::TEXT_COLUMN;
use crate::api::estimate::rows::{self, EstimateAnswer};
use crate::speaker;

/// Arguments of `morsel estimate`.
#[derive(Debug, Args)]
pub(super) struct EstimateArgs {
    /// The meal: "two eggs and toast"
    // A list with dashes is a meal, too.
    #[arg(required_unless_present_any = ["jsonl", "csv", "images"], conflicts_with = "jsonl", allow_hyphen_values = true)]
    text: Option<String>,
    /// Photo of the meal: JPEG, PNG or WebP; repeat for up to five. Photos stay on this machine
    #[arg(long = "image", value_name = "FILE", conflicts_with = "jsonl")]
    images: Vec<PathBuf>,
    /// Print the JSON of POST /v1/estimate/sync
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// Read one meal per line from stdin, as {"text": …} or a JSON string; print one line of JSON for each
    #[arg(long)]
    jsonl: bool,
    /// Read a table with a meal in every row ("-" for stdin) and print it with the columns of the estimate
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "images", "json", "jsonl"])]
    csv: Option<PathBuf>,
    /// With --csv: the column that has the meal
    #[arg(long, value_name = "NAME", default_value = TEXT_COLUMN, requires = "csv")]
    column: String,
    /// Extra fields in the JSON, comma-separated: source, grams, range, tier, alternatives, nutrients, recipe, unresolved,
    /// language
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    include: Include,
    /// Language of the text: en, es, de and others; detected by default
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Your recipes, in the form of GET /v1/recipes; they take precedence over the catalog
    #[arg(long, value_name = "FILE.json")]
    recipes: Option<PathBuf>,
    #[command(flatten)]
    data: DataDirArgs,
}

impl EstimateArgs {
    pub fn run(&self) -> Result<()> {
        let text = self.text.as_deref().unwrap_or_default();
        if text.starts_with("--") {
            return Err(UsageError(format!("unknown option “{text}”; see `morsel estimate --help`")).into());
        }
        if let Some(error) = lines::length_error(text) {
            return Err(UsageError(error).into());
        }
        if !self.json && !self.jsonl && self.include != Include::default() {
            return Err(UsageError("--include needs --json or --jsonl".into()).into());
        }
        let book = self.recipes.as_deref().map(recipe_file::read).transpose()?.unwrap_or_default();
        let catalog = Live::open(embedded::CATALOG, &self.data.data_dir)?.current();
        let engine = Engine::new(Arc::clone(&catalog));
        let speaker = self.speaker(&engine)?;
        if let Some(path) = &self.csv {
            return csv_file::answer(Estimator { engine, book, speaker }, path, &self.column);
        }
        if self.jsonl {
            return lines::answer(Estimator { engine, book, speaker }, self.include);
        }
        let photos = if self.images.is_empty() { Vec::new() } else { read_photos(&self.images, &catalog)? };
        let message = Message::with_photos(text.to_owned(), photos);
        let messages = [message];
        let parts: Vec<Part> = meal::estimate_for(&engine, &messages, &book, &speaker).collect();
        let is_empty = parts.iter().all(|part| matches!(part, Part::Unresolved(_)));
        let mut out = io::stdout().lock();
        if self.json {
            let mut answer = EstimateAnswer::from_parts(&parts, self.include);
            answer.language = rows::language_of(&engine, &messages, &speaker, self.include);
            serde_json::to_writer_pretty(&mut out, &answer)?;
            writeln!(out)?;
        } else if !is_empty {
            write!(out, "{}", table::of_parts(&parts))?;
        }
        if is_empty {
            let input = if self.images.is_empty() { "text" } else { "photo" };
            eprintln!("No food found in the {input}.");
        }
        let unresolved: Vec<&str> = parts.iter().filter_map(unresolved).collect();
        if !unresolved.is_empty() {
            eprintln!("Not found: {}", unresolved.join(", "));
        }
        Ok(())
    }
}

impl EstimateArgs {
    /// Returns the language that was said.
    fn speaker(&self, engine: &Engine) -> Result<Speaker> {
        let speaker = speaker::speaker_of(self.language.as_deref(), &HeaderMap::new(), engine.translator());
        Ok(speaker.map_err(|refused| UsageError(refused.message.replace("“language”", "--language")))?)
    }
}

/// Reads photos and returns what is recognized in each.
fn read_photos(images: &[PathBuf], catalog: &Catalog) -> Result<Vec<PhotoSightings>> {
    if images.len() > MAX_IMAGES {
        return Err(UsageError(format!("at most {MAX_IMAGES} photos are allowed")).into());
    }
    let analyzer = PhotoAnalyzer::default();
    let look = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let photo = vision::photo::Photo::read(&bytes).with_context(|| path.display().to_string())?;
        Ok(analyzer.analyze(&photo, |gtin| catalog.by_gtin(gtin).is_some()))
    };
    images.iter().map(look).collect()
}

fn unresolved(part: &Part) -> Option<&str> {
    match part {
        Part::Unresolved(words) => Some(words),
        Part::Food(_) | Part::Recipe(_) => None,
    }
}
