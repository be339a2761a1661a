//! What stands around every page: forms of other sites are refused, and every answer carries the headers that keep it
//! from being misused.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::session;
use crate::app::App;
use crate::guard::address::BaseUrl;

/// Nothing but our own files and our own forms; `data:` and `blob:` are photos that a person is about to send.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Wraps every page.
pub(super) async fn frame(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !request.method().is_safe() {
        let base = BaseUrl::of(&request, &app.config);
        if let Err(error) = session::same_origin(request.headers(), &base) {
            return error.into_response();
        }
    }
    let mut response = next.run(request).await;
    protect(response.headers_mut());
    response
}

/// The headers of every page. Kept by nobody, unless the answer itself says otherwise; shown in nobody's frame; its
/// address told to nobody else.
pub(super) fn protect(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Not `no-referrer`: browsers then also withhold the origin of a form, by which we know our own.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
