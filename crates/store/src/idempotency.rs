//! Idempotency keys: a client that sends the same request twice gets the first response twice.
//!
//! A request first claims its key. The holder of the claim does the work and finishes the claim with the response (best in
//! the same transaction as the work, as `Recipes::create` does), or abandons it so that the client may retry. A claim
//! whose holder died is free after a minute; from then on the old holder can no longer finish it.
//!
//! Responses are stored for a day, and for each account up to a number of bytes: beyond it the oldest are deleted first.
//! Work that has no effect and always gives the same response is finished without one, and done again.

use jiff::{SignedDuration, Timestamp};

use crate::db::{Db, Row, Tx, whole_micros};
use crate::error::Error;
use crate::id::AccountId;
use crate::store::Store;

/// How long a response is stored.
const TIME_TO_LIVE: SignedDuration = SignedDuration::from_hours(24);
/// Larger bodies are not stored.
pub const MAX_STORED_BODY: usize = 64 * 1024;
/// The bytes that the responses of an account may take. Responses that several servers store at the same moment may count as
/// one.
const MAX_STORED_BYTES: i64 = 8 << 20;
/// What a row takes beside its key and its body, roughly.
const ROW_BYTES: usize = 256;
/// The age from which on a claim without a response belongs to a server that died.
const ABANDONED_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// A response as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// The HTTP status.
    pub status: u16,
    /// The content type of the body.
    pub content_type: String,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

/// What to do with a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begin {
    /// The key is new: do the work, then finish or abandon the claim.
    Fresh(Claim),
    /// The work was done before, with this response.
    Replay(StoredResponse),
    /// The work was done before; it has no effect, so do it again for the same response.
    Repeat,
    /// Another request with this key is being processed, or its server died.
    Running {
        /// The seconds after which the key is free at the latest.
        seconds_left: u32,
    },
    /// The key was used for a different request.
    Mismatch,
}

/// The right to do the work of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    account: AccountId,
    key: String,
    /// Distinguishes this claim from a later one on the same key, which starts a minute later at the earliest.
    started_at: Timestamp,
}

/// The idempotency keys of a store.
#[derive(Debug, Clone, Copy)]
pub struct Idempotency<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the idempotency keys.
    pub fn idempotency(&self) -> Idempotency<'_> {
        Idempotency { db: &self.db }
    }
}

impl Idempotency<'_> {
    /// Claims a key for a request with this fingerprint, or returns why it cannot be claimed.
    pub async fn begin(
        self,
        account: &AccountId,
        key: &str,
        fingerprint: &[u8; 32],
        now: Timestamp,
    ) -> Result<Begin, Error> {
        let now = whole_micros(now);
        // Takes the row if it is new, expired, or left behind by a server that died.
        let claim = "INSERT INTO idempotency (account_id, key, fingerprint, started_at) VALUES ($1, $2, $3, $4)
                     ON CONFLICT (account_id, key) DO UPDATE
                     SET fingerprint = excluded.fingerprint, started_at = excluded.started_at, finished_at = NULL,
                         status = NULL, content_type = NULL, body = NULL, stored_to = NULL
                     WHERE idempotency.started_at <= $5
                         OR (idempotency.finished_at IS NULL AND idempotency.started_at <= $6)";
        let expired = earlier(now, TIME_TO_LIVE);
        let abandoned = earlier(now, ABANDONED_AFTER);
        let mut tx = self.db.begin().await?;
        let id = || [account.as_str().into(), key.into()];
        let values =
            id().into_iter().chain([fingerprint.as_slice().into(), now.into(), expired.into(), abandoned.into()]);
        if tx.execute(claim, values.collect()).await? == 1 {
            tx.commit().await?;
            return Ok(Begin::Fresh(Claim { account: account.clone(), key: key.to_owned(), started_at: now }));
        }
        // The statement above locked the row even though it did not change it, so it is still there.
        let sql = "SELECT fingerprint, started_at, finished_at, status, content_type, body
                   FROM idempotency WHERE account_id = $1 AND key = $2";
        let row = tx.fetch_one(sql, id().into()).await?;
        tx.rollback().await?;
        let row = row.ok_or_else(|| Error::Corrupt("an idempotency key that vanished while locked".to_owned()))?;
        if row.opt_blob("fingerprint")?.as_deref() != Some(fingerprint.as_slice()) {
            return Ok(Begin::Mismatch);
        }
        if row.opt_int("finished_at")?.is_none() {
            let left = ABANDONED_AFTER - now.duration_since(row.time("started_at")?);
            let seconds_left = u32::try_from(left.as_secs()).unwrap_or(0).saturating_add(1);
            return Ok(Begin::Running { seconds_left: seconds_left.min(ABANDONED_AFTER.as_secs() as u32) });
        }
        Ok(response(&row)?.map_or(Begin::Repeat, Begin::Replay))
    }

    /// Stores the response; returns `false` if the claim was lost meanwhile.
    pub async fn finish(self, claim: &Claim, response: &StoredResponse, now: Timestamp) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let finished = finish_in(&mut tx, claim, response, now).await?;
        tx.commit().await?;
        Ok(finished)
    }

    /// Stores only the status of work that can be repeated; returns `false` if the claim was lost meanwhile.
    pub async fn finish_repeatable(self, claim: &Claim, status: u16, now: Timestamp) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let finished = store_outcome(&mut tx, claim, status, None, now).await?;
        tx.commit().await?;
        Ok(finished)
    }

    /// Releases the key, as if the request had never been made. A response that is already stored stays.
    pub async fn abandon(self, claim: &Claim) -> Result<(), Error> {
        let sql = "DELETE FROM idempotency
                   WHERE account_id = $1 AND key = $2 AND started_at = $3 AND finished_at IS NULL";
        let values = vec![claim.account.as_str().into(), claim.key.as_str().into(), claim.started_at.into()];
        self.db.write(sql, values).await.map(drop)
    }

    /// Releases the keys of requests that were being processed when the server of a SQLite database died; returns how many.
    /// A request of another server on the same file fails instead of taking effect twice. With PostgreSQL, where other
    /// servers are likely, keys are released by their age alone.
    pub async fn release_at_start(self) -> Result<u64, Error> {
        match self.db {
            Db::Sqlite(_) => self.db.write("DELETE FROM idempotency WHERE finished_at IS NULL", vec![]).await,
            Db::Postgres(_) => Ok(0),
        }
    }

    /// Deletes responses older than a day; returns how many.
    pub async fn prune(self, now: Timestamp) -> Result<u64, Error> {
        self.db.write("DELETE FROM idempotency WHERE started_at <= $1", vec![earlier(now, TIME_TO_LIVE).into()]).await
    }
}

