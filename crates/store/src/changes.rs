//! Numbered changes: how a server that keeps accounts, keys and recipes in memory learns at once what it must forget.
//!
//! Every transaction that changes an account, a plan, a key or a recipe takes the next number and notes the account. The
//! number comes from one row, and the transaction holds that row until it commits; so numbers follow the order of the
//! commits, and whoever has seen number n has missed nothing up to n. Usage, last-used times, sessions, images and
//! idempotent answers are not numbered: nobody keeps them in memory.
//!
//! A server asks [`Store::latest_change`] on every request. On SQLite that is a look at the write-ahead log's header
//! (under a microsecond; a query only after somebody wrote); on PostgreSQL one query serves all callers who wait.

use crate::db::{Db, Tx};
use crate::{AccountId, Error, Store};

/// How many changes are remembered. A server that was away for longer forgets everything it had in memory.
const KEPT: i64 = 10_000;
/// Old changes are removed every so many changes and not with each.
const PRUNED_EVERY: i64 = 256;

/// What changed since a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The number to ask from next time.
    pub latest: u64,
    /// The accounts, each once; `None` when the number lies too far back (or does not belong to this database): forget
    /// everything.
    pub accounts: Option<Vec<AccountId>>,
}

impl Store {
    /// The number of the latest change: cheap enough to ask on every request. Includes everything that any process had
    /// committed before this call.
    pub async fn latest_change(&self) -> Result<u64, Error> {
        match &*self.db {
            Db::Sqlite(db) => db.latest_change().await,
            Db::Postgres(db) => Box::pin(db.latest_change()).await,
        }
    }

    /// The accounts that changed after number `since`.
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

impl Tx {
    /// Numbers a change and commits. The last thing in a transaction: from here on every other writer waits.
    pub(crate) async fn commit_change(mut self, account: &AccountId) -> Result<(), Error> {
        self.number_change(account).await?;
        self.commit().await
    }

    /// Takes the next number for a change of this account; other writers wait from here until the commit.
    pub(crate) async fn number_change(&mut self, account: &AccountId) -> Result<(), Error> {
        let row = self.fetch_one("UPDATE change_counter SET n = n + 1 RETURNING n", vec![]).await?;
        let n = row.ok_or_else(|| Error::Corrupt("no change counter".to_owned()))?.int("n")?;
        let note = "INSERT INTO changes (n, account_id) VALUES ($1, $2)";
        self.execute(note, vec![n.into(), account.as_str().into()]).await?;
        if n % PRUNED_EVERY == 0 {
            self.execute("DELETE FROM changes WHERE n <= $1", vec![(n - KEPT).into()]).await?;
        }
        Ok(())
    }
}
