//! `morsel backup`: a consistent copy of the SQLite database with its photos, even while a server is running.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use store::{ImageFiles, Store};

use super::storage::with_store;
use crate::config::StorageArgs;

/// Arguments of `morsel backup`.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// File to write; it must not exist yet
    file: PathBuf,
    #[command(flatten)]
    storage: StorageArgs,
}

impl BackupArgs {
    pub fn run(&self) -> Result<()> {
        let images = ImageFiles::Disk(self.storage.data_dir().join("images"));
        let photos = with_store(&self.storage, async |store: &Store| Ok(store.backup(&images, &self.file).await?))?;
        eprintln!("Wrote accounts, keys, recipes, usage and {photos} photos to {}.", self.file.display());
        Ok(())
    }
}