/// Stores the response as part of the transaction that does the work.
pub(crate) async fn finish_in(
    tx: &mut Tx,
    claim: &Claim,
    response: &StoredResponse,
    now: Timestamp,
) -> Result<bool, Error> {
    store_outcome(tx, claim, response.status, Some((&response.content_type, &response.body)), now).await
}

/// Stores a status and, unless the work can be repeated, content type and body. Deletes the account's oldest responses if
/// there are too many.
async fn store_outcome(
    tx: &mut Tx,
    claim: &Claim,
    status: u16,
    content: Option<(&str, &[u8])>,
    now: Timestamp,
) -> Result<bool, Error> {
    let sql = "UPDATE idempotency SET finished_at = $4, status = $5, content_type = $6, body = $7, stored_to = $8 +
                   (SELECT COALESCE(MAX(stored_to), 0) FROM idempotency WHERE account_id = $1)
               WHERE account_id = $1 AND key = $2 AND started_at = $3 AND finished_at IS NULL
               RETURNING stored_to";
    let bytes = ROW_BYTES + claim.key.len() + content.map_or(0, |(_, body)| body.len());
    let values = vec![
        claim.account.as_str().into(),
        claim.key.as_str().into(),
        claim.started_at.into(),
        now.into(),
        i64::from(status).into(),
        content.map(|(content_type, _)| content_type).into(),
        content.map(|(_, body)| body).into(),
        (bytes as u64).into(),
    ];
    let Some(row) = tx.fetch_one(sql, values).await? else { return Ok(false) };
    let oldest = row.int("stored_to")? - MAX_STORED_BYTES;
    if oldest > 0 {
        let sql = "DELETE FROM idempotency WHERE account_id = $1 AND stored_to <= $2";
        tx.execute(sql, vec![claim.account.as_str().into(), oldest.into()]).await?;
    }
    Ok(true)
}

/// Returns the stored response; `None` if the work is to be repeated.
fn response(row: &Row) -> Result<Option<StoredResponse>, Error> {
    let Some(content_type) = row.opt_text("content_type")? else { return Ok(None) };
    let status = row.unsigned("status")?;
    Ok(Some(StoredResponse {
        status: u16::try_from(status).map_err(|_| Error::Corrupt(format!("the status {status}")))?,
        content_type,
        body: row.opt_blob("body")?.unwrap_or_default(),
    }))
}

fn earlier(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.saturating_sub(by).unwrap_or(Timestamp::MIN)
}
