//! Keys: rows about secrets, never the secrets. The text of a key exists in the answer to its creation and nowhere else.

use jiff::{SignedDuration, Timestamp};

use crate::accounts::{account, lock_account};
use crate::db::{Db, Row, Tx, whole_micros};
use crate::{Account, AccountId, Error, KeyId, KeyText, Mode, Rng, Scopes, Store};

/// What is known about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The id, `key_…`.
    pub id: KeyId,
    /// Whose it is.
    pub account_id: AccountId,
    /// Live or test.
    pub mode: Mode,
    /// What its owner calls it.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Scopes,
    /// How the text begins, as far as it may be shown.
    pub prefix: String,
    /// How the text ends.
    pub last_four: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused by plan.
    pub expires_at: Option<Timestamp>,
    /// From when on it is refused by decision; may lie ahead, when the key was rolled with a time of grace.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// The address of that use.
    pub last_used_from: Option<String>,
}

/// Whether a key works at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It works.
    Active,
    /// Its owner ended it.
    Revoked,
    /// Its time is over.
    Expired,
}

/// A key to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// Live or test.
    pub mode: Mode,
    /// What its owner calls it.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Scopes,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// How long the old key of a roll goes on working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grace {
    /// Not at all.
    Now,
    /// One hour.
    Hour,
    /// 24 hours.
    Day,
    /// Seven days.
    Week,
}

/// Why a key was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreateKeyError {
    /// There is one with this id: the same request was here before.
    #[error("this key was made before")]
    MadeBefore,
    /// The account has as many keys that work as it may have.
    #[error("the account has as many keys as it may have")]
    LimitReached,
    /// There is no such key, or it no longer works.
    #[error("there is no such key that works")]
    NotFound,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// The keys of a store.
#[derive(Debug, Clone, Copy)]
pub struct Keys<'a> {
    db: &'a Db,
}

impl Store {
    /// The keys.
    pub fn keys(&self) -> Keys<'_> {
        Keys { db: &self.db }
    }
}

impl Key {
    /// Whether the key works at this moment. A key that is both revoked and expired counts as revoked.
    pub fn state(&self, now: Timestamp) -> KeyState {
        let has_come = |time: Option<Timestamp>| time.is_some_and(|time| time <= now);
        if has_come(self.revoked_at) {
            KeyState::Revoked
        } else if has_come(self.expires_at) {
            KeyState::Expired
        } else {
            KeyState::Active
        }
    }
}

impl KeyState {
    /// Returns the name: `active`, `revoked` or `expired`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
        }
    }
}

impl Grace {
    /// The time itself.
    pub fn duration(self) -> SignedDuration {
        SignedDuration::from_hours(match self {
            Self::Now => 0,
            Self::Hour => 1,
            Self::Day => 24,
            Self::Week => 7 * 24,
        })
    }
}

