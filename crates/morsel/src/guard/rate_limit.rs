//! The rate limit of an account, and the headers that report it.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use store::limits::Decision;
use store::{Account, Mode};

use super::caller::Caller;
use crate::app::App;
use crate::error::ApiError;

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// Headers that a response to a valid key gets here and from [`observe`](crate::observe).
const HEADERS_ADDED: usize = 12;

/// Counts a request that comes without a key, or refuses it.
pub async fn count_request(app: &App, account: &Account, mode: Mode) -> Result<(), ApiError> {
    let now = app.now();
    check(&take(app, account, mode, now).await, now)
}

/// The inputs of a batch, each counted like a request; in the extensions of its response.
#[derive(Clone, Debug)]
pub struct CountedInputs {
    inputs: usize,
    /// How many of them the limit permits.
    permitted: usize,
    /// The limit after the last one; `None` if the request itself was the only one.
    last: Option<Decision>,
}

impl CountedInputs {
    /// Counts the inputs of a request, of which the request itself has paid for the first.
    pub async fn take(app: &App, caller: &Caller, inputs: usize) -> Self {
        let further = u32::try_from(inputs.saturating_sub(1)).unwrap_or(u32::MAX);
        if further == 0 {
            return Self { inputs, permitted: 1, last: None };
        }
        let (account, limit) = (&caller.account, app.limits.of(caller.account.plan).requests_per_minute);
        let (granted, decision) =
            app.windows.take_several(&account.id, caller.key.mode, limit, further, app.now()).await;
        Self { inputs, permitted: 1 + granted as usize, last: Some(decision) }
    }

    /// Returns why an input is refused, if the limit does not suffice for it; `after` is how many inputs follow it.
    pub fn refusal(&self, after: usize, now: Timestamp) -> Option<ApiError> {
        let is_permitted = self.inputs.saturating_sub(after) <= self.permitted;
        self.last.as_ref().filter(|_| !is_permitted).and_then(|decision| check(decision, now).err())
    }

    /// Returns how many inputs were counted.
    pub fn requests(&self) -> u64 {
        self.permitted as u64
    }

    /// Returns the limit after the last input, if there was more than one.
    pub(super) fn last(self) -> Option<Decision> {
        self.last
    }
}

/// Counts a request of an account.
pub(super) async fn take(app: &App, account: &Account, mode: Mode, now: Timestamp) -> Decision {
    app.windows.take(&account.id, mode, app.limits.of(account.plan).requests_per_minute, now).await
}

/// Refuses a request that exceeds the limit.
pub(super) fn check(taken: &Decision, now: Timestamp) -> Result<(), ApiError> {
    if taken.allowed {
        return Ok(());
    }
    let seconds = taken.seconds_until_reset(now);
    let message = format!("Rate limit exceeded: {} requests per minute. Try again in {seconds} s.", taken.limit);
    Err(ApiError::too_many("rate_limit_exceeded", message, seconds))
}

/// Writes the limit and what is left of it.
pub(super) fn write_headers(headers: &mut HeaderMap, taken: &Decision, now: Timestamp) {
    headers.reserve(HEADERS_ADDED);
    headers.insert(X_RATELIMIT_LIMIT, HeaderValue::from(taken.limit));
    headers.insert(X_RATELIMIT_REMAINING, HeaderValue::from(taken.remaining));
    headers.insert(X_RATELIMIT_RESET, HeaderValue::from(taken.reset));
    let policy = ["\"minute\";q=", &taken.limit.to_string(), ";w=60"].concat();
    let seconds = taken.seconds_until_reset(now).to_string();
    let state = ["\"minute\";r=", &taken.remaining.to_string(), ";t=", &seconds].concat();
    for (name, text) in [(RATELIMIT_POLICY, policy), (RATELIMIT, state)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
}
