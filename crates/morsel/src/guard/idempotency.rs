//! `Idempotency-Key`: whoever asks twice, because the first answer got lost, gets the first answer again and nothing
//! happens twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::{Answer, Begin, Claim};

use super::Caller;
use crate::app::App;
use crate::body::{self, Received};
use crate::error::ApiError;
use crate::observe::RequestId;

const LONGEST_KEY: usize = 255;
/// Answers larger than this are not kept; no answer of ours is.
const LARGEST_ANSWER: usize = 4 << 20;

/// The right to do a request's work, for a handler that keeps the answer in the same transaction as the work.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The claim on the key.
    pub claim: Arc<Claim>,
    is_done: Arc<AtomicBool>,
}

impl Kept {
    /// Says that the handler kept the answer itself.
    pub fn done(&self) {
        self.is_done.store(true, Ordering::Release);
    }
}

/// Answers a request, or repeats the answer that its key got before.
pub(super) async fn answer(app: &App, caller: &Caller, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key").filter(|_| request.method() == Method::POST) else {
        return next.run(request).await;
    };
    let key = key.to_str().unwrap_or_default().to_owned();
    // On the heap: few requests have such a key, and what waits for them is large.
    match Box::pin(once(app, caller, &key, request, next)).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn once(app: &App, caller: &Caller, key: &str, request: Request, next: Next) -> Result<Response, ApiError> {
    if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "The Idempotency-Key must have 1 to 255 visible ASCII characters.";
        return Err(ApiError::bad_request("invalid_idempotency_key", message));
    }
    let (parts, unread) = request.into_parts();
    let received = Received::read(app, unread, body::LARGE).await?;
    let fingerprint: [u8; 32] = Sha256::new()
        .chain_update(parts.uri.path_and_query().map_or("", |path| path.as_str()))
        .chain_update([0])
        .chain_update(&received.bytes)
        .finalize()
        .into();
    let store = app.store.idempotency();
    let claim = match store.begin(caller.account(), key, &fingerprint, Timestamp::now()).await? {
        Begin::Fresh(claim) => claim,
        Begin::Replay(answer) => return Ok(replayed(answer)),
        Begin::Running => {
            let message = "A request with this Idempotency-Key is being answered right now. Try again in a second.";
            let error = ApiError::new(StatusCode::CONFLICT, "idempotency_in_progress", message);
            return Err(ApiError { retry_after: Some(1), ..error });
        }
        Begin::Mismatch => {
            let message = "This Idempotency-Key was used for another request. Use a new one for every new request.";
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_mismatch", message));
        }
    };
    let kept = Kept { claim: Arc::new(claim), is_done: Arc::default() };
    let mut request = Request::from_parts(parts, Body::from(received.bytes.clone()));
    request.extensions_mut().insert(kept.clone());
    // From here on the claim must be settled even if the caller goes away: in a task of its own.
    let store = app.store.clone();
    let id = request.extensions().get::<RequestId>().cloned();
    let settle = async move {
        let response = next.run(request).await;
        settle(&store, &kept, id.as_ref().map_or("", |id| &id.0), response).await
    };
    tokio::spawn(settle).await.map_err(ApiError::internal)?
}

/// Keeps the answer, or gives the key back when the answer is not one to keep.
async fn settle(store: &store::Store, kept: &Kept, request_id: &str, response: Response) -> Result<Response, ApiError> {
    if kept.is_done.load(Ordering::Acquire) {
        return Ok(response);
    }
    let status = response.status();
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        store.idempotency().abandon(&kept.claim).await?;
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let written = match parts.extensions.get::<ApiError>() {
        // The body of an error is written later; this is what it will be.
        Some(error) => error.body(request_id),
        None => body.collect().await.map_err(ApiError::internal)?.to_bytes().to_vec(),
    };
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let answer = Answer {
        status: status.as_u16(),
        content_type: content_type.unwrap_or("application/json").to_owned(),
        body: written.clone(),
    };
    if answer.body.len() > LARGEST_ANSWER {
        store.idempotency().abandon(&kept.claim).await?;
    } else {
        store.idempotency().finish(&kept.claim, &answer, Timestamp::now()).await?;
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, Body::from(written)))
}

fn replayed(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut response = (status, answer.body).into_response();
    let headers = response.headers_mut();
    let content_type = HeaderValue::from_str(&answer.content_type);
    headers.insert(header::CONTENT_TYPE, content_type.unwrap_or(HeaderValue::from_static("application/json")));
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}
