//! Versions of the schema, applied when a store is opened: each once, in one transaction under a lock, so that any number
//! of programs may open an empty database together.
//!
//! `sqlx::migrate!` would be the alternative. It takes no lock that spans all migrations in SQLite, and it does not refuse a
//! database of a newer release.

use crate::db::{Db, Tx};
use crate::error::{Error, OpenError};

/// A step of the schema; its version is its position in the list, from 1.
struct Migration {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// Steps are never changed or removed once released: `tests/store/stored` has a database of each released version, and a
/// test opens it.
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
    Migration {
        name: "trail",
        sqlite: include_str!("../migrations/sqlite/0003_trail.sql"),
        postgres: include_str!("../migrations/postgres/0003_trail.sql"),
    },
    Migration {
        name: "second_factor",
        sqlite: include_str!("../migrations/sqlite/0004_second_factor.sql"),
        postgres: include_str!("../migrations/postgres/0004_second_factor.sql"),
    },
    Migration {
        name: "request_log",
        sqlite: include_str!("../migrations/sqlite/0005_request_log.sql"),
        postgres: include_str!("../migrations/postgres/0005_request_log.sql"),
    },
    Migration {
        name: "ingredients",
        sqlite: include_str!("../migrations/sqlite/0006_ingredients.sql"),
        postgres: include_str!("../migrations/postgres/0006_ingredients.sql"),
    },
];

/// The number ("morsel" as bytes) must differ from those of other programs in the same database.
const LOCK: &str = "SELECT pg_advisory_xact_lock(120347206706540)";

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)";

/// How often a locked SQLite file is tried again.
const RETRIES: u32 = 2;

/// The version of the schema that this program writes.
pub const SCHEMA_VERSION: i64 = 6;
const _: () = assert!(SCHEMA_VERSION == MIGRATIONS.len().cast_signed() as i64, "the number of the last migration");

/// Migrates the schema to [`SCHEMA_VERSION`]; refuses a newer one.
pub(crate) async fn migrate(db: &Db, place: &str) -> Result<(), OpenError> {
    let mut migrated = migrate_in_transaction(db).await;
    for _ in 0..RETRIES {
        // Programs that start together wait for each other. This takes longer than a writer of a running one waits.
        if matches!(&migrated, Err(error) if error.is_unavailable()) && matches!(db, Db::Sqlite(_)) {
            migrated = migrate_in_transaction(db).await;
        }
    }
    match migrated {
        Ok(found) if found > SCHEMA_VERSION => Err(OpenError::Newer { found, known: SCHEMA_VERSION }),
        Ok(_) => Ok(()),
        Err(error) => Err(match db {
            Db::Sqlite(sqlite) => sqlite.schema_error(&error),
            Db::Postgres(_) => OpenError::Schema { place: place.to_owned(), cause: error.to_string() },
        }),
    }
}

/// Returns the version that was found, after migrating unless it is newer than [`SCHEMA_VERSION`].
async fn migrate_in_transaction(db: &Db) -> Result<i64, Error> {
    let mut tx = db.begin().await?;
    if let Tx::Postgres(postgres) = &mut tx {
        // Not limited in time: a long migration on another node is worth waiting for.
        sqlx::query(LOCK).execute(postgres.get()).await?;
    }
    tx.execute(VERSIONS, vec![]).await?;
    let row = tx.fetch_one("SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions", vec![]).await?;
    let found = row.map_or(Ok(0), |row| row.int("version"))?;
    if found >= SCHEMA_VERSION {
        tx.rollback().await?;
        return Ok(found);
    }
    for (version, migration) in (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or(0)) {
        match &mut tx {
            Tx::Sqlite(sqlite) => sqlx::raw_sql(migration.sqlite).execute(sqlite.get()).await.map(drop)?,
            Tx::Postgres(postgres) => sqlx::raw_sql(migration.postgres).execute(postgres.get()).await.map(drop)?,
        }
        let values = vec![i64::into(version), migration.name.into()];
        tx.execute("INSERT INTO schema_versions (version, name) VALUES ($1, $2)", values).await?;
    }
    tx.commit().await?;
    Ok(found)
}
