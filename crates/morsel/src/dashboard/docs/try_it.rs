//! Sends requests to the API for signed-in users who read the reference, with their session in place of a key.
//!
//! The requests go to the handlers of the API directly. Like those of the playground they count toward the limit of the
//! account's test keys, and not in the usage statistics. The API itself never accepts a session.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use axum::{Extension, Router};
use serde::de::IgnoredAny;
use store::{Account, Key, KeyId, Mode, Scopes};
use tower::ServiceExt as _;

use super::highlight::{Language, highlight};
use super::html::escape;
use super::reference::Endpoint;
use crate::account_cache::KeyAndAccount;
use crate::app::App;
use crate::dashboard::form::Form;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::guard::{Caller, count_request};
use crate::request::{ClientAddress, Peer, RequestId};

/// What a page shows of a response.
const MAX_SHOWN: usize = 100_000;
/// What is read of a response for a page.
const MAX_READ: usize = 4 << 20;

/// The handlers of the API, without the guard in front of them.
#[derive(Clone, Debug)]
pub(crate) struct ApiHandlers(pub Router);

/// What is known about a request from its connection.
#[derive(Debug)]
pub(crate) struct Connection(pub Extensions);

impl FromRequestParts<Arc<App>> for Connection {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Infallible> {
        let mut known = Extensions::new();
        copy_extensions(&parts.extensions, &mut known);
        Ok(Self(known))
    }
}

/// A response, as a page shows it.
#[derive(Debug)]
pub(super) struct TriedResponse {
    pub status: StatusCode,
    /// The body as HTML.
    pub html: String,
}

/// Passes on a request of the reference's script.
pub(crate) async fn pass_on(
    State(app): State<Arc<App>>,
    Extension(api): Extension<ApiHandlers>,
    user: SignedIn,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
    let path = path.strip_prefix("/docs/try").unwrap_or_default();
    parts.uri = path.parse().map_err(|_| ApiError::not_found("There is nothing at this URL."))?;
    // A cookie is of no use to the API, and the routes' own parameters must not meet those of this one.
    parts.headers.remove(header::COOKIE);
    let mut passed = Request::new(body);
    *passed.method_mut() = parts.method;
    *passed.uri_mut() = parts.uri;
    *passed.headers_mut() = parts.headers;
    copy_extensions(&parts.extensions, passed.extensions_mut());
    send(&app, api, &user.account, passed).await
}

/// Sends what a form without scripts describes, and returns the response for the page.
pub(super) async fn send_form(
    app: &Arc<App>,
    api: ApiHandlers,
    user: &SignedIn,
    endpoint: &Endpoint,
    form: &Form,
    head: &HeaderMap,
    extensions: &Extensions,
) -> Result<TriedResponse, ApiError> {
    let mut request = Request::new(Body::from(form.raw("body").to_owned()));
    *request.uri_mut() = uri(endpoint, form)?;
    *request.method_mut() = endpoint.method.parse().unwrap_or(Method::GET);
    if let Some(host) = head.get(header::HOST) {
        request.headers_mut().insert(header::HOST, host.clone());
    }
    for parameter in endpoint.parameters.iter().filter(|parameter| parameter.place == "header") {
        let value = form.text(&parameter.name);
        let pair = (HeaderName::try_from(&parameter.name), HeaderValue::from_str(value));
        if let ((Ok(name), Ok(value)), false) = (pair, value.is_empty()) {
            request.headers_mut().insert(name, value);
        }
    }
    copy_extensions(extensions, request.extensions_mut());
    let id = extensions.get::<RequestId>().map_or("", |id| &*id.0).to_owned();
    match send(app, api, &user.account, request).await {
        Ok(response) => shown(response, &id).await,
        Err(error) => Ok(shown_error(&error, &id)),
    }
}

