//! `morsel estimate`: a meal in words, in photos, or in both; or one in words a line.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Args;
use foods::catalog::Catalog;
use foods::catalog::live::Live;
use foods::plural::plural;
use meal::{Engine, MAX_CHARS, Message, Part, Photo, RecipeBook};
use serde::Serialize;
use serde_json::Value;
use vision::Eyes;

use super::table::{Align, Table};
use super::{DataDir, Usage, recipes};
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::messages::MAX_IMAGES;
use crate::api::estimate::rows::EstimateAnswer;
use crate::photo_reader::to_meal;

/// Lines that travel together to a worker. Fewer when the input pauses, so that a caller who waits for each answer
/// before the next question is not left waiting.
const CHUNK_LINES: usize = 256;
/// Bytes at which a chunk is full, whatever its lines; with [`MAX_LINE`] this bounds the memory in use.
const CHUNK_BYTES: usize = 1 << 20;
/// Longest line that is kept. The longest allowed text needs a tenth of this even with every character escaped.
const MAX_LINE: usize = 1 << 20;

/// Arguments of `morsel estimate`.
#[derive(Debug, Args)]
pub(super) struct Estimate {
    /// What was eaten: "two eggs and toast"
    // A list with dashes is a meal, too.
    #[arg(required_unless_present_any = ["jsonl", "images"], conflicts_with = "jsonl", allow_hyphen_values = true)]
    text: Option<String>,
    /// A photo of it: JPEG, PNG or WebP; up to five, by repeating this. It stays on this machine
    #[arg(long = "image", value_name = "FILE", conflicts_with = "jsonl")]
    images: Vec<PathBuf>,
    /// Print JSON, as POST /v1/estimate/sync answers
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// Read one {"text": …} or JSON string a line from stdin, and answer each with a line of JSON
    #[arg(long)]
    jsonl: bool,
    /// Show more in JSON, as a comma list: source, grams, range, tier, alternatives, nutrients, recipe, unresolved
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    include: Include,
    /// Your own recipes, as GET /v1/recipes answers them; they come before every food of the catalog
    #[arg(long, value_name = "FILE.json")]
    recipes: Option<PathBuf>,
    #[command(flatten)]
    data: DataDir,
}

impl Estimate {
    pub fn run(&self) -> Result<()> {
        let text = self.text.as_deref().unwrap_or_default();
        if text.starts_with("--") {
            return Err(Usage(format!("there is no option “{text}”; `morsel estimate --help` lists them")).into());
        }
        if let Some(complaint) = too_long(text) {
            return Err(Usage(complaint).into());
        }
        if !self.json && !self.jsonl && self.include != Include::default() {
            return Err(Usage("--include goes with --json or --jsonl; the table always shows the same".into()).into());
        }
        let book = self.recipes.as_deref().map(recipes::read).transpose()?.unwrap_or_default();
        let catalog = Live::open(embedded::CATALOG, &self.data.data_dir)?.current();
        let engine = Engine::new(Arc::clone(&catalog));
        if self.jsonl {
            return answer_lines(engine, book, self.include);
        }
        let photos = if self.images.is_empty() { Vec::new() } else { see(&self.images, &catalog)? };
        let message = Message { text: text.to_owned(), photos };
        let parts: Vec<Part> = meal::estimate(&engine, &[message], &book).collect();
        let is_empty = parts.iter().all(|part| matches!(part, Part::Unresolved(_)));
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &EstimateAnswer::from_parts(&parts, self.include))?;
            writeln!(out)?;
        } else if !is_empty {
            write!(out, "{}", table(&parts)?)?;
        }
        if is_empty {
            let place = if self.images.is_empty() { "text" } else { "photo" };
            eprintln!("No food found in the {place}.");
        }
        let unresolved: Vec<&str> = parts.iter().filter_map(unresolved).collect();
        if !unresolved.is_empty() {
            eprintln!("Not found in the catalog: {}", unresolved.join(", "));
        }
        Ok(())
    }
}

/// What photos show.
fn see(images: &[PathBuf], catalog: &Catalog) -> Result<Vec<Photo>> {
    if images.len() > MAX_IMAGES {
        return Err(Usage(format!("at most {MAX_IMAGES} photos make a meal")).into());
    }
    let eyes = Eyes::default();
    let is_known = |digits: &str| digits.parse().is_ok_and(|gtin| catalog.by_gtin(gtin).is_some());
    let look = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let photo = vision::photo::Photo::read(&bytes).with_context(|| format!("{} is refused", path.display()))?;
        Ok(eyes.look(&photo, is_known).into_iter().filter_map(to_meal).collect())
    };
    images.iter().map(look).collect()
}

