//! The open database. Its methods are in the modules of what they read and write.

use std::sync::Arc;

use jiff::Timestamp;

use crate::db::Db;
use crate::error::{Error, OpenError};
use crate::location::Location;
use crate::migrate;
use crate::postgres::PostgresDb;
use crate::sqlite::SqliteDb;

/// Free pages of a SQLite file that are kept, because new rows will soon need them.
const KEPT_FREE_PAGES: u64 = 256;

/// An open database. Clones are cheap and share the connections.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) db: Arc<Db>,
}

impl Store {
    /// Connects (giving up after five seconds) and migrates the schema.
    pub async fn open(location: &Location) -> Result<Self, OpenError> {
        let db = match location {
            Location::Sqlite(path) => Db::Sqlite(SqliteDb::open(path).await?),
            Location::Postgres(url) => Db::Postgres(Box::new(PostgresDb::open(url).await?)),
        };
        migrate::migrate(&db, &location.to_string()).await?;
        if let Db::Sqlite(sqlite) = &db {
            sqlite.make_shrinkable().await.map_err(|error| sqlite.schema_error(&error))?;
            sqlite.mark_used();
        }
        Ok(Self { db: Arc::new(db) })
    }

    /// Waits for statements in progress and closes the connections. Later calls fail.
    pub async fn close(&self) {
        match &*self.db {
            Db::Sqlite(db) => db.close().await,
            Db::Postgres(db) => db.close().await,
        }
    }

    /// Returns whether the database is PostgreSQL, which other servers may share.
    pub fn is_postgres(&self) -> bool {
        matches!(&*self.db, Db::Postgres(_))
    }

    /// Checks that the database can be read and written, by a write that is committed: a full disk shows nowhere else.
    pub async fn check(&self, now: Timestamp) -> Result<(), Error> {
        // First, since it reports at once that a server is gone, where the pool would try to reach it for a while.
        self.latest_change().await?;
        self.db.write("UPDATE write_check SET at = $1", vec![now.into()]).await.map(drop)
    }

    /// Returns unused space of a SQLite file to the file system, a few megabytes at a time so that other writers need not
    /// wait for long; returns the number of pages. PostgreSQL does this by itself.
    pub async fn return_space(&self) -> Result<u64, Error> {
        let Db::Sqlite(_) = &*self.db else { return Ok(0) };
        let mut returned = 0;
        loop {
            let free = self.db.read_one("SELECT freelist_count AS n FROM pragma_freelist_count", vec![]).await?;
            let free = free.map_or(Ok(0), |row| row.unsigned("n"))?;
            if free <= KEPT_FREE_PAGES {
                return Ok(returned);
            }
            let mut tx = self.db.begin().await?;
            tx.fetch("PRAGMA incremental_vacuum(1000)", vec![]).await?;
            tx.commit().await?;
            returned += free.min(1_000);
        }
    }
}
