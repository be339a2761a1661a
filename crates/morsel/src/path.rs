//! The parameters in a path.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The parameters of the path that a request matched. axum's own extractor answers what it cannot decode as plain text;
/// with this one it is an unknown resource like any other.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T, S> FromRequestParts<S> for Path<T>
where
    T: DeserializeOwned + Send,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let decoded = axum::extract::Path::from_request_parts(parts, state).await;
        decoded
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|_| ApiError::not_found("There is nothing at this URL."))
    }
}
