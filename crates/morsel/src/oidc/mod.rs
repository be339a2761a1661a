//! Who somebody is, by the word of a provider that speaks OpenID Connect: authorization code flow with PKCE.
//!
//! Of the protocol only what is needed here: the provider's metadata and keys (`metadata`), the exchange of a code for a
//! token, and the checks of that token (`id_token`). The crate `openidconnect` would be the alternative: it brings a second
//! HTTP client interface and implementations of RSA and elliptic curves beside `ring`, which is here for TLS already.

mod id_token;
mod metadata;
mod oidc_error;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use store::Email;
use tokio::sync::{Mutex, Semaphore};

pub use oidc_error::OidcError;

use crate::config::OidcConfig;
use id_token::{Claims, Expected};
use metadata::{Keys, Metadata};

/// How long the provider may take for one answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest answer that is read.
const MAX_ANSWER: usize = 256 * 1024;
/// People who sign in at the same moment.
const MAX_EXCHANGES: usize = 32;
/// How long metadata and keys of the provider are used.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// Keys that the provider may have added are looked for this often at most.
const MIN_KEY_AGE: SignedDuration = SignedDuration::from_mins(1);

/// After a failure, the provider is left alone for this long.
const RETRY_AFTER: SignedDuration = SignedDuration::from_secs(2);

/// The provider that people sign in with.
#[derive(Debug)]
pub struct SignInProvider {
    config: OidcConfig,
    client: Client,
    cache: Mutex<Cache>,
    exchanges: Semaphore,
}

/// What must come back from the provider unchanged, and what only this browser has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Comes back in the URL.
    pub state: String,
    /// Comes back in the token.
    pub nonce: String,
    /// Proves to the provider that the code is used by whoever asked for it.
    pub verifier: String,
}

/// Somebody whom the provider knows, with an address that it has verified.
#[derive(Debug, PartialEq, Eq)]
pub struct Identity {
    /// The address.
    pub email: Email,
}

/// What is known of the provider.
#[derive(Debug, Default)]
struct Cache {
    loaded: Option<Arc<Loaded>>,
    /// When loading failed last, and why.
    failure: Option<(Timestamp, OidcError)>,
}

/// What the provider publishes about itself.
#[derive(Debug)]
struct Loaded {
    metadata: Metadata,
    keys: Keys,
    at: Timestamp,
}

#[derive(Deserialize)]
struct TokenAnswer {
    id_token: Option<String>,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct TokenRefusal {
    error: Option<String>,
}

impl SignInProvider {
    /// Creates the client; nothing is sent yet.
    pub fn new(config: &OidcConfig) -> anyhow::Result<Self> {
        // If one is installed already, it is the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .build()
            .context("cannot create the HTTP client for --oidc-issuer")?;
        let exchanges = Semaphore::new(MAX_EXCHANGES);
        Ok(Self { config: config.clone(), client, cache: Mutex::default(), exchanges })
    }

    /// Returns the settings.
    pub fn config(&self) -> &OidcConfig {
        &self.config
    }

    /// Returns the URL at the provider where somebody signs in and from where they come back to `redirect`.
    pub async fn sign_in_url(&self, attempt: &Attempt, redirect: &str, now: Timestamp) -> Result<String, OidcError> {
        let loaded = self.load(now, FRESH).await?;
        let endpoint = &loaded.metadata.authorization_endpoint;
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(attempt.verifier.as_bytes()));
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", "openid email")
            .append_pair("state", &attempt.state)
            .append_pair("nonce", &attempt.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .finish();
        let separator = if endpoint.contains('?') { '&' } else { '?' };
        Ok(format!("{endpoint}{separator}{query}"))
    }

    /// Exchanges the code that somebody came back with for their identity.
    pub async fn identify(
        &self,
        code: &str,
        attempt: &Attempt,
        redirect: &str,
        now: Timestamp,
    ) -> Result<Identity, OidcError> {
        let _running = self.exchanges.try_acquire().map_err(|_| OidcError::Busy)?;
        let loaded = self.load(now, FRESH).await?;
        let answer: TokenAnswer = self.fetch(self.token_request(&loaded.metadata, code, attempt, redirect)).await?;
        let token = answer.id_token.ok_or(OidcError::Invalid("the token answer has no ID token"))?;
        let issuer = &loaded.metadata.issuer;
        let expected = Expected { issuer, client_id: &self.config.client_id, nonce: &attempt.nonce, now };
        let claims = match id_token::verify(&token, &loaded.keys, &expected) {
            // The provider may have changed its keys.
            Err(OidcError::UnknownKey) => {
                let newer = self.load(now, MIN_KEY_AGE).await?;
                id_token::verify(&token, &newer.keys, &expected)?
            }
            verified => verified?,
        };
        self.identity(&loaded.metadata, claims, answer.access_token.as_deref()).await
    }

