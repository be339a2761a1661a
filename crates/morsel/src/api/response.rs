//! Responses that several groups of endpoints send.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;

/// Something was deleted.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// What was deleted.
    pub message: &'static str,
}

/// The header with the version of the engine.
pub(super) const X_ENGINE_VERSION: HeaderName = HeaderName::from_static("x-engine-version");

/// Returns the value of [`X_ENGINE_VERSION`].
pub(super) fn engine_version(version: &str) -> HeaderValue {
    HeaderValue::from_str(version).unwrap_or(HeaderValue::from_static("unknown"))
}

/// Sends a body that is JSON already.
pub(super) fn json_response(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
