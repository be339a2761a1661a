//! What must not be lost: accounts, keys, recipes, usage, images, sessions; in a SQLite file or in PostgreSQL.
//!
//! The rules that hold everywhere in this crate:
//!
//! - `Ok(None)` means not found; an `Err` is trouble with the database or the disk.
//! - The clock and randomness are parameters ([`jiff::Timestamp`], [`Rng`]): tests decide both.
//! - What a method acknowledged survives a crash of the program and of the machine.
//! - SQL is written out where it is used, once for both databases. Times are unix microseconds in both.
//! - Sizes and contents of texts are checked by the caller, with one exception that databases impose: PostgreSQL has no
//!   text with a NUL character in it and refuses such a value.
//! - No error text holds a secret.
//!
//! The map:
//!
//! - [`accounts`], [`keys`], [`recipes`]: who may do what, and their own foods. Every change to them is numbered
//!   ([`changes`]), so that a server can keep them in memory and still obey a revocation on the very next request.
//! - [`idempotency`]: the first answer to a request, for those who ask twice. [`sessions`]: who is signed in.
//! - [`directory`], [`figures`]: all accounts and all tables, for whoever runs the service.
//! - [`usage`], [`latency`]: how often, how fast. [`images`], [`image_files`]: pictures for a day.
//! - [`limits`]: counters in memory, no database.
//! - Underneath: `db` (the two databases as one), `sqlite`, `wal_index`, `postgres`, `migrate`, `files`.

pub mod accounts;
mod base62;
pub mod changes;
mod db;
pub mod directory;
mod email;
mod error;
pub mod figures;
mod files;
mod id;
pub mod idempotency;
pub mod image_files;
pub mod images;
mod key_text;
pub mod keys;
pub mod latency;
pub mod limits;
mod location;
mod migrate;
mod postgres;
mod random;
pub mod recipes;
mod scopes;
pub mod sessions;
mod sqlite;
pub mod usage;
mod wal_index;

use std::path::Path;
use std::sync::Arc;

pub use accounts::{Account, CreateAccountError, Plan, Removal};
pub use changes::Changes;
pub use email::Email;
pub use error::{Error, OpenError};
pub use id::{AccountId, ImageId, KeyId, RecipeId, SessionId};
pub use idempotency::{Answer, Begin, Claim};
pub use image_files::ImageFiles;
pub use images::Image;
pub use key_text::{KeyText, Mode};
pub use keys::{CreateKeyError, Grace, Key, KeyState, NewKey};
pub use location::Location;
pub use random::Rng;
pub use recipes::{CreateRecipeError, NewRecipe, Recipe, RecipeChange};
pub use scopes::{Scope, Scopes};
pub use sessions::Session;
pub use usage::Count;

use db::Db;
use postgres::PostgresDb;
use sqlite::SqliteDb;

/// An open database. Cloning it is cheap; all clones share the connections.
#[derive(Debug, Clone)]
pub struct Store {
    db: Arc<Db>,
}

impl Store {
    /// Connects (giving up after five seconds) and brings the tables up to date.
    pub async fn open(location: &Location) -> Result<Self, OpenError> {
        let db = match location {
            Location::Sqlite(path) => Db::Sqlite(SqliteDb::open(path).await?),
            Location::Postgres(url) => Db::Postgres(Box::new(PostgresDb::open(url).await?)),
        };
        migrate::migrate(&db, &location.to_string()).await?;
        Ok(Self { db: Arc::new(db) })
    }

    /// Waits for the statements under way and closes the connections. Later calls fail.
    pub async fn close(&self) {
        match &*self.db {
            Db::Sqlite(db) => db.close().await,
            Db::Postgres(db) => db.close().await,
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.db.read("SELECT n FROM change_counter", vec![]).await.map(drop)
    }

    /// Writes a consistent copy of a SQLite database while it is in use; the file must not exist yet.
    pub async fn backup(&self, to: &Path) -> Result<(), Error> {
        let Db::Sqlite(db) = &*self.db else {
            return Err(Error::Unsupported("a PostgreSQL database is backed up with pg_dump"));
        };
        let what = format!("cannot write the backup {}", to.display());
        let (to, temporary) = (to.to_owned(), files::beside(to));
        let copy = async {
            let (to_create, to_name) = (temporary.clone(), temporary.clone());
            files::on_disk(&what, move || files::open_private(&to_create).map(drop)).await?;
            db.copy_to(&temporary).await?;
            files::on_disk(&what, move || files::give_name(&to_name, &to)).await
        };
        let copied = copy.await;
        if copied.is_err() {
            // Gone already where nothing was written, or where only the name was taken.
            let _ = std::fs::remove_file(&temporary);
        }
        copied
    }
}
