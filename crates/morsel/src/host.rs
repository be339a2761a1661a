//! The head of a request, as far as HTTP itself has rules for it, and the host name that it was sent to.
//!
//! A server on a loopback address is reached only from its own machine. Any site can still make a browser on that machine
//! send requests to it, under a name of its own that it lets resolve to 127.0.0.1, and then read the answers: to the browser
//! they are pages of that site. So such a server answers only to names that cannot be somebody else's. The API needs a key
//! with every request and answers to all.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};

use crate::config::{Config, is_loopback_url};
use crate::dialect::Dialect;
use crate::error::ApiError;
use crate::request::peer;

/// Refuses requests that HTTP does not allow, and pages under a name that is not ours.
pub(crate) fn check(request: &Request, config: &Config) -> Result<(), ApiError> {
    check_encoding(request.headers())?;
    let host = host(request)?;
    let path = request.uri().path();
    let is_for_anybody = Dialect::of(path).is_some() || path == "/healthz" || path == "/readyz";
    let is_local = config.listen.ip().to_canonical().is_loopback();
    if is_for_anybody || !is_local || config.trusted_proxies.contain(peer(request.extensions())) {
        return Ok(());
    }
    if host.is_none_or(|host| is_loopback_url(&format!("http://{host}")) || config.is_public_host(host)) {
        return Ok(());
    }
    let message = format!(
        "This service does not go by the host name of the request. Open it at http://localhost:{}{}, or start it with \
         --base-url if it has another name.",
        config.listen.port(),
        config.base_path
    );
    Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "unknown_host", message))
}

/// Returns the one host of a request. Only HTTP/1.0 knows requests without.
fn host(request: &Request) -> Result<Option<&str>, ApiError> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if request.version() < Version::HTTP_11 => Ok(None),
        (Some(host), None) => match host.to_str() {
            Ok(host) => Ok(Some(host)),
            Err(_) => Err(ApiError::bad_request("invalid_host", "The header Host is not valid.")),
        },
        _ => Err(ApiError::bad_request("invalid_host", "A request needs exactly one header Host.")),
    }
}

/// Refuses transfer codings other than `chunked`: a proxy in front may understand them differently.
fn check_encoding(headers: &HeaderMap) -> Result<(), ApiError> {
    let is_chunked = |value: &HeaderValue| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    if headers.get_all(header::TRANSFER_ENCODING).iter().all(is_chunked) {
        return Ok(());
    }
    let message = "The only transfer coding that is supported is “chunked”.";
    Err(ApiError::new(StatusCode::NOT_IMPLEMENTED, "unsupported_transfer_coding", message))
}
