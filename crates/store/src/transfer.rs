//! Moving a SQLite store to PostgreSQL: every table, row by row, then a comparison of both by counts and checksums.
//!
//! The tables and their columns come from the database itself, so that a new one cannot be forgotten. Nobody can write to the
//! source meanwhile. How far it got is recorded in the target together with the rows: an interrupted move continues where it was.

use futures_util::StreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgRow;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Postgres, Row as _};

use crate::db::{Db, Tx};
use crate::error::{Error, TransferError};
use crate::store::Store;

/// Rows that are written in one transaction.
const BATCH: usize = 500;
/// Records how far the move of each table got. It is dropped at the end.
const CREATE_RECORD: &str = "CREATE TABLE IF NOT EXISTS transfer (
    table_name TEXT PRIMARY KEY, source TEXT NOT NULL, copied BIGINT NOT NULL)";
/// Tables that describe the database itself.
const NOT_COPIED: [&str; 3] = ["schema_versions", "write_check", "backup_images"];

/// A table that was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedTable {
    /// The name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
}

/// How far a move got.
#[derive(Debug, Clone, Copy)]
pub struct TransferProgress<'a> {
    /// The table.
    pub table: &'a str,
    /// Rows of it that are copied.
    pub copied: u64,
    /// Rows of it.
    pub rows: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Int,
    Real,
    Text,
    Blob,
}

#[derive(Debug)]
struct Table {
    name: String,
    columns: Vec<(String, ColumnKind)>,
    key: Vec<String>,
    parents: Vec<String>,
}

#[derive(Debug)]
enum Cell {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
    Blob(Option<Vec<u8>>),
}

impl Store {
    /// Copies everything in this SQLite store to an empty PostgreSQL store, or goes on with a move from the same store that was
    /// interrupted, and compares both. The bytes of photos are not part of it.
    pub async fn move_to(
        &self,
        target: &Self,
        mut report: impl FnMut(TransferProgress<'_>),
    ) -> Result<Vec<CopiedTable>, TransferError> {
        if !matches!((&*self.db, &*target.db), (Db::Sqlite(_), Db::Postgres(_))) {
            return Err(TransferError::Unsupported);
        }
        let mut source = self.db.begin().await?;
        let Tx::Sqlite(sqlite) = &mut source else { return Err(TransferError::Unsupported) };
        let tables = tables(sqlite.get()).await?;
        let identity = identity(sqlite.get()).await?;
        claim(&target.db, &identity).await?;
        let mut copied = Vec::new();
        for table in &tables {
            let rows = copy(sqlite.get(), &target.db, table, &identity, &mut report).await?;
            copied.push(CopiedTable { name: table.name.clone(), rows });
        }
        for table in &tables {
            if digest_of_source(sqlite.get(), table).await? != digest_of_target(&target.db, table).await? {
                return Err(TransferError::Differs { table: table.name.clone() });
            }
        }
        target.db.write("DROP TABLE transfer", vec![]).await?;
        source.rollback().await?;
        Ok(copied)
    }
}

/// Returns the tables, those that others refer to first.
async fn tables(source: &mut SqliteConnection) -> Result<Vec<Table>, Error> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let names = sqlx::query(sql).fetch_all(&mut *source).await?;
    let mut waiting = Vec::new();
    for row in names {
        let name: String = row.try_get("name")?;
        if !NOT_COPIED.contains(&name.as_str()) {
            waiting.push(describe(source, name).await?);
        }
    }
    let mut ordered: Vec<Table> = Vec::new();
    while !waiting.is_empty() {
        let is_free = |table: &Table| {
            table.parents.iter().all(|parent| *parent == table.name || ordered.iter().any(|done| done.name == *parent))
        };
        let Some(next) = waiting.iter().position(is_free) else {
            return Err(Error::Corrupt("tables that refer to each other".to_owned()));
        };
        ordered.push(waiting.remove(next));
    }
    Ok(ordered)
}

