//! `morsel estimate --jsonl`: one meal per line, on all cores.

use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use meal::{Engine, MAX_CHARS, Part, RecipeBook, Speaker};
use serde::Serialize;
use serde_json::Value;

use crate::api::estimate::include::Include;
use crate::api::estimate::rows::{self, EstimateAnswer};

/// Lines per chunk of work. A chunk is smaller if the input pauses, so that a caller can wait for each result before it
/// sends the next line.
const CHUNK_LINES: usize = 256;
/// Bytes at which a chunk is full, however few its lines. Together with [`MAX_LINE`] this bounds memory.
const CHUNK_BYTES: usize = 1 << 20;
/// Bytes of the longest line. The longest allowed text needs a tenth of this even with every character escaped.
const MAX_LINE: usize = 1 << 20;

/// Returns what is wrong with a text that is too long.
pub(super) fn length_error(text: &str) -> Option<String> {
    let characters = text.chars().count();
    (characters > MAX_CHARS).then(|| format!("the text has {characters} characters; the limit is {MAX_CHARS}"))
}

/// The output for a line that cannot be read. It keeps its place, so that input and output lines correspond.
#[derive(Debug, Serialize)]
struct LineError {
    error: String,
    code: &'static str,
}

/// A line of the input, or what is wrong with it.
type InputLine = Result<Vec<u8>, String>;

/// Lines for a worker, and where to send the output.
struct Chunk {
    lines: Vec<InputLine>,
    output: Sender<ChunkOutput>,
}

/// The output for the lines of a chunk, each ended by a line feed.
struct ChunkOutput {
    text: Vec<u8>,
    lines: usize,
    malformed: usize,
}

/// Estimates stdin line by line on all cores and prints the results in order.
///
/// One thread reads, the workers estimate, this one writes. The queue between them is bounded, so a slow reader of our
/// output slows down our reading of the input. The threads are not joined: when the output is closed, the reading thread
/// may still be waiting for input.
pub(super) fn answer(engine: Engine, book: RecipeBook, speaker: Speaker, include: Include) -> Result<()> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let (chunks, waiting) = sync_channel::<Chunk>(workers);
    let (order, outputs) = sync_channel::<Receiver<ChunkOutput>>(2 * workers);
    let shared = Arc::new((engine, book, speaker));
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..workers {
        let (shared, waiting) = (Arc::clone(&shared), Arc::clone(&waiting));
        thread::spawn(move || work(&shared, include, &waiting));
    }
    let reader =
        thread::spawn(move || read_lines(&mut BufReader::with_capacity(1 << 16, io::stdin()), &chunks, &order));
    let mut out = io::stdout().lock();
    let (mut lines, mut malformed) = (0, 0);
    for output in outputs {
        let output = output.recv().context("a worker thread failed")?;
        out.write_all(&output.text)?;
        out.flush()?;
        lines += output.lines;
        malformed += output.malformed;
    }
    if let Ok(outcome) = reader.join() {
        outcome.context("cannot read stdin")?;
    }
    if malformed > 0 {
        bail!("{malformed} of {lines} lines could not be read; see “error” in their output");
    }
    Ok(())
}

fn work((engine, book, speaker): &(Engine, RecipeBook, Speaker), include: Include, waiting: &Mutex<Receiver<Chunk>>) {
    loop {
        let chunk = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = chunk else { return };
        let mut output = ChunkOutput { text: Vec::new(), lines: chunk.lines.len(), malformed: 0 };
        for line in chunk.lines {
            let written = match line.and_then(|line| text_of(&line)) {
                Ok(text) => {
                    let messages = [text.into()];
                    let parts: Vec<Part> = meal::estimate_for(engine, &messages, book, speaker).collect();
                    let mut answer = EstimateAnswer::from_parts(&parts, include);
                    answer.language = rows::language_of(engine, &messages, speaker, include);
                    serde_json::to_writer(&mut output.text, &answer)
                }
                Err(error) => {
                    output.malformed += 1;
                    serde_json::to_writer(&mut output.text, &LineError { error, code: "invalid_line" })
                }
            };
            // Writing to memory cannot fail, and all keys are strings.
            debug_assert!(written.is_ok());
            output.text.push(b'\n');
        }
        // The receiver is gone if our output was closed.
        let _ = chunk.output.send(output);
    }
}

/// Returns the text of a line: a JSON string, or the `text` of an object.
fn text_of(line: &[u8]) -> Result<String, String> {
    let value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let text = match value {
        Value::String(text) => text,
        Value::Object(mut fields) => match fields.remove("text") {
            Some(Value::String(text)) => text,
            Some(_) => return Err("“text” must be a string".to_owned()),
            None => return Err("the object has no “text”".to_owned()),
        },
        _ => return Err("expected a JSON string or an object with “text”".to_owned()),
    };
    length_error(&text).map_or(Ok(text), Err)
}

/// Reads lines and passes them on in chunks, until the input ends or the output is closed.
fn read_lines<R: io::Read>(
    input: &mut BufReader<R>,
    chunks: &SyncSender<Chunk>,
    order: &SyncSender<Receiver<ChunkOutput>>,
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
            let (output, receiver) = channel();
            if order.send(receiver).is_err() || chunks.send(Chunk { lines, output }).is_err() {
                return Ok(());
            }
        }
        if ended {
            return Ok(());
        }
    }
}

/// Returns the next line without its line feed, or `None` at the end. The rest of a line that is too long is skipped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
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
    fn lines_end_at_line_feeds_and_long_ones_are_errors() {
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
