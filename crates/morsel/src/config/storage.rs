//! Where accounts, keys, recipes, photos and imported foods are stored.

use std::path::{Path, PathBuf};

use clap::Args;
use store::{Bucket, ImageFiles};

use super::secret;

/// Data directory and database, as flags that several commands share.
#[derive(Args, Clone, Debug, Default)]
pub struct StorageArgs {
    /// Data directory [default: ./morsel-data]
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of SQLite: postgres://user:password@host/name
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
}

impl StorageArgs {
    /// Returns the same with the database URL from the file in `MORSEL_DATABASE_URL_FILE`, if there is one.
    pub fn add_secrets_from_env(&self) -> Result<Self, String> {
        let database_url = secret::or_from_file("MORSEL_DATABASE_URL", self.database_url.clone())?;
        Ok(Self { data_dir: self.data_dir.clone(), database_url })
    }

    /// Returns the data directory, by default `./morsel-data`.
    pub fn data_dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| PathBuf::from("./morsel-data"))
    }

    /// Returns the database to open: PostgreSQL if a URL is set, else the SQLite file of the data directory.
    pub fn location(&self) -> Result<store::Location, String> {
        match &self.database_url {
            Some(url) => store::Location::parse(url),
            None => Ok(store::Location::Sqlite(self.data_dir().join("morsel.db"))),
        }
    }
}

/// The bucket, as a flag that several commands share.
#[derive(Args, Clone, Debug, Default)]
pub struct BucketArgs {
    /// Bucket for photos and published catalogs: s3://bucket?endpoint=https://host&region=name
    #[arg(long, value_name = "URL", env = "MORSEL_IMAGES_URL", hide_env_values = true)]
    pub images_url: Option<String>,
}

impl BucketArgs {
    /// Returns the bucket, if there is one.
    pub fn bucket(&self) -> Result<Option<Bucket>, String> {
        let url = secret::or_from_file("MORSEL_IMAGES_URL", self.images_url.clone())?;
        url.as_deref().map(Bucket::parse).transpose()
    }

    /// Returns where photos are: in the bucket, else in the data directory.
    pub fn images(&self, data_dir: &Path) -> Result<ImageFiles, String> {
        Ok(self.bucket()?.map_or_else(|| ImageFiles::Disk(data_dir.join("images")), ImageFiles::Bucket))
    }
}
