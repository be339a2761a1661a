//! The parameters of a page's URL.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The query string of a page, read by `serde`. axum's own extractor answers invalid ones as plain text; this one shows
/// the error page.
#[derive(Debug)]
pub(crate) struct PageQuery<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for PageQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Query(query) = Query::try_from_uri(&parts.uri)
            .map_err(|rejection| ApiError::bad_request("invalid_query", rejection.body_text()))?;
        Ok(Self(query))
    }
}
