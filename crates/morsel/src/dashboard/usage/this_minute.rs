//! The rate limit of an account, and what the current minute has used of it.

use jiff::Timestamp;
use store::{Account, Mode};

use crate::app::App;

/// The current minute of an account.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThisMinute {
    /// Requests that the plan allows, for each mode.
    pub limit: u32,
    /// Requests so far by mode.
    pub used: [(&'static str, u32); 2],
}

impl ThisMinute {
    /// Returns the current minute.
    pub async fn of(app: &App, account: &Account, now: Timestamp) -> Self {
        let used = async |mode: Mode| (mode.name(), app.windows.used(&account.id, mode, now).await);
        let limit = app.limits.of(account.plan).requests_per_minute;
        Self { limit, used: [used(Mode::Live).await, used(Mode::Test).await] }
    }

    /// Returns the requests with live keys so far.
    pub fn live(&self) -> u32 {
        self.used[0].1
    }

    /// Returns the requests with test keys so far.
    pub fn test(&self) -> u32 {
        self.used[1].1
    }

    /// Returns the number of requests above which a meter is yellow.
    pub fn many(&self) -> u32 {
        self.limit - self.limit / 5
    }

    /// Returns the number of requests above which a meter is red: when the next one is refused.
    pub fn nearly_all(&self) -> u32 {
        self.limit.saturating_sub(1)
    }
}
