//! What happens around every request: it gets an id, its outcome is logged and counted, a panic becomes an error, and an
//! error becomes a body.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use jiff::Timestamp;

use crate::app::App;
use crate::dashboard::{error_page, wants_page};
use crate::error::ApiError;
use crate::guard::{Caller, address, guard};
use crate::usage::Served;
use crate::{metrics, routes};

/// The header that carries a request's id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// No answer takes longer to begin; whatever hangs is given up.
const LONGEST: Duration = Duration::from_mins(3);
/// Longest id of a caller's own that is kept.
const LONGEST_ID: usize = 128;

/// The id of a request.
#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// The address that a request came from.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

/// Wraps the whole router, with the [`guard`] inside.
pub async fn observe(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId(request_id(request.headers()));
    let from = address::of_client(&request, &app.config.trusted_proxies);
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let route = matched.and_then(|path| routes::find(request.method(), path));
    let route_name = route.map_or(metrics::OTHER, |route| route.name);
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(ClientAddress(from));
    let wants_page = wants_page(&request);
    let mut response = answer(Arc::clone(&app), request, next).await;
    let took = started.elapsed();
    finish(&mut response, &id, wants_page);
    let status = response.status().as_u16();
    let caller = response.extensions_mut().remove::<Caller>();
    if let Some(caller) = &caller {
        let served = Served { route: route_name, status, took, at: Timestamp::now(), from };
        app.usage.count(&caller.known, served);
    }
    log(&id, route_name, status, took, caller.as_ref());
    app.metrics.count(route_name, status, took);
    response
}

async fn answer(app: Arc<App>, request: Request, next: Next) -> Response {
    let handled = AssertUnwindSafe(guard(app, request, next)).catch_unwind();
    match tokio::time::timeout(LONGEST, handled).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            ApiError::internal(format!("panic: {text}")).into_response()
        }
        Err(_) => ApiError::internal("the request took too long and was given up").into_response(),
    }
}

/// Writes the body of an error, and the headers that every answer has.
fn finish(response: &mut Response, id: &RequestId, wants_page: bool) {
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        if let Some(cause) = &error.cause {
            tracing::error!(request_id = &*id.0, code = error.code, cause, "request failed");
        }
        if wants_page {
            error_page(response, &error, &id.0);
        } else {
            *response.body_mut() = Body::from(error.body(&id.0));
        }
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        headers.insert(X_REQUEST_ID, value);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

fn log(id: &RequestId, route: &str, status: u16, took: Duration, caller: Option<&Caller>) {
    let ms = took.as_micros() as f64 / 1_000.0;
    let key = caller.map(|caller| caller.known.key.id.as_str());
    if status >= StatusCode::INTERNAL_SERVER_ERROR.as_u16() {
        tracing::warn!(request_id = &*id.0, route, status, ms, key, "answered");
    } else {
        tracing::info!(request_id = &*id.0, route, status, ms, key, "answered");
    }
}

/// The caller's own id when it is a sane one, so that both sides can find the request in their logs; else a new one.
fn request_id(headers: &HeaderMap) -> Arc<str> {
    let own = headers.get(&X_REQUEST_ID).and_then(|value| value.to_str().ok());
    let is_sane = |id: &&str| {
        (1..=LONGEST_ID).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    };
    own.filter(is_sane).map_or_else(|| format!("req_{:032x}", rand::random::<u128>()).into(), Arc::from)
}
