//! The API, a file for each group of addresses, and the objects that it speaks in.

pub mod estimate;
pub mod foods;
pub mod images;
pub mod include;
pub(crate) mod meal;
pub mod messages;
pub(crate) mod query;
pub mod recipes;
pub mod stream;
pub mod sync;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

/// An answer that is written already.
fn json(body: Bytes) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
