//! `morsel backup`: a consistent copy of the SQLite database with its photos, even while a server is running.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use store::Store;

use super::args::UsageError;
use super::storage::with_store;
use crate::config::{BucketArgs, StorageArgs};

/// Arguments of `morsel backup`.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// File to write; it must not exist yet
    file: PathBuf,
    #[command(flatten)]
    storage: StorageArgs,
    #[command(flatten)]
    bucket: BucketArgs,
}

impl BackupArgs {
    pub fn run(&self) -> Result<()> {
        let images = self.bucket.images(&self.storage.data_dir()).map_err(UsageError)?;
        let photos = with_store(&self.storage, async |store: &Store| Ok(store.backup(&images, &self.file).await?))?;
        eprintln!("Wrote accounts, keys, recipes, usage and {photos} photos to {}.", self.file.display());
        Ok(())
    }
}
