//! Idempotency keys: whoever sends the same request twice gets the first answer twice.
//!
//! A request first claims its key. Whoever holds the claim does the work and finishes it with the answer (best in the same
//! transaction as the work, as [`crate::recipes::Recipes::create`] does), or abandons it so that the caller may try again.
//! A claim whose holder died is free after a minute; from then on the old holder can no longer finish it.

use jiff::{SignedDuration, Timestamp};

use crate::db::{Db, Row, Tx, whole_micros};
use crate::{AccountId, Error, Store};

/// How long an answer is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// After this time a claim without an answer belongs to a server that died.
const ABANDONED_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// An answer as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
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
    /// Nobody has done it: do it, then finish or abandon the claim.
    Fresh(Claim),
    /// It was done: this is the answer.
    Replay(Answer),
    /// Somebody is doing it right now.
    Running,
    /// The key was used for another request.
    Mismatch,
}

/// The right to do the work of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    account: AccountId,
    key: String,
    /// Tells this claim from a later one on the same key, which starts a minute later at the earliest.
    started_at: Timestamp,
}

/// The idempotency keys of a store.
#[derive(Debug, Clone, Copy)]
pub struct Idempotency<'a> {
    db: &'a Db,
}

impl Store {
    /// The idempotency keys.
    pub fn idempotency(&self) -> Idempotency<'_> {
        Idempotency { db: &self.db }
    }
}

impl Idempotency<'_> {
    /// Claims a key for a request with this fingerprint, or says why there is nothing to claim.
    pub async fn begin(
        self,
        account: &AccountId,
        key: &str,
        fingerprint: &[u8; 32],
        now: Timestamp,
    ) -> Result<Begin, Error> {
        let now = whole_micros(now);
        // Takes the row if it is new, too old, or left behind by a server that died.
        let claim = "INSERT INTO idempotency (account_id, key, fingerprint, started_at) VALUES ($1, $2, $3, $4)
                     ON CONFLICT (account_id, key) DO UPDATE
                     SET fingerprint = excluded.fingerprint, started_at = excluded.started_at, finished_at = NULL,
                         status = NULL, content_type = NULL, body = NULL
                     WHERE idempotency.started_at <= $5
                         OR (idempotency.finished_at IS NULL AND idempotency.started_at <= $6)";
        let too_old = earlier(now, KEPT);
        let abandoned = earlier(now, ABANDONED_AFTER);
        let mut tx = self.db.begin().await?;
        let id = || [account.as_str().into(), key.into()];
        let values =
            id().into_iter().chain([fingerprint.as_slice().into(), now.into(), too_old.into(), abandoned.into()]);
        if tx.execute(claim, values.collect()).await? == 1 {
            tx.commit().await?;
            return Ok(Begin::Fresh(Claim { account: account.clone(), key: key.to_owned(), started_at: now }));
        }
        // The statement above locked the row even though it left it alone, so it is still there.
        let sql = "SELECT fingerprint, finished_at, status, content_type, body
                   FROM idempotency WHERE account_id = $1 AND key = $2";
        let row = tx.fetch_one(sql, id().into()).await?;
        tx.rollback().await?;
        let row = row.ok_or_else(|| Error::Corrupt("an idempotency key that vanished while locked".to_owned()))?;
        if row.opt_blob("fingerprint")?.as_deref() != Some(fingerprint.as_slice()) {
            return Ok(Begin::Mismatch);
        }
        Ok(if row.opt_int("finished_at")?.is_some() { Begin::Replay(answer(&row)?) } else { Begin::Running })
    }

    /// Keeps the answer; `false` if the claim was lost meanwhile.
    pub async fn finish(self, claim: &Claim, answer: &Answer, now: Timestamp) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let finished = finish_in(&mut tx, claim, answer, now).await?;
        tx.commit().await?;
        Ok(finished)
    }

    /// Gives the key back, as if the request had never been made. An answer that was kept already stays.
    pub async fn abandon(self, claim: &Claim) -> Result<(), Error> {
        let sql = "DELETE FROM idempotency
                   WHERE account_id = $1 AND key = $2 AND started_at = $3 AND finished_at IS NULL";
        let values = vec![claim.account.as_str().into(), claim.key.as_str().into(), claim.started_at.into()];
        self.db.write(sql, values).await.map(drop)
    }

    /// Forgets answers older than a day; how many.
    pub async fn prune(self, now: Timestamp) -> Result<u64, Error> {
        self.db.write("DELETE FROM idempotency WHERE started_at <= $1", vec![earlier(now, KEPT).into()]).await
    }
}

/// Keeps the answer as a part of the transaction that does the work.
pub(crate) async fn finish_in(tx: &mut Tx, claim: &Claim, answer: &Answer, now: Timestamp) -> Result<bool, Error> {
    let sql = "UPDATE idempotency SET finished_at = $4, status = $5, content_type = $6, body = $7
               WHERE account_id = $1 AND key = $2 AND started_at = $3 AND finished_at IS NULL";
    let values = vec![
        claim.account.as_str().into(),
        claim.key.as_str().into(),
        claim.started_at.into(),
        now.into(),
        i64::from(answer.status).into(),
        answer.content_type.as_str().into(),
        answer.body.as_slice().into(),
    ];
    Ok(tx.execute(sql, values).await? == 1)
}

fn answer(row: &Row) -> Result<Answer, Error> {
    let status = row.unsigned("status")?;
    Ok(Answer {
        status: u16::try_from(status).map_err(|_| Error::Corrupt(format!("the status {status}")))?,
        content_type: row.text("content_type")?,
        body: row.opt_blob("body")?.unwrap_or_default(),
    })
}

fn earlier(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.saturating_sub(by).unwrap_or(Timestamp::MIN)
}
