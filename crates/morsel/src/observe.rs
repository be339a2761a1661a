//! The outermost middleware: it gives every request an id, logs and counts its outcome, turns a panic into an error, and an
//! error into a body.
//!
//! It does not use tower-http's layers for this: their request ids take whatever a client sends, however long; their catcher
//! of panics puts the body of every response into another box; and their timeout cannot carry an [`ApiError`].

use std::any::Any;
use std::mem;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;

use crate::app::App;
use crate::dialect::Dialect;
use crate::error::ApiError;
use crate::guard::{Caller, CountedInputs, guard};
use crate::request::{ClientAddress, PageRequest, RequestId, accepts_html};
use crate::request_log::body_copy::{self, BodyCopy};
use crate::request_log::{AnsweredRequest, CopiedBodies, LoggedCaller, LoggedUrl};
use crate::usage::FinishedRequest;
use crate::{error_codes, host, metrics, routes};

/// The header that carries a request's id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id of a client's own that is kept.
const MAX_ID_LENGTH: usize = 128;

/// Writes an error into a response as a page.
pub type WriteErrorPage = fn(&mut Response, &ApiError, &PageRequest);

/// What [`observe`] needs.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The parts of the service.
    pub app: Arc<App>,
    /// Writes what a browser is shown instead of an error's JSON.
    pub write_error_page: WriteErrorPage,
}

/// How the sender of a request is told about errors.
enum ErrorForm {
    /// A page, in a browser.
    Page(WriteErrorPage, Box<PageRequest>),
    /// A body in a dialect.
    Body(Dialect),
}

impl ErrorForm {
    /// Returns the form for a request: whatever has a dialect is answered in it, and the rest to browsers with pages.
    fn of(request: &Request, id: &RequestId, observer: &Observer) -> Self {
        match Dialect::of(request.uri().path()) {
            None if accepts_html(request.headers()) => {
                let request = PageRequest::of(request, id, &observer.app.config);
                Self::Page(observer.write_error_page, Box::new(request))
            }
            dialect => Self::Body(dialect.unwrap_or(Dialect::Morsel)),
        }
    }
}

/// Wraps the whole router, with the [`guard`] inside.
pub async fn observe(State(observer): State<Observer>, mut request: Request, next: Next) -> Response {
    let app = Arc::clone(&observer.app);
    let started = Instant::now();
    let id = RequestId(request_id(request.headers()));
    let from = ClientAddress::of(&request, &app.config.trusted_proxies);
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().and_then(|path| routes::find(request.method(), path.as_str()));
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route_name = route.map_or(metrics::OTHER, |route| route.name);
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(from);
    let form = ErrorForm::of(&request, &id, &observer);
    let mut response = respond(Arc::clone(&app), request, next).await;
    let took = started.elapsed();
    let error = finish(&mut response, &id, &form, &app.config.base_path);
    let code = error.as_ref().map(|error| error.code);
    let status = response.status().as_u16();
    let caller = response.extensions_mut().remove::<Caller>();
    if let Some(caller) = &caller {
        let inputs = response.extensions_mut().remove::<CountedInputs>();
        let requests = inputs.map_or(1, |inputs| inputs.requests());
        let finished = FinishedRequest { route: route_name, status, took, at: app.now(), from: from.0, requests };
        app.usage.count(&caller.0, finished);
    }
    if let Some(caller) = logged_caller(&app, caller.as_ref(), &mut response) {
        let (id, from, at) = (Arc::clone(&id.0), from.0, app.now());
        let param = error.and_then(|error| error.param);
        let url = LoggedUrl::of(&uri, route, &caller);
        let answered =
            AnsweredRequest { caller, id, method, url, route, at, took, status, from, code, param, bodies: None };
        record(&app, answered, &mut response);
    }
    // Under overload a line for each refusal would take the time of those who are served; they are counted.
    if code == Some("overloaded") {
        app.metrics.count_refused();
        app.refusal_pause.wait().await;
    } else {
        let logged = LoggedRoute { name: route_name, page: matched.as_ref().filter(|_| route.is_none()) };
        log(&id, logged, status, took, caller.as_ref());
    }
    app.metrics.count(route_name, status, took);
    response
}

/// Returns whose log a request belongs to, if it is recorded.
fn logged_caller(app: &App, caller: Option<&Caller>, response: &mut Response) -> Option<LoggedCaller> {
    let other = response.extensions_mut().remove::<LoggedCaller>();
    caller.map(|caller| LoggedCaller::Key(Arc::clone(&caller.0))).or(other).filter(|_| app.request_log.is_on())
}

