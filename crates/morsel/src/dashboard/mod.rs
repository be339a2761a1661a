//! The pages that a person sees. What a person may do is told by a session in a cookie; API keys do not work here, and
//! cookies do not work on the API.

mod home;
mod session;
mod sign_in;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};

use crate::app::App;
use crate::error::ApiError;

/// Nothing but our own style and our own forms.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The addresses of the pages.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home::show))
        .route("/sign-in/{token}", get(sign_in::ask).post(sign_in::use_link))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/assets/style.css", get(style))
}

async fn style() -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, include_str!("../../templates/style.css"))
}

/// A page, with the headers that keep it from being misused.
fn page(status: StatusCode, template: &impl Template) -> Result<Response, ApiError> {
    let html = template.render().map_err(ApiError::internal)?;
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    Ok(response)
}
