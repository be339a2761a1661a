//! All accounts, for operators: found by a part of their address, a page at a time.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::accounts::{Account, account};
use crate::db::Db;
use crate::error::Error;
use crate::store::Store;

/// An account and its usage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The account.
    pub account: Account,
    /// Active keys.
    pub keys: u64,
    /// Requests on the requested day.
    pub requests_today: u64,
}

/// A page of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The accounts of this page, the newest first.
    pub entries: Vec<DirectoryEntry>,
    /// The number of accounts on all pages.
    pub total: u64,
}

/// The directory of a store.
#[derive(Debug, Clone, Copy)]
pub struct Directory<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the directory of accounts.
    pub fn directory(&self) -> Directory<'_> {
        Directory { db: &self.db }
    }
}

impl Directory<'_> {
    /// Returns accounts whose address contains this text (all if it is empty): `limit` of them after the first `skipped`.
    pub async fn list(
        self,
        text: &str,
        skipped: u64,
        limit: u64,
        today: Date,
        now: Timestamp,
    ) -> Result<Listing, Error> {
        let pattern = pattern(text);
        let sql = "SELECT COUNT(*) AS n FROM accounts WHERE email LIKE $1 ESCAPE '\\'";
        let total = self.db.read_one(sql, vec![pattern.as_str().into()]).await?;
        let total = total.map_or(Ok(0), |row| row.unsigned("n"))?;
        let sql = "SELECT id, email, password_hash, plan, is_owner, created_at, disabled_at, keeps_bodies,
                       (SELECT COUNT(*) FROM keys WHERE account_id = accounts.id
                           AND (revoked_at IS NULL OR revoked_at > $5) AND (expires_at IS NULL OR expires_at > $5)) AS keys,
                       (SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) FROM usage
                           WHERE account_id = accounts.id AND day = $4) AS requests
                   FROM accounts WHERE email LIKE $1 ESCAPE '\\' ORDER BY created_at DESC, id LIMIT $2 OFFSET $3";
        let values =
            vec![pattern.as_str().into(), limit.into(), skipped.into(), today.to_string().as_str().into(), now.into()];
        let rows = self.db.read(sql, values).await?;
        let entries = rows.iter().map(|row| {
            Ok(DirectoryEntry {
                account: account(row)?,
                keys: row.unsigned("keys")?,
                requests_today: row.unsigned("requests")?,
            })
        });
        Ok(Listing { entries: entries.collect::<Result<_, Error>>()?, total })
    }

    /// Returns the accounts with the most requests on a day, and how many.
    pub async fn busiest(self, day: Date, limit: u64) -> Result<Vec<(Account, u64)>, Error> {
        let sql = "SELECT id, email, password_hash, plan, is_owner, created_at, disabled_at, keeps_bodies, sums.requests
                   FROM (SELECT account_id, CAST(SUM(requests) AS BIGINT) AS requests
                         FROM usage WHERE day = $1 GROUP BY account_id ORDER BY requests DESC, account_id LIMIT $2) AS sums
                   JOIN accounts ON accounts.id = sums.account_id ORDER BY sums.requests DESC, id";
        let rows = self.db.read(sql, vec![day.to_string().as_str().into(), limit.into()]).await?;
        rows.iter().map(|row| Ok((account(row)?, row.unsigned("requests")?))).collect()
    }
}

/// Returns the `LIKE` pattern for addresses, which are stored in lowercase, that contain a text.
pub(crate) fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.trim().to_lowercase().chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
