//! The rate limit of an account, and the headers that report it.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use store::limits::Decision;
use store::{Account, Mode};

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
pub fn count_request(app: &App, account: &Account, mode: Mode) -> Result<(), ApiError> {
    let now = app.now();
    check(&take(app, account, mode, now), now)
}

/// Counts a request of an account.
pub(super) fn take(app: &App, account: &Account, mode: Mode, now: Timestamp) -> Decision {
    app.windows.take(&account.id, mode, app.config.limits.of(account.plan), now)
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
