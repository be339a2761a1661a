//! The request log: the last requests of each account, bounded in number, days and bytes.
//!
//! A row of the table is a block of many requests, as lines of JSON. A second of traffic of an account is one insert, or an
//! addition to its newest block while that is small; so the log costs little however many requests there are, and a block is
//! small enough to be rewritten. Blocks are numbered in the order in which they were written.

mod logged;

use std::collections::HashMap;

use jiff::Timestamp;

use crate::accounts::Plan;
use crate::db::{Db, Row, Tx, Value};
use crate::error::Error;
use crate::id::AccountId;
use crate::store::Store;

use logged::{BodiesLine, add_line, lines};

pub use logged::{KeptBodies, LogLine, LoggedRequest, RequestBrief};

/// A block grows by further requests while it has fewer bytes than this.
const GROWING_BYTES: u64 = 4 * 1_024;
/// Requests that are written into one block, at most.
const MAX_BLOCK_REQUESTS: usize = 128;
/// Bytes of the log of an account, at most: only bodies take so many.
const MAX_BYTES: u64 = 32 << 20;

/// A request to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The request.
    pub request: LoggedRequest,
    /// What was sent and returned, if the account keeps it.
    pub bodies: Option<KeptBodies>,
}

/// How much of a log is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogBounds {
    /// Requests of an account. Whole blocks are deleted, so that a few more may be stored.
    pub requests: u64,
    /// Older ones are deleted.
    pub oldest: Timestamp,
}

/// A place in the log of an account, for reading what was added since.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogCursor {
    /// The number of the newest block that was read.
    seq: i64,
    /// How many of its requests were read.
    requests: usize,
}

/// Requests that are stored together. They are decoded as they are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogBlock {
    /// Its number.
    pub seq: i64,
    content: String,
}

/// Where to begin reading a log, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStart {
    /// The number of the newest block that is not read.
    pub before: i64,
    /// Requests in the blocks that are not read.
    pub skipped: u64,
    /// Requests in all blocks.
    pub total: u64,
}

impl LogBlock {
    /// Returns the requests, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = Result<LogLine<'_>, Error>> {
        self.content.lines().rev().map(LogLine::read)
    }

    /// Decodes all requests, oldest first.
    fn requests(&self) -> Result<Vec<LoggedRequest>, Error> {
        lines(&self.content)
    }
}

/// The request log of a store.
#[derive(Debug, Clone, Copy)]
pub struct RequestLog<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the request log.
    pub fn request_log(&self) -> RequestLog<'_> {
        RequestLog { db: &self.db }
    }
}

