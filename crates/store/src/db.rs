//! The two databases behind one small interface: values in, rows out, a transaction for every write.
//!
//! SQL is written where it is used, once for both databases: `$1` placeholders and `ON CONFLICT … RETURNING` mean the same
//! in SQLite and PostgreSQL. What differs is in `sqlite.rs` and `postgres.rs`. `sqlx::Any` would be the alternative: it has
//! no access to what the two modules do with their own connections.

use jiff::Timestamp;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Postgres, Row as _, Sqlite};

use crate::borrowed::Borrowed;
use crate::error::Error;
use crate::id::AccountId;
use crate::postgres::{PostgresDb, in_time};
use crate::sqlite::SqliteDb;

/// The database that a store was opened on.
#[derive(Debug)]
pub(crate) enum Db {
    Sqlite(SqliteDb),
    Postgres(Box<PostgresDb>),
}

/// A parameter of a statement.
#[derive(Debug)]
pub(crate) enum Value {
    Int(Option<i64>),
    Real(f64),
    Text(Option<String>),
    Blob(Option<Vec<u8>>),
}

/// A row of a result; columns are read by name.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A transaction that writes. Dropped without `commit`, it has no effect.
pub(crate) enum Tx {
    Sqlite(Borrowed<Sqlite>),
    Postgres(Borrowed<Postgres>),
}

impl Db {
    /// Reads rows, seeing everything that was committed before this call.
    pub(crate) async fn read(&self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, Error> {
        match self {
            Self::Sqlite(db) => {
                let mut connection = Borrowed::from(&db.readers).await?;
                let found = sqlite_query(sql, values).fetch_all(connection.get()).await?;
                connection.give_back();
                Ok(rows(found, Row::Sqlite))
            }
            Self::Postgres(db) => {
                let mut connection = db.borrow().await?;
                let found = in_time(postgres_query(sql, values).fetch_all(connection.get())).await?;
                connection.give_back();
                Ok(rows(found, Row::Postgres))
            }
        }
    }

    /// Reads the first row, if there is one.
    pub(crate) async fn read_one(&self, sql: &'static str, values: Vec<Value>) -> Result<Option<Row>, Error> {
        Ok(self.read(sql, values).await?.into_iter().next())
    }

    /// Starts a transaction. In SQLite it waits until it is the only writer.
    pub(crate) async fn begin(&self) -> Result<Tx, Error> {
        match self {
            Self::Sqlite(db) => {
                let mut connection = Borrowed::from(&db.writer).await?;
                sqlx::raw_sql("BEGIN IMMEDIATE").execute(connection.get()).await?;
                Ok(Tx::Sqlite(connection))
            }
            Self::Postgres(db) => {
                let mut connection = db.borrow().await?;
                // Whatever the server's default is: the code relies on seeing what others have committed meanwhile.
                let begin = sqlx::raw_sql("BEGIN ISOLATION LEVEL READ COMMITTED");
                in_time(begin.execute(connection.get())).await?;
                Ok(Tx::Postgres(connection))
            }
        }
    }

    /// Runs one statement in a transaction of its own; returns the number of rows affected.
    pub(crate) async fn write(&self, sql: &'static str, values: Vec<Value>) -> Result<u64, Error> {
        let mut tx = self.begin().await?;
        let affected = tx.execute(sql, values).await?;
        tx.commit().await?;
        Ok(affected)
    }
}

impl Tx {
    /// Runs a statement; returns the number of rows affected.
    pub(crate) async fn execute(&mut self, sql: &'static str, values: Vec<Value>) -> Result<u64, Error> {
        match self {
            Self::Sqlite(tx) => Ok(sqlite_query(sql, values).execute(tx.get()).await?.rows_affected()),
            Self::Postgres(tx) => Ok(in_time(postgres_query(sql, values).execute(tx.get())).await?.rows_affected()),
        }
    }