/// Returns the URL that a form describes.
fn uri(endpoint: &Endpoint, form: &Form) -> Result<Uri, ApiError> {
    let mut path = endpoint.path.to_owned();
    let mut query = form_urlencoded::Serializer::new(String::new());
    for parameter in &endpoint.parameters {
        let value = form.text(&parameter.name);
        match parameter.place.as_str() {
            "path" => {
                let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
                path = path.replace(&format!("{{{}}}", parameter.name), &value.replace('+', "%20"));
            }
            "query" if !value.is_empty() => drop(query.append_pair(&parameter.name, value)),
            _ => {}
        }
    }
    let query = query.finish();
    let url = if query.is_empty() { path } else { format!("{path}?{query}") };
    url.parse().map_err(|_| ApiError::not_found("There is nothing at this URL."))
}

/// Copies what is known about a request from its connection.
fn copy_extensions(from: &Extensions, to: &mut Extensions) {
    if let Some(id) = from.get::<RequestId>() {
        to.insert(id.clone());
    }
    if let Some(address) = from.get::<ClientAddress>() {
        to.insert(*address);
    }
    if let Some(peer) = from.get::<Peer>() {
        to.insert(*peer);
    }
}

async fn send(app: &Arc<App>, api: ApiHandlers, account: &Account, mut request: Request) -> Result<Response, ApiError> {
    count_request(app, account, Mode::Test).await?;
    request.extensions_mut().insert(session_caller(app, account));
    match api.0.oneshot(request).await {
        Ok(response) => Ok(response),
        Err(never) => match never {},
    }
}

/// Returns a caller that may do what the account may.
fn session_caller(app: &App, account: &Account) -> Caller {
    let key = Key {
        id: KeyId::generate(&mut app.rng()),
        account_id: account.id.clone(),
        mode: Mode::Test,
        label: None,
        scopes: Scopes::all(),
        prefix: String::new(),
        last_four: String::new(),
        created_at: app.now(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        last_used_from: None,
        networks: Vec::new(),
    };
    Caller(Arc::new(KeyAndAccount { key, account: account.clone(), networks: None }))
}

async fn shown(mut response: Response, request_id: &str) -> Result<TriedResponse, ApiError> {
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        return Ok(shown_error(&error, request_id));
    }
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_image = kind.starts_with("image/");
    let body = to_bytes(response.into_body(), MAX_READ).await.map_err(ApiError::internal)?;
    let html = if is_image { format!("An image of {} bytes", body.len()) } else { body_html(&body) };
    Ok(TriedResponse { status, html })
}

fn shown_error(error: &ApiError, request_id: &str) -> TriedResponse {
    TriedResponse { status: error.status, html: body_html(&error.body(request_id)) }
}

/// Renders a body: JSON with indentation and colors, anything else as it is.
fn body_html(body: &[u8]) -> String {
    let cut = |text: &str| text.chars().take(MAX_SHOWN).collect::<String>();
    let text = String::from_utf8_lossy(body);
    if serde_json::from_str::<IgnoredAny>(&text).is_ok() {
        return highlight(Language::Json, &cut(&indented(&text)));
    }
    escape(&cut(&text))
}

/// Breaks JSON into lines, with the fields in the order that they have.
fn indented(json: &str) -> String {
    let (mut out, mut depth, mut is_text, mut is_escaped) = (String::with_capacity(json.len() * 2), 0, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    let mut characters = json.chars().filter(|character| *character != '\n').peekable();
    while let Some(character) = characters.next() {
        if is_text {
            out.push(character);
            is_text = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                out.push(character);
                if !matches!(characters.peek(), Some('}' | ']')) {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                if !out.ends_with(['{', '[']) {
                    depth = depth.saturating_sub(1);
                    line(&mut out, depth);
                }
                out.push(character);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            ' ' => {}
            '"' => {
                out.push('"');
                is_text = true;
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_in_its_own_order() {
        let json = r#"{"b":[1,{"a":"x, \"y\": {"}],"c":[],"d":{}}"#;
        let expected =
            "{\n  \"b\": [\n    1,\n    {\n      \"a\": \"x, \\\"y\\\": {\"\n    }\n  ],\n  \"c\": [],\n  \"d\": {}\n}";
        assert_eq!(indented(json), expected);
        assert_eq!(body_html(b"a < b"), "a &lt; b");
    }
}