fn unresolved(part: &Part) -> Option<&str> {
    match part {
        Part::Unresolved(words) => Some(words),
        Part::Food(_) | Part::Recipe(_) => None,
    }
}

fn too_long(text: &str) -> Option<String> {
    let characters = text.chars().count();
    (characters > MAX_CHARS).then(|| format!("the text has {characters} characters; at most {MAX_CHARS} are allowed"))
}

fn table(parts: &[Part]) -> Result<Table> {
    let mut table = Table::new(&[
        ("Food", Align::Left),
        ("Amount", Align::Left),
        ("g", Align::Right),
        ("kcal", Align::Right),
        ("Protein", Align::Right),
        ("Carbs", Align::Right),
        ("Fat", Align::Right),
        ("How sure", Align::Left),
    ]);
    let mut row = |start: [String; 2], grams: Option<f64>, values: [f64; 4], tier: &str| {
        let [calories, protein, carbs, fat] = values;
        let mut cells = Vec::from(start);
        cells.push(grams.map(weight).unwrap_or_default());
        cells.push(format!("{calories:.0}"));
        cells.extend([protein, carbs, fat].map(|value| format!("{value:.1}")));
        cells.push(tier.to_owned());
        table.row(cells);
    };
    // From the answer that programs get, so that people see the same numbers.
    let answer = EstimateAnswer::from_parts(parts, Include::from_names([Extra::Grams.name(), Extra::Tier.name()])?);
    for item in answer.items {
        // A recipe has servings; what they weigh only its owner knows.
        let grams = item.grams.map(|weight| weight.grams);
        let values = [item.calories, item.protein, item.carbs, item.fat];
        row([item.name, amount(item.quantity, &item.unit)], grams, values, item.tier.unwrap_or_default());
    }
    let is_weighed = parts.iter().all(|part| !matches!(part, Part::Recipe(_)));
    let grams = parts.iter().filter_map(|part| match part {
        Part::Food(item) => Some(item.weight.grams),
        Part::Recipe(_) | Part::Unresolved(_) => None,
    });
    let grams = is_weighed.then(|| grams.sum());
    let totals = answer.totals;
    let values = [totals.calories, totals.protein, totals.carbs, totals.fat];
    row(["Total".to_owned(), String::new()], grams, values, "");
    Ok(table)
}

fn weight(grams: f64) -> String {
    if grams < 9.95 { format!("{grams:.1}") } else { format!("{grams:.0}") }
}

/// Units that look the same for one and for many: abbreviations and sizes.
const UNCHANGED: &[&str] = &[
    "g",
    "kg",
    "mg",
    "oz",
    "lb",
    "ml",
    "cl",
    "dl",
    "l",
    "fl oz",
    "tsp",
    "tbsp",
    "cubic inch",
    "small",
    "medium",
    "large",
    "extra large",
    "jumbo",
    "regular",
    "mini",
];

/// An amount as people write it: "2 slices", "0.5 cup", "100 g", "2 large".
fn amount(quantity: f64, unit: &str) -> String {
    if quantity <= 1.0 || unit.ends_with('s') && !unit.ends_with("ss") || UNCHANGED.contains(&unit) {
        return format!("{quantity} {unit}");
    }
    format!("{quantity} {}", plural(unit))
}

/// The answer to a line that cannot be read; it stands at its place, so that lines can be matched by number.
#[derive(Debug, Serialize)]
struct LineError {
    error: String,
    code: &'static str,
}

/// A line of the input, or what is wrong with it.
type Line = Result<Vec<u8>, String>;

/// Lines on their way to a worker, and where the answers go.
struct Job {
    lines: Vec<Line>,
    answers: Sender<Answers>,
}

/// The answers to the lines of a job, each ended by a line feed.
struct Answers {
    text: Vec<u8>,
    lines: usize,
    malformed: usize,
}

/// Answers stdin line by line on all cores, in order.
///
/// One thread reads, the workers answer, this one writes. The queue between them is bounded: a slow reader of our output
/// slows down our reading of the input. The threads are not joined: when the output is closed, the reader may still wait
/// for input that nobody needs any more.
fn answer_lines(engine: Engine, book: RecipeBook, include: Include) -> Result<()> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (jobs, waiting) = sync_channel::<Job>(workers);
    let (order, answered) = sync_channel::<Receiver<Answers>>(2 * workers);
    let kitchen = Arc::new((engine, book));
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..workers {
        let (kitchen, waiting) = (Arc::clone(&kitchen), Arc::clone(&waiting));
        thread::spawn(move || work(&kitchen.0, &kitchen.1, include, &waiting));
    }
    let reader = thread::spawn(move || read_lines(&mut BufReader::with_capacity(1 << 16, io::stdin()), &jobs, &order));
    let mut out = io::stdout().lock();
    let (mut lines, mut malformed) = (0, 0);
    for answers in answered {
        let answers = answers.recv().context("a worker stopped without an answer")?;
        out.write_all(&answers.text)?;
        out.flush()?;
        lines += answers.lines;
        malformed += answers.malformed;
    }
    if let Ok(outcome) = reader.join() {
        outcome.context("stdin cannot be read")?;
    }
    if malformed > 0 {
        bail!("{malformed} of {lines} lines could not be read; their answers say why");
    }
    Ok(())
}

