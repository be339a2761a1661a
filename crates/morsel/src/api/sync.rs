//! `POST /v1/estimate/sync`: the whole answer at once.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};

use super::estimate::{EstimateAnswer, EstimateBody};
use super::meal::Order;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;

/// Estimate a meal
///
/// From words, photos, or both. The same request always gets the same answer.
#[utoipa::path(post, path = "/v1/estimate/sync", tag = "estimates", request_body = EstimateBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual, as a comma list; as `include` in the body"),
    ("Idempotency-Key" = Option<String>, Header, description = "Repeating a request with the same key repeats its answer"),
), responses(
    (status = 200, description = "The foods and their sums", body = EstimateAnswer, headers(("X-Engine-Version" = String, description = "Changes when the same text may get another answer"))),
    (status = 400, description = "The body makes no sense, or an image is not there", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope estimate, or an image belongs to another account", body = ErrorBody),
    (status = 413, description = "The body or an image is too large", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let order = Arc::new(Order::take(&app, caller.account(), caller.known.key.mode, request).await?);
    let answer = answer(&app, &order).await?;
    let mut response = Json(answer).into_response();
    response.headers_mut().insert("x-engine-version", order.engine_version());
    Ok(response)
}

/// The answer to an order.
pub(crate) async fn answer(app: &App, order: &Arc<Order>) -> Result<EstimateAnswer, ApiError> {
    let known = order.key.as_ref().and_then(|key| app.answers.estimates.get(key));
    let parts = if let Some(parts) = known {
        parts
    } else {
        let work = Arc::clone(order);
        let parts = app.thinking.run(move || work.cook(|_| true)).await?;
        let parts = Arc::new(parts.unwrap_or_default());
        app.answers.remember(order.key.as_ref(), &parts);
        parts
    };
    Ok(order.answer(&parts))
}
