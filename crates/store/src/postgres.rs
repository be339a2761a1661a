//! The PostgreSQL side: connections, and how concurrent callers share one query for the latest change.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Postgres, Row as _};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::borrowed::Borrowed;
use crate::error::{Error, OpenError};
use crate::location::Location;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a single statement may take. Only a server that vanished silently reaches it.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: u32 = 16;
/// How long the query for the latest change may take. It reads one row, and every request waits for it.
const CHANGE_TIMEOUT: Duration = Duration::from_secs(1);

/// A PostgreSQL server.
#[derive(Debug)]
pub(crate) struct PostgresDb {
    pool: PgPool,
    options: PgConnectOptions,
    changes: ChangeRounds,
    /// Whether the last query for the latest change failed: the pool would try to connect for seconds.
    is_down: AtomicBool,
}

/// Queries for the latest change, in rounds: one query serves every caller that was waiting when it was sent.
#[derive(Debug, Default)]
struct ChangeRounds {
    /// How many queries have been sent.
    sent: AtomicU64,
    /// The last query that completed. The holder of the lock sends the next.
    completed: Mutex<CompletedRound>,
}

#[derive(Debug, Default)]
struct CompletedRound {
    round: u64,
    result: Option<Result<u64, Error>>,
    /// A connection for this query alone, which does not wait for the pool.
    connection: Option<PgConnection>,
}

impl PostgresDb {
    pub(crate) async fn open(url: &str) -> Result<Self, OpenError> {
        let place = Location::Postgres(url.to_owned()).to_string();
        let cannot = |cause: String| OpenError::CannotConnect { place: place.clone(), cause };
        let options = PgConnectOptions::from_str(url).map_err(|_| cannot("the URL is not valid".to_owned()))?;
        let options = options.application_name("morsel");
        let connection = match timeout(CONNECT_TIMEOUT, options.connect()).await {
            Ok(Ok(connection)) => connection,
            Ok(Err(sqlx::Error::Database(error))) => return Err(cannot(error.message().to_owned())),
            Ok(Err(sqlx::Error::Io(error))) => return Err(cannot(error.to_string())),
            Ok(Err(error)) => return Err(cannot(error.to_string())),
            Err(_) => return Err(cannot(format!("no response within {} seconds", CONNECT_TIMEOUT.as_secs()))),
        };
        let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(CONNECT_TIMEOUT);
        let pool = pool.connect_lazy_with(options.clone());
        let completed = Mutex::new(CompletedRound { connection: Some(connection), ..CompletedRound::default() });
        let changes = ChangeRounds { sent: AtomicU64::new(0), completed };
        Ok(Self { pool, options, changes, is_down: AtomicBool::new(false) })
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.changes.completed.lock().await.connection = None;
    }

    /// Takes a connection for one statement or one transaction.
    pub(crate) async fn borrow(&self) -> Result<Borrowed<Postgres>, Error> {
        if self.is_down.load(Ordering::Relaxed) {
            // Fails at once if the server is still gone.
            Box::pin(self.latest_change()).await?;
        }
        Borrowed::from(&self.pool).await
    }

    /// Returns the number of the latest change. A result counts only for callers that came before its query was sent.
    pub(crate) async fn latest_change(&self) -> Result<u64, Error> {
        let needed = self.changes.sent.load(Ordering::SeqCst) + 1;
        let mut completed = self.changes.completed.lock().await;
        if let Some(result) = completed.result.clone()
            && completed.round >= needed
        {
            return result;
        }
        let round = self.changes.sent.fetch_add(1, Ordering::SeqCst) + 1;
        // The connection is taken out while it is used: if this caller is canceled in the middle of the query, the next one
        // starts with a new connection instead of one with a pending result.
        let result = match self.query_latest(completed.connection.take()).await {
            Ok((n, connection)) => {
                completed.connection = Some(connection);
                Ok(n)
            }
            Err(error) => Err(error),
        };
        self.is_down.store(result.as_ref().is_err_and(Error::is_unavailable), Ordering::Relaxed);
        completed.round = round;
        completed.result = Some(result.clone());
        result
    }

    async fn query_latest(&self, idle: Option<PgConnection>) -> Result<(u64, PgConnection), Error> {
        if let Some(mut connection) = idle {
            match latest_change(&mut connection).await {
                // The server closed an idle connection; a new one may work.
                Err(Error::Unavailable(_)) => {}
                Err(error) => return Err(error),
                Ok(n) => return Ok((n, connection)),
            }
        }
        let mut connection = match timeout(CHANGE_TIMEOUT, self.options.connect()).await {
            Ok(connection) => connection?,
            Err(_) => return Err(Error::TimedOut),
        };
        Ok((latest_change(&mut connection).await?, connection))
    }
}

/// Waits for a statement, but not for long: a server that vanishes without closing the connection must not block a request
/// for a quarter of an hour.
pub(crate) async fn in_time<T>(result: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, Error> {
    match timeout(STATEMENT_TIMEOUT, result).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(Error::TimedOut),
    }
}

async fn latest_change(connection: &mut PgConnection) -> Result<u64, Error> {
    let query = sqlx::query("SELECT n FROM change_counter").fetch_all(connection);
    let rows = timeout(CHANGE_TIMEOUT, query).await.map_err(|_| Error::TimedOut)??;
    let n: i64 = rows.first().ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?.try_get("n")?;
    u64::try_from(n).map_err(|_| Error::Corrupt("a negative change counter".to_owned()))
}
