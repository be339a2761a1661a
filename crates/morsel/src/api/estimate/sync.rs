//! `POST /v1/estimate/sync`: the whole response at once.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::response::Response;
use bytes::Bytes;
use meal::Part;

use super::body::EstimateBody;
use super::include::Include;
use super::request::{EstimateRequest, Requester};
use super::rows::EstimateAnswer;
use crate::api::response::{X_ENGINE_VERSION, engine_version, json_response};
use crate::app::App;
use crate::dialect::Dialect;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};
use crate::response_cache::{Estimated, RawRequestKey};
use crate::speaker;

/// Estimate a meal
///
/// From text, photos, or both. The same request always gets the same response, until `X-Engine-Version` changes.
#[utoipa::path(post, path = "/v1/estimate/sync", operation_id = "estimate", tag = "estimates", request_body = EstimateBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual fields, separated by commas; the same as `include` in the body"),
), responses(
    (status = 200, description = "The items and their totals", body = EstimateAnswer, headers(("X-Engine-Version" = String, description = "Changes whenever the same request may get another response"))),
    (status = 400, description = "The body is invalid, or an image, a food or an item was not found", body = ErrorBody),
    (status = 403, description = "An image belongs to another account", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, unread) = request.into_parts();
    let received = RequestBody::read(&app, Some(&caller.account.id), unread, MAX_WITH_PHOTOS).await?;
    let requester = Requester::of(&app, &caller).await?;
    let snapshot = app.engine.snapshot();
    let request_key = (!received.is_large()).then(|| RawRequestKey {
        account: requester.account.clone(),
        edition: requester.recipes.edition,
        version: Arc::clone(&snapshot.version),
        dialect: Dialect::Morsel,
        query: head.uri.query().map(str::to_owned),
        body: received.bytes.clone(),
        understands: speaker::understood(&head.headers, snapshot.engine.translator()),
    });
    if let Some(body) = request_key.as_ref().and_then(|request_key| app.responses.body(request_key)) {
        return Ok(respond(body, engine_version(&snapshot.version)));
    }
    let request = Arc::new(EstimateRequest::read(&app, requester, &head, received).await?);
    let estimated = estimated(&app, &request).await?;
    let body = if request.include == Include::default() {
        estimated.plain(plain_body)
    } else {
        serde_json::to_vec(&request.answer(&estimated.parts)).map_err(ApiError::internal)?.into()
    };
    // The catalog may have been replaced in between.
    if let Some(request_key) =
        request_key.filter(|request_key| !request.has_photos() && request_key.version == request.snapshot.version)
    {
        app.responses.remember_body(request_key, body.clone());
    }
    Ok(respond(body, engine_version(&request.snapshot.version)))
}

/// Writes the response with the contract's fields alone.
fn plain_body(parts: &[Part]) -> Bytes {
    let answer = EstimateAnswer::from_parts(parts, Include::default());
    serde_json::to_vec(&answer).expect("an answer has only keys that JSON can hold").into()
}

fn respond(body: Bytes, version: HeaderValue) -> Response {
    let mut response = json_response(body);
    response.headers_mut().insert(X_ENGINE_VERSION, version);
    response
}

/// Runs a request and returns its response.
pub(crate) async fn answer(app: &App, request: &Arc<EstimateRequest>) -> Result<EstimateAnswer, ApiError> {
    Ok(request.answer(&estimated(app, request).await?.parts))
}

/// Returns the estimate of a request: from the cache, from an equal request that is being estimated, or by running it.
pub(crate) async fn estimated(app: &App, request: &Arc<EstimateRequest>) -> Result<Arc<Estimated>, ApiError> {
    let Some(key) = &request.key else { return run(app, request).await };
    if let Some(estimated) = app.responses.estimate(key) {
        return Ok(estimated);
    }
    app.responses.under_way.run(key, run(app, request)).await
}

async fn run(app: &App, request: &Arc<EstimateRequest>) -> Result<Arc<Estimated>, ApiError> {
    let work = Arc::clone(request);
    let parts = app.texts.run(&request.account, move || work.run(|_| ControlFlow::Continue(()))).await?;
    let estimated = Arc::new(Estimated::new(parts.continue_value().unwrap_or_default()));
    app.responses.remember(request.key.as_ref(), &estimated);
    Ok(estimated)
}
