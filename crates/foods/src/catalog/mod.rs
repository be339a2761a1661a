//! The catalog: foods in files that are opened and searched, not loaded.
//!
//! A [`Catalog`] is one or two layers: the foods embedded in the program, and over them those that were imported into a
//! data directory. An imported food hides an embedded one with the same id. [`live::Live`] follows the data directory,
//! so that a running server sees an import without a restart.

pub(crate) mod file;
pub mod live;
mod manifest;
mod reader;
mod record;
mod writer;

use std::collections::HashSet;
use std::path::PathBuf;

pub use manifest::{Manifest, ManifestFile, ManifestSource};
pub use reader::{Layer, NameOfFood, WordOfName};
pub use writer::Writer;
pub(crate) use {reader::Entry, reader::Postings, writer::ROLE_SHIFT, writer::role_of};

use crate::food::Food;

/// Why a catalog cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are not a catalog, or no longer what was written.
    #[error("{name} is damaged: {what}. Remove it and run `morsel import` again")]
    Corrupt {
        /// The file.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A catalog of another version of the program.
    #[error(
        "{name} has catalog format {found}, and this version of morsel reads format {expected}. \
         Use the version that wrote it, or remove the file and run `morsel import` again"
    )]
    OtherFormat {
        /// The file.
        name: String,
        /// The format it has.
        found: u32,
        /// The format this program reads.
        expected: u32,
    },
    /// More foods than the format can number.
    #[error("too many foods for one catalog: it holds at most 268 million, in parts of at most 4 GiB")]
    TooLarge,
    /// The manifest could not be written.
    #[error("the manifest cannot be written: {0}")]
    Manifest(String),
    /// Another import is at work on the same data directory.
    #[error("another import is running in {}; wait for it to end", .0.display())]
    Busy(PathBuf),
}

/// Foods by id, barcode and search, over all layers.
#[derive(Debug)]
pub struct Catalog {
    layers: Vec<Layer>,
    /// Digests of the ids in the upper layer, which hide those below.
    hidden: HashSet<u64>,
}

impl Catalog {
    /// A catalog of the embedded foods and, over them, imported ones.
    pub fn new(embedded: Layer, imported: Option<Layer>) -> Self {
        let hidden =
            imported.iter().flat_map(Layer::id_digests).filter(|digest| embedded.has_id_digest(*digest)).collect();
        Self { layers: std::iter::once(embedded).chain(imported).collect(), hidden }
    }

    /// How many foods there are.
    pub fn len(&self) -> usize {
        self.layers.iter().map(|layer| layer.len() as usize).sum::<usize>() - self.hidden.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layers, embedded first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The food with that id.
    pub fn by_id(&self, id: &str) -> Option<Food> {
        self.layers.iter().rev().find_map(|layer| layer.food(layer.find_id(id)?))
    }

    /// The food with that barcode (UPC-A, EAN-8, EAN-13 or GTIN-14 as a number).
    pub fn by_gtin(&self, gtin: u64) -> Option<Food> {
        self.layers.iter().rev().find_map(|layer| layer.food(layer.find_gtin(gtin)?))
    }

    /// Whether a food of a layer is replaced by one of a layer above.
    pub(crate) fn is_hidden(&self, layer: usize, food: u32) -> bool {
        let id = || self.layers[layer].food(food).map(|food| id_digest(&food.id));
        layer == 0 && !self.hidden.is_empty() && id().is_some_and(|digest| self.hidden.contains(&digest))
    }
}

/// Sixty-four bits of an id, for tables; FNV-1a, whose values are part of the file format.
pub(crate) fn id_digest(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
