//! The middleware around everything that needs a key, in whatever [`Dialect`]. Before the handler it checks the key (401), the rate limit (429), the
//! permission (403) and whether there is room for the work (503), in this order; after it, it writes the headers that every response to a valid key has.

mod admission;
mod caller;
mod idempotency;
pub mod keyless;
mod paced_body;
mod rate_limit;

use std::borrow::Cow;
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use store::{Account, AccountId, AuditEvent, AuditKind, KeyState, KeyText, Mode};

use crate::account_cache::KeyAndAccount;
use crate::app::App;
use crate::dialect::Dialect;
use crate::error::ApiError;
use crate::request::ClientAddress;
use crate::request_body;
use crate::request_log::LoggedCaller;
use crate::request_log::body_copy::BodyCopy;
use crate::routes::{self, Route, Work};

pub use caller::Caller;
pub use idempotency::IdempotencyClaim;
pub use rate_limit::{CountedInputs, count_request};

const X_MODE: HeaderName = HeaderName::from_static("x-mode");

/// Passes on requests that are allowed, and everything outside the API.
pub async fn guard(app: Arc<App>, mut request: Request, next: Next) -> Response {
    let Some(dialect) = Dialect::of(request.uri().path()) else {
        return page(&app, request, next).await;
    };
    let now = app.now();
    let from = request.extensions().get::<ClientAddress>().map(|address| address.0);
    // A copy: a request that is borrowed across an await cannot change threads.
    let key = dialect.key_of(&request).map(Cow::into_owned);
    let caller = match key {
        Some(key) => identify(&app, &key, from, now).await,
        None => keyless::caller(&app, dialect, from, now).await.map_err(Refusal::from),
    };
    let caller = match caller {
        Ok(caller) => caller,
        Err(refusal) => return refusal.into_response(),
    };
    let taken = rate_limit::take(&app, &caller.account, caller.key.mode, now).await;
    request.extensions_mut().insert(caller.clone());
    let route = route_of(&request);
    let copy = copy_body(&app, &caller, route, &mut request);
    let allowed = rate_limit::check(&taken, now)
        .and_then(|()| check_permission(route, &caller, from))
        .and_then(|()| admission::check(&app, &caller, route, &request));
    let response = match allowed {
        Ok(()) => idempotency::respond(&app, &caller, request, next).await,
        Err(error) => {
            request_body::discard(request.into_body());
            error.into_response()
        }
    };
    let mut response = paced_body::pace(&app, &caller.account.id, response);
    let taken = response.extensions().get::<CountedInputs>().cloned().and_then(CountedInputs::last).unwrap_or(taken);
    rate_limit::write_headers(response.headers_mut(), &taken, now);
    if caller.key.mode == Mode::Test {
        response.headers_mut().insert(X_MODE, HeaderValue::from_static("test"));
    }
    if let Some(copy) = copy {
        response.extensions_mut().insert(copy);
    }
    response.extensions_mut().insert(caller);
    response
}

/// Copies the body of a request as it is read, if the log of the account keeps bodies; never that of a photo.
fn copy_body(app: &App, caller: &Caller, route: Option<&'static Route>, request: &mut Request) -> Option<BodyCopy> {
    let is_photo = route.is_some_and(|route| route.work == Some(Work::Photo));
    if !caller.account.keeps_bodies || !app.request_log.is_on() || is_photo {
        return None;
    }
    let copy = BodyCopy::default();
    let body = mem::take(request.body_mut());
    *request.body_mut() = copy.wrap(body, None);
    Some(copy)
}

/// A request without a caller: its key is wrong, or there is none.
struct Refusal {
    error: ApiError,
    /// The key, if it is one that no longer works: its account sees the request in its log.
    key: Option<Arc<KeyAndAccount>>,
}

impl<E: Into<ApiError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self { error: error.into(), key: None }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.error.into_response();
        if let Some(key) = self.key {
            response.extensions_mut().insert(LoggedCaller::Key(key));
        }
        response
    }
}

/// Pages that send requests to the API for a user: the playground, and the forms of the reference. They are logged.
const LOGGED_PAGES: [&str; 3] = ["/playground/estimate", "/playground/photo", "/docs/try/{*path}"];

/// The account that a page is for, once its session has been read.
#[derive(Clone, Debug, Default)]
pub struct PageAccount(Arc<OnceLock<Arc<Account>>>);

impl PageAccount {
    /// Remembers the account.
    pub fn set(&self, account: &Account) {
        // A request has one session.
        let _ = self.0.set(Arc::new(account.clone()));
    }
}

