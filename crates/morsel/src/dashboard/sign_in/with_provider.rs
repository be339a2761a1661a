//! Signing in through the provider of `--oidc-issuer`.
//!
//! What must come back unchanged is kept in a cookie of this browser alone, for ten minutes: another server of the same
//! service may handle the return. An account is found by the address that the provider has verified.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;
use store::{Account, AuditEvent, AuditKind, CreateAccountError, Email, NewAccount};

use super::with_code::{Entry, sign_in_or_ask};
use crate::app::App;
use crate::dashboard::query::PageQuery;
use crate::dashboard::session;
use crate::dashboard::visitor::{Visitor, local_path};
use crate::error::ApiError;
use crate::oidc::{Attempt, OidcError, SignInProvider};
use crate::request::BaseUrl;

/// The cookie that remembers an attempt.
const COOKIE: &str = "morsel_sign_in";
/// How long one may take at the provider.
const LASTS_SECONDS: i64 = 600;
/// The longest code and state that are looked at.
const MAX_PARAMETER: usize = 4_096;

#[derive(Deserialize)]
pub(crate) struct StartQuery {
    /// The path to go to afterwards.
    next: Option<String>,
}

/// What the provider sends people back with.
#[derive(Deserialize)]
pub(crate) struct ReturnQuery {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// Sends somebody to the provider.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    PageQuery(query): PageQuery<StartQuery>,
    user: Visitor,
) -> Result<Response, ApiError> {
    let provider = provider(&app)?;
    let next = query.next.as_deref().and_then(local_path).unwrap_or("/");
    let mut rng = app.rng();
    let [state, nonce, verifier] = [(); 3].map(|()| BASE64_URL_SAFE_NO_PAD.encode(rng.bytes()));
    let attempt = Attempt { state, nonce, verifier };
    let url = provider.sign_in_url(&attempt, &return_url(&user.base), app.now()).await;
    let url = url.map_err(|error| refusal(provider, &error))?;
    let mut response = Redirect::to(&url).into_response();
    let cookie = session::write(&user.base, COOKIE, &remember(&attempt, next), LASTS_SECONDS)?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Signs somebody in who comes back from the provider.
pub(crate) async fn finish(
    State(app): State<Arc<App>>,
    PageQuery(query): PageQuery<ReturnQuery>,
    headers: HeaderMap,
    user: Visitor,
) -> Result<Response, ApiError> {
    let provider = provider(&app)?;
    let remembered = session::read(&headers, &user.base, COOKIE);
    let signed_in = sign_in(&app, provider, &query, remembered.as_deref(), &user).await;
    let mut response = signed_in.unwrap_or_else(IntoResponse::into_response);
    // An attempt is over, whatever became of it.
    response.headers_mut().append(header::SET_COOKIE, session::write(&user.base, COOKIE, "", 0)?);
    Ok(response)
}

async fn sign_in(
    app: &App,
    provider: &SignInProvider,
    query: &ReturnQuery,
    remembered: Option<&str>,
    user: &Visitor,
) -> Result<Response, ApiError> {
    let refused = |detail: &str| {
        let event = AuditEvent::new(AuditKind::ProviderRefused, app.now()).from(user.from);
        app.trail.record(event.detail(detail));
    };
    let remembered = remembered.and_then(recall);
    let state = query.state.as_deref().unwrap_or_default();
    let Some((attempt, next)) = remembered.filter(|(attempt, _)| attempt.state == state) else {
        refused("the answer does not belong to an attempt of this browser");
        let message = "This sign-in took too long, or was started in another browser. Try again.";
        return Err(ApiError::bad_request("sign_in_expired", message));
    };
    let code = query.code.as_deref().filter(|code| !code.is_empty() && code.len() <= MAX_PARAMETER);
    let Some(code) = code.filter(|_| query.error.is_none()) else {
        refused("the provider did not let them in");
        let message = format!("You were not signed in: {} refused it.", provider.config().name);
        return Err(ApiError::forbidden("provider_refused", message));
    };
    let identified = provider.identify(code, &attempt, &return_url(&user.base), app.now()).await;
    let identity = identified.map_err(|error| {
        refused(&error.to_string());
        refusal(provider, &error)
    })?;
    let Some(account) = account(app, provider, &identity.email, user).await? else {
        let message = format!(
            "{} knows you as {}, but there is no account here for that address, or it may not sign in. Ask the owner of the \
             service.",
            provider.config().name,
            identity.email
        );
        return Err(ApiError::forbidden("no_account", message));
    };
    sign_in_or_ask(app, user, &account, Entry::Provider(&provider.config().name), &next).await
}

/// Returns the account of somebody with a verified address, created if it may be, unless it may not sign in.
async fn account(
    app: &App,
    provider: &SignInProvider,
    email: &Email,
    user: &Visitor,
) -> Result<Option<Account>, ApiError> {
    let (accounts, now) = (app.store.accounts(), app.now());
    let event = |kind| AuditEvent::new(kind, now).from(user.from);
    let refused = |detail: &str| event(AuditKind::ProviderRefused).detail(detail);
    if !provider.config().allows(email) {
        app.trail.record(refused("the address is not in the list"));
        return Ok(None);
    }
    match accounts.by_email(email).await? {
        Some(account) if account.disabled_at.is_some() => {
            app.trail.record(refused("the account is disabled").of(&account.id));
            Ok(None)
        }
        Some(account) => Ok(Some(account)),
        None if !provider.config().creates_accounts => {
            app.trail.record(refused("no such account"));
            Ok(None)
        }
        None => match accounts.create(NewAccount::new(email.clone()), now, &mut app.rng()).await {
            Ok(account) => {
                let name = &provider.config().name;
                app.trail.record(event(AuditKind::SignedUp).of(&account.id).detail(format!("with {name}")));
                Ok(Some(account))
            }
            Err(CreateAccountError::EmailTaken) => Ok(accounts.by_email(email).await?),
            Err(CreateAccountError::Store(error)) => Err(error.into()),
        },
    }
}

fn provider(app: &App) -> Result<&SignInProvider, ApiError> {
    app.sign_in_provider.as_ref().ok_or_else(|| ApiError::not_found("There is nothing at this URL."))
}

/// Returns where the provider sends people back to.
fn return_url(base: &BaseUrl) -> String {
    format!("{}/sign-in/oidc/return", base.0)
}

/// Says what a person can do. The log has the cause.
fn refusal(provider: &SignInProvider, error: &OidcError) -> ApiError {
    let name = &provider.config().name;
    tracing::warn!(%error, "sign-in through --oidc-issuer failed");
    match error {
        OidcError::Busy => ApiError::overloaded(),
        OidcError::Unreachable(_) | OidcError::Status(500.., _) => {
            let message = format!("{name} cannot be reached. Try again later, or sign in with a password or a link.");
            let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "provider_unavailable", message);
            ApiError { retry_after: Some(10), ..error }
        }
        OidcError::NoEmail | OidcError::UnverifiedEmail => {
            let message = format!("{name} does not vouch for your email address, so that you cannot sign in with it.");
            ApiError::forbidden("email_not_verified", message)
        }
        OidcError::Status(..) | OidcError::UnknownKey | OidcError::Invalid(_) => {
            let message =
                format!("The answer of {name} could not be used. Try again; the owner finds the cause in the log.");
            ApiError::new(StatusCode::BAD_GATEWAY, "provider_invalid", message)
        }
    }
}

