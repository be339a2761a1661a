//! `morsel migrate`: from one server with SQLite to several with PostgreSQL.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use store::transfer::TransferProgress;
use store::{Bucket, ImageFiles, Location, Store};

use super::args::UsageError;

/// Arguments of `morsel migrate`.
#[derive(Debug, Args)]
pub(super) struct MigrateArgs {
    /// Database to move: sqlite:morsel-data/morsel.db. Stop its server first
    #[arg(long, value_name = "URL")]
    from: String,
    /// Empty database to move it to: postgres://user:password@host/name
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true)]
    to: String,
    /// Photos to move as well: the folder images of the data directory, or s3://bucket?endpoint=…
    #[arg(long, value_name = "PLACE", requires = "images_to")]
    images_from: Option<String>,
    /// Where to move the photos: a folder, or s3://bucket?endpoint=…
    #[arg(long, value_name = "PLACE", requires = "images_from")]
    images_to: Option<String>,
}

impl MigrateArgs {
    pub fn run(&self) -> Result<()> {
        let [from, to] = [&self.from, &self.to].map(|url| Location::parse(url).map_err(UsageError));
        let (from, to) = (from?, to?);
        if let Location::Sqlite(path) = &from {
            ensure!(path.exists(), UsageError(format!("there is no database {}", path.display())));
        }
        let images = self.images_from.as_deref().zip(self.images_to.as_deref());
        let images =
            images.map(|(from, to)| Ok::<_, String>((place(from)?, place(to)?))).transpose().map_err(UsageError)?;
        tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(migrate(&from, &to, images))
    }
}

async fn migrate(from: &Location, to: &Location, images: Option<(ImageFiles, ImageFiles)>) -> Result<()> {
    let (source, target) = (Store::open(from).await?, Store::open(to).await?);
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} rows  {msg}  {eta_precise} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let copied = source.move_to(&target, |progress: TransferProgress<'_>| {
        bar.set_message(progress.table.to_owned());
        bar.set_length(progress.rows);
        bar.set_position(progress.copied);
    });
    let copied = copied.await;
    bar.finish_and_clear();
    for table in copied? {
        eprintln!("{:>9} rows of {}, compared by checksum", table.rows, table.name);
    }
    if let Some((from, to)) = images {
        let photos = move_photos(&target, &from, &to).await?;
        eprintln!("{photos:>9} photos, compared byte by byte");
    }
    source.close().await;
    target.close().await;
    eprintln!("Done. Start servers with the new --database-url; the old database is unchanged.");
    Ok(())
}

/// Copies the photos that are stored; returns how many. Those that are there already are only compared.
async fn move_photos(store: &Store, from: &ImageFiles, to: &ImageFiles) -> Result<u64> {
    let mut photos = 0;
    for account in store.accounts().list().await? {
        for image in store.images().list(&account.id).await? {
            // One that expired meanwhile is gone.
            let Some(bytes) = from.get(&image.id).await? else { continue };
            if to.get(&image.id).await?.as_ref() != Some(&bytes) {
                to.put(&image.id, &bytes).await?;
                let stored = to.get(&image.id).await?.context("a photo that was just written is missing")?;
                ensure!(stored == bytes, "the photo {} differs after it was copied; run the command again", image.id);
            }
            photos += 1;
        }
    }
    Ok(photos)
}

fn place(text: &str) -> Result<ImageFiles, String> {
    if text.starts_with("s3://") {
        return Bucket::parse(text).map(ImageFiles::Bucket);
    }
    Ok(ImageFiles::Disk(PathBuf::from(text)))
}
