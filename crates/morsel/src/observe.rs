//! The outermost middleware: it gives every request an id, logs and counts its outcome, turns a panic into an error, and an
//! error into a body.
//!
//! It does not use tower-http's layers for this: their request ids take whatever a client sends, however long; their catcher
//! of panics puts the body of every response into another box; and their timeout cannot carry an [`ApiError`].

use std::any::Any;
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
use crate::request::{ClientAddress, RequestId, accepts_html};
use crate::usage::FinishedRequest;
use crate::{host, metrics, routes};

/// The header that carries a request's id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id of a client's own that is kept.
const MAX_ID_LENGTH: usize = 128;

/// Writes an error into a response as a page, for a request with this id.
pub type WriteErrorPage = fn(&mut Response, &ApiError, &str);

/// What [`observe`] needs.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The parts of the service.
    pub app: Arc<App>,
    /// Writes what a browser is shown instead of an error's JSON.
    pub write_error_page: WriteErrorPage,
}

/// How the sender of a request is told about errors.
#[derive(Clone, Copy)]
enum ErrorForm {
    /// A page, in a browser.
    Page(WriteErrorPage),
    /// A body in a dialect.
    Body(Dialect),
}

/// Wraps the whole router, with the [`guard`] inside.
pub async fn observe(State(observer): State<Observer>, mut request: Request, next: Next) -> Response {
    let Observer { app, write_error_page } = observer;
    let started = Instant::now();
    let id = RequestId(request_id(request.headers()));
    let from = ClientAddress::of(&request, &app.config.trusted_proxies);
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let route = matched.and_then(|path| routes::find(request.method(), path));
    let route_name = route.map_or(metrics::OTHER, |route| route.name);
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(from);
    // Whatever has a dialect responds in its form, and the rest to browsers with pages.
    let dialect = Dialect::of(request.uri().path());
    let wants_page = dialect.is_none() && accepts_html(request.headers());
    let form = if wants_page {
        ErrorForm::Page(write_error_page)
    } else {
        ErrorForm::Body(dialect.unwrap_or(Dialect::Morsel))
    };
    let mut response = respond(Arc::clone(&app), request, next).await;
    let took = started.elapsed();
    let code = finish(&mut response, &id, form);
    let status = response.status().as_u16();
    let caller = response.extensions_mut().remove::<Caller>();
    if let Some(caller) = &caller {
        let inputs = response.extensions_mut().remove::<CountedInputs>();
        let requests = inputs.map_or(1, |inputs| inputs.requests());
        let finished = FinishedRequest { route: route_name, status, took, at: app.now(), from: from.0, requests };
        app.usage.count(&caller.0, finished);
    }
    // Under overload a line for each refusal would take the time of those who are served; they are counted.
    if code == Some("overloaded") {
        app.metrics.count_refused();
    } else {
        log(&id, route_name, status, took, caller.as_ref());
    }
    app.metrics.count(route_name, status, took);
    response
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

/// Writes the body of an error, and the headers that every response has. Returns the code of the error.
fn finish(response: &mut Response, id: &RequestId, form: ErrorForm) -> Option<&'static str> {
    let error = response.extensions_mut().remove::<ApiError>();
    if let Some(error) = &error {
        if let Some(cause) = &error.cause {
            tracing::error!(request_id = &*id.0, code = error.code, cause, "request failed");
        }
        match form {
            ErrorForm::Page(write) => write(response, error, &id.0),
            ErrorForm::Body(dialect) => dialect.write_error(response, error, &id.0),
        }
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        headers.insert(X_REQUEST_ID, value);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    error.map(|error| error.code)
}

fn log(id: &RequestId, route: &str, status: u16, took: Duration, caller: Option<&Caller>) {
    let ms = took.as_micros() as f64 / 1_000.0;
    let key = caller.map(|caller| caller.key.id.as_str());
    if status >= StatusCode::INTERNAL_SERVER_ERROR.as_u16() {
        tracing::warn!(request_id = &*id.0, route, status, ms, key, "answered");
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
