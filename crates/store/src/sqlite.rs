//! The SQLite side: opening the file, and noticing a change by any process in about a microsecond.
//!
//! While a store is open, nothing else in the process may open and close the database's files, not even to read them: that
//! would drop SQLite's locks on them (see `wal_index`). Copies are made with `Store::backup`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Row as _};
use tokio::time::{Instant, sleep};

use crate::error::{Error, OpenError};
use crate::files::{create_folder, new_private_file};
use crate::wal_index::{Header, WalIndex};

/// How long a writer waits for another process (the command line beside a server) to finish.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// How long it waits for the writers of this process before that.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(2_900);
const _: () = assert!(BUSY_TIMEOUT.as_millis() + ACQUIRE_TIMEOUT.as_millis() < 5_000, "nobody waits longer for a 503");

/// How long a start waits for other programs that start at the same time.
const OPEN_TIMEOUT: Duration = Duration::from_secs(5);

/// An open SQLite file. One connection writes, so that writers of this process queue here instead of polling the file's
/// lock; several read, each on the newest committed state.
#[derive(Debug)]
pub(crate) struct SqliteDb {
    pub(crate) writer: SqlitePool,
    pub(crate) readers: SqlitePool,
    path: PathBuf,
    changes: ChangeWatch,
}

/// The number of the latest change, and the state of the write-ahead log at which it was read.
#[derive(Debug)]
struct ChangeWatch {
    wal_index: Option<WalIndex>,
    last: Mutex<Option<(Header, u64)>>,
    /// A connection for this query alone: it never waits for the pools, and while it is open SQLite keeps the files of the
    /// write-ahead log.
    connection: tokio::sync::Mutex<Option<SqliteConnection>>,
}

impl SqliteDb {
    pub(crate) async fn open(path: &Path) -> Result<Self, OpenError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let not_writable = |cause| OpenError::FolderNotWritable { path: folder.to_owned(), cause };
        create_folder(folder).map_err(not_writable)?;
        match new_private_file(path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => check_not_emptied(path, folder)?,
            Err(error) => return Err(not_writable(error)),
        }
        let open_error = |error: sqlx::Error| open_error(path, &error);

        let options = options(path);
        let mut connection = options.connect().await.map_err(open_error)?;
        enter_wal_mode(&mut connection).await.map_err(open_error)?;

        let pool = || {
            let pool = SqlitePoolOptions::new().acquire_timeout(ACQUIRE_TIMEOUT).test_before_acquire(false);
            pool.idle_timeout(None).max_lifetime(None)
        };
        let readers = std::thread::available_parallelism().map_or(4, |cores| cores.get().clamp(2, 8)) as u32;
        let writer = pool().max_connections(1).connect_lazy_with(options.clone());
        let readers = pool().max_connections(readers).connect_lazy_with(options.pragma("query_only", "ON"));
        // The connection has read from the database by now, so the file exists.
        let wal_index = WalIndex::open(path);
        let connection = tokio::sync::Mutex::new(Some(connection));
        let changes = ChangeWatch { wal_index, last: Mutex::new(None), connection };
        Ok(Self { writer, readers, path: path.to_owned(), changes })
    }

    /// Notes that the tables exist, so that the file is never empty again unless its content was lost.
    pub(crate) fn mark_used(&self) {
        // Without the note an emptied file is not recognized as such, which is no reason not to serve.
        let _ = new_private_file(&marker(&self.path));
    }

    /// Says why the tables cannot be created or migrated.
    pub(crate) fn schema_error(&self, error: &Error) -> OpenError {
        match error {
            Error::Unavailable(cause) | Error::Refused(cause) => open_error(&self.path, cause),
            other => OpenError::Damaged { path: self.path.clone(), cause: other.to_string() },
        }
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
        if let Some(connection) = self.changes.connection.lock().await.take() {
            // The last connection moves the write-ahead log into the database; if that fails, the next start does it.
            let _ = connection.close().await;
        }
    }

    /// Returns the number of the latest change: from memory while the write-ahead log is unchanged, otherwise by a query.
    pub(crate) async fn latest_change(&self) -> Result<u64, Error> {
        if let Some(n) = self.changes.if_unchanged() {
            return Ok(n);
        }
        // On the heap, since the future is large and this runs with every request.
        Box::pin(self.query_latest_change()).await
    }

    async fn query_latest_change(&self) -> Result<u64, Error> {
        let mut connection = self.changes.connection.lock().await;
        // The previous holder of the connection may have read the number already.
        if let Some(n) = self.changes.if_unchanged() {
            return Ok(n);
        }
        // Read before the query: if something is committed in between, the next caller sees another header and queries again.
        let header = self.changes.wal_index.as_ref().and_then(WalIndex::header);
        let connection = connection.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        let n = match read_latest_change(connection).await {
            Ok(n) => n,
            Err(error) => {
                // The next caller gets a new connection. It is opened before this one is closed, so that the files of the
                // write-ahead log stay.
                let new = options(&self.path).connect().await?;
                let _ = std::mem::replace(connection, new).close().await;
                return Err(error);
            }
        };
        *self.changes.last() = header.map(|header| (header, n));
        Ok(n)
    }

    /// Lets a file that an earlier release wrote shrink, as new ones can. Rewrites it, once; if that is not possible at the
    /// moment, the next start tries again.
    pub(crate) async fn make_shrinkable(&self) -> Result<(), Error> {
        let mut connection = options(&self.path).connect().await?;
        let row = sqlx::query("SELECT auto_vacuum FROM pragma_auto_vacuum").fetch_one(&mut connection).await?;
        if row.try_get::<i64, _>("auto_vacuum")? == 0 {
            let _ = sqlx::raw_sql("PRAGMA auto_vacuum = INCREMENTAL; VACUUM").execute(&mut connection).await;
        }
        connection.close().await?;
        Ok(())
    }

    /// Writes a consistent copy to `to`, which must be an empty file, without blocking readers or writers.
    pub(crate) async fn copy_to(&self, to: &Path) -> Result<(), Error> {
        let target = to.to_str().ok_or_else(|| {
            Error::file("cannot name the backup", io::Error::new(ErrorKind::InvalidInput, "the path is not UTF-8"))
        })?;
        let mut connection = options(&self.path).connect().await?;
        sqlx::query("VACUUM INTO $1").bind(target).execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    }
}

