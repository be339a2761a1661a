//! The location of the database.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// A SQLite file or a PostgreSQL server. Neither `Debug` nor `Display` shows the password.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// The path of the database file.
    Sqlite(PathBuf),
    /// A `postgres://` URL.
    Postgres(String),
}

impl Location {
    /// Parses `postgres://…`, `postgresql://…` or `sqlite:path`. The error is a message for the user.
    pub fn parse(url: &str) -> Result<Self, String> {
        let url = url.trim();
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return match PgConnectOptions::from_str(url) {
                Ok(_) => Ok(Self::Postgres(url.to_owned())),
                Err(_) => {
                    Err("the database URL is not valid; it should look like postgres://user:password@host:5432/name \
                     (percent-encode special characters in the password)"
                        .to_owned())
                }
            };
        }
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err("the database URL names no file; it should look like sqlite:morsel.db".to_owned());
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        Err("the database URL must start with postgres:// or sqlite:".to_owned())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => match PgConnectOptions::from_str(url) {
                Ok(options) => {
                    write!(f, "postgres://{}@{}:{}", options.get_username(), options.get_host(), options.get_port())?;
                    write!(f, "/{}", options.get_database().unwrap_or(options.get_username()))
                }
                Err(_) => f.write_str("postgres://…"),
            },
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}
