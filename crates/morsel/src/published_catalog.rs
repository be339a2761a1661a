//! Imported foods in the bucket, for servers that have no disk in common.
//!
//! `morsel import` and `morsel catalog publish` write the file under the name of its checksum, and then its name to
//! `catalog/current.json`, which every server reads every few seconds. A server downloads the file, compares its checksum, opens it,
//! and only then puts it in place of its own: a damaged one changes nothing.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use foods::catalog::Layer;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::Bucket;

const FOLDER: &str = "catalog";
/// Names the current file.
const CURRENT: &str = "catalog/current.json";
/// What `current.json` said when the file of this server was put in place.
const INSTALLED: &str = "published.json";
const FILE: &str = "imported.morsel";
const DOWNLOAD: &str = "published.tmp";

/// Which file is current.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct CatalogVersion {
    /// The checksum of the file, which is its name too; `None` if there are no imported foods.
    pub sha256: Option<String>,
    /// The size of the file.
    pub bytes: u64,
}

/// The published catalog, as one data directory follows it.
#[derive(Debug)]
pub struct PublishedCatalog {
    bucket: Bucket,
    folder: PathBuf,
    /// A version that could not be used, so that it is not downloaded again and again.
    refused: Mutex<Option<Bytes>>,
}

impl PublishedCatalog {
    /// Follows the catalog of a bucket in a data directory.
    pub fn new(bucket: Bucket, data_dir: &Path) -> Self {
        Self { bucket, folder: data_dir.join(FOLDER), refused: Mutex::default() }
    }

    /// Puts the published file in place if it is another one than before; returns whether it was. A version that was refused is
    /// reported once.
    pub async fn fetch(&self) -> Result<bool> {
        let Some(current) = self.bucket.get(CURRENT).await? else { return Ok(false) };
        let installed = fs::read(self.folder.join(INSTALLED)).unwrap_or_default();
        let is_refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(&current);
        if installed == *current || is_refused {
            return Ok(false);
        }
        let version: CatalogVersion =
            serde_json::from_slice(&current).context("catalog/current.json is not readable")?;
        match self.install(&version).await {
            Ok(()) => {}
            Err(error) if error.is::<store::Error>() => return Err(error),
            Err(error) => {
                *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(current);
                return Err(error);
            }
        }
        fs::write(self.folder.join(INSTALLED), &current)?;
        Ok(true)
    }

    /// Publishes the imported foods of the data directory. The file before stays, for servers that are just reading it.
    pub async fn publish(&self) -> Result<CatalogVersion> {
        let file = self.folder.join(FILE);
        let (sha256, bytes) = checksum(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Layer::open(&file)?;
        self.bucket.upload(&key(&sha256), &file).await?;
        let version = CatalogVersion { sha256: Some(sha256), bytes };
        self.announce(&version).await?;
        Ok(version)
    }

    /// Publishes that there are no imported foods.
    pub async fn retract(&self) -> Result<()> {
        self.announce(&CatalogVersion { sha256: None, bytes: 0 }).await
    }

    async fn announce(&self, version: &CatalogVersion) -> Result<()> {
        let previous = self.bucket.get(CURRENT).await?;
        let previous: Option<CatalogVersion> = previous.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let current = serde_json::to_vec(version)?;
        self.bucket.put(CURRENT, Bytes::from(current.clone())).await?;
        if self.folder.exists() && version.sha256.is_some() {
            // The data directory that it comes from has it already.
            fs::write(self.folder.join(INSTALLED), &current)?;
        }
        let kept: Vec<String> = [previous.and_then(|previous| previous.sha256), version.sha256.clone()]
            .iter()
            .flatten()
            .map(|sha| key(sha))
            .collect();
        for old in self.bucket.list(FOLDER).await?.iter().filter(|old| *old != CURRENT && !kept.contains(old)) {
            self.bucket.delete(old).await?;
        }
        Ok(())
    }

    async fn install(&self, version: &CatalogVersion) -> Result<()> {
        fs::create_dir_all(&self.folder)?;
        let file = self.folder.join(FILE);
        let Some(sha256) = version.sha256.clone() else {
            return match fs::remove_file(&file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            };
        };
        let download = self.folder.join(DOWNLOAD);
        ensure!(
            self.bucket.download(&key(&sha256), &download).await?,
            "the published catalog is missing in the bucket"
        );
        let checked = download.clone();
        let bytes = version.bytes;
        let check = move || -> Result<()> {
            ensure!(
                checksum(&checked)? == (sha256, bytes),
                "the published catalog is damaged: a checksum does not match"
            );
            Layer::open(&checked)?;
            Ok(())
        };
        let outcome = tokio::task::spawn_blocking(check).await?;
        if outcome.is_err() {
            let _ = fs::remove_file(&download);
        }
        outcome?;
        Ok(fs::rename(&download, &file)?)
    }
}

fn key(sha256: &str) -> String {
    format!("{FOLDER}/{sha256}.morsel")
}

/// Returns the SHA-256 of a file, in hexadecimal, and its size.
fn checksum(path: &Path) -> std::io::Result<(String, u64)> {
    let mut file = fs::File::open(path)?;
    let (mut digest, mut bytes) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        digest.update(&buffer[..length]);
        bytes += length as u64;
    }
    let digits: Vec<String> = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((digits.concat(), bytes))
}
