//! Usage: how many requests, counted by day, key, route, status and latency. The server counts in memory and adds the sums
//! from time to time.

use jiff::civil::Date;

use crate::db::{Db, Row, Value};
use crate::error::Error;
use crate::id::{AccountId, KeyId};
use crate::key_text::Mode;
use crate::store::Store;

/// The number of requests that are alike in everything that is counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestCount {
    /// The day (UTC).
    pub day: Date,
    /// The account.
    pub account: AccountId,
    /// The key.
    pub key: KeyId,
    /// The route, as the router spells it.
    pub route: String,
    /// `2xx`, `3xx`, `4xx`, `429` or `5xx`.
    pub status: String,
    /// Live or test.
    pub mode: Mode,
    /// See [`crate::latency`].
    pub latency_bucket: u8,
    /// The number of requests.
    pub requests: u64,
}

/// The requests that a summary covers.
#[derive(Debug, Clone)]
pub struct UsageQuery<'a> {
    /// The account.
    pub account: &'a AccountId,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Only with this key.
    pub key: Option<&'a KeyId>,
    /// Only live or only test ones.
    pub mode: Option<Mode>,
}

/// The requests of a day with one key, by outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaySum {
    /// The day (UTC).
    pub day: Date,
    /// The key.
    pub key: KeyId,
    /// Live or test. A key has one mode for all its life.
    pub mode: Mode,
    /// Successful requests.
    pub ok: u64,
    /// Client errors, except those over the rate limit.
    pub client: u64,
    /// Requests over the rate limit.
    pub limited: u64,
    /// Server errors.
    pub server: u64,
}

/// The requests to a route with the same status and about the same latency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteSum {
    /// The route, as the router spells it.
    pub route: String,
    /// As in [`RequestCount`].
    pub status: String,
    /// See [`crate::latency`].
    pub latency_bucket: u8,
    /// The number of requests.
    pub requests: u64,
}

/// The usage of a store.
#[derive(Debug, Clone, Copy)]
pub struct Usage<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the usage.
    pub fn usage(&self) -> Usage<'_> {
        Usage { db: &self.db }
    }
}

/// Returns the class under which a status is counted; rate-limit responses are counted separately.
pub fn status_class(status: u16) -> &'static str {
    match status {
        429 => "429",
        400..500 => "4xx",
        500.. => "5xx",
        300..400 => "3xx",
        _ => "2xx",
    }
}

