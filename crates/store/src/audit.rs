//! The audit trail: who signed in, who failed to, and who changed keys, plans and accounts.
//!
//! An event has an account, an address and a few words of detail, but never a secret and nothing that a visitor typed: a
//! password often lands in the wrong field. Events outlive their accounts, and are bounded in age and in number, for each
//! account and in total, so that nobody can push the events of others out by causing many of their own.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};

use crate::audit_kind::AuditKind;
use crate::db::{Db, Row, Value};
use crate::directory::pattern;
use crate::error::Error;
use crate::id::AccountId;
use crate::store::Store;

/// How long events are stored.
pub const AUDIT_DAYS: i64 = 365;
/// Events that are stored, at most.
const MAX_EVENTS: i64 = 100_000;
/// Events of one account, at most; failed attempts and the rest are counted separately.
const MAX_OF_ACCOUNT: i64 = 2_000;
/// Events without an account, at most.
const MAX_OF_NOBODY: i64 = 20_000;
/// Longer details are cut.
const MAX_DETAIL: usize = 200;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: AuditKind,
    /// The account it happened to, if there is one.
    pub account: Option<AccountId>,
    /// The account that did it, if it is another one.
    pub actor: Option<AccountId>,
    /// The address that it came from; `None` for the command line.
    pub address: Option<String>,
    /// A few words: the id of a key, the new plan.
    pub detail: Option<String>,
}

/// A stored event, with what the accounts are called now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The event.
    pub event: AuditEvent,
    /// The email address of the account, unless it has been deleted.
    pub email: Option<String>,
    /// The email address of the account that did it, unless it has been deleted.
    pub actor_email: Option<String>,
}

/// Which events to list. An empty filter matches all.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only events of this kind.
    pub kind: Option<AuditKind>,
    /// The id of an account, or a part of its email address.
    pub account: String,
    /// A part of the address that they came from.
    pub address: String,
    /// Only what owners did to other accounts and to plans.
    pub by_owners: bool,
}

/// A page of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// The events of this page, the newest first.
    pub entries: Vec<AuditEntry>,
    /// The number of events on all pages.
    pub total: u64,
}

/// The audit trail of a store.
#[derive(Debug, Clone, Copy)]
pub struct Audit<'a> {
    db: &'a Db,
}

impl AuditEvent {
    /// Describes an event of no particular account.
    pub fn new(kind: AuditKind, at: Timestamp) -> Self {
        Self { at, kind, account: None, actor: None, address: None, detail: None }
    }

    /// Names the account that it happened to.
    #[must_use]
    pub fn of(self, account: &AccountId) -> Self {
        Self { account: Some(account.clone()), ..self }
    }

    /// Names the account that did it.
    #[must_use]
    pub fn by(self, actor: &AccountId) -> Self {
        Self { actor: Some(actor.clone()), ..self }
    }

    /// Names the address that it came from.
    #[must_use]
    pub fn from(self, address: IpAddr) -> Self {
        Self { address: Some(address.to_canonical().to_string()), ..self }
    }

    /// Adds a few words, never a secret and nothing that a visitor typed.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into().chars().take(MAX_DETAIL).collect()), ..self }
    }
}

impl Store {
    /// Returns the audit trail.
    pub fn audit(&self) -> Audit<'_> {
        Audit { db: &self.db }
    }
}

