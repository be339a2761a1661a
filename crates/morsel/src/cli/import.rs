//! `morsel import`: adds foods from a publisher's bulk files to the catalog of a data directory.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use foods::Food;
use foods::catalog::live::Update;
use foods::catalog::{ManifestFile, ManifestSource};
use foods::import::composition::{self, TableName};
use foods::import::{ImportError, ImportKind, Progress, Report, Sink, Skip, import_path};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::{DataDirArgs, UsageError};
use super::publish;
use crate::config::BucketArgs;

/// Arguments of `morsel import`.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    command: ImportCommand,
}

#[derive(Debug, Subcommand)]
enum ImportCommand {
    /// USDA FoodData Central: CSV download (zip or folder), FNDDS “At A Glance” tables, SR28
    Fdc(PathArgs),
    /// Open Food Facts: CSV or JSONL export, plain or gzipped
    Off(PathArgs),
    /// A food composition table of your own or of another country: TSV, plain or gzipped
    Table(TableArgs),
}

#[derive(Debug, Args)]
struct PathArgs {
    /// Files or folders to read
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    data: DataDirArgs,
    #[command(flatten)]
    bucket: BucketArgs,
}

#[derive(Debug, Args)]
struct TableArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Short name of the table, with which the ids of its foods begin; by default the name of the file
    #[arg(long, value_parser = TableName::new)]
    name: Option<TableName>,
}

impl ImportArgs {
    pub fn run(&self) -> Result<()> {
        match &self.command {
            ImportCommand::Fdc(paths) => import_kind(ImportKind::Fdc, "USDA FoodData Central", paths),
            ImportCommand::Off(paths) => import_kind(ImportKind::Off, "Open Food Facts", paths),
            ImportCommand::Table(table) => import_tables(table),
        }
    }
}

fn import_kind(kind: ImportKind, publisher: &str, paths: &PathArgs) -> Result<()> {
    import(publisher, paths, |path, work_dir, report, sink| import_path(kind, path, work_dir, report, sink))
}

fn import_tables(args: &TableArgs) -> Result<()> {
    let name_of = |path: &Path| match &args.name {
        Some(name) => Ok(name.clone()),
        None => TableName::of_file(path).context("the name of the file cannot be that of the table; use --name"),
    };
    for path in &args.paths.paths {
        name_of(path)?;
    }
    let publisher = args.name.as_ref().map_or("", |name| name.table().publisher());
    import(publisher, &args.paths, |path, _, report, sink| match name_of(path) {
        Ok(name) => composition::read(path, &name, report, sink),
        Err(error) => Err(ImportError::format(path, &error.to_string())),
    })
}

/// Imports paths with a reader of their format.
fn import(
    publisher: &str,
    paths: &PathArgs,
    read: impl Fn(&Path, &Path, &mut Report, &mut dyn Sink) -> Result<(), ImportError>,
) -> Result<()> {
    for path in &paths.paths {
        // Checked before anything is created, so that a mistyped path leaves no trace.
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let bucket = paths.bucket.bucket().map_err(UsageError)?;
    let mut update = Update::begin(&paths.data.data_dir)?;
    let work_dir = update.work_dir();
    let mut sources = Vec::new();
    for path in &paths.paths {
        let mut report = Report::default();
        let mut sink = ImportSink::new(&mut update, path);
        let outcome = read(path, &work_dir, &mut report, &mut sink);
        let replaced = sink.finish();
        outcome?;
        for _ in 0..replaced {
            report.skip(Skip::Duplicate, || path.display().to_string());
        }
        print_report(path, &report);
        let files = ManifestFile::describe(path).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sources.push(ManifestSource { name, publisher: publisher.to_owned(), foods: report.foods, files });
    }
    if update.is_empty() {
        anyhow::bail!("nothing imported: the input has no usable food. The catalog is unchanged");
    }
    eprintln!("Indexing {} foods…", update.len());
    let foods = update.finish(sources)?;
    eprintln!(
        "Done. The imported catalog in {} now has {foods} foods; running servers load it automatically.",
        paths.data.data_dir.display()
    );
    bucket.map_or(Ok(()), |bucket| publish::publish(bucket, &paths.data.data_dir))
}

/// Reports how many foods were read and what was skipped.
fn print_report(path: &Path, report: &Report) {
    eprintln!("{}: {} foods read", path.display(), report.foods);
    for (reason, skipped) in &report.skipped {
        eprintln!("  skipped {:>9}: {reason} (first: {})", skipped.count, skipped.examples.join("; "));
    }
}

/// Adds foods to the catalog and shows progress.
struct ImportSink<'a> {
    update: &'a mut Update,
    bar: ProgressBar,
    replaced: u64,
}

impl<'a> ImportSink<'a> {
    fn new(update: &'a mut Update, path: &Path) -> Self {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}  {eta_precise} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(path.display().to_string());
        Self { update, bar, replaced: 0 }
    }

    /// Removes the progress bar and returns how many foods replaced an earlier one.
    fn finish(self) -> u64 {
        self.bar.finish_and_clear();
        self.replaced
    }
}

impl Sink for ImportSink<'_> {
    fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if self.update.add(&food)? {
            self.replaced += 1;
        }
        Ok(())
    }

    fn progress(&mut self, progress: Progress) {
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.bytes);
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{} rows, {:.0} rows/s", progress.rows, progress.rows as f64 / seconds));
    }
}
