//! What a provider publishes about itself: its URLs and its keys.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;

use super::oidc_error::OidcError;
use crate::config::is_secure;

/// The length of a coordinate on the curve P-256.
const COORDINATE: usize = 32;

/// The provider's metadata, as far as it is used here.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    /// Exactly what tokens have.
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    pub userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// The provider's public keys.
#[derive(Debug, Deserialize)]
pub(super) struct Keys {
    keys: Vec<Key>,
}

#[derive(Debug, Deserialize)]
struct Key {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// The algorithms that are accepted: one for each kind of key, so that a token cannot choose another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Es256,
}

impl Metadata {
    /// Checks that the metadata are those of the issuer, and that nobody can listen in.
    pub fn check(&self, issuer: &str) -> Result<(), OidcError> {
        if self.issuer.trim_end_matches('/') != issuer {
            return Err(OidcError::Invalid("its metadata name another issuer"));
        }
        let urls = [&self.authorization_endpoint, &self.token_endpoint, &self.jwks_uri];
        if urls.into_iter().chain(&self.userinfo_endpoint).all(|url| is_secure(url)) {
            return Ok(());
        }
        Err(OidcError::Invalid("its metadata have a URL without https"))
    }

    /// Reports whether the secret may be sent as HTTP Basic authentication, which is the default.
    pub fn takes_basic_auth(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"))
    }
}

impl Algorithm {
    /// Reads the name in the head of a token.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "RS256" => Some(Self::Rs256),
            "ES256" => Some(Self::Es256),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
        }
    }
}

impl Keys {
    /// Checks a signature with the key that its token names, or with any if it names none.
    pub fn verify(
        &self,
        algorithm: Algorithm,
        kid: Option<&str>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), OidcError> {
        let is_candidate = |key: &&Key| key.fits(algorithm) && (kid.is_none() || key.kid.as_deref() == kid);
        let mut candidates = self.keys.iter().filter(is_candidate).peekable();
        if candidates.peek().is_none() {
            return Err(OidcError::UnknownKey);
        }
        if candidates.any(|key| key.verifies(algorithm, message, signature)) {
            return Ok(());
        }
        Err(OidcError::Invalid("the signature of the token is wrong"))
    }
}

impl Key {
    fn fits(&self, algorithm: Algorithm) -> bool {
        let is_kind = match algorithm {
            Algorithm::Rs256 => self.kty == "RSA",
            Algorithm::Es256 => self.kty == "EC" && self.crv.as_deref() == Some("P-256"),
        };
        is_kind
            && self.usage.as_deref().is_none_or(|usage| usage == "sig")
            && self.alg.as_deref().is_none_or(|alg| alg == algorithm.name())
    }

    fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let number = |text: &Option<String>| {
            let bytes = text.as_deref().and_then(|text| BASE64_URL_SAFE_NO_PAD.decode(text).ok()).unwrap_or_default();
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            bytes[zeros..].to_vec()
        };
        match algorithm {
            Algorithm::Rs256 => {
                let key = RsaPublicKeyComponents { n: number(&self.n), e: number(&self.e) };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }
            Algorithm::Es256 => {
                // An uncompressed point: a mark, and both coordinates at full length.
                let mut point = vec![4];
                for coordinate in [number(&self.x), number(&self.y)] {
                    point.resize(point.len() + COORDINATE.saturating_sub(coordinate.len()), 0);
                    point.extend(coordinate);
                }
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made with OpenSSL: a public key, and the signature of "head.claims".
    const MODULUS: &str = "kEvzs6XlkdXd7717Nfo92n7AiMlD949n2lA28RPxzIvOKTKtpW95lTlTGUkT0v8PNUQ1S7eVfL9phb0L_AZAxlDLuLKPX1JNJtKu\
        LOAbMbPKNPHwgFapF4sU_gBfRPfsutIR4iH1dGe14082JbyMTqTJbG9kKxk_KRzJtT3hvF8_ICdw-b0Ii8ljKjyjcKc19RShatIT\
        cX1Q2uSXH0oczPYShPRAHYxJps_jQuA03_-J2vqtjXNRkciloiHC3AhuKSYztH2UfqRGWFWyxFqdzDGL8oN32LiXIaqijstHVqnt\
        Bjojvelrc8A5G-QKLofYibmHAgNcYoVvjveMPyaoTQ";
    const SIGNATURE: &str = "AKimky9NHuKu1xvsOkdVaDZtunivgGx2-zNIrWN__3bESLQ40caPgloONqeRWnK2pgElrOVrSH-nGX9fYZmM7lzf0cewl41mkigk\
        7dSkpmHeQm8CqHdTNqWDtvq8VH6XJnSXPTXsaTDm1fyvKqaa90DgZh1Lyb7894WE10iNh3zOcP3T6HXDC4Zp3Eo6OwOMuiSpeH8Y\
        xh3Qz8u2_eO5AIVhnwEDbWrf-GGGlngdWMCP27LFHywP6TSA7EwFFBN4HFGb6GGpr4n18PDKd9ONvOaNXAtUnVyaSqRs4ramz8a_\
        inA8zPHwzC9xzB4GerHmKtTs2GAaUdf2e7GmUKGpJQ";

    fn keys(change: impl FnOnce(&mut serde_json::Value)) -> Keys {
        let mut keys = serde_json::json!({"keys": [
            {"kty": "RSA", "kid": "a", "use": "sig", "alg": "RS256", "e": "AQAB", "n": MODULUS},
            {"kty": "OKP", "crv": "Ed25519", "kid": "b", "x": "AAAA"},
        ]});
        change(&mut keys["keys"][0]);
        serde_json::from_value(keys).expect("keys")
    }

    #[test]
    fn signatures_of_rsa_keys_are_checked() {
        let signature = BASE64_URL_SAFE_NO_PAD.decode(SIGNATURE).expect("base64");
        let verify =
            |keys: &Keys, algorithm, kid, message: &str| keys.verify(algorithm, kid, message.as_bytes(), &signature);
        let published = keys(|_| {});
        assert_eq!(verify(&published, Algorithm::Rs256, Some("a"), "head.claims"), Ok(()));
        assert_eq!(verify(&published, Algorithm::Rs256, None, "head.claims"), Ok(()));
        let wrong = Err(OidcError::Invalid("the signature of the token is wrong"));
        assert_eq!(verify(&published, Algorithm::Rs256, Some("a"), "head.other"), wrong);
        assert_eq!(verify(&keys(|key| key["n"] = "AQAB".into()), Algorithm::Rs256, None, "head.claims"), wrong);
        for (algorithm, kid) in [(Algorithm::Rs256, Some("b")), (Algorithm::Rs256, Some("c")), (Algorithm::Es256, None)]
        {
            assert_eq!(verify(&published, algorithm, kid, "head.claims"), Err(OidcError::UnknownKey), "{kid:?}");
        }
        for (name, value) in [("use", "enc"), ("alg", "PS256"), ("kty", "EC")] {
            let unfit = keys(|key| key[name] = value.into());
            assert_eq!(verify(&unfit, Algorithm::Rs256, None, "head.claims"), Err(OidcError::UnknownKey), "{name}");
        }
    }

    #[test]
    fn metadata_must_be_those_of_the_issuer_and_safe() {
        let metadata = |issuer: &str, token: &str| Metadata {
            issuer: issuer.to_owned(),
            authorization_endpoint: "https://login.test/a".to_owned(),
            token_endpoint: token.to_owned(),
            jwks_uri: "https://login.test/k".to_owned(),
            userinfo_endpoint: None,
            token_endpoint_auth_methods_supported: None,
        };
        assert!(metadata("https://login.test/", "https://login.test/t").check("https://login.test").is_ok());
        assert!(metadata("https://other.test", "https://login.test/t").check("https://login.test").is_err());
        assert!(metadata("https://login.test", "http://login.test/t").check("https://login.test").is_err());
    }
}
