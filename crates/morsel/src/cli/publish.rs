//! `morsel catalog publish`: imported foods for all servers that share a bucket.

use std::path::Path;

use anyhow::{Context as _, Result};
use clap::Args;
use store::Bucket;

use super::args::{DataDirArgs, UsageError};
use crate::config::BucketArgs;
use crate::published_catalog::PublishedCatalog;

/// Arguments of `morsel catalog publish`.
#[derive(Debug, Args)]
pub(super) struct PublishArgs {
    /// Publish that there are no imported foods: every server removes its own
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    data: DataDirArgs,
    #[command(flatten)]
    bucket: BucketArgs,
}

impl PublishArgs {
    pub fn run(&self) -> Result<()> {
        let bucket = self.bucket.bucket().map_err(UsageError)?;
        let bucket = bucket.context(UsageError("a bucket is needed; name it with --images-url".to_owned()))?;
        if self.remove {
            block_on(PublishedCatalog::new(bucket, &self.data.data_dir).retract())?;
            eprintln!("Removed. Servers with this bucket serve the built-in foods alone within a few seconds.");
            return Ok(());
        }
        publish(bucket, &self.data.data_dir)
    }
}

/// Publishes the imported foods of a data directory.
pub(super) fn publish(bucket: Bucket, data_dir: &Path) -> Result<()> {
    let version = block_on(PublishedCatalog::new(bucket, data_dir).publish())?;
    eprintln!("Published {} bytes. Servers with this bucket load them within a few seconds.", version.bytes);
    Ok(())
}

fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}
