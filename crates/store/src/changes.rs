//! Numbered changes: how a server that caches accounts, keys and recipes learns at once what to invalidate.
//!
//! Every transaction that changes an account, a plan, a key or a recipe takes the next number and records the account. The
//! number comes from one row, which the transaction locks until it commits; so numbers follow the order of the commits,
//! and a server that has seen number n has missed nothing up to n. Usage, last-used times, sessions, images and stored
//! responses are not numbered, since they are not cached.
//!
//! A server calls [`Store::latest_change`] on every request. On SQLite this reads the header of the write-ahead log (under
//! a microsecond; a query only after a write); on PostgreSQL one query serves all waiting callers.

use crate::db::{Db, Tx};
use crate::error::Error;
use crate::id::AccountId;
use crate::store::Store;

/// How many changes are stored. A server that missed more drops its whole cache.
const MAX_CHANGES: i64 = 10_000;
/// Old changes are deleted once every this many changes.
const PRUNE_INTERVAL: i64 = 256;

/// What changed since a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The number to pass as `since` next time.
    pub latest: u64,
    /// The accounts, each once; `None` if the number is too old (or not of this database): drop the whole cache.
    pub accounts: Option<Vec<AccountId>>,
}

impl Store {
    /// Returns the number of the latest change, including everything that any process committed before this call. Cheap
    /// enough for every request.
    pub async fn latest_change(&self) -> Result<u64, Error> {
        match &*self.db {
            Db::Sqlite(db) => db.latest_change().await,
            Db::Postgres(db) => Box::pin(db.latest_change()).await,
        }
    }

    /// Returns the accounts that changed after number `since`.
    pub async fn changed_accounts(&self, since: u64) -> Result<Changes, Error> {
        // One statement, so that counter and log are seen at the same moment.
        let sql = "SELECT counter.n AS latest, changes.n AS n, changes.account_id AS account_id
                   FROM change_counter AS counter LEFT JOIN changes ON changes.n > $1 ORDER BY changes.n";
        let rows = self.db.read(sql, vec![since.into()]).await?;
        let first = rows.first().ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?;
        let latest = first.unsigned("latest")?;
        if latest == since {
            return Ok(Changes { latest, accounts: Some(vec![]) });
        }
        let continues = first.opt_int("n")?.and_then(|n| u64::try_from(n).ok()) == since.checked_add(1);
        if latest < since || !continues {
            return Ok(Changes { latest, accounts: None });
        }
        let mut accounts = rows.iter().map(|row| row.account_id("account_id")).collect::<Result<Vec<_>, _>>()?;
        accounts.sort_unstable();
        accounts.dedup();
        Ok(Changes { latest, accounts: Some(accounts) })
    }
}

/// Numbers a change and commits. The last step of a transaction, since every other writer waits from here on.
pub(crate) async fn commit_change(mut tx: Tx, account: &AccountId) -> Result<(), Error> {
    number_change(&mut tx, account).await?;
    tx.commit().await
}

/// Takes the next number for a change of this account; other writers wait from here until the commit.
pub(crate) async fn number_change(tx: &mut Tx, account: &AccountId) -> Result<(), Error> {
    let row = tx.fetch_one("UPDATE change_counter SET n = n + 1 RETURNING n", vec![]).await?;
    let n = row.ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?.int("n")?;
    let note = "INSERT INTO changes (n, account_id) VALUES ($1, $2)";
    tx.execute(note, vec![n.into(), account.as_str().into()]).await?;
    if n % PRUNE_INTERVAL == 0 {
        tx.execute("DELETE FROM changes WHERE n <= $1", vec![(n - MAX_CHANGES).into()]).await?;
    }
    Ok(())
}
