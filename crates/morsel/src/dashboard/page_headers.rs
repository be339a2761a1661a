//! The middleware around every page: it rejects forms from other sites and adds security headers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::session;
use crate::app::App;
use crate::request::BaseUrl;

/// Allows only our own files and forms; `data:` and `blob:` are photos that the user is about to send.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Rejects cross-site forms and adds the headers of every page.
pub(super) async fn wrap_page(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !request.method().is_safe() {
        let base = BaseUrl::of(&request, &app.config);
        if let Err(error) = session::same_origin(request.headers(), &base) {
            return error.into_response();
        }
    }
    let mut response = next.run(request).await;
    write_headers(response.headers_mut());
    response
}

/// Adds the headers of every page: not cached, unless the response says otherwise; not framed; no referrer for other
/// sites.
pub(super) fn write_headers(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Not `no-referrer`: browsers would then also withhold the `Origin` of forms, which `session::same_origin` needs.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
