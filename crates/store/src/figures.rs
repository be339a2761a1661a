//! The size of everything, for operators.

use crate::db::Db;
use crate::error::Error;
use crate::store::Store;

/// Numbers about a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// `SQLite` or `PostgreSQL`.
    pub database: &'static str,
    /// The size of the database in bytes.
    pub bytes: u64,
    /// Accounts.
    pub accounts: u64,
    /// Keys, including revoked and expired ones.
    pub keys: u64,
    /// Recipes of all accounts.
    pub recipes: u64,
    /// Images, including expired ones that are not yet removed.
    pub images: u64,
    /// The size of the images in bytes.
    pub image_bytes: u64,
}

impl Store {
    /// Counts everything. Scans whole tables, so use it sparingly.
    pub async fn figures(&self) -> Result<Figures, Error> {
        let (database, size) = match &*self.db {
            Db::Sqlite(_) => ("SQLite", "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size"),
            Db::Postgres(_) => ("PostgreSQL", "SELECT pg_database_size(current_database()) AS n"),
        };
        let size = self.db.read_one(size, vec![]).await?;
        let sql = "SELECT (SELECT COUNT(*) FROM accounts) AS accounts, (SELECT COUNT(*) FROM keys) AS keys,
                       (SELECT COUNT(*) FROM recipes) AS recipes, (SELECT COUNT(*) FROM images) AS images,
                       (SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM images) AS image_bytes";
        let row = self.db.read_one(sql, vec![]).await?.ok_or_else(|| Error::Corrupt("no counts".to_owned()))?;
        Ok(Figures {
            database,
            bytes: size.map_or(Ok(0), |row| row.unsigned("n"))?,
            accounts: row.unsigned("accounts")?,
            keys: row.unsigned("keys")?,
            recipes: row.unsigned("recipes")?,
            images: row.unsigned("images")?,
            image_bytes: row.unsigned("image_bytes")?,
        })
    }
}
