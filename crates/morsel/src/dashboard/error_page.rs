//! The page that a person sees where a program gets an error as JSON.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::layout::{Layout, Section};
use super::page_headers;
use super::theme::Theme;
use crate::error::ApiError;
use crate::request::PageRequest;

#[derive(Template)]
#[template(path = "error_page.html")]
struct ErrorPage<'a> {
    layout: Layout,
    heading: &'static str,
    message: &'a str,
    /// Shown if the log has more details.
    request_id: Option<&'a str>,
}

/// Writes an error into an answer as a page.
pub(crate) fn write_error_page(response: &mut Response, error: &ApiError, request: &PageRequest) {
    let page = ErrorPage {
        layout: Layout::new(Section::None, None, None, Theme::of(&request.cookies, &request.base)),
        heading: heading(error.status),
        message: &error.message,
        request_id: error.status.is_server_error().then_some(&*request.id),
    };
    *response.body_mut() = Body::from(page.render().unwrap_or_else(|_| error.message.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.remove(header::WWW_AUTHENTICATE);
    page_headers::write_headers(headers);
}

fn heading(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => "Access denied",
        StatusCode::TOO_MANY_REQUESTS => "Too many requests",
        StatusCode::SERVICE_UNAVAILABLE => "Temporarily unavailable",
        status if status.is_server_error() => "Something went wrong",
        _ => "Invalid request",
    }
}