impl ChangeWatch {
    fn if_unchanged(&self) -> Option<u64> {
        let header = self.wal_index.as_ref()?.header()?;
        (*self.last()).and_then(|(seen, n)| (seen == header).then_some(n))
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<(Header, u64)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read_latest_change(connection: &mut SqliteConnection) -> Result<u64, Error> {
    // All rows, not one: a statement that is not run to its end would keep its old view of the database.
    let rows = sqlx::query("SELECT n FROM change_counter").fetch_all(connection).await?;
    let n: i64 = rows.first().ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?.try_get("n")?;
    u64::try_from(n).map_err(|_| Error::Corrupt("a negative change counter".to_owned()))
}

/// Returns how the file is opened.
pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        // A commit is on the disk when it is acknowledged; NORMAL could lose the last ones when the power fails.
        .synchronous(SqliteSynchronous::Full)
        // Lets the log shrink again after a burst of writes.
        .pragma("journal_size_limit", "67108864")
}

/// Switches to WAL mode, which the file remembers, and lets a new file shrink. WAL mode needs exclusive access and, unlike
/// other statements, does not wait.
async fn enter_wal_mode(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let give_up = Instant::now() + OPEN_TIMEOUT;
    // A new file can be made to shrink without rewriting it. If several programs create it at once, one of them succeeds.
    let pages = sqlx::query("SELECT page_count FROM pragma_page_count").fetch_one(&mut *connection).await?;
    if pages.try_get::<i64, _>("page_count")? == 0 {
        let _ = sqlx::raw_sql("PRAGMA auto_vacuum = INCREMENTAL").execute(&mut *connection).await;
    }
    loop {
        match sqlx::query("PRAGMA journal_mode = WAL").fetch_all(&mut *connection).await {
            Err(error) if primary_code(&error) == Some(5) && Instant::now() < give_up => {
                sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error),
            Ok(_) => break,
        }
    }
    sqlx::query("SELECT COUNT(*) FROM sqlite_schema").fetch_all(&mut *connection).await.map(drop)
}

/// Says why a file cannot be used, and what to do about it.
pub(crate) fn open_error(path: &Path, error: &sqlx::Error) -> OpenError {
    let (path, cause) = (path.to_owned(), error.to_string());
    match primary_code(error) {
        Some(5 | 6) => OpenError::Locked { path },
        // The file exists by now, so that it cannot be opened is a matter of permissions.
        Some(8 | 14) => OpenError::ReadOnly { path, cause },
        Some(10 | 13) => OpenError::Disk { path, cause },
        Some(11) => OpenError::Damaged { path, cause },
        Some(26) => OpenError::NotADatabase { path },
        _ => OpenError::CannotConnect { place: format!("sqlite:{}", path.display()), cause },
    }
}

/// Returns the file that says that a folder has, or had, a database: without it, nobody could tell an empty file that lost
/// its content from one that is about to be filled.
fn marker(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".used");
    name.into()
}

/// Refuses an empty file in a folder that was used before: it would silently become a new service with a new owner.
fn check_not_emptied(path: &Path, folder: &Path) -> Result<(), OpenError> {
    let is_empty = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
    let was_used = || marker(path).exists() || folder.join("images").exists();
    if is_empty && was_used() { Err(OpenError::Empty { path: path.to_owned() }) } else { Ok(()) }
}

/// Returns the primary code, the low byte of SQLite's extended code.
fn primary_code(error: &sqlx::Error) -> Option<u32> {
    error.as_database_error()?.code()?.parse::<u32>().ok().map(|code| code & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("morsel.db");
        new_private_file(&path).expect("created");
        // Permissions would not keep the root user from writing; a connection that may only read does.
        let mut connection = options(&path).read_only(true).connect().await.expect("opens");
        let error = enter_wal_mode(&mut connection).await.expect_err("read-only");
        let message = open_error(&path, &error).to_string();
        assert!(message.starts_with("cannot write to the database"), "{message}");
        assert!(message.ends_with("make the file and its folder writable for this user"), "{message}");
    }
}
