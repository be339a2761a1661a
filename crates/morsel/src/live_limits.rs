//! The limits of plans as they are now: those of the settings, unless an owner changed them in the dashboard.
//!
//! Changes are in the database. The server where an owner makes one follows it at once, others within seconds.

use std::sync::{PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use store::{LogBounds, Plan, Store, StoredLimits};

use crate::config::PlanLimits;

/// Requests in the log and days for which they are kept, unless an owner changed them: free, starter, pro, scale.
const LOG_REQUESTS: [u32; 4] = [1_000, 2_000, 5_000, 10_000];
const LOG_DAYS: [u32; 4] = [7, 14, 30, 30];

/// What an account on a plan may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectiveLimits {
    /// Requests in a minute.
    pub requests_per_minute: u32,
    /// Requests in the log.
    pub log_requests: u32,
    /// Days for which the log keeps a request.
    pub log_days: u32,
    /// Whether an owner changed them.
    pub is_edited: bool,
}

/// The limits of all plans.
#[derive(Debug)]
pub struct LiveLimits {
    configured: [EffectiveLimits; 4],
    current: RwLock<[EffectiveLimits; 4]>,
}

impl EffectiveLimits {
    /// Returns the bounds of an account's log at a time.
    pub fn log_bounds(&self, now: Timestamp) -> LogBounds {
        let age = SignedDuration::from_hours(24 * i64::from(self.log_days));
        LogBounds { requests: u64::from(self.log_requests), oldest: now.saturating_sub(age).unwrap_or(Timestamp::MIN) }
    }
}

impl LiveLimits {
    /// Creates the limits of the settings.
    pub fn new(limits: PlanLimits) -> Self {
        let configured = Plan::ALL.map(|plan| EffectiveLimits {
            requests_per_minute: limits.of(plan),
            log_requests: LOG_REQUESTS[plan as usize],
            log_days: LOG_DAYS[plan as usize],
            is_edited: false,
        });
        Self { configured, current: RwLock::new(configured) }
    }

    /// Returns the limits of a plan.
    pub fn of(&self, plan: Plan) -> EffectiveLimits {
        self.current.read().unwrap_or_else(PoisonError::into_inner)[plan as usize]
    }

    /// Returns the limits of a plan in the settings.
    pub fn configured(&self, plan: Plan) -> EffectiveLimits {
        self.configured[plan as usize]
    }

    /// Reads what owners changed.
    pub async fn refresh(&self, store: &Store) -> Result<(), store::Error> {
        let mut limits = self.configured;
        for StoredLimits { plan, requests_per_minute, log_requests, log_days } in store.plan_limits().list().await? {
            limits[plan as usize] = EffectiveLimits { requests_per_minute, log_requests, log_days, is_edited: true };
        }
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = limits;
        Ok(())
    }
}
