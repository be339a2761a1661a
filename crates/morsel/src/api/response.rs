//! Responses that several groups of endpoints send.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
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

/// Sends a body that is JSON, compressed already.
pub(super) fn gzip_response(body: Bytes) -> Response {
    let mut response = json_response(body);
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Reports whether a client takes gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|entry| {
        let (coding, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let quality = parameters.trim().strip_prefix("q=").and_then(|quality| quality.trim().parse::<f32>().ok());
        matches!(coding.trim(), "gzip" | "x-gzip") && quality.unwrap_or(1.0) > 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_for_clients_that_take_it() {
        let accepts = |value: &'static str| {
            accepts_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        for value in ["gzip", "deflate, gzip;q=0.5", "br,gzip", "gzip; q=1"] {
            assert!(accepts(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "gzip; q=0.0, br", "identity"] {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