async fn describe(source: &mut SqliteConnection, name: String) -> Result<Table, Error> {
    let sql = "SELECT name, type, pk FROM pragma_table_info($1)";
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    for row in sqlx::query(sql).bind(&name).fetch_all(&mut *source).await? {
        let (column, declared, place): (String, String, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let kind = match declared.as_str() {
            "INTEGER" => ColumnKind::Int,
            "REAL" => ColumnKind::Real,
            "TEXT" => ColumnKind::Text,
            "BLOB" => ColumnKind::Blob,
            other => return Err(Error::Corrupt(format!("a column of the type {other}"))),
        };
        if place > 0 {
            key.push((place, column.clone()));
        }
        columns.push((column, kind));
    }
    key.sort_unstable();
    let key = key.into_iter().map(|(_, column)| column).collect();
    let sql = "SELECT \"table\" AS parent FROM pragma_foreign_key_list($1)";
    let parents = sqlx::query(sql).bind(&name).fetch_all(source).await?;
    let parents = parents.iter().map(|row| row.try_get("parent")).collect::<Result<_, _>>()?;
    Ok(Table { name, columns, key, parents })
}

/// Returns what tells this store from others: its first account.
async fn identity(source: &mut SqliteConnection) -> Result<String, TransferError> {
    let first = sqlx::query("SELECT id FROM accounts ORDER BY created_at, id LIMIT 1").fetch_optional(source).await;
    let first = first.map_err(Error::from)?.ok_or(TransferError::Empty)?;
    Ok(first.try_get("id").map_err(Error::from)?)
}

/// Marks the target as that of a move from this store, unless it holds something else.
async fn claim(target: &Db, identity: &str) -> Result<(), TransferError> {
    let mut tx = target.begin().await?;
    tx.execute(CREATE_RECORD, vec![]).await?;
    let record = tx.fetch_one("SELECT source FROM transfer LIMIT 1", vec![]).await?;
    match record.map(|row| row.text("source")).transpose()? {
        Some(source) if source == identity => {}
        Some(_) => return Err(TransferError::OtherSource),
        None => {
            let accounts = tx.fetch_one("SELECT COUNT(*) AS n FROM accounts", vec![]).await?;
            if accounts.map_or(Ok(0), |row| row.int("n"))? > 0 {
                return Err(TransferError::NotEmpty);
            }
            let sql = "INSERT INTO transfer (table_name, source, copied) VALUES ('', $1, 0)";
            tx.execute(sql, vec![identity.into()]).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Copies the rows of a table that are not copied yet; returns how many it has.
async fn copy(
    source: &mut SqliteConnection,
    target: &Db,
    table: &Table,
    identity: &str,
    report: &mut impl FnMut(TransferProgress<'_>),
) -> Result<u64, Error> {
    let count = format!("SELECT COUNT(*) FROM {}", table.name);
    let rows: i64 = sqlx::query(AssertSqlSafe(count)).fetch_one(&mut *source).await?.try_get(0)?;
    let done =
        target.read_one("SELECT copied FROM transfer WHERE table_name = $1", vec![table.name.as_str().into()]).await?;
    let mut copied = done.map_or(Ok(0), |row| row.unsigned("copied"))?;
    let select = format!("{} ORDER BY {} LIMIT -1 OFFSET {copied}", select(table), table.key.join(", "));
    let mut stream = sqlx::query(AssertSqlSafe(select)).fetch(source).chunks(BATCH);
    let insert = insert(target, table).await?;
    loop {
        let batch = stream.next().await.unwrap_or_default();
        let batch = batch.into_iter().map(|row| cells_of_sqlite(table, &row?)).collect::<Result<Vec<_>, Error>>()?;
        if batch.is_empty() && copied > 0 {
            break;
        }
        let is_last = batch.is_empty();
        write(target, table, &insert, batch, copied, identity).await.map(|written| copied += written)?;
        report(TransferProgress { table: &table.name, copied, rows: rows.unsigned_abs() });
        if is_last {
            break;
        }
    }
    drop(stream);
    renumber(target, table).await?;
    Ok(rows.unsigned_abs())
}

/// Writes rows together with the note that they are copied. The first rows replace those that every new database has.
async fn write(
    target: &Db,
    table: &Table,
    insert: &str,
    batch: Vec<Vec<Cell>>,
    copied: u64,
    identity: &str,
) -> Result<u64, Error> {
    let mut tx = target.begin().await?;
    let written = batch.len() as u64;
    if let Tx::Postgres(postgres) = &mut tx {
        if copied == 0 {
            let clear = format!("DELETE FROM {}", table.name);
            sqlx::query(AssertSqlSafe(clear)).execute(postgres.get()).await?;
        }
        for row in batch {
            let query = row.into_iter().fold(
                sqlx::query::<Postgres>(AssertSqlSafe(insert.to_owned())),
                |query, cell| match cell {
                    Cell::Int(value) => query.bind(value),
                    Cell::Real(value) => query.bind(value),
                    Cell::Text(value) => query.bind(value),
                    Cell::Blob(value) => query.bind(value),
                },
            );
            query.execute(postgres.get()).await?;
        }
    }
    let note = "INSERT INTO transfer (table_name, source, copied) VALUES ($1, $2, $3)
                ON CONFLICT (table_name) DO UPDATE SET copied = excluded.copied";
    tx.execute(note, vec![table.name.as_str().into(), identity.into(), (copied + written).into()]).await?;
    tx.commit().await?;
    Ok(written)
}

/// Returns the statement that inserts a row, with the numbers that it had.
async fn insert(target: &Db, table: &Table) -> Result<String, Error> {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| name.as_str()).collect();
    let places: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
    let overriding = if numbered_column(target, table).await?.is_some() { " OVERRIDING SYSTEM VALUE" } else { "" };
    Ok(format!("INSERT INTO {} ({}){overriding} VALUES ({})", table.name, names.join(", "), places.join(", ")))
}

/// Returns the column that PostgreSQL numbers by itself, if the table has one.
async fn numbered_column(target: &Db, table: &Table) -> Result<Option<String>, Error> {
    let sql = "SELECT column_name::text AS name FROM information_schema.columns
               WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'";
    target.read_one(sql, vec![table.name.as_str().into()]).await?.map(|row| row.text("name")).transpose()
}

/// Makes the next number follow the last one.
async fn renumber(target: &Db, table: &Table) -> Result<(), Error> {
    let Some(column) = numbered_column(target, table).await? else { return Ok(()) };
    let name = &table.name;
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{name}', '{column}'), COALESCE(MAX({column}), 0) + 1, false) FROM {name}"
    );
    let mut tx = target.begin().await?;
    if let Tx::Postgres(postgres) = &mut tx {
        sqlx::query(AssertSqlSafe(sql)).execute(postgres.get()).await?;
    }
    tx.commit().await
}

fn select(table: &Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| name.as_str()).collect();
    format!("SELECT {} FROM {}", names.join(", "), table.name)
}

async fn digest_of_source(source: &mut SqliteConnection, table: &Table) -> Result<(u64, u128), Error> {
    let mut digest = (0, 0);
    let mut rows = sqlx::query(AssertSqlSafe(select(table))).fetch(source);
    while let Some(row) = rows.next().await {
        add(&mut digest, &cells_of_sqlite(table, &row?)?);
    }
    Ok(digest)
}

async fn digest_of_target(target: &Db, table: &Table) -> Result<(u64, u128), Error> {
    let mut digest = (0, 0);
    let mut tx = target.begin().await?;
    if let Tx::Postgres(postgres) = &mut tx {
        let mut rows = sqlx::query(AssertSqlSafe(select(table))).fetch(postgres.get());
        while let Some(row) = rows.next().await {
            add(&mut digest, &cells_of_postgres(table, &row?)?);
        }
    }
    tx.rollback().await?;
    Ok(digest)
}

/// Adds a row to a digest that does not depend on the order of rows.
fn add((rows, sum): &mut (u64, u128), cells: &[Cell]) {
    let mut hash = Sha256::new();
    for cell in cells {
        let bytes = match cell {
            Cell::Int(value) => value.map(|value| value.to_le_bytes().to_vec()),
            Cell::Real(value) => value.map(|value| value.to_bits().to_le_bytes().to_vec()),
            Cell::Text(value) => value.as_ref().map(|value| value.as_bytes().to_vec()),
            Cell::Blob(value) => value.clone(),
        };
        let length = bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64);
        hash.update(length.to_le_bytes());
        hash.update(bytes.unwrap_or_default());
    }
    let hash = hash.finalize();
    let half = hash.iter().take(16).fold(0u128, |number, byte| (number << 8) | u128::from(*byte));
    (*rows, *sum) = (*rows + 1, sum.wrapping_add(half));
}

fn cells_of_sqlite(table: &Table, row: &SqliteRow) -> Result<Vec<Cell>, Error> {
    let cell = |(n, (_, kind)): (usize, &(String, ColumnKind))| {
        Ok::<_, Error>(match kind {
            ColumnKind::Int => Cell::Int(row.try_get(n)?),
            ColumnKind::Real => Cell::Real(row.try_get(n)?),
            ColumnKind::Text => Cell::Text(row.try_get(n)?),
            ColumnKind::Blob => Cell::Blob(row.try_get(n)?),
        })
    };
    table.columns.iter().enumerate().map(cell).collect()
}

fn cells_of_postgres(table: &Table, row: &PgRow) -> Result<Vec<Cell>, Error> {
    let cell = |(n, (_, kind)): (usize, &(String, ColumnKind))| {
        Ok::<_, Error>(match kind {
            ColumnKind::Int => Cell::Int(row.try_get(n)?),
            ColumnKind::Real => Cell::Real(row.try_get(n)?),
            ColumnKind::Text => Cell::Text(row.try_get(n)?),
            ColumnKind::Blob => Cell::Blob(row.try_get(n)?),
        })
    };
    table.columns.iter().enumerate().map(cell).collect()
}
