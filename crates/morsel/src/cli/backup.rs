//! `morsel backup`: a consistent copy of the database, also while a server runs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use store::Store;

use super::with_store;
use crate::config::Place;

/// Arguments of `morsel backup`.
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// Where to write the copy; the file must not exist yet
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

impl Backup {
    pub fn run(&self) -> Result<()> {
        with_store(&self.place, async |store: &Store| Ok(store.backup(&self.file).await?))?;
        eprintln!("Accounts, keys, recipes and usage are in {}.", self.file.display());
        Ok(())
    }
}
