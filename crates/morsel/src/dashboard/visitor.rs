//! Who asks for a page.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::{SignedDuration, Timestamp};
use store::{Account, Session};

use super::error_page::accepts_pages;
use super::layout::{Layout, Section};
use super::{done, session};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::address::BaseUrl;
use crate::observe::ClientAddress;

/// How exactly it is known when a session was last used: noting it is a write.
const SEEN_EVERY: SignedDuration = SignedDuration::from_secs(60);
const LONGEST_USER_AGENT: usize = 200;
/// Longest address that a person is sent back to after signing in.
const LONGEST_NEXT: usize = 500;

/// Anybody, signed in or not.
#[derive(Debug)]
pub(super) struct Visitor {
    /// The address under which they know us.
    pub base: BaseUrl,
    /// Where they come from.
    pub from: IpAddr,
    /// What their browser calls itself.
    pub agent: Option<String>,
    /// What they just did.
    pub done: Option<&'static str>,
    /// Their session and account.
    pub signed_in: Option<(Session, Account)>,
}

/// Somebody who is signed in. Who is not is sent to the page where one signs in, and from there back here.
#[derive(Debug)]
pub(super) struct SignedIn {
    pub session: Session,
    pub account: Account,
    pub base: BaseUrl,
    /// Where they come from.
    pub from: IpAddr,
    /// What their browser calls itself.
    pub agent: Option<String>,
    done: Option<&'static str>,
}

/// Somebody who is signed in and may manage the others.
#[derive(Debug)]
pub(super) struct Owner(pub SignedIn);

/// Why somebody does not get to see a page.
#[derive(Debug)]
pub(super) enum Away {
    /// They must sign in first, at this address.
    SignIn(String),
    Error(ApiError),
}

impl Visitor {
    /// The frame of a page for them.
    pub fn layout(&self, section: Section) -> Layout {
        let account = self.signed_in.as_ref().map(|(_, account)| account);
        Layout::new(section, account, self.done)
    }
}

impl From<SignedIn> for Visitor {
    fn from(me: SignedIn) -> Self {
        let SignedIn { session, account, base, from, agent, done } = me;
        Self { base, from, agent, done, signed_in: Some((session, account)) }
    }
}

impl SignedIn {
    /// The frame of a page for them.
    pub fn layout(&self, section: Section) -> Layout {
        Layout::new(section, Some(&self.account), self.done)
    }
}

/// A path to go on to, if it is one of this site: what a stranger's link says must not lead elsewhere.
pub(super) fn local_path(text: &str) -> Option<&str> {
    let is_local = text.starts_with('/')
        && !text.starts_with("//")
        && text.len() <= LONGEST_NEXT
        && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_local.then_some(text)
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let base = BaseUrl::of_parts(parts, &app.config);
        let token = session::token(&parts.headers, &base);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let agent = agent.map(|agent| agent.chars().take(LONGEST_USER_AGENT).collect());
        let from = parts.extensions.get::<ClientAddress>().map_or(Ipv4Addr::LOCALHOST.into(), |address| address.0);
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let code = form_urlencoded::parse(query).find(|(name, _)| name == "done").map(|(_, code)| code);
        let done = code.and_then(|code| done::sentence(&code));
        let now = Timestamp::now();
        let signed_in = match token {
            Some(token) => app.store.sessions().by_token(&token, now).await?,
            None => None,
        };
        if let Some((session, _)) = &signed_in
            && now.duration_since(session.last_seen_at) > SEEN_EVERY
        {
            app.store.sessions().touch(&session.id, now).await?;
        }
        Ok(Self { base, from, agent, done, signed_in })
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = Away;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Away> {
        let visitor = Visitor::from_request_parts(parts, app).await.map_err(Away::Error)?;
        let Visitor { base, from, agent, done, signed_in } = visitor;
        match signed_in {
            Some((session, account)) => Ok(Self { session, account, base, from, agent, done }),
            None => Err(not_signed_in(parts)),
        }
    }
}

impl FromRequestParts<Arc<App>> for Owner {
    type Rejection = Away;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Away> {
        let signed_in = SignedIn::from_request_parts(parts, app).await?;
        if signed_in.account.is_owner {
            return Ok(Self(signed_in));
        }
        let message = "This page is for whoever runs the service. Your account is not an owner's.";
        Err(Away::Error(ApiError::forbidden("owners_only", message)))
    }
}

/// A browser is sent to sign in; a script is told so.
fn not_signed_in(parts: &Parts) -> Away {
    if !accepts_pages(&parts.headers) {
        let message = "Nobody is signed in. Open the dashboard and sign in.";
        return Away::Error(ApiError::new(StatusCode::UNAUTHORIZED, "not_signed_in", message));
    }
    let here = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    // What a form was about to do is not done by coming back.
    let next = local_path(here).filter(|here| *here != "/" && parts.method.is_safe());
    Away::SignIn(next.map_or_else(
        || "/sign-in".to_owned(),
        |next| {
            let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
            format!("/sign-in?next={next}")
        },
    ))
}

impl IntoResponse for Away {
    fn into_response(self) -> Response {
        match self {
            Self::SignIn(address) => Redirect::to(&address).into_response(),
            Self::Error(error) => error.into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn only_paths_of_this_site_are_gone_on_to() {
        for path in ["/", "/keys", "/usage?days=7&key=a", "/docs#errors", "/a//b"] {
            assert_eq!(local_path(path), Some(path));
        }
        let elsewhere = [
            "",
            "keys",
            "//evil.test",
            "https://evil.test",
            "/\\evil.test",
            "/\t/evil.test",
            "/a\r\nb",
            "javascript:x",
        ];
        for path in elsewhere {
            assert_eq!(local_path(path), None, "{path:?}");
        }
    }
}