impl RequestLog<'_> {
    /// Stores requests by account, oldest first, all or none. Those of accounts that no longer exist are dropped.
    pub async fn append(self, logs: &[(AccountId, Vec<LogEntry>)]) -> Result<(), Error> {
        // Always in the same order, so that two servers that write to the same blocks cannot deadlock.
        let mut logs: Vec<_> = logs.iter().collect();
        logs.sort_unstable_by_key(|(account, _)| account);
        let mut tx = self.db.begin().await?;
        for (account, entries) in logs {
            for (n, chunk) in entries.chunks(MAX_BLOCK_REQUESTS).enumerate() {
                let block = NewBlock::new(chunk)?;
                if n > 0 || !block.join(&mut tx, account).await? {
                    block.insert(&mut tx, account).await?;
                }
            }
        }
        tx.commit().await
    }

    /// Returns blocks of an account that have requests between two times, the newest first: at most `limit` of those before
    /// the block with this number.
    pub async fn blocks(
        self,
        account: &AccountId,
        before: i64,
        from: Timestamp,
        to: Timestamp,
        limit: u64,
    ) -> Result<Vec<LogBlock>, Error> {
        let sql = "SELECT seq, content FROM request_log
                   WHERE account_id = $1 AND seq < $2 AND last_at >= $3 AND first_at <= $4 ORDER BY seq DESC LIMIT $5";
        let values = vec![account.as_str().into(), before.into(), from.into(), to.into(), limit.into()];
        self.db.read(sql, values).await?.iter().map(block).collect()
    }

    /// Returns where to begin in order to skip requests of an account, without reading any: the start of the last block that
    /// begins no later.
    pub async fn skip(self, account: &AccountId, requests: u64) -> Result<LogStart, Error> {
        let sql = "SELECT seq, requests FROM request_log WHERE account_id = $1 ORDER BY seq DESC";
        let mut start = LogStart { before: i64::MAX, skipped: 0, total: 0 };
        for row in self.db.read(sql, vec![account.as_str().into()]).await? {
            start.total += row.unsigned("requests")?;
            if start.total <= requests {
                (start.before, start.skipped) = (row.int("seq")?, start.total);
            }
        }
        Ok(start)
    }

    /// Returns the newest request of an account with this id, with its bodies.
    pub async fn find(self, account: &AccountId, id: &str) -> Result<Option<(LoggedRequest, KeptBodies)>, Error> {
        // Only ids as the service accepts them; they need no escaping but for `_`.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if id.is_empty() || !id.chars().all(is_plain) {
            return Ok(None);
        }
        let pattern = format!("%\"i\":\"{}\"%", id.replace('_', "\\_"));
        let sql = "SELECT seq, content, bodies FROM request_log
                   WHERE account_id = $1 AND content LIKE $2 ESCAPE '\\' ORDER BY seq DESC";
        for row in self.db.read(sql, vec![account.as_str().into(), pattern.as_str().into()]).await? {
            let Some(found) = block(&row)?.requests()?.into_iter().rev().find(|request| request.id == id) else {
                continue;
            };
            let bodies: Vec<BodiesLine> = lines(&row.text("bodies")?)?;
            let bodies = bodies.into_iter().rev().find(|line| line.id == id).map(|line| line.bodies);
            return Ok(Some((found, bodies.unwrap_or_default())));
        }
        Ok(None)
    }

    /// Returns the whole log of an account with the bodies, newest first.
    pub async fn export(self, account: &AccountId) -> Result<Vec<LogEntry>, Error> {
        let sql = "SELECT seq, content, bodies FROM request_log WHERE account_id = $1 ORDER BY seq DESC";
        let mut entries = Vec::new();
        for row in self.db.read(sql, vec![account.as_str().into()]).await? {
            let lines: Vec<BodiesLine> = lines(&row.text("bodies")?)?;
            let mut bodies: HashMap<String, KeptBodies> =
                lines.into_iter().map(|line| (line.id, line.bodies)).collect();
            let requests = block(&row)?.requests()?.into_iter().rev();
            entries.extend(requests.map(|request| LogEntry { bodies: bodies.remove(&request.id), request }));
        }
        Ok(entries)
    }

    /// Returns the place after the newest request of an account.
    pub async fn end(self, account: &AccountId) -> Result<LogCursor, Error> {
        let sql = "SELECT seq, requests FROM request_log WHERE account_id = $1 ORDER BY seq DESC LIMIT 1";
        let row = self.db.read_one(sql, vec![account.as_str().into()]).await?;
        let Some(row) = row else { return Ok(LogCursor::default()) };
        Ok(LogCursor { seq: row.int("seq")?, requests: usize::try_from(row.unsigned("requests")?).unwrap_or(0) })
    }

    /// Returns what was added after a place, oldest first, and the place after it: at most `limit` blocks, the newest.
    pub async fn since(
        self,
        account: &AccountId,
        cursor: LogCursor,
        limit: u64,
    ) -> Result<(Vec<LoggedRequest>, LogCursor), Error> {
        let sql = "SELECT seq, content FROM request_log WHERE account_id = $1 AND seq >= $2 ORDER BY seq DESC LIMIT $3";
        let rows = self.db.read(sql, vec![account.as_str().into(), cursor.seq.into(), limit.into()]).await?;
        let (mut requests, mut end) = (Vec::new(), cursor);
        for row in rows.iter().rev() {
            let block = block(row)?;
            let (seq, all) = (block.seq, block.requests()?);
            end = LogCursor { seq, requests: all.len() };
            let known = if seq == cursor.seq { cursor.requests } else { 0 };
            requests.extend(all.into_iter().skip(known));
        }
        Ok((requests, end))
    }

    /// Counts the stored requests of an account.
    pub async fn count(self, account: &AccountId) -> Result<u64, Error> {
        let sql = "SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) AS n FROM request_log WHERE account_id = $1";
        let row = self.db.read_one(sql, vec![account.as_str().into()]).await?;
        row.map_or(Ok(0), |row| row.unsigned("n"))
    }

    /// Deletes what exceeds the bounds of an account; returns the number of blocks.
    pub async fn trim(self, account: &AccountId, bounds: LogBounds) -> Result<u64, Error> {
        let sql = "DELETE FROM request_log WHERE account_id = $1 AND (last_at < $2 OR seq IN (
                       SELECT seq FROM (
                           SELECT seq, SUM(requests) OVER (ORDER BY seq DESC) - requests AS newer,
                               SUM(bytes) OVER (ORDER BY seq DESC) - bytes AS newer_bytes
                           FROM request_log WHERE account_id = $1
                       ) AS ranked
                       WHERE newer >= $3 OR newer_bytes >= $4))";
        self.db.write(sql, bounds.values(account.as_str())).await
    }

    /// Deletes what exceeds the bounds of all accounts on a plan; returns the number of blocks.
    pub async fn prune(self, plan: Plan, bounds: LogBounds) -> Result<u64, Error> {
        let sql = "DELETE FROM request_log WHERE seq IN (
                       SELECT seq FROM (
                           SELECT seq, last_at, SUM(requests) OVER (PARTITION BY account_id ORDER BY seq DESC) - requests AS newer,
                               SUM(bytes) OVER (PARTITION BY account_id ORDER BY seq DESC) - bytes AS newer_bytes
                           FROM request_log WHERE account_id IN (SELECT id FROM accounts WHERE plan = $1)
                       ) AS ranked
                       WHERE last_at < $2 OR newer >= $3 OR newer_bytes >= $4)";
        self.db.write(sql, bounds.values(plan.name())).await
    }

    /// Deletes the log of an account.
    pub async fn clear(self, account: &AccountId) -> Result<(), Error> {
        self.db.write("DELETE FROM request_log WHERE account_id = $1", vec![account.as_str().into()]).await.map(drop)
    }

    /// Deletes the bodies in the log of an account.
    pub async fn clear_bodies(self, account: &AccountId) -> Result<(), Error> {
        let sql = "UPDATE request_log SET bodies = '', bytes = length(content) WHERE account_id = $1 AND bodies <> ''";
        self.db.write(sql, vec![account.as_str().into()]).await.map(drop)
    }
}

