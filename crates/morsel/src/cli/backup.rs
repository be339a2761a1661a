//! `morsel backup`: a consistent copy of the SQLite database, even while a server is running.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use store::Store;

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
        with_store(&self.storage, async |store: &Store| Ok(store.backup(&self.file).await?))?;
        eprintln!("Wrote accounts, keys, recipes and usage to {}.", self.file.display());
        Ok(())
    }
}
