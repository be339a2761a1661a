//! The catalog: foods in files that are mapped and searched, not loaded.
//!
//! A [`Catalog`] has one or two layers: the foods embedded in the program and, over them, those imported into a data
//! directory. An imported food hides an embedded one with the same id. [`live::Live`] watches the data directory, so
//! that a running server sees an import without a restart.

pub mod live;
mod id_slots;
mod layered;
mod writer;
mod fill_ins;
mod reader;
mod local_names;
mod record;
mod file;
mod layout;
mod manifest;
mod error;

pub use error::CatalogError;
pub use file::READABLE_FORMATS;
pub use id_slots::IdSlot;
pub use layered::Catalog;
pub(crate) use layout::{TERM_MASK, role_of};
pub use manifest::{Manifest, ManifestFile, ManifestSource};
pub(crate) use reader::{EntryView, Postings};
pub use reader::{FoodName, Layer, NameWord};
pub use writer::Writer;
