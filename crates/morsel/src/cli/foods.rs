//! `morsel foods`: search by name.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use foods::Source;
use foods::catalog::live::Live;
use foods::search::{MAX_RESULTS, Searcher};

use super::table::{Align, Table};
use super::{DataDir, Usage};
use crate::api::foods::rows::{FoodRow, FoodsAnswer};

/// Arguments of `morsel foods`.
#[derive(Debug, Args)]
pub(super) struct Foods {
    /// What to look for: "greek yogurt", "chobani vanilla", "2% milk"
    query: String,
    /// How many foods to show, at most 100
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Only foods of this source
    #[arg(long, value_parser = ["usda", "branded"])]
    source: Option<String>,
    /// Print JSON, as GET /v1/foods answers
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDir,
}

impl Foods {
    pub fn run(&self) -> Result<()> {
        let query = self.query.trim();
        if query.chars().count() < 2 {
            return Err(Usage("the query must be at least 2 characters".to_owned()).into());
        }
        let catalog = Live::open(embedded::CATALOG, &self.data.data_dir)?.current();
        let source = self.source.as_deref().and_then(Source::from_name);
        let limit = (self.limit as usize).min(MAX_RESULTS);
        let found = Searcher::default().search(&catalog, query, limit, source);
        let foods: Vec<FoodRow> = found.iter().map(FoodRow::from).collect();
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &FoodsAnswer { foods, query: query.to_owned() })?;
            writeln!(out)?;
        } else if foods.is_empty() {
            eprintln!("No food found for “{query}” among {} foods. Try fewer or other words.", catalog.len());
        } else {
            write!(out, "{}", table(&foods))?;
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
            format!("{:.0}", food.calories),
            format!("{:.1}", food.protein),
            format!("{:.1}", food.carbs),
            format!("{:.1}", food.fat),
            food.id.clone(),
        ]);
    }
    table
}
