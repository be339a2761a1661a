//! Estimates of meals that requests in other dialects describe.

use std::sync::Arc;

use axum::http::request::Parts;

use crate::api::estimate::body::CheckedBody;
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::sync;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::response_cache::Estimated;

/// Returns the estimate of a meal that a request in another dialect describes.
pub async fn estimate(app: &App, caller: &Caller, head: &Parts, meal: CheckedBody) -> Result<Arc<Estimated>, ApiError> {
    let requester = Requester::of(app, caller).await?;
    let request = Arc::new(EstimateRequest::from_checked(app, requester, head, meal).await?);
    sync::estimated(app, &request).await
}