impl Audit<'_> {
    /// Stores events, all or none.
    pub async fn append(self, events: &[AuditEvent]) -> Result<(), Error> {
        let sql = "INSERT INTO audit_events (at, kind, is_failure, account_id, actor_id, address, detail)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let mut tx = self.db.begin().await?;
        for event in events {
            let values = vec![
                event.at.into(),
                event.kind.name().into(),
                event.kind.is_failure().into(),
                event.account.as_ref().map(AccountId::as_str).into(),
                event.actor.as_ref().map(AccountId::as_str).into(),
                event.address.as_deref().into(),
                event.detail.as_deref().into(),
            ];
            tx.execute(sql, values).await?;
        }
        tx.commit().await
    }

    /// Returns the events that a filter matches: `limit` of them after the first `skipped`.
    pub async fn list(self, filter: &AuditFilter, skipped: u64, limit: u64) -> Result<AuditPage, Error> {
        /// The rows that match, for both queries.
        macro_rules! matching {
            () => {
                "FROM audit_events AS event
                 LEFT JOIN accounts AS account ON account.id = event.account_id
                 LEFT JOIN accounts AS actor ON actor.id = event.actor_id
                 WHERE ($1 = '' OR event.kind = $1)
                     AND ($2 = '' OR event.account_id = $2 OR account.email LIKE $3 ESCAPE '\\')
                     AND ($4 = '' OR event.address LIKE $5 ESCAPE '\\')
                     AND ($6 = 0 OR event.actor_id IS NOT NULL)"
            };
        }
        let (account, address) = (filter.account.trim(), filter.address.trim());
        let values = || -> Vec<Value> {
            let kind = filter.kind.map_or("", AuditKind::name);
            let patterns = (pattern(account), pattern(address));
            vec![
                kind.into(),
                account.into(),
                patterns.0.as_str().into(),
                address.into(),
                patterns.1.as_str().into(),
                filter.by_owners.into(),
            ]
        };
        let total = self.db.read_one(concat!("SELECT COUNT(*) AS n ", matching!()), values()).await?;
        let total = total.map_or(Ok(0), |row| row.unsigned("n"))?;
        let sql = concat!(
            "SELECT event.at, event.kind, event.account_id, event.actor_id, event.address, event.detail,
                 account.email AS email, actor.email AS actor_email ",
            matching!(),
            " ORDER BY event.at DESC, event.seq DESC LIMIT $7 OFFSET $8"
        );
        let mut values = values();
        values.extend([limit.into(), skipped.into()]);
        let rows = self.db.read(sql, values).await?;
        Ok(AuditPage { entries: rows.iter().map(entry).collect::<Result<_, _>>()?, total })
    }

    /// Returns the newest events of an account.
    pub async fn of_account(self, account: &AccountId, limit: u64) -> Result<Vec<AuditEntry>, Error> {
        let filter = AuditFilter { account: account.to_string(), ..AuditFilter::default() };
        Ok(self.list(&filter, 0, limit).await?.entries)
    }

    /// Deletes events that are too old or too many; returns how many.
    pub async fn prune(self, now: Timestamp) -> Result<u64, Error> {
        let oldest = now.saturating_sub(SignedDuration::from_hours(24 * AUDIT_DAYS)).unwrap_or(Timestamp::MIN);
        let mut tx = self.db.begin().await?;
        let old = tx.execute("DELETE FROM audit_events WHERE at < $1", vec![oldest.into()]).await?;
        let many_of_one = "DELETE FROM audit_events WHERE seq IN (
                SELECT seq FROM (
                    SELECT seq, account_id, ROW_NUMBER() OVER
                        (PARTITION BY account_id, is_failure ORDER BY seq DESC) AS position
                    FROM audit_events
                ) AS ranked
                WHERE position > CASE WHEN account_id IS NULL THEN $1 ELSE $2 END)";
        let many_of_one = tx.execute(many_of_one, vec![MAX_OF_NOBODY.into(), MAX_OF_ACCOUNT.into()]).await?;
        let many = "DELETE FROM audit_events
                    WHERE seq <= (SELECT seq FROM audit_events ORDER BY seq DESC LIMIT 1 OFFSET $1)";
        let many = tx.execute(many, vec![MAX_EVENTS.into()]).await?;
        tx.commit().await?;
        Ok(old + many_of_one + many)
    }
}

fn entry(row: &Row) -> Result<AuditEntry, Error> {
    let id =
        |column| -> Result<Option<AccountId>, Error> { Ok(row.opt_text(column)?.and_then(|id| AccountId::parse(&id))) };
    Ok(AuditEntry {
        event: AuditEvent {
            at: row.time("at")?,
            kind: row.parsed("kind", |name| name.parse().ok())?,
            account: id("account_id")?,
            actor: id("actor_id")?,
            address: row.opt_text("address")?,
            detail: row.opt_text("detail")?,
        },
        email: row.opt_text("email")?,
        actor_email: row.opt_text("actor_email")?,
    })
}
