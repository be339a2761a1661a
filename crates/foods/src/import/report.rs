//! What importers share: where foods go, what is reported, what can go wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::food::Food;

/// Why a row was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// The row does not have the columns of its table, or a quote is not closed.
    Malformed,
    /// A field or line is longer than anything in a food table.
    TooLong,
    /// The text is not valid in the encoding of the format.
    NotText,
    /// There is no name.
    NoName,
    /// Calories, protein, carbs or fat are missing.
    NoValues,
    /// A value is NaN, infinite or not a number.
    NotANumber,
    /// A value is negative.
    Negative,
    /// More than 100 g of something in 100 g, or more than 950 kcal.
    Impossible,
    /// Another row has the same id; the later or more complete one was kept.
    Duplicate,
    /// The row is a laboratory sample or something else that people do not eat.
    NotAFood,
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Malformed => "malformed row",
            Skip::TooLong => "row too long",
            Skip::NotText => "not valid text",
            Skip::NoName => "no name",
            Skip::NoValues => "no calories, protein, carbs or fat",
            Skip::NotANumber => "not a number",
            Skip::Negative => "negative value",
            Skip::Impossible => "impossible value",
            Skip::Duplicate => "duplicate",
            Skip::NotAFood => "not a food (sample, acquisition)",
        })
    }
}

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of foods passed on.
    pub foods: u64,
    /// Skipped rows by reason, with the place of the first few.
    pub skipped: BTreeMap<Skip, Skipped>,
}

/// How many rows were skipped for one reason, and the place of the first few.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// The number of rows.
    pub count: u64,
    /// "branded_food.csv line 17", at most three.
    pub examples: Vec<String>,
}

impl Report {
    /// Counts a row that is skipped.
    pub fn skip(&mut self, reason: Skip, place: impl FnOnce() -> String) {
        let entry = self.skipped.entry(reason).or_default();
        entry.count += 1;
        if entry.examples.len() < 3 {
            entry.examples.push(place());
        }
    }
}

/// The progress of an import.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Bytes of input read, as stored on disk.
    pub bytes: u64,
    /// Bytes of input in total.
    pub total: u64,
    /// Rows read.
    pub rows: u64,
}

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Reading or writing a file failed.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not what it claims to be.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The sink failed.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

impl ImportError {
    /// Returns the error for a file with unexpected content.
    pub fn format(path: &Path, reason: &str) -> Self {
        Self::Format { path: path.to_owned(), reason: reason.to_owned() }
    }

    /// Returns the error for a failed operation on a file.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// Returns the error for a failed read; if the content is damaged, it says to download it again.
    pub fn reading(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match source.kind() {
            UnexpectedEof => Self::format(path, "is cut short; download it again"),
            InvalidData | InvalidInput => Self::format(path, &format!("is damaged ({source}); download it again")),
            _ => Self::io(path, source),
        }
    }
}

/// Receives foods and progress from an importer.
pub trait Sink {
    /// Receives a food.
    fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
    /// Receives progress; called every few thousand rows.
    fn progress(&mut self, _progress: Progress) {}
}