impl Keys<'_> {
    /// Makes a key. The text is returned here and cannot be had again.
    pub async fn create(
        self,
        account: &AccountId,
        new: NewKey,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<(Key, KeyText), Error> {
        let (key, text) = new_key(account, KeyId::generate(rng), new, now, rng);
        let mut tx = self.db.begin().await?;
        insert(&mut tx, &key, &text).await?;
        tx.commit_change(account).await?;
        Ok((key, text))
    }

    /// Makes a key under an id that the caller has chosen, once however often it is asked for, and only while the account
    /// has fewer than `limit` keys that work.
    pub async fn create_once(
        self,
        account: &AccountId,
        id: &KeyId,
        new: NewKey,
        limit: u64,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<(Key, KeyText), CreateKeyError> {
        let (key, text) = new_key(account, id.clone(), new, now, rng);
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        if let Err(refused) = may_make(&mut tx, account, id, limit, now).await? {
            tx.rollback().await?;
            return Err(refused);
        }
        insert(&mut tx, &key, &text).await?;
        tx.commit_change(account).await?;
        Ok((key, text))
    }

    /// The key whose text has this hash, with its account; in whatever state it is.
    pub async fn by_hash(self, hash: &[u8; 32]) -> Result<Option<(Key, Account)>, Error> {
        let sql = "SELECT keys.id, account_id, mode, label, scopes, prefix, last_four, keys.created_at, expires_at,
                       revoked_at, last_used_at, last_used_from,
                       email, password_hash, plan, is_owner, accounts.created_at AS account_created_at, disabled_at
                   FROM keys JOIN accounts ON accounts.id = account_id WHERE hash = $1";
        let row = self.db.read_one(sql, vec![hash.as_slice().into()]).await?;
        row.map(|row| Ok((key(&row)?, account_of(&row)?))).transpose()
    }

    /// This account's key with this id.
    pub async fn by_id(self, account: &AccountId, id: &KeyId) -> Result<Option<Key>, Error> {
        let sql = "SELECT id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from
                   FROM keys WHERE id = $1 AND account_id = $2";
        let row = self.db.read_one(sql, vec![id.as_str().into(), account.as_str().into()]).await?;
        row.map(|row| key(&row)).transpose()
    }

    /// All keys of an account, the newest first, ended ones included.
    pub async fn list(self, account: &AccountId) -> Result<Vec<Key>, Error> {
        let sql = "SELECT id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from
                   FROM keys WHERE account_id = $1 ORDER BY created_at DESC, id";
        self.db.read(sql, vec![account.as_str().into()]).await?.iter().map(key).collect()
    }

    /// The keys that a person may mean on the command line, of any account: by id, by the whole text, by the shown prefix
    /// or by the last four characters.
    pub async fn find(self, text: &str) -> Result<Vec<Key>, Error> {
        let hash = KeyText::parse(text).map(|text| text.hash());
        let sql = "SELECT id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from
                   FROM keys WHERE id = $1 OR prefix = $1 OR last_four = $1 OR hash = $2 ORDER BY created_at DESC, id";
        let values = vec![text.into(), hash.as_ref().map(<[u8; 32]>::as_slice).into()];
        self.db.read(sql, values).await?.iter().map(key).collect()
    }

    /// Ends a key now, for good. One that has ended already keeps its time; one in its time of grace ends now.
    pub async fn revoke(self, account: &AccountId, id: &KeyId, now: Timestamp) -> Result<Option<Key>, Error> {
        let sql = "UPDATE keys SET revoked_at = $3
                   WHERE id = $1 AND account_id = $2 AND (revoked_at IS NULL OR revoked_at > $3)
                   RETURNING id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from";
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), account.as_str().into(), now.into()]).await? else {
            tx.rollback().await?;
            return self.by_id(account, id).await;
        };
        tx.commit_change(account).await?;
        key(&row).map(Some)
    }

    /// Replaces a key by a new one with the same mode, label, scopes and expiry; the old one ends after the grace. The new
    /// one has an id that the caller has chosen: it is made once however often it is asked for. What has ended is not
    /// brought back by rolling it.
    pub async fn roll(
        self,
        account: &AccountId,
        id: &KeyId,
        new_id: &KeyId,
        grace: Grace,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<(Key, KeyText), CreateKeyError> {
        let ends_at = now.saturating_add(grace.duration()).unwrap_or(Timestamp::MAX);
        // An earlier end, from a roll before this one, stays.
        let sql = "UPDATE keys
                   SET revoked_at = CASE WHEN revoked_at IS NULL OR revoked_at > $4 THEN $4 ELSE revoked_at END
                   WHERE id = $1 AND account_id = $2 AND (revoked_at IS NULL OR revoked_at > $3)
                       AND (expires_at IS NULL OR expires_at > $3)
                   RETURNING id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from";
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        // A roll leaves at most one more key that works, and that one only for a time: no limit here.
        if let Err(refused) = may_make(&mut tx, account, new_id, u64::MAX, now).await? {
            tx.rollback().await?;
            return Err(refused);
        }
        let values = vec![id.as_str().into(), account.as_str().into(), now.into(), ends_at.into()];
        let Some(row) = tx.fetch_one(sql, values).await? else {
            tx.rollback().await?;
            return Err(CreateKeyError::NotFound);
        };
        let Key { mode, label, scopes, expires_at, .. } = key(&row)?;
        let new = NewKey { mode, label, scopes, expires_at };
        let (new, text) = new_key(account, new_id.clone(), new, now, rng);
        insert(&mut tx, &new, &text).await?;
        tx.commit_change(account).await?;
        Ok((new, text))
    }

    /// Gives a key another label, or none; the key as it is afterwards.
    pub async fn rename(self, account: &AccountId, id: &KeyId, label: Option<&str>) -> Result<Option<Key>, Error> {
        let sql = "UPDATE keys SET label = $3 WHERE id = $1 AND account_id = $2
                   RETURNING id, account_id, mode, label, scopes, prefix, last_four, created_at, expires_at, revoked_at,
                       last_used_at, last_used_from";
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), account.as_str().into(), label.into()]).await?
        else {
            tx.rollback().await?;
            return Ok(None);
        };
        tx.commit_change(account).await?;
        key(&row).map(Some)
    }

    /// Notes when and from where keys were last used. Times only move forward; unknown keys are passed over.
    pub async fn touch(self, uses: &[(KeyId, Timestamp, String)]) -> Result<(), Error> {
        if uses.is_empty() {
            return Ok(());
        }
        // Always in the same order: two servers that touch the same keys must not wait for each other in a circle.
        let mut uses: Vec<_> = uses.iter().collect();
        uses.sort_unstable();
        let sql = "UPDATE keys SET last_used_at = $2, last_used_from = $3
                   WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
        let mut tx = self.db.begin().await?;
        for (id, at, from) in uses {
            tx.execute(sql, vec![id.as_str().into(), (*at).into(), from.as_str().into()]).await?;
        }
        tx.commit().await
    }
}