    /// Runs a statement and returns its rows.
    pub(crate) async fn fetch(&mut self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, Error> {
        match self {
            Self::Sqlite(tx) => Ok(rows(sqlite_query(sql, values).fetch_all(tx.get()).await?, Row::Sqlite)),
            Self::Postgres(tx) => {
                Ok(rows(in_time(postgres_query(sql, values).fetch_all(tx.get())).await?, Row::Postgres))
            }
        }
    }

    /// Runs a statement and returns its first row, if there is one.
    pub(crate) async fn fetch_one(&mut self, sql: &'static str, values: Vec<Value>) -> Result<Option<Row>, Error> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// Commits the transaction: when this returns, its effects survive a crash.
    pub(crate) async fn commit(self) -> Result<(), Error> {
        self.end("COMMIT").await
    }

    /// Rolls the transaction back now, so that the next writer need not wait for it to be dropped.
    pub(crate) async fn rollback(self) -> Result<(), Error> {
        self.end("ROLLBACK").await
    }

    /// Ends the transaction and returns the connection to the pool, unless that fails.
    async fn end(self, sql: &'static str) -> Result<(), Error> {
        match self {
            Self::Sqlite(mut tx) => {
                sqlx::raw_sql(sql).execute(tx.get()).await?;
                tx.give_back();
            }
            Self::Postgres(mut tx) => {
                in_time(sqlx::raw_sql(sql).execute(tx.get())).await?;
                tx.give_back();
            }
        }
        Ok(())
    }
}

impl Row {
    pub(crate) fn int(&self, column: &str) -> Result<i64, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn opt_int(&self, column: &str) -> Result<Option<i64>, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn unsigned(&self, column: &str) -> Result<u64, Error> {
        u64::try_from(self.int(column)?).map_err(|_| Error::Corrupt(format!("a negative {column}")))
    }

    pub(crate) fn real(&self, column: &str) -> Result<f64, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn text(&self, column: &str) -> Result<String, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn opt_text(&self, column: &str) -> Result<Option<String>, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn opt_blob(&self, column: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn time(&self, column: &str) -> Result<Timestamp, Error> {
        timestamp(self.int(column)?)
    }

    pub(crate) fn opt_time(&self, column: &str) -> Result<Option<Timestamp>, Error> {
        self.opt_int(column)?.map(timestamp).transpose()
    }

    /// Reads a text and parses it; failure means that the database is corrupt.
    pub(crate) fn parsed<T>(&self, column: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        let text = self.text(column)?;
        parse(&text).ok_or_else(|| Error::Corrupt(format!("{column} is {text:?}")))
    }

    pub(crate) fn account_id(&self, column: &str) -> Result<AccountId, Error> {
        self.parsed(column, AccountId::parse)
    }
}

/// Truncates a time to whole microseconds, as the database stores it.
pub(crate) fn whole_micros(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

fn timestamp(micros: i64) -> Result<Timestamp, Error> {
    Timestamp::from_microsecond(micros).map_err(|_| Error::Corrupt(format!("the time {micros}")))
}

fn rows<R>(rows: Vec<R>, wrap: fn(R) -> Row) -> Vec<Row> {
    rows.into_iter().map(wrap).collect()
}

fn sqlite_query(sql: &'static str, values: Vec<Value>) -> Query<'static, Sqlite, SqliteArguments> {
    values.into_iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Int(value) => query.bind(value),
        Value::Real(value) => query.bind(value),
        Value::Text(value) => query.bind(value),
        Value::Blob(value) => query.bind(value),
    })
}

fn postgres_query(sql: &'static str, values: Vec<Value>) -> Query<'static, Postgres, PgArguments> {
    values.into_iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Int(value) => query.bind(value),
        Value::Real(value) => query.bind(value),
        Value::Text(value) => query.bind(value),
        Value::Blob(value) => query.bind(value),
    })
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(Some(i64::from(value)))
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<Option<&str>> for Value {
    fn from(value: Option<&str>) -> Self {
        Self::Text(value.map(str::to_owned))
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Self::Blob(Some(value.to_vec()))
    }
}

impl From<Option<&[u8]>> for Value {
    fn from(value: Option<&[u8]>) -> Self {
        Self::Blob(value.map(<[u8]>::to_vec))
    }
}

impl From<Timestamp> for Value {
    fn from(value: Timestamp) -> Self {
        Self::Int(Some(value.as_microsecond()))
    }
}

impl From<Option<Timestamp>> for Value {
    fn from(value: Option<Timestamp>) -> Self {
        Self::Int(value.map(Timestamp::as_microsecond))
    }
}
