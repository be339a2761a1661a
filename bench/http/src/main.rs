//! Measures Morsel's HTTP service against a minimal axum server. README.md describes how.

mod connection;
mod engine;
mod load;
mod measure;
mod pace;
mod photos;
mod recipes;
mod report;
mod requests;
mod server;
mod streams;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use connection::Connection;
use engine::Engine;
use load::Target;
use measure::{Run, fixed_rate, full_speed, median};
use report::{Results, StartUp, Summary};
use requests::{FDC_FOODS, FOODS, PRODUCTS, Requests, Texts};
use server::Server;

const STREAMS: usize = 2_000;
const STARTS: usize = 10;
const ENGINE_ALONE: Duration = Duration::from_secs(5);

const HELP: &str = "\
Usage: bench/http/run [--photos | --engine] [--quick] [--only NAME]

  --engine   measure only the engine alone: what to run under a profiler
  --photos   measure only texts while photos are analyzed
  --quick    one short round, for trying things out; results go to target/partial
  --only     only requests with this in their name, no starts and no streams; results go to target/partial too
";

/// As in Morsel, for the engine alone.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the engine alone is measured with too: the work behind our own endpoints.
const OF_ENGINE: [&str; 2] = ["foods, different", "estimate, different"];

struct Options {
    engine: bool,
    morsel: PathBuf,
    quick: bool,
    only: Option<String>,
    /// The folder of the photos to send, if texts are measured while photos are analyzed.
    photos: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let Some(options) = options()? else {
        eprint!("{HELP}");
        return Ok(());
    };
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = Texts::read(&home.join("../../crates/meal/gold/everyday.jsonl"))?;
    let folder = home.join(if options.quick || options.only.is_some() { "target/partial" } else { "results" });
    if options.engine {
        let engine = Engine::new()?;
        for (name, requests) in
            [("searches", Requests::searches("", FOODS, &texts)), ("estimates", Requests::meals("", "", &texts))]
        {
            let time = engine.measure(&Rc::new(requests), ENGINE_ALONE);
            eprintln!("{name}: {:.1} µs", time.context("all are different")?);
        }
        return Ok(());
    }
    if let Some(photos) = &options.photos {
        let (rounds, seconds) = if options.quick { (1, 4.0) } else { (5, 12.0) };
        let time = Duration::from_secs_f64(seconds);
        let found = photos::run(&options.morsel, &texts, photos, rounds, time).await?;
        found.write(&folder)?;
        eprint!("{}", found.table());
        ensure!(found.failures() == 0, "{} requests failed", found.failures());
        return Ok(());
    }
    let (rounds, seconds) = if options.quick { (1, 1.0) } else { (5, 2.5) };
    let results = run(&options, &texts, rounds, Duration::from_secs_f64(seconds)).await?;
    results.write(&folder)?;
    eprint!("{}", results.table());
    ensure!(results.failures() == 0, "{} requests or streams failed", results.failures());
    Ok(())
}

fn options() -> Result<Option<Options>> {
    let mut options = Options { morsel: PathBuf::new(), quick: false, only: None, engine: false, photos: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--morsel" => options.morsel = arguments.next().context("--morsel needs a path")?.into(),
            "--quick" => options.quick = true,
            "--only" => options.only = Some(arguments.next().context("--only needs a name")?),
            "--engine" => options.engine = true,
            "--photos" => options.photos = Some(arguments.next().context("--photos needs a folder")?.into()),
            "--help" => return Ok(None),
            other => bail!("unknown argument {other}; --help lists them"),
        }
    }
    ensure!(options.engine || options.morsel.is_file(), "run bench/http/run, which builds morsel first");
    Ok(Some(options))
}

