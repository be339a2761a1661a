//! The token in which a provider says who somebody is.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::metadata::{Algorithm, Keys};
use super::oidc_error::OidcError;

const MAX_LENGTH: usize = 32 * 1024;
/// How far the clocks of the provider and of this machine may differ, in seconds.
const LEEWAY: f64 = 60.0;

/// What a token must say.
pub(super) struct Expected<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: &'a str,
    pub now: Timestamp,
}

/// What a token, or the provider's user information, says.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    /// The id of the person at the provider.
    pub sub: String,
    pub email: Option<String>,
    pub email_verified: Option<Flag>,
    iss: Option<String>,
    aud: Option<Audience>,
    azp: Option<String>,
    exp: Option<f64>,
    iat: Option<f64>,
    nbf: Option<f64>,
    nonce: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Yes or no; some providers write it as a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Flag {
    Bool(bool),
    Text(String),
}

#[derive(Deserialize)]
struct Head {
    alg: String,
    kid: Option<String>,
    crit: Option<IgnoredAny>,
}

impl Flag {
    pub fn is_true(&self) -> bool {
        match self {
            Self::Bool(flag) => *flag,
            Self::Text(text) => text == "true",
        }
    }
}

/// Checks the signature of a token and everything that it must say, and returns what it says.
pub(super) fn verify(token: &str, keys: &Keys, expected: &Expected<'_>) -> Result<Claims, OidcError> {
    let invalid = OidcError::Invalid("the ID token is not a signed JWT");
    if token.len() > MAX_LENGTH {
        return Err(invalid);
    }
    let (message, signature) = token.rsplit_once('.').ok_or_else(|| invalid.clone())?;
    let (head, body) = message.split_once('.').ok_or_else(|| invalid.clone())?;
    let head: Head = decode(head).ok_or_else(|| invalid.clone())?;
    if head.crit.is_some() {
        return Err(OidcError::Invalid("the token has extensions that must be understood"));
    }
    let algorithm =
        Algorithm::parse(&head.alg).ok_or(OidcError::Invalid("the token is not signed with RS256 or ES256"))?;
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).map_err(|_| invalid.clone())?;
    keys.verify(algorithm, head.kid.as_deref(), message.as_bytes(), &signature)?;
    // Nothing of it is read before the signature is known to be right.
    let claims: Claims = decode(body).ok_or(invalid)?;
    check(&claims, expected)?;
    Ok(claims)
}

fn check(claims: &Claims, expected: &Expected<'_>) -> Result<(), OidcError> {
    let is_for_us = match &claims.aud {
        Some(Audience::One(audience)) => audience == expected.client_id,
        Some(Audience::Many(audiences)) => audiences.iter().any(|audience| audience == expected.client_id),
        None => false,
    };
    let has_others = matches!(&claims.aud, Some(Audience::Many(audiences)) if audiences.len() > 1);
    let party = claims.azp.as_deref();
    let is_our_party = party == Some(expected.client_id) || (party.is_none() && !has_others);
    let now = expected.now.as_second() as f64;
    let rules = [
        (claims.iss.as_deref() == Some(expected.issuer), "the token is of another issuer"),
        (is_for_us && is_our_party, "the token is for another service"),
        (claims.exp.is_some_and(|exp| exp > now - LEEWAY), "the token has expired"),
        (claims.iat.is_some_and(|iat| iat < now + LEEWAY), "the token is from the future"),
        (claims.nbf.is_none_or(|nbf| nbf < now + LEEWAY), "the token is not valid yet"),
        (claims.nonce.as_deref() == Some(expected.nonce), "the token is for another sign-in"),
        (!claims.sub.is_empty(), "the token does not say who it is about"),
    ];
    match rules.into_iter().find(|(is_kept, _)| !is_kept) {
        Some((_, broken)) => Err(OidcError::Invalid(broken)),
        None => Ok(()),
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}