fn work(engine: &Engine, book: &RecipeBook, include: Include, waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let mut answers = Answers { text: Vec::new(), lines: job.lines.len(), malformed: 0 };
        for line in job.lines {
            let written = match line.and_then(|line| text_of(&line)) {
                Ok(text) => {
                    let parts: Vec<Part> =
                        meal::estimate(engine, &[Message { text, photos: Vec::new() }], book).collect();
                    serde_json::to_writer(&mut answers.text, &EstimateAnswer::from_parts(&parts, include))
                }
                Err(error) => {
                    answers.malformed += 1;
                    serde_json::to_writer(&mut answers.text, &LineError { error, code: "invalid_line" })
                }
            };
            // Writing into memory does not fail, and our objects have no keys that JSON cannot hold.
            debug_assert!(written.is_ok());
            answers.text.push(b'\n');
        }
        // Nobody is waiting any more when the output was closed.
        let _ = job.answers.send(answers);
    }
}

/// The text of a line: a JSON string, or an object with a `text`.
fn text_of(line: &[u8]) -> Result<String, String> {
    let value = serde_json::from_slice(line).map_err(|error| format!("the line is not JSON: {error}"))?;
    let text = match value {
        Value::String(text) => text,
        Value::Object(mut fields) => match fields.remove("text") {
            Some(Value::String(text)) => text,
            Some(_) => return Err("“text” must be a string".to_owned()),
            None => return Err("the object has no “text”".to_owned()),
        },
        _ => return Err("the line must be a JSON string or an object with a “text”".to_owned()),
    };
    too_long(&text).map_or(Ok(text), Err)
}

/// Reads lines and hands them on in chunks, until the input ends or nobody wants more answers.
fn read_lines<R: io::Read>(
    input: &mut BufReader<R>,
    jobs: &SyncSender<Job>,
    order: &SyncSender<Receiver<Answers>>,
) -> io::Result<()> {
    loop {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        let mut ended = false;
        while lines.len() < CHUNK_LINES && bytes < CHUNK_BYTES {
            let Some(line) = read_line(input)? else {
                ended = true;
                break;
            };
            bytes += line.as_ref().map_or(0, Vec::len);
            lines.push(line);
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        if !lines.is_empty() {
            let (answers, answered) = channel();
            if order.send(answered).is_err() || jobs.send(Job { lines, answers }).is_err() {
                return Ok(());
            }
        }
        if ended {
            return Ok(());
        }
    }
}

/// The next line without its line feed. Of a line that is too long only so much is kept that this can be told.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        any |= !buffer.is_empty();
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= line.len() + part.len() > MAX_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let (used, last) = (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
        input.consume(used);
        if last {
            break;
        }
    }
    let line = if too_long { Err(format!("the line has more than {MAX_LINE} bytes")) } else { Ok(line) };
    Ok(any.then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_naturally() {
        for (quantity, unit, written) in [
            (2.0, "slice", "2 slices"),
            (1.0, "cup", "1 cup"),
            (2.0, "cup", "2 cups"),
            (0.5, "cup", "0.5 cup"),
            (100.0, "g", "100 g"),
            (8.0, "fl oz", "8 fl oz"),
            (2.0, "large", "2 large"),
            (2.0, "glass", "2 glasses"),
            (3.0, "leaf", "3 leaves"),
            (3.0, "tbsp", "3 tbsp"),
            (2.0, "serving", "2 servings"),
        ] {
            assert_eq!(amount(quantity, unit), written);
        }
    }

    #[test]
    fn lines_end_at_line_feeds_and_long_ones_are_not_kept() {
        let long = vec![b'x'; MAX_LINE + 1];
        let input = [b"one\n\n".as_slice(), &long, b"\nlast"].concat();
        let mut input = BufReader::with_capacity(1_000, input.as_slice());
        let mut next = || read_line(&mut input).expect("memory can be read");
        assert_eq!(next(), Some(Ok(b"one".to_vec())));
        assert_eq!(next(), Some(Ok(Vec::new())));
        assert!(matches!(next(), Some(Err(error)) if error.contains("more than")));
        assert_eq!(next(), Some(Ok(b"last".to_vec())));
        assert_eq!(next(), None);
    }
}
