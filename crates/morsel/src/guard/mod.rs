//! Before anything under `/v1` is handled: key (401), rate limit (429), permission (403), in this order; after it: the
//! headers that every answer to a valid key carries.

pub mod address;
mod idempotency;

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
pub use idempotency::Kept;
use jiff::Timestamp;
use store::limits::Taken;
use store::{AccountId, KeyState, KeyText, Mode};

use crate::app::App;
use crate::error::ApiError;
use crate::mirror::Known;
use crate::observe::ClientAddress;
use crate::routes;

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const X_MODE: HeaderName = HeaderName::from_static("x-mode");
/// Headers that an answer to a valid key gets here and from [`observe`](crate::observe).
const HEADERS_OF_ALL: usize = 12;

/// Who is asking; in the extensions of every request and answer under `/v1` that has a valid key.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The key and its account.
    pub known: Arc<Known>,
}

impl Caller {
    /// The account.
    pub fn account(&self) -> &AccountId {
        &self.known.account.id
    }
}

/// Lets in who may come in, and everything that is not the API.
pub async fn guard(app: Arc<App>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path != "/v1" && !path.starts_with("/v1/") {
        return next.run(request).await;
    }
    let now = Timestamp::now();
    let from = request.extensions().get::<ClientAddress>().map(|address| address.0);
    // A copy: a request that is borrowed while something is waited for cannot change threads.
    let authorization = request.headers().get(header::AUTHORIZATION).cloned();
    let known = match authenticate(&app, authorization, from, now).await {
        Ok(known) => known,
        Err(error) => return error.into_response(),
    };
    let limit = app.config.limits.of(known.account.plan);
    let taken = app.windows.take(&known.account.id, known.key.mode, limit, now);
    let caller = Caller { known };
    request.extensions_mut().insert(caller.clone());
    let mut response = match permit(&request, &caller, &taken, now) {
        Ok(()) => idempotency::answer(&app, &caller, request, next).await,
        Err(error) => error.into_response(),
    };
    write_headers(response.headers_mut(), &taken, caller.known.key.mode, now);
    response.extensions_mut().insert(caller);
    response
}

/// The key of a request, if it is one that works.
async fn authenticate(
    app: &App,
    authorization: Option<HeaderValue>,
    from: Option<IpAddr>,
    now: Timestamp,
) -> Result<Arc<Known>, ApiError> {
    if let Some(seconds) = from.and_then(|from| app.failures.is_blocked(from, now)) {
        let message = format!("Too many requests with wrong API keys came from your address. Wait {seconds} s.");
        return Err(too_many("too_many_failed_keys", message, seconds));
    }
    let failed = |error: ApiError| {
        if let Some(from) = from {
            app.failures.failed(from, now);
        }
        error
    };
    let invalid = || unauthorized("invalid_key", "The API key is not valid. Check that it was copied as a whole.");
    // A wrong checksum needs no look into the store.
    let text = bearer(authorization.as_ref()).map_err(failed)?;
    let key = KeyText::parse(text).ok_or_else(invalid).map_err(failed)?;
    let known = app.mirror.key(&key).await?.ok_or_else(invalid).map_err(failed)?;
    match known.key.state(now) {
        KeyState::Active => Ok(known),
        KeyState::Revoked => Err(failed(unauthorized("revoked_key", "The API key was revoked. Use another one."))),
        KeyState::Expired => Err(failed(unauthorized("expired_key", "The API key has expired. Use another one."))),
    }
}

/// The text after `Bearer`.
fn bearer(authorization: Option<&HeaderValue>) -> Result<&str, ApiError> {
    let missing = || {
        let message = "An API key is needed. Send it in the header “Authorization: Bearer svc_live_…”.";
        unauthorized("missing_key", message)
    };
    let text = authorization.ok_or_else(missing)?.to_str().unwrap_or_default().trim();
    let (scheme, key) = text.split_once(' ').unwrap_or((text, ""));
    if scheme.eq_ignore_ascii_case("bearer") && !key.trim().is_empty() {
        return Ok(key.trim());
    }
    Err(missing())
}

/// Whether the request is within the limit and the key allows what it asks for. Neither depends on any data.
fn permit(request: &Request, caller: &Caller, taken: &Taken, now: Timestamp) -> Result<(), ApiError> {
    if !taken.allowed {
        let seconds = seconds_until(taken.reset, now);
        let message = format!("Rate limit exceeded: {} requests a minute. Try again in {seconds} s.", taken.limit);
        return Err(too_many("rate_limit_exceeded", message, seconds));
    }
    if caller.known.account.disabled_at.is_some() {
        let message = "The account of this API key is disabled. Ask whoever runs the service.";
        return Err(ApiError::forbidden("account_disabled", message));
    }
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let scope = matched.and_then(|path| routes::find(request.method(), path)).and_then(|route| route.scope);
    match scope {
        Some(scope) if !caller.known.key.scopes.contains(scope) => {
            let message =
                format!("This API key has no access to this resource: it lacks the scope “{}”.", scope.name());
            Err(ApiError::forbidden("insufficient_scope", message))
        }
        _ => Ok(()),
    }
}

fn write_headers(headers: &mut HeaderMap, taken: &Taken, mode: Mode, now: Timestamp) {
    headers.reserve(HEADERS_OF_ALL);
    headers.insert(X_RATELIMIT_LIMIT, HeaderValue::from(taken.limit));
    headers.insert(X_RATELIMIT_REMAINING, HeaderValue::from(taken.remaining));
    headers.insert(X_RATELIMIT_RESET, HeaderValue::from(taken.reset));
    let policy = ["\"minute\";q=", &taken.limit.to_string(), ";w=60"].concat();
    let seconds = seconds_until(taken.reset, now).to_string();
    let state = ["\"minute\";r=", &taken.remaining.to_string(), ";t=", &seconds].concat();
    for (name, text) in [(RATELIMIT_POLICY, policy), (RATELIMIT, state)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
    if mode == Mode::Test {
        headers.insert(X_MODE, HeaderValue::from_static("test"));
    }
}

fn seconds_until(reset: i64, now: Timestamp) -> u32 {
    u32::try_from(reset - now.as_second()).unwrap_or(0).max(1)
}

fn unauthorized(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, code, message)
}

fn too_many(code: &'static str, message: String, seconds: u32) -> ApiError {
    ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, message) }
}