/// Writes an attempt as the value of a cookie.
fn remember(attempt: &Attempt, next: &str) -> String {
    let next = BASE64_URL_SAFE_NO_PAD.encode(next);
    format!("{}.{}.{}.{next}", attempt.state, attempt.nonce, attempt.verifier)
}

/// Reads the value of the cookie.
fn recall(value: &str) -> Option<(Attempt, String)> {
    let mut parts = value.split('.').map(str::to_owned);
    let attempt = Attempt { state: parts.next()?, nonce: parts.next()?, verifier: parts.next()? };
    let next = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
    let is_whole = !attempt.state.is_empty() && !attempt.nonce.is_empty() && parts.next().is_none();
    let next = local_path(&next)?.to_owned();
    is_whole.then_some((attempt, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_survives_the_cookie_and_nothing_else_does() {
        let text = |text: &str| text.to_owned();
        let attempt = Attempt { state: text("s"), nonce: text("n"), verifier: text("v") };
        let value = remember(&attempt, "/keys?a=b");
        assert_eq!(recall(&value), Some((attempt.clone(), "/keys?a=b".to_owned())));
        for wrong in ["", "s.n.v", "...Lw", "s.n.v.Lw.x", "s.n.v.!"] {
            assert_eq!(recall(wrong), None, "{wrong}");
        }
        assert_eq!(recall(&remember(&attempt, "https://evil.test")), None);
    }
}
