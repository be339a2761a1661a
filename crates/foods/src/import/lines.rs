//! Physical lines through a bounded window.
//!
//! A bulk file may have a line of a gigabyte, by damage or by malice. This reader never holds more than its limit and the
//! read-ahead: a longer line is discarded as it is read. A parser can look ahead over several lines and still go back to
//! the second of them, so that one corrupt row does not cost its neighbors.

use std::io::{self, Read};
use std::ops::Range;

/// The bytes requested from the source at a time.
const CHUNK: usize = 128 * 1024;

/// What is at a position of the window.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line ending.
    Found {
        /// Its bytes, relative to the current position.
        bytes: Range<usize>,
        /// Where the next line begins, relative to the current position.
        next: usize,
    },
    /// The limit was reached before the line ended.
    TooLong,
    /// Nothing more to read.
    End,
}

/// The lines of a source, holding at most a limited number of bytes.
pub struct Lines<R> {
    source: R,
    window: Vec<u8>,
    /// The current position in the window.
    start: usize,
    /// How far the window is filled.
    filled: usize,
    finished: bool,
    limit: usize,
    line: u64,
}

impl<R: Read> Lines<R> {
    /// Creates a reader of lines, or groups of lines that are looked at together, of at most `limit` bytes.
    pub fn new(source: R, limit: usize) -> Self {
        Self { source, window: vec![0; CHUNK], start: 0, filled: 0, finished: false, limit, line: 1 }
    }

    /// Returns the number of the line at the current position, from 1.
    pub fn number(&self) -> u64 {
        self.line
    }

    /// Returns bytes relative to the current position, as in [`Line::Found`].
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.window.get(self.start + range.start..self.start + range.end).unwrap_or_default()
    }

    /// Finds the line that begins `offset` bytes after the current position.
    pub fn look(&mut self, offset: usize) -> io::Result<Line> {
        let mut searched = offset;
        loop {
            let held = self.filled - self.start;
            let found = memchr::memchr(b'\n', &self.window[(self.start + searched).min(self.filled)..self.filled]);
            if let Some(position) = found {
                let end = searched + position;
                if end > self.limit {
                    return Ok(Line::TooLong);
                }
                return Ok(Line::Found { bytes: self.without_return(offset, end), next: end + 1 });
            }
            if held > self.limit {
                return Ok(Line::TooLong);
            }
            searched = held.max(offset);
            if self.finished {
                return Ok(if held <= offset {
                    Line::End
                } else {
                    Line::Found { bytes: self.without_return(offset, held), next: held }
                });
            }
            self.fill()?;
        }
    }

    /// Returns the range from `offset` to `end` without a trailing carriage return.
    fn without_return(&self, offset: usize, end: usize) -> Range<usize> {
        let returned = end > offset && self.window[self.start + end - 1] == b'\r';
        offset..end - usize::from(returned)
    }

    /// Moves the current position past one or more whole lines.
    pub fn advance(&mut self, bytes: usize, lines: u64) {
        self.start = (self.start + bytes).min(self.filled);
        self.line += lines;
    }

    /// Skips a byte order mark at the current position.
    pub fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        while self.filled - self.start < 3 && !self.finished {
            self.fill()?;
        }
        if self.window[self.start..self.filled].starts_with(b"\xEF\xBB\xBF") {
            self.start += 3;
        }
        Ok(())
    }

    /// Discards the rest of the current line without holding it.
    pub fn discard_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(position) = memchr::memchr(b'\n', &self.window[self.start..self.filled]) {
                self.advance(position + 1, 1);
                return Ok(());
            }
            self.start = self.filled;
            if self.finished {
                self.line += 1;
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Reads more after what is held, moving it to the front or growing the window if there is no room.
    fn fill(&mut self) -> io::Result<()> {
        if self.window.len() - self.filled < CHUNK / 2 {
            self.window.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
            if self.window.len() - self.filled < CHUNK / 2 {
                self.window.resize((self.window.len() * 2).min(self.limit + 2 * CHUNK), 0);
            }
        }
        loop {
            match self.source.read(&mut self.window[self.filled..]) {
                Ok(0) => self.finished = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(text, limit);
        let mut found = Vec::new();
        loop {
            match lines.look(0).expect("memory does not fail") {
                Line::Found { bytes, next } => {
                    found.push(String::from_utf8_lossy(lines.bytes(bytes)).into_owned());
                    lines.advance(next, 1);
                }
                Line::TooLong => {
                    found.push("TOO LONG".to_owned());
                    lines.discard_line().expect("memory does not fail");
                }
                Line::End => return found,
            }
        }
    }

    #[test]
    fn lines_of_both_ends_and_none() {
        assert_eq!(all(b"a\r\nb\n\nlast", 10), ["a", "b", "", "last"]);
        assert!(all(b"", 10).is_empty());
    }

    #[test]
    fn long_lines_are_dropped_and_the_next_survive() {
        let text = format!("short\n{}\nnext\n{}", "x".repeat(5_000_000), "y".repeat(400_000));
        assert_eq!(all(text.as_bytes(), 1000), ["short", "TOO LONG", "next", "TOO LONG"]);
    }

    #[test]
    fn the_window_stays_bounded() {
        let mut lines = Lines::new(io::repeat(b'z').take(50_000_000), 1 << 20);
        assert_eq!(lines.look(0).expect("memory does not fail"), Line::TooLong);
        lines.discard_line().expect("memory does not fail");
        assert_eq!(lines.look(0).expect("memory does not fail"), Line::End);
        assert!(lines.window.len() <= (1 << 20) + 2 * CHUNK);
    }
}
