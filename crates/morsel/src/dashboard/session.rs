//! The session cookie, and the check that a form comes from one of our own pages.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::error::ApiError;
use crate::request::BaseUrl;

/// The lifetime of a session, however often it is used; [`store::sessions::MAX_IDLE`] ends those that are not.
pub(super) const SECONDS: i64 = 30 * 24 * 3_600;

/// The name of the cookie with the session's token.
const SESSION: &str = "morsel_session";

/// A cookie's name with its prefix; these bind it to https, where there is https, and to this host, unless the service shares
/// it with others: then the cookie is for the base path alone, which browsers allow only under the second name.
fn with_prefix(base: &BaseUrl, name: &str) -> String {
    let prefix = match (base.is_secure(), base.path()) {
        (true, "") => "__Host-",
        (true, _) => "__Secure-",
        (false, _) => "",
    };
    format!("{prefix}{name}")
}

/// The token in a request's cookies.
pub(super) fn token(headers: &HeaderMap, base: &BaseUrl) -> Option<String> {
    read(headers, base, SESSION)
}

/// The header that gives a browser its session, or takes it away.
pub(super) fn cookie(base: &BaseUrl, token: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    write(base, SESSION, token, seconds)
}

/// The value of a cookie of ours.
pub(super) fn read(headers: &HeaderMap, base: &BaseUrl, name: &str) -> Option<String> {
    let name = with_prefix(base, name);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(key, _)| *key == name.as_str()).map(|(_, value)| value.to_owned())
}

/// The header that gives a browser a cookie, or takes it away.
pub(super) fn write(base: &BaseUrl, name: &str, value: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    let name = with_prefix(base, name);
    let secure = if base.is_secure() { "; Secure" } else { "" };
    let path = base.cookie_path();
    let text = format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&text).map_err(ApiError::internal)
}

/// Rejects a form that was sent by a page of another site.
pub(super) fn same_origin(headers: &HeaderMap, base: &BaseUrl) -> Result<(), ApiError> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_ours = match text("sec-fetch-site") {
        Some(site) => site == "same-origin" || site == "none",
        // Older browsers, and newer ones without https, send only the origin of the page.
        None => text("origin").is_none_or(|origin| {
            let host = origin.split_once("://").map(|(_, host)| host);
            origin == base.origin() || (host.is_some() && host == text("host"))
        }),
    };
    if is_ours {
        return Ok(());
    }
    let message = "This form was sent from another site. Open the dashboard and try again.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "cross_site", message))
}
