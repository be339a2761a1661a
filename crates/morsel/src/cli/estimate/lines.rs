//! `morsel estimate --jsonl`: one meal per line, on all cores.

use std::io::{self, BufRead, BufReader};

use answers::Include;
use anyhow::{Result, bail};
use meal::MAX_CHARS;
use serde::Serialize;
use serde_json::Value;

use super::pool::{self, Estimator};

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

/// Estimates stdin line by line and prints the results in order.
pub(super) fn answer(estimator: Estimator, include: Include) -> Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    let answer_line = move |line: InputLine, output: &mut Vec<u8>| {
        let meal = line.and_then(|line| text_of(&line));
        let is_readable = meal.is_ok();
        let written = match meal {
            Ok(text) => serde_json::to_writer(&mut *output, &estimator.answer(text, include)),
            Err(error) => serde_json::to_writer(&mut *output, &LineError { error, code: "invalid_line" }),
        };
        // Writing to memory cannot fail, and all keys are strings.
        debug_assert!(written.is_ok());
        output.push(b'\n');
        is_readable
    };
    let pool::Counts { records, malformed } = pool::run(move || read_lines(&mut input), answer_line)?;
    if malformed > 0 {
        bail!("{malformed} of {records} lines could not be read; see “error” in their output");
    }
    Ok(())
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

/// Reads the next lines; none at the end.
fn read_lines<R: io::Read>(input: &mut BufReader<R>) -> io::Result<Vec<InputLine>> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    while lines.len() < CHUNK_LINES && bytes < CHUNK_BYTES {
        let Some(line) = read_line(input)? else { break };
        bytes += line.as_ref().map_or(0, Vec::len);
        lines.push(line);
        if !input.buffer().contains(&b'\n') {
            break;
        }
    }
    Ok(lines)
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
