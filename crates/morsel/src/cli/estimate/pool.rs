//! Many meals on all cores, in order.

use std::io::{self, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use answers::{EstimateAnswer, Include};
use anyhow::{Context, Result};
use meal::{Engine, RecipeBook, Speaker};

/// What every meal is estimated with.
#[derive(Debug)]
pub(super) struct Estimator {
    /// The engine.
    pub engine: Engine,
    /// The user's recipes.
    pub book: RecipeBook,
    /// The language that was said.
    pub speaker: Speaker,
}

impl Estimator {
    /// Estimates a meal.
    pub fn answer(&self, text: String, include: Include) -> EstimateAnswer {
        EstimateAnswer::of_messages(&self.engine, &[text.into()], &self.book, &self.speaker, include)
    }
}

/// How many records were read, and how many of them were malformed.
pub(super) struct Counts {
    pub records: usize,
    pub malformed: usize,
}

/// Records for a worker, and where to send the output.
struct Chunk<T> {
    records: Vec<T>,
    output: Sender<ChunkOutput>,
}

/// The output for the records of a chunk.
struct ChunkOutput {
    text: Vec<u8>,
    counts: Counts,
}

/// Reads records in chunks until one is empty, and prints what `answer` writes for each, in order. `answer` returns whether
/// the record was well-formed.
///
/// One thread reads, the workers estimate, this one writes. The queue between them is bounded, so a slow reader of our
/// output slows down our reading of the input. The threads are not joined: when the output is closed, the reading thread
/// may still be waiting for input.
pub(super) fn run<T: Send + 'static>(
    read: impl FnMut() -> io::Result<Vec<T>> + Send + 'static,
    answer: impl Fn(T, &mut Vec<u8>) -> bool + Send + Sync + 'static,
) -> Result<Counts> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (chunks, waiting) = sync_channel::<Chunk<T>>(workers);
    let (order, outputs) = sync_channel::<Receiver<ChunkOutput>>(2 * workers);
    let (answer, waiting) = (Arc::new(answer), Arc::new(Mutex::new(waiting)));
    for _ in 0..workers {
        let (answer, waiting) = (Arc::clone(&answer), Arc::clone(&waiting));
        thread::spawn(move || work(&*answer, &waiting));
    }
    let reader = thread::spawn(move || pass_on(read, &chunks, &order));
    let mut out = io::stdout().lock();
    let mut all = Counts { records: 0, malformed: 0 };
    for output in outputs {
        let ChunkOutput { text, counts } = output.recv().context("a worker thread failed")?;
        out.write_all(&text)?;
        out.flush()?;
        all.records += counts.records;
        all.malformed += counts.malformed;
    }
    if let Ok(outcome) = reader.join() {
        outcome.context("cannot read the input")?;
    }
    Ok(all)
}

fn work<T>(answer: impl Fn(T, &mut Vec<u8>) -> bool, waiting: &Mutex<Receiver<Chunk<T>>>) {
    loop {
        let chunk = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = chunk else { return };
        let mut output = ChunkOutput { text: Vec::new(), counts: Counts { records: 0, malformed: 0 } };
        for record in chunk.records {
            output.counts.records += 1;
            output.counts.malformed += usize::from(!answer(record, &mut output.text));
        }
        // The receiver is gone if our output was closed.
        let _ = chunk.output.send(output);
    }
}

/// Passes chunks on until the input ends or the output is closed.
fn pass_on<T>(
    mut read: impl FnMut() -> io::Result<Vec<T>>,
    chunks: &SyncSender<Chunk<T>>,
    order: &SyncSender<Receiver<ChunkOutput>>,
) -> io::Result<()> {
    loop {
        let records = read()?;
        if records.is_empty() {
            return Ok(());
        }
        let (output, receiver) = channel();
        if order.send(receiver).is_err() || chunks.send(Chunk { records, output }).is_err() {
            return Ok(());
        }
    }
}
