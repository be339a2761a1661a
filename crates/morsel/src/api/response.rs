//! Responses that several groups of endpoints send.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;

/// What deleting something answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// What was deleted.
    pub message: &'static str,
}

/// Sends a body that is JSON already.
pub(super) fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
