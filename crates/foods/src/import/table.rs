//! Delimited text, read a record at a time.
//!
//! The publishers' tables reach gigabytes and may be damaged. The usual readers hold a field however long it is, and an
//! unclosed quote swallows the rest of the file. This one holds at most a mebibyte of a record, and after an invalid record
//! it continues at the very next line.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::lines::{Line, Lines};
use super::report::{ImportError, Report, Skip};

/// The most bytes of one record; the longest list of ingredients in the branded foods is a fiftieth of it.
const MAX_RECORD_BYTES: usize = 1 << 20;
/// The most lines of a quoted field.
const MAX_RECORD_LINES: u64 = 64;

/// How the text of a table is written.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The separator of fields.
    pub delimiter: u8,
    /// The quote around fields with delimiters or line breaks; doubled inside them.
    pub quote: Option<u8>,
    /// The encoding.
    pub encoding: Encoding,
}

/// The encoding of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8; an invalid record is skipped.
    Utf8,
    /// ISO 8859-1, one byte per character.
    Latin1,
}

impl Dialect {
    /// Commas and double quotes, as FoodData Central writes its tables.
    pub const CSV: Self = Self { delimiter: b',', quote: Some(b'"'), encoding: Encoding::Utf8 };
    /// Tabs and no quotes, as Open Food Facts writes its export.
    pub const TSV: Self = Self { delimiter: b'\t', quote: None, encoding: Encoding::Utf8 };
    /// Carets and tildes in Latin-1, as in SR28.
    pub const SR28: Self = Self { delimiter: b'^', quote: Some(b'~'), encoding: Encoding::Latin1 };
}

/// The fields of one row; the buffers are reused for the next.
#[derive(Debug, Default)]
pub struct Record {
    /// The fields, each followed by a separator so that no character spans a boundary.
    text: String,
    ends: Vec<usize>,
}

impl Record {
    /// Returns the field in a column, trimmed; empty if the row has none.
    pub fn get(&self, column: usize) -> &str {
        let start = if column == 0 { 0 } else { self.ends.get(column - 1).map_or(0, |end| end + 1) };
        self.ends.get(column).and_then(|&end| self.text.get(start..end)).unwrap_or_default().trim()
    }

    /// Returns the field in a column that the table may lack.
    pub fn get_optional(&self, column: Option<usize>) -> &str {
        column.map_or("", |column| self.get(column))
    }

    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the row has no fields.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether every field from a column on is empty.
    fn blank_from(&self, column: usize) -> bool {
        (column..self.len()).all(|column| self.get(column).is_empty())
    }
}

/// The outcome of parsing the bytes of a record.
#[derive(Debug, PartialEq, Eq)]
enum Parsed {
    Complete,
    QuoteOpen,
    Malformed,
}

/// A table that is being read.
pub struct Table<R> {
    lines: Lines<R>,
    dialect: Dialect,
    file: PathBuf,
    header: Vec<String>,
    record: Record,
    bytes: Vec<u8>,
    begun: bool,
    line: u64,
}

impl<R: Read> Table<R> {
    /// Creates a table without a header line; every record is a row.
    pub fn headless(source: R, dialect: Dialect, file: &Path) -> Self {
        Self {
            lines: Lines::new(source, MAX_RECORD_BYTES),
            dialect,
            file: file.to_owned(),
            header: Vec::new(),
            record: Record::default(),
            bytes: Vec::new(),
            begun: false,
            line: 0,
        }
    }

    /// Creates a table whose first record names its columns.
    pub fn new(source: R, dialect: Dialect, file: &Path) -> Result<Self, ImportError> {
        let mut table = Self::headless(source, dialect, file);
        table.read_header()?;
        Ok(table)
    }

