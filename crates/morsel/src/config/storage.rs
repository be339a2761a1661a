//! Where accounts, keys, recipes, photos and imported foods are stored.

use std::path::PathBuf;

use clap::Args;

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
