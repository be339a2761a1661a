//! Who is signed in, by a cookie; and whether a form really comes from one of our pages.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use jiff::Timestamp;
use store::{Account, Session};

use crate::app::App;
use crate::error::ApiError;
use crate::guard::address::BaseUrl;

/// How long a session lasts.
pub(super) const SECONDS: i64 = 14 * 24 * 3_600;

/// The cookie's name; the longer one binds it to this host and to https, where there is https.
fn cookie_name(base: &BaseUrl) -> &'static str {
    if base.0.starts_with("https://") { "__Host-morsel_session" } else { "morsel_session" }
}

/// The token in a request's cookies.
pub(super) fn token(request: &Request, base: &BaseUrl) -> Option<String> {
    let name = cookie_name(base);
    let cookies = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// The session of a token, and its account.
pub(super) async fn of(app: &App, token: Option<String>) -> Result<Option<(Session, Account)>, ApiError> {
    let Some(token) = token else { return Ok(None) };
    Ok(app.store.sessions().by_token(&token, Timestamp::now()).await?)
}

/// The header that gives a browser its cookie, or takes it away.
pub(super) fn cookie(base: &BaseUrl, token: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    let name = cookie_name(base);
    let secure = if base.0.starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&text).map_err(ApiError::internal)
}

/// Refuses a form that another site's page has sent.
pub(super) fn same_site(request: &Request) -> Result<(), ApiError> {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_ours = match text("sec-fetch-site") {
        Some(site) => site == "same-origin" || site == "none",
        // Older browsers say only where the page came from.
        None => text("origin").is_none_or(|origin| {
            let host = origin.split_once("://").map(|(_, host)| host);
            host.is_some() && host == text("host")
        }),
    };
    if is_ours {
        return Ok(());
    }
    let message = "The form was sent from another site. Open the dashboard and try again there.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "cross_site", message))
}
