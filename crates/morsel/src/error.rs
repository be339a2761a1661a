//! What a caller gets when something is wrong: a status, a stable code, a sentence; and what only the log gets, a cause.
//!
//! An error becomes an answer in two steps. A handler returns [`ApiError`], which turns into an empty answer that carries
//! the error along; [`observe`](crate::observe), which knows the request's id, writes the body. So every error, wherever
//! it arose, has the same form.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An error on its way to the caller.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// Stable, for programs.
    pub code: &'static str,
    /// A sentence that a person can act on.
    pub message: String,
    /// The field or parameter at fault.
    pub param: Option<String>,
    /// Seconds after which to try again.
    pub retry_after: Option<u32>,
    /// Whether the body also holds an empty list of foods, as the contract wants for a search.
    pub empty_foods: bool,
    /// What the log gets.
    pub cause: Option<String>,
}

/// The body of an error.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ErrorBody {
    /// A sentence that a person can act on.
    pub error: String,
    /// Stable name of the error.
    pub code: &'static str,
    /// The request's id, as in the header X-Request-Id.
    pub request_id: String,
    /// The field or parameter at fault, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// Only where a search for foods is refused: always empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub foods: Option<[(); 0]>,
}

impl ApiError {
    /// An error of any kind.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, param: None, retry_after: None, empty_foods: false, cause: None }
    }

    /// 400: the request makes no sense.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 400: one field makes no sense.
    pub fn bad_field(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self { param: Some(param.into()), ..Self::bad_request("invalid_request", message) }
    }

    /// 403.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    /// 404.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 413.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// 503: there is more to do than can be done.
    pub fn overloaded() -> Self {
        let message = "The server has more to do than it can do at once. Try again in a second.";
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message) }
    }

    /// 500: our fault.
    #[allow(clippy::needless_pass_by_value, reason = "so that it can stand in `map_err` for any error")]
    pub fn internal(cause: impl ToString) -> Self {
        let message = "Something went wrong on our side. The request id tells which log line says what.";
        Self {
            cause: Some(cause.to_string()),
            ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
        }
    }

    /// The same error, of a field.
    #[must_use]
    pub fn of(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// The same error, with the empty list of foods that a refused search carries.
    #[must_use]
    pub fn without_foods(mut self) -> Self {
        self.empty_foods = true;
        self
    }

    /// The body, for a request of this id.
    pub fn body(&self, request_id: &str) -> Vec<u8> {
        let body = ErrorBody {
            error: self.message.clone(),
            code: self.code,
            request_id: request_id.to_owned(),
            param: self.param.clone(),
            foods: self.empty_foods.then_some([]),
        };
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl From<store::Error> for ApiError {
    /// The store's trouble is ours, never the caller's; a database that cannot be reached may be back in a moment.
    fn from(error: store::Error) -> Self {
        if error.is_unavailable() {
            let message = "The database cannot be reached at the moment. Try again in a few seconds.";
            return Self {
                retry_after: Some(2),
                cause: Some(error.to_string()),
                ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            };
        }
        Self::internal(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
