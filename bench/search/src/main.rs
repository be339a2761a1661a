//! Measures Morsel's search against tantivy, SQLite FTS5 and PostgreSQL: the same foods, the same queries, one thread.

mod docs;
mod engines;
mod growth;
mod judge;
mod measure;
mod memory;
mod plot;
mod queries;
mod report;
mod rng;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use docs::{Doc, Foods};
use engines::EngineKind;
use measure::Task;
use queries::Query;
use report::{EngineResult, GrowthPoint, Results};

const USAGE: &str = "\
run [--only ENGINE[,ENGINE…]] [--skip-growth] [--growth-only] [--regenerate] [--misses N]
  --only         measure only these of morsel, tantivy, sqlite, postgres
  --skip-growth  skip the catalogs of other sizes
  --growth-only  measure only those
  --regenerate   generate the query set from the catalog again
  --misses N     list N queries of each kind whose first result is wrong, and the N slowest
Only complete runs write to results/.";

/// The time limit for one engine on the catalog, long enough for all queries in the slowest engine.
const CATALOG_LIMIT: Duration = Duration::from_secs(150);
/// The time limit for one engine at one size.
const GROWTH_LIMIT: Duration = Duration::from_secs(20);
/// Queries of each kind at each size.
const GROWTH_PER_KIND: usize = 60;
const GROWTH_SEED: u64 = 0x7369_7a65;

#[derive(Debug, Default)]
struct Options {
    only: Vec<EngineKind>,
    skip_growth: bool,
    growth_only: bool,
    regenerate: bool,
    misses: usize,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
            match &**arg {
                "--only" => options.only = value()?.split(',').map(EngineKind::from_name).collect::<Result<_>>()?,
                "--misses" => options.misses = value()?.parse()?,
                "--skip-growth" => options.skip_growth = true,
                "--growth-only" => options.growth_only = true,
                "--regenerate" => options.regenerate = true,
                _ => bail!("{USAGE}"),
            }
        }
        Ok(options)
    }

    fn engines(&self) -> Vec<EngineKind> {
        EngineKind::ALL.into_iter().filter(|kind| self.only.is_empty() || self.only.contains(kind)).collect()
    }

    /// Checks whether everything is measured, so that the results may replace those of the last complete run.
    fn is_complete(&self) -> bool {
        self.only.is_empty() && !self.skip_growth && !self.growth_only
    }
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [child, step, rest @ ..] if child == "--child" => child_main(step, rest),
        _ => Bench::new(Options::parse(&args)?)?.run(),
    }
}

/// Runs a step in a measuring process.
fn child_main(step: &str, args: &[String]) -> Result<()> {
    let task = Task::from_args(args)?;
    match step {
        "build" => task.engine.build(&task.foods, &task.folder),
        "measure" => Ok(serde_json::to_writer(std::io::stdout().lock(), &task.measure()?)?),
        _ => bail!("unknown step {step:?}"),
    }
}

struct Bench {
    options: Options,
    /// The folder of this benchmark.
    home: PathBuf,
    /// Indexes and other temporary files.
    work: PathBuf,
    docs: Vec<Doc>,
    results: Results,
}

impl Bench {
    fn new(options: Options) -> Result<Self> {
        let home = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let work = home.join("target/work");
        fs::create_dir_all(&work)?;
        let docs = docs::load(&Foods::Embedded)?;
        Ok(Self { options, home, work, docs, results: Results::default() })
    }

    fn run(mut self) -> Result<()> {
        let started = Instant::now();
        let queries = self.queries()?;
        (self.results.load, self.results.cores) = memory::load();
        self.results.foods = self.docs.len();
        self.results.queries = queries.len();
        if !self.options.growth_only {
            self.measure_catalog(&queries)?;
        }
        if !self.options.skip_growth {
            self.measure_growth()?;
        }
        self.results.targets = targets::check(&self.results);
        println!("{}", self.results.to_markdown());
        let folder = if self.options.is_complete() { self.home.join("results") } else { self.work.join("partial") };
        self.write_results(&folder)?;
        eprintln!("Done in {:.0} s; written to {}.", started.elapsed().as_secs_f64(), self.relative(&folder));
        Ok(())
    }

