//! A connection on loan from a pool, for one statement or one transaction.

use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool};

use crate::error::Error;

/// A connection from a pool. Unless it is given back it is closed, and the database rolls back what was not committed:
/// nobody gets a connection with half a transaction, a pending result, a failed commit, or a vanished server behind it.
///
/// This is also why transactions begin and end with plain SQL. `sqlx::Transaction` returns its connection to the pool even
/// if the rollback failed, as it does after a full disk, because SQLite has then rolled back by itself; from then on that
/// connection refuses to begin another transaction.
pub(crate) struct Borrowed<DB: Database> {
    connection: PoolConnection<DB>,
    is_reusable: bool,
}

impl<DB: Database> Borrowed<DB> {
    pub(crate) async fn from(pool: &Pool<DB>) -> Result<Self, Error> {
        Ok(Self { connection: pool.acquire().await?, is_reusable: false })
    }

    pub(crate) fn get(&mut self) -> &mut DB::Connection {
        &mut self.connection
    }

    pub(crate) fn give_back(mut self) {
        self.is_reusable = true;
    }
}

impl<DB: Database> Drop for Borrowed<DB> {
    fn drop(&mut self) {
        if !self.is_reusable {
            self.connection.close_on_drop();
        }
    }
}
