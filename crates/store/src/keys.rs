//! Keys: rows about secrets, never the secrets themselves. The text of a key is returned once, when it is created.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::accounts::{Account, joined_account, lock_account};
use crate::changes::commit_change;
use crate::db::{Db, Row, Tx, whole_micros};
use crate::error::Error;
use crate::id::{AccountId, KeyId};
use crate::key_text::{KeyText, Mode};
use crate::random::Rng;
use crate::scopes::Scopes;
use crate::store::Store;

/// What is stored about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The id, `key_…`.
    pub id: KeyId,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// Live or test.
    pub mode: Mode,
    /// The name its owner gave it.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Scopes,
    /// The beginning of the text, as far as it may be shown.
    pub prefix: String,
    /// The end of the text.
    pub last_four: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked; in the future after a rotation with a grace period.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// The address of that use.
    pub last_used_from: Option<String>,
    /// The networks that it may be used from; empty for all.
    pub networks: Vec<String>,
}

/// Whether a key works at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It works.
    Active,
    /// Its owner revoked it.
    Revoked,
    /// It has expired.
    Expired,
}

/// A key to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// Live or test.
    pub mode: Mode,
    /// The name its owner gives it.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Scopes,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// How long the old key keeps working after a rotation.
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

/// Why a key was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateKeyError {
    /// A key with this id exists: the request is a repetition.
    #[error("this key has already been created")]
    AlreadyCreated,
    /// The account has reached its limit of active keys.
    #[error("the account has reached its limit of active keys")]
    LimitReached,
    /// There is no such key, or it is not active.
    #[error("no active key with this id")]
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

/// The columns of a key, as [`key`] reads them.
macro_rules! columns {
    () => {
        "keys.id, account_id, mode, label, scopes, prefix, last_four, keys.created_at, expires_at, revoked_at,
         last_used_at, last_used_from, networks"
    };
}

/// The condition under which a key is active at the time in the given parameter.
macro_rules! is_active {
    ($now:literal) => {
        concat!("(revoked_at IS NULL OR revoked_at > ", $now, ") AND (expires_at IS NULL OR expires_at > ", $now, ")")
    };
}

impl Store {
    /// Returns the keys.
    pub fn keys(&self) -> Keys<'_> {
        Keys { db: &self.db }
    }
}

impl Key {
    /// Returns whether the key works at this moment. A key that is both revoked and expired counts as revoked.
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

impl NewKey {
    /// Describes a live key with all scopes, without a label, that does not expire.
    pub fn live() -> Self {
        Self { mode: Mode::Live, label: None, scopes: Scopes::all(), expires_at: None }
    }
}

impl Grace {
    /// Returns the length of the grace period.
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
    /// Creates a key. The text is returned only here.
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
        commit_change(tx, account).await?;
        Ok((key, text))
    }