fn key(row: &Row) -> Result<Key, Error> {
    Ok(Key {
        id: row.parsed("id", KeyId::parse)?,
        account_id: row.account_id("account_id")?,
        mode: row.parsed("mode", Mode::from_name)?,
        label: row.opt_text("label")?,
        scopes: Scopes::from_bits(row.int("scopes")?),
        prefix: row.text("prefix")?,
        last_four: row.text("last_four")?,
        created_at: row.time("created_at")?,
        expires_at: row.opt_time("expires_at")?,
        revoked_at: row.opt_time("revoked_at")?,
        last_used_at: row.opt_time("last_used_at")?,
        last_used_from: row.opt_text("last_used_from")?,
    })
}

fn account_of(row: &Row) -> Result<Account, Error> {
    account(row, "account_id", "account_created_at")
}

/// Whether a key of this id may be made now.
async fn may_make(
    tx: &mut Tx,
    account: &AccountId,
    id: &KeyId,
    limit: u64,
    now: Timestamp,
) -> Result<Result<(), CreateKeyError>, Error> {
    let sql = "SELECT id FROM keys WHERE id = $1";
    if tx.fetch_one(sql, vec![id.as_str().into()]).await?.is_some() {
        return Ok(Err(CreateKeyError::MadeBefore));
    }
    let sql = "SELECT COUNT(*) AS n FROM keys WHERE account_id = $1 AND (revoked_at IS NULL OR revoked_at > $2)
                   AND (expires_at IS NULL OR expires_at > $2)";
    let row = tx.fetch_one(sql, vec![account.as_str().into(), now.into()]).await?;
    let working = row.map_or(Ok(0), |row| row.unsigned("n"))?;
    Ok(if working < limit { Ok(()) } else { Err(CreateKeyError::LimitReached) })
}

fn new_key(account: &AccountId, id: KeyId, new: NewKey, now: Timestamp, rng: &mut Rng) -> (Key, KeyText) {
    let text = KeyText::generate(new.mode, rng);
    let key = Key {
        id,
        account_id: account.clone(),
        mode: new.mode,
        label: new.label,
        scopes: new.scopes,
        prefix: text.shown_prefix().to_owned(),
        last_four: text.last_four().to_owned(),
        created_at: whole_micros(now),
        expires_at: new.expires_at.map(whole_micros),
        revoked_at: None,
        last_used_at: None,
        last_used_from: None,
    };
    (key, text)
}

async fn insert(tx: &mut Tx, key: &Key, text: &KeyText) -> Result<(), Error> {
    let sql = "INSERT INTO keys (id, account_id, hash, mode, label, scopes, prefix, last_four, created_at, expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values = vec![
        key.id.as_str().into(),
        key.account_id.as_str().into(),
        text.hash().as_slice().into(),
        key.mode.name().into(),
        key.label.as_deref().into(),
        key.scopes.bits().into(),
        key.prefix.as_str().into(),
        key.last_four.as_str().into(),
        key.created_at.into(),
        key.expires_at.into(),
    ];
    tx.execute(sql, values).await.map(drop)
}
