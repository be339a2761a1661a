//! `Idempotency-Key`: a client that sends a request again, because the first response got lost, gets the first response
//! again, and nothing happens twice.
//!
//! Responses are stored, except those of estimates: an estimate has no effect and can be megabytes for a few kilobytes of
//! text, so only its fingerprint and status are stored, and it is computed again. That gives the same response as long as
//! the engine and the caller's recipes are the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use sha2::{Digest, Sha256};
use store::idempotency::MAX_STORED_BODY;
use store::{Begin, Claim, StoredResponse};

use super::caller::Caller;
use crate::app::App;
use crate::error::ApiError;
use crate::request::RequestId;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};
use crate::routes::{self, Route};

const MAX_KEY_LENGTH: usize = 255;

/// The claim on an idempotency key, for a handler that keeps its response in the same transaction as its effect.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    /// The claim in the store.
    pub claim: Arc<Claim>,
    is_settled: Arc<AtomicBool>,
}

impl IdempotencyClaim {
    /// Notes that the handler kept the response itself.
    pub fn settled(&self) {
        self.is_settled.store(true, Ordering::Release);
    }
}

/// Handles a request, or repeats the response that its key got before.
pub(super) async fn respond(app: &Arc<App>, caller: &Caller, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST) else {
        return next.run(request).await;
    };
    // What is not there today may be there tomorrow.
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let Some(route) = matched.and_then(|path| routes::find(&Method::POST, path)) else {
        return next.run(request).await;
    };
    let key = key.to_str().unwrap_or_default().to_owned();
    // Boxed: few requests have such a key, and the future is large.
    match Box::pin(respond_once(app, caller, &key, route, request, next)).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn respond_once(
    app: &Arc<App>,
    caller: &Caller,
    key: &str,
    route: &Route,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if key.is_empty() || key.len() > MAX_KEY_LENGTH || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "The Idempotency-Key must have 1 to 255 visible ASCII characters.";
        return Err(ApiError::bad_request("invalid_idempotency_key", message));
    }
    let (parts, body) = request.into_parts();
    let body = RequestBody::read(app, Some(&caller.account.id), body, MAX_WITH_PHOTOS).await?;
    let fingerprint: [u8; 32] = Sha256::new()
        .chain_update(parts.uri.path_and_query().map_or("", |path| path.as_str()))
        .chain_update([0])
        .chain_update(&body.bytes)
        .finalize()
        .into();
    // From here on the claim must be settled even if the client goes away: in a task of its own.
    let claim = match app.store.idempotency().begin(&caller.account.id, key, &fingerprint, app.now()).await? {
        Begin::Fresh(claim) => claim,
        Begin::Replay(answer) => return Ok(replay(answer)),
        Begin::Repeat => {
            let request = Request::from_parts(parts, Body::from(body.into_bytes()));
            return Ok(mark_replayed(next.run(request).await));
        }
        Begin::Running { seconds_left } => return Err(in_progress(seconds_left)),
        Begin::Mismatch => {
            let message = "This Idempotency-Key was used for another request. Use a new one for every new request.";
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_mismatch", message));
        }
    };
    let mut request = Request::from_parts(parts, Body::from(body.into_bytes()));
    if route.is_repeatable() {
        let handled = respond_repeatably(Arc::clone(app), claim, request, next);
        return tokio::spawn(handled).await.map_err(ApiError::internal)?;
    }
    let claim = IdempotencyClaim { claim: Arc::new(claim), is_settled: Arc::default() };
    request.extensions_mut().insert(claim.clone());
    let id = request.extensions().get::<RequestId>().cloned();
    let app = Arc::clone(app);
    let handled = async move {
        let response = next.run(request).await;
        settle(&app, &claim, id.as_ref().map_or("", |id| &id.0), response).await
    };
    tokio::spawn(handled).await.map_err(ApiError::internal)?
}

/// Handles a request that can be repeated, and stores no more than its status.
async fn respond_repeatably(app: Arc<App>, claim: Claim, request: Request, next: Next) -> Result<Response, ApiError> {
    let response = next.run(request).await;
    if is_worth_keeping(response.status()) {
        app.store.idempotency().finish_repeatable(&claim, response.status().as_u16(), app.now()).await?;
    } else {
        app.store.idempotency().abandon(&claim).await?;
    }
    Ok(response)
}

/// Reports whether the same request would get the same response later.
fn is_worth_keeping(status: StatusCode) -> bool {
    status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error()
}

/// Keeps the response, or gives the key back if the response is not one to keep.
async fn settle(
    app: &App,
    claim: &IdempotencyClaim,
    request_id: &str,
    response: Response,
) -> Result<Response, ApiError> {
    if claim.is_settled.load(Ordering::Acquire) {
        return Ok(response);
    }
    let status = response.status();
    if !is_worth_keeping(status) {
        app.store.idempotency().abandon(&claim.claim).await?;
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let written = match parts.extensions.get::<ApiError>() {
        // The body of an error is written later; this is what it will be.
        Some(error) => error.body(request_id),
        None => body.collect().await.map_err(ApiError::internal)?.to_bytes().to_vec(),
    };
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let answer = StoredResponse {
        status: status.as_u16(),
        content_type: content_type.unwrap_or("application/json").to_owned(),
        body: written.clone(),
    };
    if answer.body.len() > MAX_STORED_BODY {
        app.store.idempotency().abandon(&claim.claim).await?;
    } else {
        app.store.idempotency().finish(&claim.claim, &answer, app.now()).await?;
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, Body::from(written)))
}

fn replay(answer: StoredResponse) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut response = (status, answer.body).into_response();
    let headers = response.headers_mut();
    let content_type = HeaderValue::from_str(&answer.content_type);
    headers.insert(header::CONTENT_TYPE, content_type.unwrap_or(HeaderValue::from_static("application/json")));
    mark_replayed(response)
}

/// Says that the request was handled before.
fn mark_replayed(mut response: Response) -> Response {
    if is_worth_keeping(response.status()) {
        response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    response
}

fn in_progress(seconds_left: u32) -> ApiError {
    let message = format!(
        "A request with this Idempotency-Key is still running, or its server stopped. Try again in {seconds_left} s."
    );
    let error = ApiError::new(StatusCode::CONFLICT, "idempotency_in_progress", message);
    ApiError { retry_after: Some(seconds_left), ..error }
}
