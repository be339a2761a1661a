//! The PostgreSQL side: how the server is reached, and how many callers share one question about changes.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};

use sqlx::{ConnectOptions, Postgres, Row as _};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::db::in_time;
use crate::{Error, Location, OpenError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_CONNECTIONS: u32 = 16;

/// A PostgreSQL server.
#[derive(Debug)]
pub(crate) struct PostgresDb {
    pool: PgPool,
    options: PgConnectOptions,
    changes: ChangeRounds,
}

/// A connection out of the pool. Unless it is given back it is closed, and the server undoes what was not committed: nobody
/// gets a connection with half a transaction, an answer still to come, or a server behind it that has vanished.
pub(crate) struct Borrowed {
    connection: PoolConnection<Postgres>,
    is_fit_for_others: bool,
}

/// Questions for the latest change, asked in rounds: one query serves everybody who was waiting when it was sent.
#[derive(Debug, Default)]
struct ChangeRounds {
    /// How many queries have been sent.
    sent: AtomicU64,
    /// The last query that was answered. Whoever holds the lock asks.
    answered: Mutex<Answered>,
}

#[derive(Debug, Default)]
struct Answered {
    round: u64,
    answer: Option<Result<u64, Error>>,
    /// A connection for this one question: it does not wait for the pool.
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
            Err(_) => return Err(cannot(format!("no answer within {} seconds", CONNECT_TIMEOUT.as_secs()))),
        };
        let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(CONNECT_TIMEOUT);
        let pool = pool.connect_lazy_with(options.clone());
        let answered = Mutex::new(Answered { connection: Some(connection), ..Answered::default() });
        Ok(Self { pool, options, changes: ChangeRounds { sent: AtomicU64::new(0), answered } })
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.changes.answered.lock().await.connection = None;
    }

    /// A connection for one statement or one transaction.
    pub(crate) async fn borrow(&self) -> Result<Borrowed, Error> {
        Ok(Borrowed { connection: self.pool.acquire().await?, is_fit_for_others: false })
    }

    /// The number of the latest change. An answer counts only for callers who came before its query was sent.
    pub(crate) async fn latest_change(&self) -> Result<u64, Error> {
        let needed = self.changes.sent.load(Ordering::SeqCst) + 1;
        let mut answered = self.changes.answered.lock().await;
        if let Some(answer) = answered.answer.clone()
            && answered.round >= needed
        {
            return answer;
        }
        let round = self.changes.sent.fetch_add(1, Ordering::SeqCst) + 1;
        // The connection is out of its place while it is used: if this caller goes away in the middle of the query, the
        // next one starts with a fresh connection instead of one with an answer still to come.
        let answer = match self.ask(answered.connection.take()).await {
            Ok((n, connection)) => {
                answered.connection = Some(connection);
                Ok(n)
            }
            Err(error) => Err(error),
        };
        answered.round = round;
        answered.answer = Some(answer.clone());
        answer
    }

    async fn ask(&self, kept: Option<PgConnection>) -> Result<(u64, PgConnection), Error> {
        if let Some(mut connection) = kept {
            match latest_change(&mut connection).await {
                // The server closed a connection that was idle; a new one may do.
                Err(Error::Unavailable(_)) => {}
                Err(error) => return Err(error),
                Ok(n) => return Ok((n, connection)),
            }
        }
        let mut connection = match timeout(CONNECT_TIMEOUT, self.options.connect()).await {
            Ok(connection) => connection?,
            Err(_) => return Err(Error::TimedOut),
        };
        Ok((latest_change(&mut connection).await?, connection))
    }
}

impl Borrowed {
    pub(crate) fn get(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    pub(crate) fn give_back(mut self) {
        self.is_fit_for_others = true;
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if !self.is_fit_for_others {
            self.connection.close_on_drop();
        }
    }
}

async fn latest_change(connection: &mut PgConnection) -> Result<u64, Error> {
    let rows = in_time(sqlx::query("SELECT n FROM change_counter").fetch_all(connection)).await?;
    let n: i64 = rows.first().ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?.try_get("n")?;
    u64::try_from(n).map_err(|_| Error::Corrupt("a negative change counter".to_owned()))
}
