//! Measures how long Morsel takes from text to items, for single phrases, whole meals and the slowest texts that are
//! allowed, and how long ingredient-parser-nlp takes for the same single phrases.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use foods::catalog::{Catalog, Layer};
use meal::{Engine, Estimate};
use serde::{Deserialize, Serialize};

const USAGE: &str = "\
run [--meals FILE.jsonl] [--skip-peer]
  --meals      also measure the texts of this file, one {\"text\": …} per line
  --skip-peer  measure Morsel alone
Only runs without arguments write to results.json and README.md.";

/// How often every text is measured, pass by pass; the median counts.
const PASSES: usize = 5;
/// The time that no text may exceed.
const MAX_TIME: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
struct Options {
    meals: Option<PathBuf>,
    skip_peer: bool,
}

/// A row of the phrases that the estimator is tested with.
#[derive(Deserialize)]
struct Gold {
    text: String,
    items: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

/// The output of the peer.
#[derive(Deserialize)]
struct Peer {
    version: String,
    nanoseconds: Vec<u64>,
}

/// Times of a set of texts, in microseconds.
#[derive(Clone, Debug, Serialize)]
struct Figures {
    texts: usize,
    median_us: f64,
    p99_us: f64,
    max_us: f64,
    /// Texts per second on one core.
    per_second: f64,
}

#[derive(Debug, Serialize)]
struct Set {
    name: String,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Debug, Serialize)]
struct Worst {
    name: &'static str,
    milliseconds: f64,
}

#[derive(Debug, Serialize)]
struct Comparison {
    version: String,
    morsel: Figures,
    peer: Figures,
    /// How many times longer the peer takes in the median.
    ratio_of_medians: f64,
}

#[derive(Debug, Serialize)]
struct Results {
    processor: String,
    load_before: String,
    sets: Vec<Set>,
    worst: Vec<Worst>,
    peer: Option<Comparison>,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let options = options()?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let load_before = load();
    let layer = Layer::from_static(embedded::CATALOG).context("could not open the embedded catalog")?;
    let catalog = Arc::new(Catalog::new(layer, None));
    let gold: Vec<Gold> = rows(&here.join("../../crates/meal/gold/everyday.jsonl"))?;
    let phrases: Vec<&str> = gold.iter().map(|row| row.text.as_str()).collect();
    let single: Vec<&str> = gold.iter().filter(|row| row.items.len() == 1).map(|row| row.text.as_str()).collect();
    let meals = composed(&phrases);
    let meals: Vec<&str> = meals.iter().map(String::as_str).collect();
    let mut sets = vec![set(&catalog, "everyday phrases", &phrases), set(&catalog, "meals of four phrases", &meals)];
    if let Some(path) = &options.meals {
        let texts: Vec<Text> = rows(path)?;
        let texts: Vec<&str> = texts.iter().map(|row| row.text.as_str()).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        sets.push(set(&catalog, &name, &texts));
    }
    let worst = worst(&catalog)?;
    let peer = if options.skip_peer { None } else { Some(compare(here, &catalog, &single)?) };
    let results = Results { processor: processor(), load_before, sets, worst, peer };
    let table = table(&results);
    print!("{table}");
    if options.meals.is_none() && !options.skip_peer {
        fs::write(here.join("results.json"), serde_json::to_string_pretty(&results)? + "\n")?;
        fill_in(&here.join("README.md"), &table)?;
    }
    Ok(())
}

fn options() -> Result<Options> {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--meals" => options.meals = Some(arguments.next().context("--meals needs a file")?.into()),
            "--skip-peer" => options.skip_peer = true,
            "--help" => {
                println!("{USAGE}");
                std::process::exit(0);
            }
            other => bail!("unknown option {other:?}\n{USAGE}"),
        }
    }
    Ok(options)
}

fn rows<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let read = |line: &str| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

/// Composes meals of four phrases each, with every phrase in four of them, always the same.
fn composed(phrases: &[&str]) -> Vec<String> {
    let at = |index: usize| phrases[index % phrases.len()];
    (0..phrases.len()).map(|first| [at(first), at(first + 137), at(first + 251), at(first + 389)].join(", ")).collect()
}

fn set(catalog: &Arc<Catalog>, name: &str, texts: &[&str]) -> Set {
    Set { name: name.to_owned(), figures: figures(&times(catalog, texts)) }
}

/// Returns the median time of each text, after a warm-up pass. An engine caches words and phrases, so every pass has an
/// engine of its own: no text is timed that the same engine has read before.
fn times(catalog: &Arc<Catalog>, texts: &[&str]) -> Vec<Duration> {
    let warm = Engine::new(Arc::clone(catalog));
    for text in texts {
        Estimate::of_text(&warm, text);
    }
    let mut all = vec![Vec::with_capacity(PASSES); texts.len()];
    for _ in 0..PASSES {
        let engine = Engine::new(Arc::clone(catalog));
        for (taken, text) in all.iter_mut().zip(texts) {
            let start = Instant::now();
            std::hint::black_box(Estimate::of_text(&engine, text));
            taken.push(start.elapsed());
        }
    }
    for taken in &mut all {
        taken.sort_unstable();
    }
    all.iter().map(|taken| taken[PASSES / 2]).collect()
}