impl Usage<'_> {
    /// Adds to the stored counts, all or nothing. Counts of accounts that no longer exist are dropped.
    pub async fn add(self, counts: &[RequestCount]) -> Result<(), Error> {
        if counts.is_empty() {
            return Ok(());
        }
        // Always in the same order, so that two servers that add to the same rows cannot deadlock.
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_unstable_by_key(|count| {
            let RequestCount { day, account, key, route, status, mode, latency_bucket, .. } = count;
            (account, *day, key, route, status, *mode, *latency_bucket)
        });
        let sql = "INSERT INTO usage (account_id, day, key_id, route, status, mode, latency_bucket, requests)
                   SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $1)
                   ON CONFLICT (account_id, day, key_id, route, status, mode, latency_bucket)
                   DO UPDATE SET requests = usage.requests + excluded.requests";
        let mut tx = self.db.begin().await?;
        for count in counts {
            let values = vec![
                count.account.as_str().into(),
                count.day.to_string().as_str().into(),
                count.key.as_str().into(),
                count.route.as_str().into(),
                count.status.as_str().into(),
                count.mode.name().into(),
                i64::from(count.latency_bucket).into(),
                count.requests.into(),
            ];
            tx.execute(sql, values).await?;
        }
        tx.commit().await
    }

    /// Returns everything counted for an account from one day to another, inclusive.
    pub async fn daily(self, account: &AccountId, from: Date, to: Date) -> Result<Vec<RequestCount>, Error> {
        let sql = "SELECT account_id, day, key_id, route, status, mode, latency_bucket, requests
                   FROM usage WHERE account_id = $1 AND day >= $2 AND day <= $3
                   ORDER BY day, key_id, route, status, mode, latency_bucket";
        let values = vec![account.as_str().into(), from.to_string().as_str().into(), to.to_string().as_str().into()];
        self.db.read(sql, values).await?.iter().map(count).collect()
    }

    /// Sums requests by day and key, the oldest first: in the order of the primary key, so that nothing is sorted.
    pub async fn by_day(self, query: &UsageQuery<'_>) -> Result<Vec<DaySum>, Error> {
        let sql = "SELECT day, key_id, MIN(mode) AS mode, CAST(SUM(requests) AS BIGINT) AS requests,
                       CAST(COALESCE(SUM(requests) FILTER (WHERE status = '4xx'), 0) AS BIGINT) AS client,
                       CAST(COALESCE(SUM(requests) FILTER (WHERE status = '429'), 0) AS BIGINT) AS limited,
                       CAST(COALESCE(SUM(requests) FILTER (WHERE status = '5xx'), 0) AS BIGINT) AS server
                   FROM usage
                   WHERE account_id = $1 AND day >= $2 AND day <= $3
                       AND ($4 IS NULL OR key_id = $4) AND ($5 IS NULL OR mode = $5)
                   GROUP BY day, key_id ORDER BY day, key_id";
        let sum = |row: &Row| {
            let [requests, client, limited, server] =
                [row.unsigned("requests")?, row.unsigned("client")?, row.unsigned("limited")?, row.unsigned("server")?];
            Ok(DaySum {
                day: row.parsed("day", |day| day.parse().ok())?,
                key: row.parsed("key_id", KeyId::parse)?,
                mode: row.parsed("mode", |name| name.parse().ok())?,
                ok: requests.saturating_sub(client + limited + server),
                client,
                limited,
                server,
            })
        };
        self.db.read(sql, query.values()).await?.iter().map(sum).collect()
    }

    /// Sums requests by route.
    pub async fn by_route(self, query: &UsageQuery<'_>) -> Result<Vec<RouteSum>, Error> {
        let sql = "SELECT route, status, latency_bucket, CAST(SUM(requests) AS BIGINT) AS requests
                   FROM usage
                   WHERE account_id = $1 AND day >= $2 AND day <= $3
                       AND ($4 IS NULL OR key_id = $4) AND ($5 IS NULL OR mode = $5)
                   GROUP BY route, status, latency_bucket ORDER BY route, status, latency_bucket";
        let sum = |row: &Row| {
            let (route, status) = (row.text("route")?, row.text("status")?);
            Ok(RouteSum { route, status, latency_bucket: bucket(row)?, requests: row.unsigned("requests")? })
        };
        self.db.read(sql, query.values()).await?.iter().map(sum).collect()
    }

    /// Deletes counts before a day; returns how many rows.
    pub async fn prune(self, before: Date) -> Result<u64, Error> {
        self.db.write("DELETE FROM usage WHERE day < $1", vec![before.to_string().as_str().into()]).await
    }

    /// Sums the requests of each key on a day.
    pub async fn today_by_key(self, account: &AccountId, day: Date) -> Result<Vec<(KeyId, u64)>, Error> {
        let sql = "SELECT key_id, CAST(SUM(requests) AS BIGINT) AS requests
                   FROM usage WHERE account_id = $1 AND day = $2 GROUP BY key_id ORDER BY key_id";
        let rows = self.db.read(sql, vec![account.as_str().into(), day.to_string().as_str().into()]).await?;
        rows.iter().map(|row| Ok((row.parsed("key_id", KeyId::parse)?, row.unsigned("requests")?))).collect()
    }
}

impl UsageQuery<'_> {
    fn values(&self) -> Vec<Value> {
        vec![
            self.account.as_str().into(),
            self.from.to_string().as_str().into(),
            self.to.to_string().as_str().into(),
            self.key.map(KeyId::as_str).into(),
            self.mode.map(Mode::name).into(),
        ]
    }
}

fn bucket(row: &Row) -> Result<u8, Error> {
    let bucket = row.int("latency_bucket")?;
    u8::try_from(bucket).map_err(|_| Error::Corrupt(format!("the bucket {bucket}")))
}

fn count(row: &Row) -> Result<RequestCount, Error> {
    Ok(RequestCount {
        day: row.parsed("day", |day| day.parse().ok())?,
        account: row.account_id("account_id")?,
        key: row.parsed("key_id", KeyId::parse)?,
        route: row.text("route")?,
        status: row.text("status")?,
        mode: row.parsed("mode", |name| name.parse().ok())?,
        latency_bucket: bucket(row)?,
        requests: row.unsigned("requests")?,
    })
}