    /// Reads the next record as the names of the columns. Line breaks inside a name count as spaces.
    pub fn read_header(&mut self) -> Result<(), ImportError> {
        self.header.clear();
        let mut lost = Report::default();
        if self.next_record(&mut lost)?.is_none() {
            let reason =
                if lost.skipped.is_empty() { "is empty" } else { "does not begin with a line of column names" };
            return Err(self.format_error(&format!("{reason}; download it again")));
        }
        let names = (0..self.record.len()).map(|column| self.record.get(column));
        self.header = names.map(|name| name.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        while self.header.last().is_some_and(String::is_empty) {
            self.header.pop();
        }
        Ok(())
    }

    /// Returns the positions of columns; an error if one is missing.
    pub fn columns<const N: usize>(&self, names: [&str; N]) -> Result<[usize; N], ImportError> {
        let mut found = [0; N];
        let mut missing = Vec::new();
        for (place, name) in found.iter_mut().zip(names) {
            match self.column(name) {
                Some(column) => *place = column,
                None => missing.push(name),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let plural = if missing.len() == 1 { "column" } else { "columns" };
        Err(self.format_error(&format!("has no {plural} {}; is it the right table?", missing.join(", "))))
    }

    /// Returns the position of a column that the table may lack.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// Returns the names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Returns the line where the latest record began.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the place of the latest record, for reports: "food.csv line 17".
    pub fn place(&self) -> String {
        place(&self.file, self.line)
    }

    /// Reads the next valid record; invalid ones before it are counted.
    pub fn next_record(&mut self, report: &mut Report) -> Result<Option<&Record>, ImportError> {
        loop {
            match self.step() {
                Ok(None) => return Ok(None),
                Ok(Some(Ok(true))) => return Ok(Some(&self.record)),
                Ok(Some(Ok(false))) => {}
                Ok(Some(Err(reason))) => report.skip(reason, || place(&self.file, self.line)),
                Err(error) => return Err(ImportError::reading(&self.file, error)),
            }
        }
    }

    /// Reads one record: `None` at the end, otherwise whether there was more than a blank line, or why it is skipped.
    fn step(&mut self) -> std::io::Result<Option<Result<bool, Skip>>> {
        if !self.begun {
            self.begun = true;
            self.lines.skip_byte_order_mark()?;
        }
        self.line = self.lines.number();
        let (first, first_next) = match self.lines.look(0)? {
            Line::End => return Ok(None),
            Line::TooLong => {
                self.lines.discard_line()?;
                return Ok(Some(Err(Skip::TooLong)));
            }
            Line::Found { bytes, next } => (bytes, next),
        };
        if first.is_empty() {
            self.lines.advance(first_next, 1);
            return Ok(Some(Ok(false)));
        }
        let mut end = first.end;
        let (mut next, mut count) = (first_next, 1);
        let outcome = loop {
            match self.parse(end) {
                Parsed::QuoteOpen if count < MAX_RECORD_LINES => match self.lines.look(next)? {
                    Line::Found { bytes, next: after } => {
                        (end, next) = (bytes.end, after);
                        count += 1;
                    }
                    Line::TooLong | Line::End => break Err(Skip::Malformed),
                },
                Parsed::Complete => break self.finish_record(),
                Parsed::QuoteOpen | Parsed::Malformed => break Err(Skip::Malformed),
            }
        };
        // Of an invalid record only the first line is skipped: the lines after it may be rows of their own.
        if outcome.is_ok() {
            self.lines.advance(next, count);
        } else {
            self.lines.advance(first_next, 1);
        }
        Ok(Some(outcome.map(|()| true)))
    }

    /// Splits the first `end` bytes into fields.
    fn parse(&mut self, end: usize) -> Parsed {
        self.record.ends.clear();
        self.bytes.clear();
        let line = self.lines.bytes(0..end);
        let (delimiter, quote) = (self.dialect.delimiter, self.dialect.quote);
        let mut position = 0;
        loop {
            let rest = &line[position.min(line.len())..];
            let taken = match quote {
                Some(quote) if rest.first() == Some(&quote) => {
                    match take_quoted(rest, quote, delimiter, &mut self.bytes) {
                        Ok(taken) => taken,
                        Err(outcome) => return outcome,
                    }
                }
                _ => {
                    let taken = memchr::memchr(delimiter, rest).unwrap_or(rest.len());
                    self.bytes.extend_from_slice(&rest[..taken]);
                    taken
                }
            };
            self.record.ends.push(self.bytes.len());
            self.bytes.push(delimiter);
            position += taken + 1;
            if position > line.len() {
                return Parsed::Complete;
            }
        }
    }

    /// Decodes the bytes of a complete record and checks its number of fields.
    fn finish_record(&mut self) -> Result<(), Skip> {
        if self.dialect.encoding == Encoding::Latin1 {
            self.widen_latin1();
        } else {
            let mut spare = std::mem::take(&mut self.record.text).into_bytes();
            std::mem::swap(&mut spare, &mut self.bytes);
            match String::from_utf8(spare) {
                Ok(text) => self.record.text = text,
                Err(_) => return Err(Skip::NotText),
            }
        }
        let wanted = self.header.len();
        let fits = wanted == 0 || self.record.len() == wanted;
        let padded = self.record.len() > wanted && self.record.blank_from(wanted);
        if fits || padded { Ok(()) } else { Err(Skip::Malformed) }
    }

    /// Converts Latin-1 to UTF-8: bytes from 0x80 on become two, so the ends of fields move.
    fn widen_latin1(&mut self) {
        let text = &mut self.record.text;
        text.clear();
        let mut start = 0;
        for end in &mut self.record.ends {
            text.extend(self.bytes[start..*end].iter().map(|&byte| char::from(byte)));
            start = *end + 1;
            *end = text.len();
            text.push(char::from(self.dialect.delimiter));
        }
    }

    /// Returns an error that names this table.
    pub fn format_error(&self, reason: &str) -> ImportError {
        ImportError::format(&self.file, reason)
    }
}

/// Copies a quoted field from its opening quote on, undoubling quotes; returns the number of bytes it takes.
fn take_quoted(rest: &[u8], quote: u8, delimiter: u8, into: &mut Vec<u8>) -> Result<usize, Parsed> {
    let mut position = 1;
    loop {
        let Some(found) = memchr::memchr(quote, &rest[position..]) else { return Err(Parsed::QuoteOpen) };
        into.extend_from_slice(&rest[position..position + found]);
        position += found + 1;
        match rest.get(position) {
            None => return Ok(position),
            Some(&byte) if byte == delimiter => return Ok(position),
            Some(&byte) if byte == quote => {
                into.push(quote);
                position += 1;
            }
            Some(_) => return Err(Parsed::Malformed),
        }
    }
}

/// Formats a place: "food.csv line 17".
fn place(file: &Path, line: u64) -> String {
    format!("{} line {line}", file.file_name().unwrap_or(file.as_os_str()).display())
}
