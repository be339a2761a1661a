//! The engines, each with the settings that an expert would choose.

mod morsel;
mod postgres;
mod sqlite;
mod tantivy;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::docs::Foods;

/// Results of every search.
pub const RESULTS: usize = 10;

/// An open index.
pub trait Engine {
    /// Returns the ten best foods, by their position in the catalog.
    fn search(&mut self, query: &str) -> Result<Vec<u32>>;

    /// Returns the memory of the engine's own processes in bytes; 0 for a library.
    fn server_memory(&self) -> u64 {
        0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    Morsel,
    Tantivy,
    Sqlite,
    Postgres,
}

impl EngineKind {
    pub const ALL: [EngineKind; 4] =
        [EngineKind::Morsel, EngineKind::Tantivy, EngineKind::Sqlite, EngineKind::Postgres];

    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Morsel => "morsel",
            EngineKind::Tantivy => "tantivy",
            EngineKind::Sqlite => "sqlite",
            EngineKind::Postgres => "postgres",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            EngineKind::Morsel => "Morsel",
            EngineKind::Tantivy => "tantivy",
            EngineKind::Sqlite => "SQLite FTS5",
            EngineKind::Postgres => "PostgreSQL",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        EngineKind::ALL.into_iter().find(|kind| kind.name() == name).with_context(|| format!("unknown engine {name:?}"))
    }

    /// Returns the folder of its index. A server that runs as another user needs one that this user can access.
    pub fn folder(self, work: &Path, label: &str) -> PathBuf {
        match self {
            EngineKind::Postgres => std::env::temp_dir().join(format!("search-bench-{}-{label}", std::process::id())),
            _ => work.join(format!("{}-{label}", self.name())),
        }
    }

    /// Builds its index of the foods in an empty folder.
    pub fn build(self, foods: &Foods, folder: &Path) -> Result<()> {
        match self {
            // The catalog file is the index.
            EngineKind::Morsel => Ok(()),
            EngineKind::Tantivy => tantivy::build(foods, folder),
            EngineKind::Sqlite => sqlite::build(foods, folder),
            EngineKind::Postgres => postgres::build(foods, folder),
        }
    }

    pub fn open(self, foods: &Foods, folder: &Path) -> Result<Box<dyn Engine>> {
        Ok(match self {
            EngineKind::Morsel => Box::new(morsel::Morsel::open(foods)?),
            EngineKind::Tantivy => Box::new(tantivy::Tantivy::open(folder)?),
            EngineKind::Sqlite => Box::new(sqlite::Sqlite::open(folder)?),
            EngineKind::Postgres => Box::new(postgres::Postgres::open(folder)?),
        })
    }

    /// Returns the bytes on disk that it needs for searching.
    pub fn bytes(self, foods: &Foods, folder: &Path) -> Result<u64> {
        match (self, foods) {
            (EngineKind::Morsel, Foods::Embedded) => Ok(embedded::CATALOG.len() as u64),
            (EngineKind::Morsel, Foods::File(path)) => Ok(fs::metadata(path)?.len()),
            // Without the write-ahead log and what every cluster contains.
            (EngineKind::Postgres, _) => bytes_under(&folder.join("data").join("base")),
            _ => bytes_under(folder),
        }
    }
}

fn bytes_under(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { bytes_under(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// Splits a query into words without Morsel's folding.
pub(crate) fn split(query: &str) -> Vec<String> {
    query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
