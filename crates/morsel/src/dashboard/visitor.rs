//! The user who sent a request.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use jiff::SignedDuration;
use serde::Deserialize;
use store::limits::Traffic;
use store::{Account, Session};

use super::flash;
use super::layout::{Layout, Section};
use super::session;
use super::theme::Theme;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::PageAccount;
use crate::request::{BaseUrl, ClientAddress, accepts_html};

/// How often the last use of a session is stored, since that is a write.
const SEEN_EVERY: SignedDuration = SignedDuration::from_secs(60);
const MAX_USER_AGENT: usize = 200;
/// The longest path to return to after signing in.
const MAX_NEXT: usize = 500;

/// A user, signed in or not.
#[derive(Debug)]
pub(super) struct Visitor {
    /// The URL of the service, as the user knows it.
    pub base: BaseUrl,
    /// The IP address.
    pub from: IpAddr,
    /// The browser's `User-Agent`.
    pub agent: Option<String>,
    /// The flash message to show.
    pub flash: Option<&'static str>,
    pub theme: Theme,
    /// The session and the account.
    pub signed_in: Option<(Session, Account)>,
}

/// A signed-in user. Others are redirected to the sign-in page, and from there back. Users who open too many pages in a
/// minute have to wait.
#[derive(Debug)]
pub(super) struct SignedIn {
    pub session: Session,
    pub account: Account,
    pub base: BaseUrl,
    /// The IP address.
    pub from: IpAddr,
    /// The browser's `User-Agent`.
    pub agent: Option<String>,
    flash: Option<&'static str>,
    theme: Theme,
}

/// A signed-in user who may manage all accounts.
#[derive(Debug)]
pub(super) struct Owner(pub SignedIn);

/// Why a user may not see a page.
#[derive(Debug)]
pub(crate) enum Rejection {
    /// They must sign in first, or prove again who they are, at this URL.
    Redirect(String),
    /// They get another page instead.
    Page(Box<Response>),
    Error(ApiError),
}

impl<E: Into<ApiError>> From<E> for Rejection {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

#[derive(Deserialize)]
struct FlashQuery {
    flash: String,
}

impl Visitor {
    /// Returns the layout of a page for this user.
    pub fn layout(&self, section: Section) -> Layout {
        let account = self.signed_in.as_ref().map(|(_, account)| account);
        Layout::new(section, account, self.flash, self.theme)
    }
}

impl From<SignedIn> for Visitor {
    fn from(user: SignedIn) -> Self {
        let SignedIn { session, account, base, from, agent, flash, theme } = user;
        Self { base, from, agent, flash, theme, signed_in: Some((session, account)) }
    }
}

impl SignedIn {
    /// Returns the layout of a page for this user.
    pub fn layout(&self, section: Section) -> Layout {
        Layout::new(section, Some(&self.account), self.flash, self.theme)
    }
}

impl AsRef<SignedIn> for SignedIn {
    fn as_ref(&self) -> &SignedIn {
        self
    }
}

impl AsRef<SignedIn> for Owner {
    fn as_ref(&self) -> &SignedIn {
        &self.0
    }
}

/// Returns the path if it stays on this site: a link from a stranger must not redirect elsewhere.
pub(super) fn local_path(text: &str) -> Option<&str> {
    let is_local = text.starts_with('/')
        && !text.starts_with("//")
        && text.len() <= MAX_NEXT
        && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_local.then_some(text)
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let base = BaseUrl::of_parts(parts, &app.config);
        let token = session::token(&parts.headers, &base);
        let theme = Theme::of(&parts.headers, &base);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let agent = agent.map(|agent| agent.chars().take(MAX_USER_AGENT).collect());
        let from = parts.extensions.get::<ClientAddress>().map_or(Ipv4Addr::LOCALHOST.into(), |address| address.0);
        let query = Query::<FlashQuery>::try_from_uri(&parts.uri).ok();
        let flash = query.and_then(|query| flash::message(&query.flash));
        let now = app.now();
        let signed_in = match token {
            Some(token) => app.store.sessions().by_token(&token, now).await?,
            None => None,
        };
        if let Some((session, _)) = &signed_in
            && now.duration_since(session.last_seen_at) > SEEN_EVERY
        {
            app.store.sessions().touch(&session.id, now).await?;
        }
        Ok(Self { base, from, agent, flash, theme, signed_in })
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Rejection> {
        let user = Visitor::from_request_parts(parts, app).await?;
        let Visitor { base, from, agent, flash, theme, signed_in } = user;
        match signed_in {
            Some((session, account)) => {
                count_page(app, &account).await?;
                if let Some(page) = parts.extensions.get::<PageAccount>() {
                    page.set(&account);
                }
                Ok(Self { session, account, base, from, agent, flash, theme })
            }
            None => Err(not_signed_in(parts)),
        }
    }
}

impl FromRequestParts<Arc<App>> for Owner {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Rejection> {
        let signed_in = SignedIn::from_request_parts(parts, app).await?;
        if signed_in.account.is_owner {
            return Ok(Self(signed_in));
        }
        let message = "Only owners can open this page.";
        Err(Rejection::Error(ApiError::forbidden("owners_only", message)))
    }
}

/// Counts a page, or refuses it. Pages have a window of their own: they must not use up what an account's programs need, nor
/// be a way around its plan.
async fn count_page(app: &App, account: &Account) -> Result<(), ApiError> {
    let now = app.now();
    let taken = app.windows.take(&account.id, Traffic::Pages, app.config.limits.pages(), now).await;
    if taken.allowed {
        return Ok(());
    }
    let seconds = taken.seconds_until_reset(now);
    let message = format!("You opened more than {} pages in a minute. Try again in {seconds} s.", taken.limit);
    Err(ApiError::too_many("too_many_pages", message, seconds))
}

/// Returns the URL of a page that leads on to another one.
pub(super) fn url_with_next(path: &str, next: &str) -> String {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{path}?next={next}")
}

/// Redirects browsers to the sign-in page; scripts get an error.
fn not_signed_in(parts: &Parts) -> Rejection {
    if !accepts_html(&parts.headers) {
        let message = "You are not signed in. Open the dashboard and sign in.";
        return Rejection::Error(ApiError::new(StatusCode::UNAUTHORIZED, "not_signed_in", message));
    }
    let here = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    // A form is not submitted again after signing in.
    let next = local_path(here).filter(|here| *here != "/" && parts.method.is_safe());
    Rejection::Redirect(next.map_or_else(|| "/sign-in".to_owned(), |next| url_with_next("/sign-in", next)))
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        match self {
            Self::Redirect(url) => Redirect::to(&url).into_response(),
            Self::Page(response) => *response,
            Self::Error(error) => error.into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn only_paths_of_this_site_are_followed() {
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