/// Passes on a request for a page. A large page counts as memory of its account until it is read, like responses of the API.
async fn page(app: &App, mut request: Request, next: Next) -> Response {
    let account = PageAccount::default();
    request.extensions_mut().insert(account.clone());
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_logged = app.request_log.is_on() && matched.is_some_and(|path| LOGGED_PAGES.contains(&path));
    // Whether the account keeps bodies is known only later.
    let copy = is_logged.then(|| {
        let copy = BodyCopy::default();
        let body = mem::take(request.body_mut());
        *request.body_mut() = copy.wrap(body, None);
        copy
    });
    let response = next.run(request).await;
    let Some(account) = account.0.get() else {
        // What strangers see is small.
        return response;
    };
    let mut response = paced_body::pace(app, &account.id, response);
    if let Some(copy) = copy {
        response.extensions_mut().insert(copy);
        response.extensions_mut().insert(LoggedCaller::Dashboard(Arc::clone(account)));
    }
    response
}

/// Returns the sender of a request, if the key is active. Wrong keys are counted by address, but an address that has sent
/// too many is refused only with further wrong ones: a valid key must not suffer from its neighbors.
pub async fn authenticate(app: &App, key: &str, from: Option<IpAddr>, now: Timestamp) -> Result<Caller, ApiError> {
    identify(app, key, from, now).await.map_err(|refusal| refusal.error)
}

async fn identify(app: &App, key: &str, from: Option<IpAddr>, now: Timestamp) -> Result<Caller, Refusal> {
    let failed = async |error: ApiError| match from {
        Some(from) => app.failures.add(from, now).await.map_or(error, too_many_failures),
        None => error,
    };
    let invalid = || {
        record_wrong_key(app, from, None, "invalid_key", now);
        unauthorized("invalid_key", "The API key is not valid. Check that it was copied completely.")
    };
    // A key with a wrong checksum needs no lookup.
    let Some(key) = KeyText::parse(key) else { return Err(failed(invalid()).await.into()) };
    let Some(found) = app.account_cache.key(&key).await? else { return Err(failed(invalid()).await.into()) };
    let error = match found.key.state(now) {
        KeyState::Active => return Ok(Caller(found)),
        KeyState::Revoked => unauthorized("revoked_key", "The API key was revoked. Use another one."),
        KeyState::Expired => unauthorized("expired_key", "The API key has expired. Use another one."),
    };
    record_wrong_key(app, from, Some(&found.account.id), error.code, now);
    let error = failed(error).await;
    // An address that is refused for its wrong keys cannot fill the log of an account with an old one.
    let key = Some(found).filter(|_| error.status == StatusCode::UNAUTHORIZED);
    Err(Refusal { error, key })
}

/// Records in the audit trail that somebody used a key that does not work.
fn record_wrong_key(app: &App, from: Option<IpAddr>, account: Option<&AccountId>, code: &str, now: Timestamp) {
    let event = AuditEvent::new(AuditKind::WrongKey, now).detail(code);
    let event = account.map_or(event.clone(), |account| event.of(account));
    if let Some(from) = from {
        app.trail.record_wrong_key(event, from);
    }
}

/// Returns the route of a request.
fn route_of(request: &Request) -> Option<&'static Route> {
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    matched.and_then(|path| routes::find(request.method(), path))
}

/// Checks that the account is enabled, and that the key may be used from this address and has the scope that the route
/// needs. This reads no data.
fn check_permission(route: Option<&'static Route>, caller: &Caller, from: Option<IpAddr>) -> Result<(), ApiError> {
    if caller.account.disabled_at.is_some() {
        let message = "The account of this API key is disabled. Ask the owner of the service.";
        return Err(ApiError::forbidden("account_disabled", message));
    }
    if let Some(networks) = &caller.networks
        && !from.is_some_and(|from| networks.contain(from))
    {
        let message = "This API key may not be used from your IP address. Add the address to the key in the dashboard.";
        return Err(ApiError::forbidden("address_not_allowed", message));
    }
    match route.and_then(|route| route.scope) {
        Some(scope) if !caller.key.scopes.contains(scope) => {
            let message =
                format!("This API key has no access to this resource: it lacks the scope “{}”.", scope.name());
            Err(ApiError::forbidden("insufficient_scope", message))
        }
        _ => Ok(()),
    }
}

fn too_many_failures(seconds: u32) -> ApiError {
    let message = format!("Too many requests with wrong API keys came from your address. Wait {seconds} s.");
    ApiError::too_many("too_many_failed_keys", message, seconds)
}

fn unauthorized(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, code, message)
}
