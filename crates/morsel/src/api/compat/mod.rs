//! What is understood in the dialects of other services: a folder or file for each, a thin translation of requests into those
//! of our own endpoints and of their results into the other service's rows. Where keys are and how errors look is in
//! [`dialect`](crate::dialect).

pub mod ninjas;

use std::sync::Arc;

use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::estimate::body::CheckedBody;
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::sync;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::response_cache::Estimated;

/// Returns the routes, which `COMPAT_ROUTES` in [`routes`](crate::routes) lists.
pub fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(ninjas::calorie_ninjas)).routes(routes!(ninjas::api_ninjas))
}

/// Returns the estimate of a meal that a request in another dialect describes.
async fn estimate(app: &App, caller: &Caller, head: &Parts, meal: CheckedBody) -> Result<Arc<Estimated>, ApiError> {
    let requester = Requester::of(app, caller).await?;
    let request = Arc::new(EstimateRequest::from_checked(app, requester, head, meal).await?);
    sync::estimated(app, &request).await
}
