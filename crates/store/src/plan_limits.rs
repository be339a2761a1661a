//! Limits of plans that an owner set in the dashboard. Plans without a row have those of the server's settings.

use crate::accounts::Plan;
use crate::db::{Db, Row};
use crate::error::Error;
use crate::store::Store;

/// The limits of a plan, as an owner set them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredLimits {
    /// The plan.
    pub plan: Plan,
    /// Requests of an account in a minute.
    pub requests_per_minute: u32,
    /// Requests in the log of an account.
    pub log_requests: u32,
    /// Days for which the log keeps a request.
    pub log_days: u32,
}

/// The limits in a store.
#[derive(Debug, Clone, Copy)]
pub struct PlanLimitRows<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the limits of plans.
    pub fn plan_limits(&self) -> PlanLimitRows<'_> {
        PlanLimitRows { db: &self.db }
    }
}

impl PlanLimitRows<'_> {
    /// Returns the limits that were set.
    pub async fn list(self) -> Result<Vec<StoredLimits>, Error> {
        let sql = "SELECT plan, requests_per_minute, log_requests, log_days FROM plan_limits ORDER BY plan";
        self.db.read(sql, vec![]).await?.iter().map(limits).collect()
    }

    /// Sets the limits of a plan.
    pub async fn set(self, limits: StoredLimits) -> Result<(), Error> {
        let sql = "INSERT INTO plan_limits (plan, requests_per_minute, log_requests, log_days) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (plan) DO UPDATE SET requests_per_minute = excluded.requests_per_minute,
                       log_requests = excluded.log_requests, log_days = excluded.log_days";
        let values = vec![
            limits.plan.name().into(),
            u64::from(limits.requests_per_minute).into(),
            u64::from(limits.log_requests).into(),
            u64::from(limits.log_days).into(),
        ];
        self.db.write(sql, values).await.map(drop)
    }

    /// Returns a plan to the limits of the server's settings; returns `false` if it had them already.
    pub async fn reset(self, plan: Plan) -> Result<bool, Error> {
        Ok(self.db.write("DELETE FROM plan_limits WHERE plan = $1", vec![plan.name().into()]).await? > 0)
    }
}

fn limits(row: &Row) -> Result<StoredLimits, Error> {
    let number = |column: &str| {
        let value = row.int(column)?;
        u32::try_from(value).map_err(|_| Error::Corrupt(format!("{column} is {value}")))
    };
    Ok(StoredLimits {
        plan: row.parsed("plan", |name| name.parse().ok())?,
        requests_per_minute: number("requests_per_minute")?,
        log_requests: number("log_requests")?,
        log_days: number("log_days")?,
    })
}
