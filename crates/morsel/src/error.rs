//! What a client gets when something is wrong: a status, a stable code, a message; and what only the log gets, a cause.
//!
//! An error becomes a response in two steps. A handler returns [`ApiError`], which turns into an empty response that carries
//! the error along; [`observe`](crate::observe), which knows the request's id, writes the body. So every error, wherever
//! it comes from, has the same form.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An error on its way to the client.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// A stable name, for programs.
    pub code: &'static str,
    /// A sentence that a person can act on.
    pub message: String,
    /// The field or parameter at fault.
    pub param: Option<String>,
    /// Seconds after which to try again.
    pub retry_after: Option<u32>,
    /// Whether the body also has an empty list of foods, as the contract requires for a search.
    pub empty_foods: bool,
    /// For the log alone.
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
    /// Only if a search for foods is refused: always empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub foods: Option<[(); 0]>,
}

impl ApiError {
    /// Creates an error of any kind.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, param: None, retry_after: None, empty_foods: false, cause: None }
    }

    /// Creates a 400: the request is invalid.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Creates a 400: one field is invalid.
    pub fn bad_field(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self { param: Some(param.into()), ..Self::bad_request("invalid_request", message) }
    }

    /// Creates a 403.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    /// Creates a 404.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Creates a 413.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// Creates a 429 that asks the client to wait.
    pub fn too_many(code: &'static str, message: impl Into<String>, retry_after: u32) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, message) }
    }

    /// Creates a 503 for a request that the stopping server does not finish.
    pub fn stopping() -> Self {
        let message = "The server is stopping. Try again in a few seconds.";
        Self { retry_after: Some(2), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message) }
    }

    /// Creates a 503: the queue is full.
    pub fn overloaded() -> Self {
        let message = "The server is overloaded. Try again in a second.";
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message) }
    }

    /// Creates a 500: our fault.
    #[expect(clippy::needless_pass_by_value, reason = "so that `map_err` takes it for any error")]
    pub fn internal(cause: impl ToString) -> Self {
        let message = "Something went wrong on our side. Quote the request id when you report this.";
        Self {
            cause: Some(cause.to_string()),
            ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
        }
    }

    /// Names the field at fault.
    #[must_use]
    pub fn of(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Adds the empty list of foods that a refused search has.
    #[must_use]
    pub fn without_foods(mut self) -> Self {
        self.empty_foods = true;
        self
    }

    /// Returns the body, for a request with this id.
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
    /// A failure of the store is ours, never the client's; a database that cannot be reached may soon be back.
    fn from(error: store::Error) -> Self {
        if error.is_unavailable() {
            let message = if error.is_of_bucket() {
                "Photos cannot be stored or read at the moment. Try again in a few seconds."
            } else {
                "The database cannot be used at the moment. Try again in a few seconds."
            };
            return Self {
                retry_after: Some(2),
                cause: Some(error.to_string()),
                ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            };
        }
        if matches!(error, store::Error::AccountGone) {
            // The account was deleted after the request had been let in.
            return Self::new(StatusCode::UNAUTHORIZED, "invalid_key", "The account no longer exists.");
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
