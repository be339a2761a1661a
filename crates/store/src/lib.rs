//! Everything that must not be lost: accounts, keys, recipes, usage, images, sessions; in a SQLite file or in PostgreSQL.
//!
//! The rules that hold throughout this crate:
//!
//! - `Ok(None)` means not found; an `Err` means that the database or the disk failed.
//! - The clock and randomness are parameters ([`jiff::Timestamp`], [`Rng`]), so that tests control both.
//! - What a method has acknowledged survives a crash of the program and of the machine.
//! - SQL is written out where it is used, once for both databases. Times are unix microseconds in both.
//! - A database of an earlier release opens and is migrated; one of a later release is refused and left unchanged.
//! - Callers check the length and content of texts, with one exception: PostgreSQL rejects texts with a NUL character.
//! - No error message contains a secret.
//!
//! # Example
//!
//! ```
//! use store::{Email, Location, NewAccount, NewKey, Rng, Store};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let store = Store::open(&Location::Sqlite(folder.path().join("morsel.db"))).await?;
//! let (now, rng) = (jiff::Timestamp::now(), &mut Rng::system());
//!
//! let email = Email::parse("ada@example.org").ok_or("not an address")?;
//! let account = store.accounts().create(NewAccount::new(email), now, rng).await?;
//! let (key, text) = store.keys().create(&account.id, NewKey::live(), now, rng).await?;
//!
//! // Only the hash of the text is stored.
//! let (found, owner) = store.keys().by_hash(&text.hash()).await?.ok_or("not found")?;
//! assert_eq!((found, owner), (key, account));
//! store.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! - [`accounts`], [`keys`], [`recipes`]: who may do what, and the foods they saved. Every change to them is numbered
//!   ([`changes`]), so that a server can cache them and still obey a revocation on the very next request.
//! - [`idempotency`]: the first response to a request, for clients that retry. [`sessions`]: who is signed in.
//!   [`second_factor`]: what they need besides a password. [`milestones`]: what they have done for the first time.
//! - [`backup`]: everything in one file, and back. [`transfer`]: from SQLite to PostgreSQL.
//! - [`audit`], [`directory`], [`figures`]: what happened, all accounts and all tables, for operators.
//! - [`request_log`]: the last requests of each account. [`plan_limits`]: limits that an owner set.
//! - [`usage`], [`latency`]: how many requests, how fast. [`images`], [`image_files`]: uploaded photos, on disk or in a
//!   [`bucket`].
//! - [`limits`]: rate limits, by [`counters`] of what is [`counted`], in memory or in Redis.
//! - Below: `db` (the two databases behind one interface), `borrowed`, `sqlite`, `wal_index`, `postgres`, `migrate`, `files`.

pub mod transfer;
pub mod backup;
pub mod audit;
pub mod request_log;
pub mod plan_limits;
pub mod directory;
pub mod figures;
pub mod sessions;
pub mod second_factor;
pub mod keys;
pub mod recipes;
pub mod milestones;
pub mod idempotency;
pub mod accounts;
pub mod changes;
pub mod images;
pub mod usage;
mod store;
mod migrate;
mod db;
mod postgres;
mod sqlite;
mod wal_index;
mod borrowed;
pub mod image_files;
pub mod bucket;
mod files;
pub mod limits;
pub mod counters;
mod shared_windows;
pub mod counted;
mod window_counter;
pub mod latency;
mod location;
mod error;
mod email;
mod audit_kind;
mod scopes;
mod key_text;
mod names;
mod id;
mod base62;
mod random;

pub use accounts::{Account, CreateAccountError, NewAccount, Plan, Removal};
pub use audit::{AuditEntry, AuditEvent, AuditFilter};
pub use audit_kind::AuditKind;
pub use backup::Restored;
pub use bucket::Bucket;
pub use changes::Changes;
pub use counters::Counters;
pub use email::Email;
pub use error::{Error, OpenError, RestoreError, TransferError};
pub use id::{AccountId, ImageId, KeyId, RecipeId, SessionId};
pub use idempotency::{Begin, Claim, StoredResponse};
pub use image_files::ImageFiles;
pub use images::Image;
pub use key_text::{KeyText, Mode};
pub use keys::{CreateKeyError, Grace, Key, KeyState, NewKey, end_of_day};
pub use location::Location;
pub use migrate::SCHEMA_VERSION;
pub use milestones::Milestone;
pub use names::UnknownName;
pub use plan_limits::StoredLimits;
pub use random::Rng;
pub use recipes::{MAX_RECIPE_NAMES, NewRecipe, Recipe, RecipeChange, SaveRecipeError};
pub use request_log::{
    KeptBodies, LogBlock, LogBounds, LogCursor, LogEntry, LogLine, LogStart, LoggedRequest, RequestBrief,
};
pub use scopes::{Scope, Scopes};
pub use second_factor::{Challenge, SecondFactor, TotpSecret};
pub use sessions::{NewSession, Session};
pub use shared_windows::RedisUrlError;
pub use store::Store;
pub use usage::RequestCount;
pub use window_counter::WindowCounter;
