//! Sign-in links and sessions of the dashboard. Tokens have 256 random bits; only their SHA-256 is stored.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use crate::accounts::{Account, joined_account};
use crate::base62;
use crate::db::{Db, Row, Tx, whole_micros};
use crate::error::Error;
use crate::id::{AccountId, SessionId};
use crate::random::Rng;
use crate::store::Store;

/// 43 characters of base62 carry 256 bits.
const TOKEN_LENGTH: usize = 43;

/// A session that was not used for this long has ended.
pub const MAX_IDLE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The id, `ses_…`; not the token.
    pub id: SessionId,
    /// The account.
    pub account_id: AccountId,
    /// When it began.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When a page was last requested, to within about a minute.
    pub last_seen_at: Timestamp,
    /// When its user last proved who they are: by signing in, or again later.
    pub confirmed_at: Timestamp,
    /// The `User-Agent` of the browser.
    pub user_agent: Option<String>,
    /// The address of the browser.
    pub address: Option<String>,
    /// Whether it began with a sign-in link: its user may have no password, or have forgotten it.
    pub is_by_link: bool,
}

/// A session to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewSession<'a> {
    /// When it expires, however often it is used.
    pub expires_at: Timestamp,
    /// The `User-Agent` of the browser.
    pub user_agent: Option<&'a str>,
    /// The address of the browser.
    pub address: Option<&'a str>,
    /// Whether it begins with a sign-in link.
    pub is_by_link: bool,
}

/// The sign-in links and sessions of a store.
#[derive(Debug, Clone, Copy)]
pub struct Sessions<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the sign-in links and sessions.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { db: &self.db }
    }
}

