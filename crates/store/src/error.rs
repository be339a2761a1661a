//! What can go wrong. No text holds a secret: neither a password of a database URL nor a key.

use std::path::PathBuf;
use std::sync::Arc;

/// A failed operation on an open store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database could not be reached, or was too busy for too long. The same call may succeed later.
    #[error("the database cannot be reached at the moment: {0}")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// The database did not answer within the time that a request can wait.
    #[error("the database did not answer in time")]
    TimedOut,
    /// The account does not exist (any more), so nothing can be stored for it.
    #[error("the account no longer exists")]
    AccountGone,
    /// The database refused the statement: a bug in this crate or a damaged database.
    #[error("the database refused a statement: {0}")]
    Refused(#[source] Arc<sqlx::Error>),
    /// A stored value has a form that this program never writes.
    #[error("the database holds a value that cannot be understood: {0}")]
    Corrupt(String),
    /// A file (an image, a backup) could not be written or read.
    #[error("{what}: {cause}")]
    File {
        /// What was being done, with the path.
        what: String,
        /// Why it failed.
        #[source]
        cause: Arc<std::io::Error>,
    },
    /// This database cannot do what was asked for; the text says what to do instead.
    #[error("{0}")]
    Unsupported(&'static str),
}

impl Error {
    /// Whether the same call may succeed a little later: answer 503 and not 500.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::TimedOut)
    }

    pub(crate) fn file(what: impl Into<String>, cause: std::io::Error) -> Self {
        Self::File { what: what.into(), cause: Arc::new(cause) }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_foreign_key_violation() => Self::AccountGone,
            sqlx::Error::Database(cause) if passes_by_itself(cause.as_ref()) => Self::Unavailable(Arc::new(error)),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed => Self::Unavailable(Arc::new(error)),
            _ => Self::Refused(Arc::new(error)),
        }
    }
}

/// Locks, deadlocks, restarts, too many connections, a full disk: conditions that end without a change to the program.
fn passes_by_itself(cause: &dyn sqlx::error::DatabaseError) -> bool {
    if let Some(postgres) = cause.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
        let code = postgres.code();
        // Connection exception, transaction rollback, insufficient resources, operator intervention, system error.
        return ["08", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class)) || code == "55P03";
    }
    // SQLite's extended codes carry the primary code in the low byte: BUSY, LOCKED, IOERR, FULL, CANTOPEN.
    let primary = cause.code().and_then(|code| code.parse::<u32>().ok()).unwrap_or(0) & 0xff;
    matches!(primary, 5 | 6 | 10 | 13 | 14)
}

/// Why a store could not be opened: one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nobody answered, or the server refused the user.
    #[error("cannot connect to the database {place}: {cause}; check that it runs and that the URL is right")]
    CannotConnect {
        /// The database without its password.
        place: String,
        /// Why.
        cause: String,
    },
    /// The folder of the SQLite file cannot be written.
    #[error("cannot write in the folder {}: {cause}; make it writable or choose another one", path.display())]
    FolderNotWritable {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not a SQLite database; choose another file or move this one away", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of the program has been here.
    #[error(
        "the database was written by a newer Morsel (schema {found}, this program knows up to {known}); use the newer one"
    )]
    Newer {
        /// The schema of the database.
        found: i64,
        /// The newest schema of this program.
        known: i64,
    },
    /// Preparing the tables failed.
    #[error("cannot prepare the tables in the database {place}: {cause}; the user needs the right to create tables")]
    Schema {
        /// The database without its password.
        place: String,
        /// Why.
        cause: String,
    },
}
