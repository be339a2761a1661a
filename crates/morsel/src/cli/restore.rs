//! `morsel restore`: a backup becomes the database.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use store::{Location, Store};

use super::args::UsageError;
use crate::config::{BucketArgs, StorageArgs};

/// Arguments of `morsel restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// File that `morsel backup` wrote
    file: PathBuf,
    /// Replace the database that is there; it is kept as morsel.db.replaced
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    storage: StorageArgs,
    #[command(flatten)]
    bucket: BucketArgs,
}

impl RestoreArgs {
    pub fn run(&self) -> Result<()> {
        let storage = self.storage.add_secrets_from_env().map_err(UsageError)?;
        let Location::Sqlite(database) = storage.location().map_err(UsageError)? else {
            bail!("restore a PostgreSQL database with pg_restore or psql");
        };
        let images = self.bucket.images(&storage.data_dir()).map_err(UsageError)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let restored = runtime.block_on(Store::restore(&self.file, &database, &images, self.replace))?;
        eprintln!(
            "Restored {} accounts, {} keys, {} recipes and {} photos.",
            restored.accounts, restored.keys, restored.recipes, restored.photos
        );
        if let Some(replaced) = restored.replaced {
            eprintln!("The database that it replaced is {}.", replaced.display());
        }
        Ok(())
    }
}