    /// Returns the committed query set, or a new one.
    fn queries(&self) -> Result<Vec<Query>> {
        let path = self.home.join("queries.tsv");
        if self.options.regenerate || !path.exists() {
            let everyday = fs::read_to_string(self.home.join("everyday.tsv")).context("everyday.tsv")?;
            queries::write(&path, &queries::generate(&self.docs, &everyday)?)?;
        }
        let queries = queries::read(&path)?;
        ensure!(!queries.is_empty(), "the query set is empty; --regenerate creates a new one");
        Ok(queries)
    }

    fn measure_catalog(&mut self, queries: &[Query]) -> Result<()> {
        for engine in self.options.engines() {
            eprintln!("{} on {} foods …", engine.label(), self.docs.len());
            let measured = self.task(engine, Foods::Embedded, "catalog", queries, CATALOG_LIMIT)?.run()?;
            ensure!(measured.found.len() == queries.len(), "{} ran out of time", engine.label());
            let look_up =
                |found: &Vec<u32>| -> Vec<&Doc> { found.iter().filter_map(|&at| self.docs.get(at as usize)).collect() };
            let answers: Vec<Vec<&Doc>> = measured.found.iter().map(look_up).collect();
            let places = report::places(queries, &answers);
            if engine == EngineKind::Morsel && self.options.misses > 0 {
                println!("{}", report::misses(queries, &answers, &places, self.options.misses));
                println!("{}", report::slowest(queries, &measured, self.options.misses));
            }
            self.results.engines.push(EngineResult::new(engine, &measured, queries, &places));
        }
        Ok(())
    }

    fn measure_growth(&mut self) -> Result<()> {
        for size in [20_000, 275_000, 2_000_000] {
            let path = self.work.join(format!("foods-{size}.morsel"));
            eprintln!("Generating {size} foods …");
            growth::write(&path, &self.docs, size)?;
            let foods = Foods::File(path.clone());
            let queries = growth_queries(&foods)?;
            for engine in self.options.engines() {
                eprintln!("{} on {size} foods …", engine.label());
                let task = self.task(engine, foods.clone(), &size.to_string(), &queries, GROWTH_LIMIT)?;
                self.results.growth.push(GrowthPoint::new(engine, size, &task.run()?));
            }
            fs::remove_file(&path)?;
        }
        Ok(())
    }

    fn task(&self, engine: EngineKind, foods: Foods, label: &str, queries: &[Query], limit: Duration) -> Result<Task> {
        let path = self.work.join(format!("queries-{label}.txt"));
        let lines: String = queries.iter().map(|query| query.text.clone() + "\n").collect();
        fs::write(&path, lines)?;
        Ok(Task { engine, foods, folder: engine.folder(&self.work, label), queries: path, limit })
    }

    fn write_results(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("results.json"), serde_json::to_string_pretty(&self.results)? + "\n")?;
        fs::write(folder.join("results.md"), self.results.to_markdown())?;
        if !self.results.engines.is_empty() {
            fs::write(folder.join("quality.svg"), plot::quality(&self.results))?;
        }
        if !self.results.growth.is_empty() {
            fs::write(folder.join("growth.svg"), plot::growth(&self.results))?;
        }
        Ok(())
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.home).unwrap_or(path).display().to_string()
    }
}

/// Generates queries for generated foods, from a sample of them.
fn growth_queries(foods: &Foods) -> Result<Vec<Query>> {
    const SAMPLE: usize = 20_000;
    let layer = foods.layer()?;
    let mut rng = rng::Rng::new(GROWTH_SEED);
    let sample = (0..SAMPLE).filter_map(|_| layer.food(rng.below(layer.len() as usize) as u32)).map(Doc::new);
    Ok(queries::from_names(&sample.collect::<Vec<_>>(), GROWTH_PER_KIND, GROWTH_SEED))
}