fn figures(times: &[Duration]) -> Figures {
    let mut sorted: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0);
    let rounded = |value: f64| (value * 10.0).round() / 10.0;
    Figures {
        texts: sorted.len(),
        median_us: rounded(at(0.5)),
        p99_us: rounded(at(0.99)),
        max_us: rounded(at(1.0)),
        per_second: (sorted.len() as f64 / (sorted.iter().sum::<f64>() / 1e6)).round(),
    }
}

/// Measures the slowest texts that we know, each of the maximum length.
fn worst(catalog: &Arc<Catalog>) -> Result<Vec<Worst>> {
    let soup: String = (0..8_000u32).filter_map(|at| char::from_u32(0xA1 + at * 37 % 0x2_0000)).collect();
    let texts = [
        ("4,000 × “, ”", ", ".repeat(4_000)),
        ("8,000 × “a”", "a".repeat(8_000)),
        ("1,600 × “and ”", "and ".repeat(1_600)),
        ("2,000 numbers", "123 ".repeat(2_000)),
        ("2,000 × “egg,”", "egg,".repeat(2_000)),
        ("350 × “chickn brest and ryce, ”", "chickn brest and ryce, ".repeat(350)),
        ("600 × “a b c d e f g ”", "a b c d e f g ".repeat(600)),
        ("8,000 × “(”", "(".repeat(8_000)),
        ("8,000 × “½”", "½".repeat(8_000)),
        ("unicode soup", soup),
    ];
    let mut out = Vec::new();
    for (name, text) in texts {
        let measure = || timed(&Engine::new(Arc::clone(catalog)), &text);
        let time = (0..PASSES).map(|_| measure()).min().unwrap_or_default();
        ensure!(time < MAX_TIME, "{name} takes {time:?}; the limit is {MAX_TIME:?}");
        out.push(Worst { name, milliseconds: (time.as_secs_f64() * 1e4).round() / 10.0 });
    }
    Ok(out)
}

/// Returns the time that a text takes; for longer ones the CPU time, so that they do not fail on a busy machine.
fn timed(engine: &Engine, text: &str) -> Duration {
    let (start, start_cpu) = (Instant::now(), cpu_time());
    std::hint::black_box(Estimate::of_text(engine, text));
    let elapsed = start.elapsed();
    match (start_cpu, cpu_time()) {
        // The system counts CPU time in steps of some milliseconds.
        (Some(before), Some(after)) if elapsed > Duration::from_millis(10) => {
            Duration::from_nanos(after.saturating_sub(before))
        }
        _ => elapsed,
    }
}

/// Returns the CPU time of this thread in nanoseconds.
fn cpu_time() -> Option<u64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

/// Measures both on the same phrases of one ingredient, one after the other.
fn compare(here: &Path, catalog: &Arc<Catalog>, phrases: &[&str]) -> Result<Comparison> {
    let own = figures(&times(catalog, phrases));
    let mut child = Command::new(here.join("target/venv/bin/python"))
        .arg(here.join("peer.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("the peer is not installed; bench/estimate/run installs it")?;
    let mut stdin = child.stdin.take().context("the peer has no input")?;
    stdin.write_all(serde_json::to_string(phrases)?.as_bytes())?;
    drop(stdin);
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "the peer failed");
    let peer: Peer = serde_json::from_slice(&output.stdout).context("invalid output of the peer")?;
    let times: Vec<Duration> = peer.nanoseconds.iter().map(|&time| Duration::from_nanos(time)).collect();
    let other = figures(&times);
    let ratio_of_medians = (other.median_us / own.median_us * 10.0).round() / 10.0;
    Ok(Comparison { version: peer.version, morsel: own, peer: other, ratio_of_medians })
}

fn table(results: &Results) -> String {
    let mut out = format!("{}; load before: {}\n\n", results.processor, results.load_before);
    out += "| Texts | Number | Median | p99 | Slowest | Per second on one core |\n|---|---|---|---|---|---|\n";
    let mut row = |name: &str, figures: &Figures| {
        let Figures { texts, median_us, p99_us, max_us, per_second } = figures;
        out +=
            &format!("| {name} | {texts} | {median_us:.0} µs | {p99_us:.0} µs | {max_us:.0} µs | {per_second:.0} |\n");
    };
    for set in &results.sets {
        row(&set.name, &set.figures);
    }
    if let Some(peer) = &results.peer {
        row("single ingredients, Morsel (to nutrients)", &peer.morsel);
        row(&format!("single ingredients, ingredient-parser-nlp {} (parse only)", peer.version), &peer.peer);
        out += &format!("\nIn the median, ingredient-parser-nlp takes {:.1} times as long.\n", peer.ratio_of_medians);
    }
    out += "\n| Worst texts | Time |\n|---|---|\n";
    for worst in &results.worst {
        out += &format!("| {} | {:.1} ms |\n", worst.name, worst.milliseconds);
    }
    out
}

/// Writes the table between the markers in the README.
fn fill_in(path: &Path, table: &str) -> Result<()> {
    const MARKERS: [&str; 2] = ["<!-- results -->\n", "<!-- end of results -->"];
    let text = fs::read_to_string(path)?;
    let start = text.find(MARKERS[0]).context("README.md has no start marker")? + MARKERS[0].len();
    let end = text.find(MARKERS[1]).context("README.md has no end marker")?;
    fs::write(path, format!("{}{table}{}", &text[..start], &text[end..]))?;
    Ok(())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    line.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned())
}

fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or("unknown").to_owned()
}