    /// Creates a key with an id chosen by the caller, so that a repeated request creates only one, and only while the
    /// account has fewer than `limit` active keys.
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
        if let Some(refused) = refusal(&mut tx, account, id, limit, now).await? {
            tx.rollback().await?;
            return Err(refused);
        }
        insert(&mut tx, &key, &text).await?;
        commit_change(tx, account).await?;
        Ok((key, text))
    }

    /// Returns the key whose text has this hash, in whatever state it is, with its account.
    pub async fn by_hash(self, hash: &[u8; 32]) -> Result<Option<(Key, Account)>, Error> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            ", email, password_hash, plan, is_owner, accounts.created_at AS account_created_at, disabled_at,
                 keeps_bodies
             FROM keys JOIN accounts ON accounts.id = account_id WHERE hash = $1"
        );
        let row = self.db.read_one(sql, vec![hash.as_slice().into()]).await?;
        row.map(|row| Ok((key(&row)?, joined_account(&row)?))).transpose()
    }

    /// Returns this account's key with this id.
    pub async fn by_id(self, account: &AccountId, id: &KeyId) -> Result<Option<Key>, Error> {
        let sql = concat!("SELECT ", columns!(), " FROM keys WHERE id = $1 AND account_id = $2");
        let row = self.db.read_one(sql, vec![id.as_str().into(), account.as_str().into()]).await?;
        row.map(|row| key(&row)).transpose()
    }

    /// Returns the hash of the newest key of an owner that has this label and exactly these scopes, in whatever state it is.
    pub async fn newest_of_owners(self, label: &str, scopes: Scopes) -> Result<Option<[u8; 32]>, Error> {
        let sql = "SELECT hash FROM keys JOIN accounts ON accounts.id = account_id
                   WHERE is_owner = 1 AND label = $1 AND scopes = $2 ORDER BY keys.created_at DESC, keys.id LIMIT 1";
        let row = self.db.read_one(sql, vec![label.into(), scopes.bits().into()]).await?;
        let hash = row.map(|row| row.opt_blob("hash")).transpose()?.flatten();
        Ok(hash.and_then(|hash| hash.try_into().ok()))
    }

    /// Returns all keys of an account, the newest first, including revoked and expired ones.
    pub async fn list(self, account: &AccountId) -> Result<Vec<Key>, Error> {
        let sql = concat!("SELECT ", columns!(), " FROM keys WHERE account_id = $1 ORDER BY created_at DESC, id");
        self.db.read(sql, vec![account.as_str().into()]).await?.iter().map(key).collect()
    }

    /// Finds the keys, of any account, that a text on the command line may mean: an id, the whole text, the shown prefix or
    /// the last four characters.
    pub async fn find(self, text: &str) -> Result<Vec<Key>, Error> {
        let hash = KeyText::parse(text).map(|text| text.hash());
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM keys WHERE id = $1 OR prefix = $1 OR last_four = $1 OR hash = $2 ORDER BY created_at DESC, id"
        );
        let values = vec![text.into(), hash.as_ref().map(<[u8; 32]>::as_slice).into()];
        self.db.read(sql, values).await?.iter().map(key).collect()
    }

    /// Revokes a key now. One that is already revoked keeps its time; one in its grace period is revoked now.
    pub async fn revoke(self, account: &AccountId, id: &KeyId, now: Timestamp) -> Result<Option<Key>, Error> {
        let sql = concat!(
            "UPDATE keys SET revoked_at = $3
             WHERE id = $1 AND account_id = $2 AND (revoked_at IS NULL OR revoked_at > $3) RETURNING ",
            columns!()
        );
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), account.as_str().into(), now.into()]).await? else {
            tx.rollback().await?;
            return self.by_id(account, id).await;
        };
        commit_change(tx, account).await?;
        key(&row).map(Some)
    }

    /// Replaces a key by a new one with the same mode, label, scopes, networks and expiry; the old one is revoked after the grace
    /// period. The id of the new one is chosen by the caller, so that a repeated request creates only one. A key that is
    /// not active cannot be rotated.
    pub async fn rotate(
        self,
        account: &AccountId,
        id: &KeyId,
        new_id: &KeyId,
        grace: Grace,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<(Key, KeyText), CreateKeyError> {
        let ends_at = now.saturating_add(grace.duration()).unwrap_or(Timestamp::MAX);
        // An earlier time, from a rotation before this one, stays.
        let sql = concat!(
            "UPDATE keys
             SET revoked_at = CASE WHEN revoked_at IS NULL OR revoked_at > $4 THEN $4 ELSE revoked_at END
             WHERE id = $1 AND account_id = $2 AND ",
            is_active!("$3"),
            " RETURNING ",
            columns!()
        );
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        // A rotation adds at most one active key, and only for the grace period: no limit here.
        if let Some(refused) = refusal(&mut tx, account, new_id, u64::MAX, now).await? {
            tx.rollback().await?;
            return Err(refused);
        }
        let values = vec![id.as_str().into(), account.as_str().into(), now.into(), ends_at.into()];
        let Some(row) = tx.fetch_one(sql, values).await? else {
            tx.rollback().await?;
            return Err(CreateKeyError::NotFound);
        };
        let Key { mode, label, scopes, expires_at, networks, .. } = key(&row)?;
        let new = NewKey { mode, label, scopes, expires_at };
        let (new, text) = new_key(account, new_id.clone(), new, now, rng);
        let new = Key { networks, ..new };
        insert(&mut tx, &new, &text).await?;
        commit_change(tx, account).await?;
        Ok((new, text))
    }

    /// Changes or removes the label of a key; returns the key as it is afterwards.
    pub async fn rename(self, account: &AccountId, id: &KeyId, label: Option<&str>) -> Result<Option<Key>, Error> {
        let sql = concat!("UPDATE keys SET label = $3 WHERE id = $1 AND account_id = $2 RETURNING ", columns!());
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), account.as_str().into(), label.into()]).await?
        else {
            tx.rollback().await?;
            return Ok(None);
        };
        commit_change(tx, account).await?;
        key(&row).map(Some)
    }

    /// Changes what a key may do and from which networks (empty for all); returns the key as it is afterwards. The networks
    /// are not checked here.
    pub async fn restrict(
        self,
        account: &AccountId,
        id: &KeyId,
        scopes: Scopes,
        networks: &[String],
    ) -> Result<Option<Key>, Error> {
        let sql = concat!(
            "UPDATE keys SET scopes = $3, networks = $4 WHERE id = $1 AND account_id = $2 RETURNING ",
            columns!()
        );
        let networks = networks.join(",");
        let values = vec![id.as_str().into(), account.as_str().into(), scopes.bits().into(), networks.as_str().into()];
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, values).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        commit_change(tx, account).await?;
        key(&row).map(Some)
    }

    /// Records when and from where keys were last used. Times only move forward; unknown keys are ignored.
    pub async fn touch(self, uses: &[(KeyId, Timestamp, String)]) -> Result<(), Error> {
        if uses.is_empty() {
            return Ok(());
        }
        // Always in the same order, so that two servers that touch the same keys cannot deadlock.
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

/// Returns when a day ends in UTC: the expiry of a key whose last day it is. `None` for the last day of the calendar.
pub fn end_of_day(date: Date) -> Option<Timestamp> {
    Some(date.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

fn key(row: &Row) -> Result<Key, Error> {
    Ok(Key {
        id: row.parsed("id", KeyId::parse)?,
        account_id: row.account_id("account_id")?,
        mode: row.parsed("mode", |name| name.parse().ok())?,
        label: row.opt_text("label")?,
        scopes: Scopes::from_bits(row.int("scopes")?),
        prefix: row.text("prefix")?,
        last_four: row.text("last_four")?,
        created_at: row.time("created_at")?,
        expires_at: row.opt_time("expires_at")?,
        revoked_at: row.opt_time("revoked_at")?,
        last_used_at: row.opt_time("last_used_at")?,
        last_used_from: row.opt_text("last_used_from")?,
        networks: row.text("networks")?.split(',').filter(|network| !network.is_empty()).map(str::to_owned).collect(),
    })
}

/// Returns why a key of this id may not be created now, if so.
async fn refusal(
    tx: &mut Tx,
    account: &AccountId,
    id: &KeyId,
    limit: u64,
    now: Timestamp,
) -> Result<Option<CreateKeyError>, Error> {
    let sql = "SELECT id FROM keys WHERE id = $1";
    if tx.fetch_one(sql, vec![id.as_str().into()]).await?.is_some() {
        return Ok(Some(CreateKeyError::AlreadyCreated));
    }
    let sql = concat!("SELECT COUNT(*) AS n FROM keys WHERE account_id = $1 AND ", is_active!("$2"));
    let row = tx.fetch_one(sql, vec![account.as_str().into(), now.into()]).await?;
    let active = row.map_or(Ok(0), |row| row.unsigned("n"))?;
    Ok((active >= limit).then_some(CreateKeyError::LimitReached))
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
        networks: Vec::new(),
    };
    (key, text)
}

async fn insert(tx: &mut Tx, key: &Key, text: &KeyText) -> Result<(), Error> {
    let sql = "INSERT INTO keys (id, account_id, hash, mode, label, scopes, prefix, last_four, created_at, expires_at,
                   networks)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
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
        key.networks.join(",").as_str().into(),
    ];
    tx.execute(sql, values).await.map(drop)
}