impl LogBounds {
    fn values(self, whose: &str) -> Vec<Value> {
        vec![whose.into(), self.oldest.into(), self.requests.max(1).into(), MAX_BYTES.into()]
    }
}

/// A block that is not yet stored.
struct NewBlock {
    first_at: Timestamp,
    last_at: Timestamp,
    requests: u64,
    content: String,
    bodies: String,
}

impl NewBlock {
    fn new(entries: &[LogEntry]) -> Result<Self, Error> {
        let times = || entries.iter().map(|entry| entry.request.at);
        let mut block = Self {
            first_at: times().min().unwrap_or_default(),
            last_at: times().max().unwrap_or_default(),
            requests: entries.len() as u64,
            content: String::with_capacity(entries.len() * 256),
            bodies: String::new(),
        };
        for LogEntry { request, bodies } in entries {
            add_line(&mut block.content, request)?;
            if let Some(bodies) = bodies {
                add_line(&mut block.bodies, &BodiesLine { id: request.id.clone(), bodies: bodies.clone() })?;
            }
        }
        Ok(block)
    }

    fn values(&self, account: &AccountId) -> Vec<Value> {
        vec![
            account.as_str().into(),
            self.first_at.into(),
            self.last_at.into(),
            self.requests.into(),
            ((self.content.len() + self.bodies.len()) as u64).into(),
            self.content.as_str().into(),
            self.bodies.as_str().into(),
        ]
    }

    /// Adds the requests to the newest block of the account; returns `false` if that is large enough.
    async fn join(&self, tx: &mut Tx, account: &AccountId) -> Result<bool, Error> {
        let sql = "UPDATE request_log
                   SET first_at = CASE WHEN first_at < $2 THEN first_at ELSE $2 END,
                       last_at = CASE WHEN last_at > $3 THEN last_at ELSE $3 END,
                       requests = requests + $4, bytes = bytes + $5, content = content || $6, bodies = bodies || $7
                   WHERE seq = (SELECT seq FROM request_log WHERE account_id = $1 ORDER BY seq DESC LIMIT 1) AND bytes < $8";
        let mut values = self.values(account);
        values.push(GROWING_BYTES.into());
        Ok(tx.execute(sql, values).await? > 0)
    }

    async fn insert(&self, tx: &mut Tx, account: &AccountId) -> Result<(), Error> {
        let sql = "INSERT INTO request_log (account_id, first_at, last_at, requests, bytes, content, bodies)
                   SELECT $1, $2, $3, $4, $5, $6, $7 WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $1)";
        tx.execute(sql, self.values(account)).await.map(drop)
    }
}

fn block(row: &Row) -> Result<LogBlock, Error> {
    Ok(LogBlock { seq: row.int("seq")?, content: row.text("content")? })
}