async fn run(options: &Options, texts: &Texts, rounds: usize, time: Duration) -> Result<Results> {
    let morsel = options.morsel.as_path();
    let mut results = Results::new(rounds, time);
    let folder = tempfile::tempdir()?;
    let data_dir = folder.path().join("data");

    if options.only.is_none() {
        results.start_up = start_ups(morsel, folder.path(), &data_dir).await?;
    }
    let mut hello = Server::hello(&std::env::current_exe()?.with_file_name("hello"))?;
    hello.wait_for("/", Instant::now()).await?;
    let mut server = Server::morsel(morsel, &data_dir)?;
    server.wait_for("/readyz", Instant::now()).await?;
    let key = server::make_key(morsel, &data_dir, "bench@example.com")?;
    store_recipes(&server, &key).await?;

    let greeting = Target { name: "hello", address: hello.address, requests: Rc::new(Requests::hello()) };
    let target = |name, requests| Target { name, address: server.address, requests: Rc::new(requests) };
    let mut targets = vec![
        target("foods, same", Requests::one_search(&key, FOODS)),
        target("foods, different", Requests::searches(&key, FOODS, texts)),
        target("Open Food Facts, same", Requests::one_search(&key, PRODUCTS)),
        target("Open Food Facts, different", Requests::searches(&key, PRODUCTS, texts)),
        target("FoodData Central, same", Requests::one_search(&key, FDC_FOODS)),
        target("FoodData Central, different", Requests::searches(&key, FDC_FOODS, texts)),
        target("estimate, same", Requests::one_meal(&key, "/v1/estimate/sync")),
        target("estimate, different", Requests::meals(&key, "/v1/estimate/sync", texts)),
        target("chat, same", Requests::one_meal(&key, "/v1/chat/completions")),
        target("chat, different", Requests::meals(&key, "/v1/chat/completions", texts).from(1 << 34)),
        target("Nutritionix, different", Requests::meals(&key, "/v2/natural/nutrients", texts).from(1 << 33)),
        target("MCP, same", Requests::one_meal(&key, "/mcp")),
        target("MCP, different", Requests::meals(&key, "/mcp", texts).later()),
        target("recipes", Requests::recipes(&key)),
    ];
    targets.retain(|target| options.only.as_ref().is_none_or(|only| target.name.contains(only.as_str())));
    for target in &targets {
        check(target).await?;
    }

    let engine = Engine::new()?;
    for round in 1..=rounds {
        eprintln!("Round {round} of {rounds}: as fast as possible …");
        for target in &targets {
            results.runs.push(full_speed(&greeting, &hello, time).await?);
            let mut run = full_speed(target, &server, time).await?;
            if OF_ENGINE.contains(&target.name) {
                run.engine_us = engine.measure(&target.requests, time);
            }
            results.runs.push(run);
        }
    }
    for round in 1..=rounds {
        eprintln!("Round {round} of {rounds}: at half of that …");
        for (target, server) in targets.iter().map(|target| (target, &server)).chain([(&greeting, &hello)]) {
            let rate = capacity(&results.runs, target.name) / 2.0;
            results.runs.push(fixed_rate(target, server, rate, time).await?);
        }
    }
    results.memory_after_load_mb = server.memory() as f64 / 1e6;
    results.summaries = targets.iter().map(|target| Summary::of(target, &results.runs)).collect();
    results.hello = Summary::of(&greeting, &results.runs);

    if options.only.is_none() {
        eprintln!("Opening {STREAMS} streams …");
        let requests = Rc::new(Requests::meals(&key, "/v1/estimate", texts).later());
        results.streams = Some(streams::open(STREAMS, server.address, requests, || server.memory()).await);
    }
    server.stop()?;
    Ok(results)
}

/// Returns the median throughput of a target at full speed, per second.
fn capacity(runs: &[Run], name: &str) -> f64 {
    median(runs.iter().filter(|run| run.target == name && run.rate.is_none()).map(|run| run.per_second).collect())
}

async fn start_ups(morsel: &Path, folder: &Path, data_dir: &Path) -> Result<Vec<StartUp>> {
    eprintln!("Starting {STARTS} times with a new folder, {STARTS} times with a used one …");
    let fresh = start_up("new folder", morsel, |number| folder.join(format!("fresh-{number}"))).await?;
    Ok(vec![fresh, start_up("used folder", morsel, |_| data_dir.to_owned()).await?])
}

async fn start_up(name: &'static str, morsel: &Path, folder: impl Fn(usize) -> PathBuf) -> Result<StartUp> {
    let mut times_ms = Vec::with_capacity(STARTS);
    // A used folder was written by an earlier start.
    if name == "used folder" {
        let mut server = Server::morsel(morsel, &folder(0))?;
        server.wait_for("/readyz", Instant::now()).await?;
        server.stop()?;
    }
    for number in 0..STARTS {
        let folder = folder(number);
        let since = Instant::now();
        let mut server = Server::morsel(morsel, &folder)?;
        times_ms.push(server.wait_for("/readyz", since).await?.as_secs_f64() * 1e3);
        server.stop()?;
    }
    Ok(StartUp { name, times_ms })
}

async fn store_recipes(server: &Server, key: &str) -> Result<()> {
    let mut connection = Connection::open(server.address).await?;
    for recipe in recipes::all() {
        let status = connection.exchange(&recipes::create(key, &recipe)).await?;
        ensure!(status == 201, "a recipe returned {status}: {}", String::from_utf8_lossy(connection.body()));
    }
    Ok(())
}

/// Sends one request, so that a mistake in it is found before minutes are spent.
async fn check(target: &Target) -> Result<()> {
    let mut request = Vec::new();
    target.requests.next(&mut request);
    let mut connection = Connection::open(target.address).await?;
    let status = connection.exchange(&request).await?;
    let body = String::from_utf8_lossy(connection.body());
    ensure!(status == 200, "{} returned {status}: {body}", target.name);
    ensure!(body.len() > 50, "{} returned almost nothing: {body}", target.name);
    Ok(())
}
