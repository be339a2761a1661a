//! What importers share: where foods go, what is reported, what can go wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::food::Food;

/// Why a row was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// The row has not the columns of its table, or a quote that never closes.
    Malformed,
    /// A field or line longer than anything a food table holds.
    TooLong,
    /// Text that is neither UTF-8 nor what the format promises.
    NotText,
    /// No name.
    NoName,
    /// No calories, protein, carbs or fat: nothing to estimate with.
    NoValues,
    /// NaN, infinite or not a number.
    NotANumber,
    /// A negative value.
    Negative,
    /// More than 100 g of something in 100 g, or more than 950 kcal.
    Impossible,
    /// Another row has the same id; the later or fuller one was kept.
    Duplicate,
    /// A laboratory sample or another row that is not a food people eat.
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

/// What an import did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Foods handed on.
    pub foods: u64,
    /// Rows left out, by reason, with the place of the first few.
    pub skipped: BTreeMap<Skip, Skipped>,
}

/// How many rows were left out for one reason, and where the first of them stand.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// How many.
    pub count: u64,
    /// "branded_food.csv line 17", at most three.
    pub examples: Vec<String>,
}

impl Report {
    /// Counts a row that is left out.
    pub fn skip(&mut self, reason: Skip, place: impl FnOnce() -> String) {
        let entry = self.skipped.entry(reason).or_default();
        entry.count += 1;
        if entry.examples.len() < 3 {
            entry.examples.push(place());
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Bytes of input read, as they lie on disk.
    pub bytes: u64,
    /// Bytes of input in all.
    pub total: u64,
    /// Rows read.
    pub rows: u64,
}

/// Why an import could not go on at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Reading or writing a file failed.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
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
    /// Whoever takes the foods could not.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

impl ImportError {
    /// The file is not what it should be.
    pub fn format(path: &Path, reason: &str) -> Self {
        Self::Format { path: path.to_owned(), reason: reason.to_owned() }
    }

    /// The system could not do something with a file.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// Reading failed: where the content is to blame, the answer is to download it again.
    pub fn reading(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match source.kind() {
            UnexpectedEof => Self::format(path, "is cut short; download it again"),
            InvalidData | InvalidInput => Self::format(path, &format!("is damaged ({source}); download it again")),
            _ => Self::io(path, source),
        }
    }
}

/// Where an importer hands its foods and says how far it is.
pub trait Sink {
    /// Takes a food.
    fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
    /// Hears how far the import is; called every few thousand rows.
    fn progress(&mut self, _progress: Progress) {}
}