    /// Returns the verified address in the claims or, if they have none, in those that the provider hands out separately.
    async fn identity(
        &self,
        metadata: &Metadata,
        claims: Claims,
        access_token: Option<&str>,
    ) -> Result<Identity, OidcError> {
        let claims = match (&claims.email, &metadata.userinfo_endpoint, access_token) {
            (None, Some(endpoint), Some(token)) => {
                let more: Claims = self.fetch(self.client.get(endpoint).bearer_auth(token)).await?;
                if more.sub != claims.sub {
                    return Err(OidcError::Invalid("the user information is about somebody else"));
                }
                more
            }
            _ => claims,
        };
        let email = claims.email.as_deref().and_then(Email::parse).ok_or(OidcError::NoEmail)?;
        if !claims.email_verified.is_some_and(|verified| verified.is_true()) {
            return Err(OidcError::UnverifiedEmail);
        }
        Ok(Identity { email })
    }

    /// Returns the request that exchanges a code for tokens.
    fn token_request(&self, metadata: &Metadata, code: &str, attempt: &Attempt, redirect: &str) -> RequestBuilder {
        let client_id = &self.config.client_id;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", redirect)
            .append_pair("code_verifier", &attempt.verifier);
        let mut request = self.client.post(&metadata.token_endpoint);
        match &self.config.client_secret {
            Some(secret) if metadata.takes_basic_auth() => {
                // Both are encoded as in a form before they become a header.
                let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
                request = request.basic_auth(encode(client_id), Some(encode(secret.reveal())));
            }
            Some(secret) => {
                form.append_pair("client_id", client_id).append_pair("client_secret", secret.reveal());
            }
            None => {
                form.append_pair("client_id", client_id);
            }
        }
        request.header("content-type", "application/x-www-form-urlencoded").body(form.finish())
    }

    /// Returns what the provider publishes, if it was loaded within a time; else loads it.
    async fn load(&self, now: Timestamp, max_age: SignedDuration) -> Result<Arc<Loaded>, OidcError> {
        let mut cache = self.cache.lock().await;
        if let Some(loaded) = &cache.loaded
            && now.duration_since(loaded.at) < max_age
        {
            return Ok(Arc::clone(loaded));
        }
        // People who waited for the one who tried need not wait for another try.
        if let Some((at, error)) = &cache.failure
            && now.duration_since(*at) < RETRY_AFTER
        {
            return Err(error.clone());
        }
        match self.fetch_all(now).await {
            Ok(loaded) => {
                let loaded = Arc::new(loaded);
                *cache = Cache { loaded: Some(Arc::clone(&loaded)), failure: None };
                Ok(loaded)
            }
            Err(error) => {
                cache.failure = Some((now, error.clone()));
                Err(error)
            }
        }
    }

    async fn fetch_all(&self, now: Timestamp) -> Result<Loaded, OidcError> {
        let url = format!("{}/.well-known/openid-configuration", self.config.issuer);
        let metadata: Metadata = self.fetch(self.client.get(url)).await?;
        metadata.check(&self.config.issuer)?;
        let keys: Keys = self.fetch(self.client.get(&metadata.jwks_uri)).await?;
        Ok(Loaded { metadata, keys, at: now })
    }

    /// Sends a request and reads its answer.
    async fn fetch<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, OidcError> {
        let unreachable = |error: reqwest::Error| OidcError::Unreachable(error.without_url().to_string());
        let mut response = request.header("accept", "application/json").send().await.map_err(unreachable)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            body.extend_from_slice(&piece);
            if body.len() > MAX_ANSWER {
                return Err(OidcError::Invalid("an answer is too long"));
            }
        }
        if status == StatusCode::OK {
            return serde_json::from_slice(&body).map_err(|_| OidcError::Invalid("an answer is not the JSON expected"));
        }
        let refusal: Option<TokenRefusal> = serde_json::from_slice(&body).ok();
        let code = refusal.and_then(|refusal| refusal.error).unwrap_or_default();
        Err(OidcError::Status(status.as_u16(), code.chars().filter(char::is_ascii_graphic).take(60).collect()))
    }
}