impl Sessions<'_> {
    /// Creates a link that signs in once. The token is returned only here.
    pub async fn create_link(
        self,
        account: &AccountId,
        expires_at: Timestamp,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<String, Error> {
        let token = base62::random(TOKEN_LENGTH, rng);
        let sql = "INSERT INTO sign_in_links (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)";
        let values = vec![hash(&token).as_slice().into(), account.as_str().into(), now.into(), expires_at.into()];
        self.db.write(sql, values).await?;
        Ok(token)
    }

    /// Consumes a link: the first caller gets the account, every later one `None`, as with an expired or unknown link.
    pub async fn use_link(self, token: &str, now: Timestamp) -> Result<Option<AccountId>, Error> {
        let sql = "DELETE FROM sign_in_links WHERE token_hash = $1 AND expires_at > $2 RETURNING account_id";
        let mut tx = self.db.begin().await?;
        let row = tx.fetch_one(sql, vec![hash(token).as_slice().into(), now.into()]).await?;
        tx.commit().await?;
        row.map(|row| row.account_id("account_id")).transpose()
    }

    /// Starts a session. The token is returned only here.
    pub async fn create(
        self,
        account: &AccountId,
        new: NewSession<'_>,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<String, Error> {
        let token = base62::random(TOKEN_LENGTH, rng);
        let sql =
            "INSERT INTO sessions (id, token_hash, account_id, created_at, last_seen_at, confirmed_at, expires_at,
                       user_agent, address, is_by_link)
                   VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7, $8)";
        let values = vec![
            SessionId::generate(rng).as_str().into(),
            hash(&token).as_slice().into(),
            account.as_str().into(),
            whole_micros(now).into(),
            whole_micros(new.expires_at).into(),
            new.user_agent.into(),
            new.address.into(),
            new.is_by_link.into(),
        ];
        self.db.write(sql, values).await?;
        Ok(token)
    }

    /// Returns the session of a token, with its account, unless it has expired, was idle for too long, or the account is
    /// disabled.
    pub async fn by_token(self, token: &str, now: Timestamp) -> Result<Option<(Session, Account)>, Error> {
        let sql = "SELECT sessions.id, account_id, sessions.created_at, expires_at, last_seen_at, confirmed_at, user_agent,
                       address, is_by_link, email, password_hash, plan, is_owner, accounts.created_at AS account_created_at, disabled_at,
                       keeps_bodies
                   FROM sessions JOIN accounts ON accounts.id = account_id
                   WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3 AND disabled_at IS NULL";
        let values = vec![hash(token).as_slice().into(), now.into(), idle_since(now).into()];
        let row = self.db.read_one(sql, values).await?;
        row.map(|row| Ok((session(&row)?, joined_account(&row)?))).transpose()
    }

    /// Records that a session was used.
    pub async fn touch(self, id: &SessionId, now: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2";
        self.db.write(sql, vec![id.as_str().into(), now.into()]).await.map(drop)
    }

    /// Records that the user of a session proved who they are, and replaces the token of the session; the new one is
    /// returned only here. `None` if the session has ended.
    pub async fn confirm(self, id: &SessionId, now: Timestamp, rng: &mut Rng) -> Result<Option<String>, Error> {
        let token = base62::random(TOKEN_LENGTH, rng);
        let sql = "UPDATE sessions SET token_hash = $2, confirmed_at = $3 WHERE id = $1";
        let values = vec![id.as_str().into(), hash(&token).as_slice().into(), whole_micros(now).into()];
        Ok((self.db.write(sql, values).await? == 1).then_some(token))
    }

    /// Returns all sessions of an account that have not ended, the newest first.
    pub async fn list(self, account: &AccountId, now: Timestamp) -> Result<Vec<Session>, Error> {
        let sql = "SELECT id, account_id, created_at, expires_at, last_seen_at, confirmed_at, user_agent, address,
                       is_by_link
                   FROM sessions WHERE account_id = $1 AND expires_at > $2 AND last_seen_at > $3
                   ORDER BY created_at DESC, id";
        let values = vec![account.as_str().into(), now.into(), idle_since(now).into()];
        self.db.read(sql, values).await?.iter().map(session).collect()
    }

    /// Ends a session; returns `false` if the account has none with this id.
    pub async fn delete(self, account: &AccountId, id: &SessionId) -> Result<bool, Error> {
        let sql = "DELETE FROM sessions WHERE id = $1 AND account_id = $2";
        Ok(self.db.write(sql, vec![id.as_str().into(), account.as_str().into()]).await? == 1)
    }

    /// Ends all sessions of an account but one and voids its sign-in links and challenges; returns how many sessions ended.
    pub async fn delete_others(self, account: &AccountId, kept: &SessionId) -> Result<u64, Error> {
        let mut tx = self.db.begin().await?;
        void_pending(&mut tx, account).await?;
        let sql = "DELETE FROM sessions WHERE account_id = $1 AND id <> $2";
        let ended = tx.execute(sql, vec![account.as_str().into(), kept.as_str().into()]).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Ends all sessions of an account and voids its sign-in links and challenges; returns how many sessions there were.
    pub async fn delete_all(self, account: &AccountId) -> Result<u64, Error> {
        let mut tx = self.db.begin().await?;
        void_pending(&mut tx, account).await?;
        let ended = tx.execute("DELETE FROM sessions WHERE account_id = $1", vec![account.as_str().into()]).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Deletes links, challenges and sessions that have expired, and sessions that were idle for too long; returns how many.
    pub async fn prune(self, now: Timestamp) -> Result<u64, Error> {
        let mut tx = self.db.begin().await?;
        let links = tx.execute("DELETE FROM sign_in_links WHERE expires_at <= $1", vec![now.into()]).await?;
        let challenges = tx.execute("DELETE FROM sign_in_challenges WHERE expires_at <= $1", vec![now.into()]).await?;
        let sql = "DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2";
        let sessions = tx.execute(sql, vec![now.into(), idle_since(now).into()]).await?;
        tx.commit().await?;
        Ok(links + challenges + sessions)
    }
}

/// Returns the time of which the last use of a session must be later.
fn idle_since(now: Timestamp) -> Timestamp {
    now.saturating_sub(MAX_IDLE).unwrap_or(Timestamp::MIN)
}

/// Voids the ways into an account that are not sessions yet.
async fn void_pending(tx: &mut Tx, account: &AccountId) -> Result<(), Error> {
    tx.execute("DELETE FROM sign_in_links WHERE account_id = $1", vec![account.as_str().into()]).await?;
    tx.execute("DELETE FROM sign_in_challenges WHERE account_id = $1", vec![account.as_str().into()]).await?;
    Ok(())
}

fn session(row: &Row) -> Result<Session, Error> {
    Ok(Session {
        id: row.parsed("id", SessionId::parse)?,
        account_id: row.account_id("account_id")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_seen_at: row.time("last_seen_at")?,
        confirmed_at: row.time("confirmed_at")?,
        user_agent: row.opt_text("user_agent")?,
        address: row.opt_text("address")?,
        is_by_link: row.int("is_by_link")? != 0,
    })
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}