/// Puts a request into the log of its account: at once or, if the account keeps bodies, when the response has been read.
fn record(app: &Arc<App>, mut answered: AnsweredRequest, response: &mut Response) {
    let room = app.limits.of(answered.caller.account().plan).log_requests as usize;
    let sent = response.extensions_mut().remove::<BodyCopy>();
    if !answered.caller.account().keeps_bodies {
        return app.request_log.record(answered, room);
    }
    let (app, returned) = (Arc::clone(app), BodyCopy::default());
    let is_kept = body_copy::is_kept(response.headers());
    let copy = returned.clone();
    let at_end = move || {
        let request = sent.and_then(|sent| sent.take());
        answered.bodies = Some(CopiedBodies { request, response: returned.take().filter(|_| is_kept) });
        app.request_log.record(answered, room);
    };
    let body = mem::take(response.body_mut());
    *response.body_mut() = copy.wrap(body, Some(Box::new(at_end)));
}

async fn respond(app: Arc<App>, request: Request, next: Next) -> Response {
    if let Err(error) = host::check(&request, &app.config) {
        return error.into_response();
    }
    let timeout = app.environment.timeouts.response;
    let handled = AssertUnwindSafe(guard(app, request, next)).catch_unwind();
    match tokio::time::timeout(timeout, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => ApiError::internal(format!("panic: {}", panic_message(&*panic))).into_response(),
        Err(_) => ApiError::internal("the request timed out").into_response(),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

/// Writes the body of an error, and the headers that every response has. Returns the error.
fn finish(response: &mut Response, id: &RequestId, form: &ErrorForm, base_path: &str) -> Option<ApiError> {
    let error = response.extensions_mut().remove::<ApiError>();
    if let Some(error) = &error {
        if let Some(cause) = &error.cause {
            tracing::error!(request_id = &*id.0, code = error.code, cause, "request failed");
        }
        match form {
            ErrorForm::Page(write, request) => write(response, error, request),
            ErrorForm::Body(dialect) => {
                dialect.write_error(response, error, &id.0);
                link_to_page(response.headers_mut(), error, base_path);
            }
        }
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        headers.insert(X_REQUEST_ID, value);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    error
}

/// Names the page of the documentation that explains an error, if there is one. It is a header because the body has the
/// contract's fields and no others.
fn link_to_page(headers: &mut HeaderMap, error: &ApiError, base_path: &str) {
    if let Some(entry) = error_codes::find(error.code)
        && let Ok(link) = HeaderValue::try_from(format!("<{base_path}/docs/errors/{}>; rel=\"help\"", entry.code))
    {
        headers.insert(header::LINK, link);
    }
}

/// The route of a request in the log.
#[derive(Clone, Copy)]
struct LoggedRoute<'a> {
    name: &'static str,
    /// The path of a page or asset as the router spells it: the real one may have a secret in it.
    page: Option<&'a MatchedPath>,
}

/// Writes the line of a request. Pages and assets are many and seldom of interest: unless they failed, they are for debugging.
fn log(id: &RequestId, route: LoggedRoute<'_>, status: u16, took: Duration, caller: Option<&Caller>) {
    let ms = took.as_micros() as f64 / 1_000.0;
    let key = caller.map(|caller| caller.key.id.as_str());
    let is_page = route.page.is_some();
    let route = route.page.map_or(route.name, MatchedPath::as_str);
    if status >= StatusCode::INTERNAL_SERVER_ERROR.as_u16() {
        tracing::warn!(request_id = &*id.0, route, status, ms, key, "answered");
    } else if is_page && status < StatusCode::BAD_REQUEST.as_u16() {
        tracing::debug!(request_id = &*id.0, route, status, ms, key, "answered");
    } else {
        tracing::info!(request_id = &*id.0, route, status, ms, key, "answered");
    }
}

/// Returns the client's own id if it is short and plain, so that both sides can find the request in their logs; else a new
/// one.
fn request_id(headers: &HeaderMap) -> Arc<str> {
    let own = headers.get(&X_REQUEST_ID).and_then(|value| value.to_str().ok());
    let is_plain = |id: &&str| {
        (1..=MAX_ID_LENGTH).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    own.filter(is_plain).map_or_else(|| format!("req_{:032x}", rand::random::<u128>()).into(), Arc::from)
}
