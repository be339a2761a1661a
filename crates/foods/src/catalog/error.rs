//! Why a catalog cannot be opened or written.

use std::path::PathBuf;

/// Why a catalog cannot be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Reading or writing failed.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The bytes are not a catalog, or have changed since they were written.
    #[error("{name} is damaged: {what}. Remove it and run `morsel import` again")]
    Corrupt {
        /// The file.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// The catalog has a format that this version does not read.
    #[error(
        "{name} has catalog format {found}, and this version of morsel reads only format {}. \
         Use the version that wrote it, or remove the file and run `morsel import` again",
        list(readable)
    )]
    OtherFormat {
        /// The file.
        name: String,
        /// Its format.
        found: u32,
        /// The formats that this version reads.
        readable: &'static [u32],
    },
    /// More foods than the format can number.
    #[error("too many foods for one catalog: it holds at most 268 million, in sections of at most 4 GiB")]
    TooLarge,
    /// The manifest could not be written.
    #[error("cannot write the manifest: {0}")]
    Manifest(String),
    /// Another import is running in the same data directory.
    #[error("another import is running in {}; wait for it to finish", .0.display())]
    Busy(PathBuf),
}

fn list(formats: &[u32]) -> String {
    formats.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
