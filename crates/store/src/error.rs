//! Errors. No message contains a secret: neither the password of a database URL nor a key.

use std::path::PathBuf;
use std::sync::Arc;

/// A failed operation on an open store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database could not be reached, or was busy for too long. The same call may succeed later.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] Arc<sqlx::Error>),
    /// The database did not respond within the time that a request can wait.
    #[error("the database did not respond in time")]
    TimedOut,
    /// The account does not exist, so nothing can be stored for it.
    #[error("the account no longer exists")]
    AccountGone,
    /// The database rejected the statement: a bug in this crate or a damaged database.
    #[error("the database rejected a statement: {0}")]
    Refused(#[source] Arc<sqlx::Error>),
    /// A stored value has a form that this program never writes.
    #[error("the database contains an invalid value: {0}")]
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
    /// The bucket could not be reached, or refused. The same call may succeed later.
    #[error("{what}: {cause}")]
    Bucket {
        /// What was being done.
        what: &'static str,
        /// Why it failed.
        #[source]
        cause: Arc<object_store::Error>,
    },
    /// The bucket did not respond within the time that a request can wait.
    #[error("the bucket did not respond in time")]
    BucketTimedOut,
    /// This database does not support the operation; the message says what to do instead.
    #[error("{0}")]
    Unsupported(&'static str),
}

impl Error {
    /// Returns whether the same call may succeed later: respond with 503 and not 500.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::TimedOut | Self::Bucket { .. } | Self::BucketTimedOut => true,
            Self::File { cause, .. } => {
                use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
                matches!(cause.kind(), StorageFull | QuotaExceeded | FileTooLarge | ReadOnlyFilesystem)
            }
            _ => false,
        }
    }

    /// Returns whether it is the bucket that failed, and not the database.
    pub fn is_of_bucket(&self) -> bool {
        matches!(self, Self::Bucket { .. } | Self::BucketTimedOut)
    }

    pub(crate) fn file(what: impl Into<String>, cause: std::io::Error) -> Self {
        Self::File { what: what.into(), cause: Arc::new(cause) }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_foreign_key_violation() => Self::AccountGone,
            sqlx::Error::Database(cause) if is_transient(cause.as_ref()) => Self::Unavailable(Arc::new(error)),
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

/// Returns whether an error is transient: locks, deadlocks, restarts, too many connections, a disk that is full or was
/// remounted read-only.
fn is_transient(cause: &dyn sqlx::error::DatabaseError) -> bool {
    if let Some(postgres) = cause.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
        let code = postgres.code();
        // Connection exception, transaction rollback, insufficient resources, operator intervention, system error.
        return ["08", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class)) || code == "55P03";
    }
    // SQLite's extended codes carry the primary code in the low byte: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN.
    let primary = cause.code().and_then(|code| code.parse::<u32>().ok()).unwrap_or(0) & 0xff;
    matches!(primary, 5 | 6 | 8 | 10 | 13 | 14)
}

/// Why a store could not be opened, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The server did not respond, or rejected the user.
    #[error("cannot connect to the database {place}: {cause}; check that it is running and that the URL is correct")]
    CannotConnect {
        /// The database without its password.
        place: String,
        /// Why.
        cause: String,
    },
    /// The folder of the SQLite file cannot be written.
    #[error("cannot write to the folder {}: {cause}; make it writable or choose another one", path.display())]
    FolderNotWritable {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file of the database, or its folder, cannot be written.
    #[error("cannot write to the database {}: {cause}; make the file and its folder writable for this user", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// Another program has locked the file.
    #[error("the database {} is locked by another program; stop that program or try again later", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full, or failed.
    #[error("cannot use the database {}: {cause}; check that the disk has room and works", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The file is a damaged database.
    #[error("the database {} is damaged: {cause}; restore a backup", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The file is empty, although the folder was used before.
    #[error(
        "the database {} is empty, although this folder was used before; restore a backup, or remove the empty file to \
         start without accounts",
        path.display()
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a database.
    #[error("{} is not a SQLite database; choose another file or move this one", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The database was written by a newer version of the program.
    #[error(
        "the database was written by a newer version of Morsel (schema {found}; this version supports up to {known}); \
         use the newer version"
    )]
    Newer {
        /// The schema of the database.
        found: i64,
        /// The newest schema of this program.
        known: i64,
    },
    /// Creating or migrating the tables failed.
    #[error("cannot create the tables in the database {place}: {cause}; the user needs permission to create tables")]
    Schema {
        /// The database without its password.
        place: String,
        /// Why.
        cause: String,
    },
}

/// Why a store could not be moved, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// Only SQLite can be moved, and only to PostgreSQL.
    #[error("only a SQLite database can be moved, and only to PostgreSQL")]
    Unsupported,
    /// There is nothing to move.
    #[error("the database to move has no accounts; check its path")]
    Empty,
    /// The target holds something.
    #[error("the database to move to has accounts already; choose an empty one")]
    NotEmpty,
    /// The target was left by the move of another store.
    #[error("the database to move to has a part of another one; choose an empty one")]
    OtherSource,
    /// A table is not the same in both.
    #[error("the table {table} differs after it was copied; choose an empty database and try again")]
    Differs {
        /// The table.
        table: String,
    },
    /// The disk or a database failed. Run the move again to go on with it.
    #[error("{0}; run the command again to go on")]
    Store(#[from] Error),
}

/// Why a backup could not be restored, and what to do about it. The database is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The file is not a database, or one of another program.
    #[error("{} is not a backup of Morsel; make one with `morsel backup`", path.display())]
    NotABackup {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("the backup {} is damaged: {cause}; use another one", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The backup was written by a newer version of the program.
    #[error(
        "the backup was written by a newer version of Morsel (schema {found}; this version supports up to {known}); use \
         the newer version"
    )]
    Newer {
        /// The schema of the backup.
        found: i64,
        /// The newest schema of this program.
        known: i64,
    },
    /// There is a database already.
    #[error("there is already a database {}; choose another data directory, or replace it with --replace", path.display())]
    Exists {
        /// The database.
        path: PathBuf,
    },
    /// A program has the database open.
    #[error("the database {} is in use; stop the server first", path.display())]
    InUse {
        /// The database.
        path: PathBuf,
    },
    /// The disk or the database failed.
    #[error(transparent)]
    Store(#[from] Error),
}
