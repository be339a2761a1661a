//! `morsel foods`: food search.

use std::io::{self, Write};

use answers::EngineSnapshot;
use answers::food::FoodRow;
use anyhow::Result;
use clap::Args;
use clap::builder::PossibleValuesParser;
use foods::Source;
use foods::catalog::live::Live;
use foods::search::MAX_RESULTS;
use meal::Speaker;

use super::args::{DataDirArgs, UsageError};
use super::table::{Align, Table};

/// Arguments of `morsel foods`.
#[derive(Debug, Args)]
pub(super) struct FoodsArgs {
    /// Food name: "greek yogurt", "chobani vanilla", "2% milk"
    query: String,
    /// Maximum number of results, up to 100
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Only foods from this source
    #[arg(long, value_parser = PossibleValuesParser::new(Source::all().map(Source::name)))]
    source: Option<String>,
    /// Print the JSON of GET /v1/foods
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDirArgs,
}

impl FoodsArgs {
    pub fn run(&self) -> Result<()> {
        let query = self.query.trim();
        if query.chars().count() < 2 {
            return Err(UsageError("the query must be at least 2 characters".to_owned()).into());
        }
        let catalog = Live::open(embedded::CATALOG, &self.data.data_dir)?.current();
        let source = self.source.as_deref().and_then(|name| name.parse().ok());
        let limit = (self.limit as usize).min(MAX_RESULTS);
        let snapshot = EngineSnapshot::new(catalog);
        let found = snapshot.search(query, &Speaker::default(), limit, source);
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &found.answer(query))?;
            writeln!(out)?;
        } else if found.is_empty() {
            eprintln!("No matches for “{query}” in {} foods. Try fewer or different words.", snapshot.catalog.len());
        } else {
            write!(out, "{}", table(&found.rows()))?;
        }
        Ok(())
    }
}

fn table(foods: &[FoodRow]) -> Table {
    let mut table = Table::new(&[
        ("Food", Align::Left),
        ("Serving", Align::Left),
        ("g", Align::Right),
        ("kcal", Align::Right),
        ("Protein", Align::Right),
        ("Carbs", Align::Right),
        ("Fat", Align::Right),
        ("Id", Align::Left),
    ]);
    for food in foods {
        let name = match &food.brand {
            Some(brand) => format!("{} · {brand}", food.name),
            None => food.name.clone(),
        };
        table.row(vec![
            name,
            food.serving_description.clone(),
            format!("{:.0}", food.serving_grams),
            format!("{:.0}", food.macros.calories),
            format!("{:.1}", food.macros.protein),
            format!("{:.1}", food.macros.carbs),
            format!("{:.1}", food.macros.fat),
            food.id.clone(),
        ]);
    }
    table
}
