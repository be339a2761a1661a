//! Versions of the schema. They are applied at opening, each once, in one transaction under a lock: any number of programs
//! may open an empty database together.

use crate::OpenError;
use crate::db::{Db, Tx};

/// A step of the schema; the number is its place in the list.
struct Migration {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "initial",
        sqlite: include_str!("../migrations/sqlite/0001_initial.sql"),
        postgres: include_str!("../migrations/postgres/0001_initial.sql"),
    },
    Migration {
        name: "dashboard",
        sqlite: include_str!("../migrations/sqlite/0002_dashboard.sql"),
        postgres: include_str!("../migrations/postgres/0002_dashboard.sql"),
    },
];

/// Any number will do that no other program uses for its own lock in the same database ("morsel" as bytes).
const LOCK: &str = "SELECT pg_advisory_xact_lock(120347206706540)";

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)";

/// The newest schema that this program knows.
const KNOWN: i64 = 2;
const _: () = assert!(KNOWN == MIGRATIONS.len().cast_signed() as i64, "the number of the last migration");

/// Brings the schema up to date, or refuses a newer one.
pub(crate) async fn migrate(db: &Db, place: &str) -> Result<(), OpenError> {
    match migrate_in_transaction(db).await {
        Ok(found) if found > KNOWN => Err(OpenError::Newer { found, known: KNOWN }),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::Schema { place: place.to_owned(), cause: error.to_string() }),
    }
}

/// The version that was found; migrated when it is not above [`KNOWN`].
async fn migrate_in_transaction(db: &Db) -> Result<i64, crate::Error> {
    let mut tx = db.begin().await?;
    if let Tx::Postgres(postgres) = &mut tx {
        // Not limited in time: a long migration on another node is worth waiting for.
        sqlx::query(LOCK).execute(postgres.get()).await?;
    }
    tx.execute(VERSIONS, vec![]).await?;
    let row = tx.fetch_one("SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions", vec![]).await?;
    let found = row.map_or(Ok(0), |row| row.int("version"))?;
    if found >= KNOWN {
        tx.rollback().await?;
        return Ok(found);
    }
    for (version, migration) in (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or(0)) {
        match &mut tx {
            Tx::Sqlite(sqlite) => sqlx::raw_sql(migration.sqlite).execute(&mut **sqlite).await.map(drop)?,
            Tx::Postgres(postgres) => sqlx::raw_sql(migration.postgres).execute(postgres.get()).await.map(drop)?,
        }
        let values = vec![i64::into(version), migration.name.into()];
        tx.execute("INSERT INTO schema_versions (version, name) VALUES ($1, $2)", values).await?;
    }
    tx.commit().await?;
    Ok(found)
}
