//! A provider of OpenID Connect that says whatever a test wants it to say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A provider that says what a test wants.
pub struct Issuer {
    pub url: String,
    says: Mutex<Says>,
}

/// What the provider says next.
pub struct Says {
    pub key: EcdsaKeyPair,
    /// The id under which it publishes the key.
    pub kid: &'static str,
    pub head: Value,
    pub claims: Value,
    pub userinfo: Value,
    /// Whether the signature is of another key.
    pub is_forged: bool,
    /// What the token endpoint was sent last.
    pub form: HashMap<String, String>,
    pub authorization: String,
}

pub fn new_key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random).expect("a key")
}

pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

impl Issuer {
    pub async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let says = Says {
            key: new_key(),
            kid: "first",
            head: json!({"alg": "ES256", "kid": "first"}),
            claims: json!({}),
            userinfo: json!({}),
            is_forged: false,
            form: HashMap::new(),
            authorization: String::new(),
        };
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let issuer = Arc::new(Self { url, says: Mutex::new(says) });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(async |State(issuer): State<Arc<Issuer>>| Json(issuer.says().userinfo.clone())));
        let router = router.with_state(Arc::clone(&issuer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        issuer
    }

    pub fn says(&self) -> MutexGuard<'_, Says> {
        self.says.lock().expect("no panic")
    }
}

async fn metadata(State(issuer): State<Arc<Issuer>>) -> Json<Value> {
    let url = &issuer.url;
    Json(json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize?tenant=a"),
        "token_endpoint": format!("{url}/token"),
        "userinfo_endpoint": format!("{url}/userinfo"),
        "jwks_uri": format!("{url}/keys"),
    }))
}

async fn keys(State(issuer): State<Arc<Issuer>>) -> Json<Value> {
    let says = issuer.says();
    let point = says.key.public_key().as_ref();
    let (x, y) = (encode(&point[1..33]), encode(&point[33..]));
    Json(json!({"keys": [
        {"kty": "oct", "kid": says.kid, "k": "AAAA"},
        {"kty": "EC", "crv": "P-256", "use": "sig", "kid": says.kid, "x": x, "y": y},
    ]}))
}

async fn token(State(issuer): State<Arc<Issuer>>, headers: HeaderMap, body: String) -> Response {
    let mut says = issuer.says();
    says.form = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    headers["authorization"].to_str().expect("text").clone_into(&mut says.authorization);
    if says.form["code"] != "right" {
        return (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response();
    }
    let message = format!("{}.{}", encode(says.head.to_string()), encode(says.claims.to_string()));
    let forger = new_key();
    let key = if says.is_forged { &forger } else { &says.key };
    let signature = key.sign(&SystemRandom::new(), message.as_bytes()).expect("signed");
    let token = format!("{message}.{}", encode(signature));
    Json(json!({"id_token": token, "access_token": "access", "token_type": "Bearer"})).into_response()
}
