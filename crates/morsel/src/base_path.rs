//! A service below a path of its host, such as `https://example.com/morsel`.
//!
//! Inside the service no URL has the base path: handlers, templates and tables of routes write `/keys`. It is removed from
//! requests before they are routed, and added on the way out to the links of pages and to redirects. Whole URLs and cookies
//! have it from [`BaseUrl`](crate::request::BaseUrl).
//!
//! Requests without the base path are answered too, so that health checks and a proxy on the same machine need not know it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use tower::ServiceBuilder;

use crate::error::ApiError;

/// What precedes a path in our pages. Quotation marks in texts are escaped, so that these are always attributes.
const ATTRIBUTES: [&str; 5] = ["href", "src", "action", "data-path", "data-page"];

/// Returns a router that removes the base path from requests for `router`.
pub fn mount(router: Router, base_path: &str) -> Router {
    let base_path: Arc<str> = base_path.into();
    let strip = move |request: Request| strip_request(request, &base_path);
    Router::new().fallback_service(ServiceBuilder::new().map_request(strip).service(router))
}

/// Adds the base path to the links of a page and to the target of a redirect.
pub async fn prefix_response(State(base_path): State<Arc<str>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    prefix_location(response.headers_mut(), &base_path);
    let content_type = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !content_type.is_some_and(|content_type| content_type.starts_with(b"text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let html = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return ApiError::internal(error).into_response(),
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let html = prefix_links(&String::from_utf8_lossy(&html), &base_path);
    Response::from_parts(parts, Body::from(html))
}

fn strip_request(mut request: Request, base_path: &str) -> Request {
    let stripped = request.uri().path_and_query().and_then(|path| strip(path.as_str(), base_path)?.parse().ok());
    if let Some(stripped) = stripped {
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        parts.path_and_query = Some(stripped);
        // The parts are those of a URI, with another path.
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
    }
    request
}

/// Returns path and query below the base path, or `None` if they are not below it.
fn strip(path: &str, base_path: &str) -> Option<String> {
    let rest = path.strip_prefix(base_path)?;
    match rest.chars().next() {
        None => Some("/".to_owned()),
        Some('/') => Some(rest.to_owned()),
        Some('?') => Some(format!("/{rest}")),
        Some(_) => None,
    }
}

fn prefix_location(headers: &mut HeaderMap, base_path: &str) {
    let Some(location) = headers.get(header::LOCATION).and_then(|value| value.to_str().ok()) else { return };
    if location.starts_with('/')
        && !location.starts_with("//")
        && let Ok(prefixed) = HeaderValue::from_str(&format!("{base_path}{location}"))
    {
        headers.insert(header::LOCATION, prefixed);
    }
}

/// Puts the base path in front of the paths in the attributes of a page.
fn prefix_links(html: &str, base_path: &str) -> String {
    let mut prefixed = String::with_capacity(html.len() + html.len() / 16);
    let mut rest = html;
    while let Some(at) = rest.find("=\"/") {
        let (before, after) = rest.split_at(at);
        prefixed.push_str(before);
        prefixed.push_str("=\"");
        let is_path = !after.starts_with("=\"//");
        let is_link =
            |name: &&str| before.strip_suffix(*name).is_some_and(|before| before.ends_with(char::is_whitespace));
        if is_path && ATTRIBUTES.iter().any(is_link) {
            prefixed.push_str(base_path);
        }
        rest = &after["=\"".len()..];
    }
    prefixed.push_str(rest);
    prefixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_path_is_removed_from_requests() {
        for (from, to) in [
            ("/morsel", "/"),
            ("/morsel/", "/"),
            ("/morsel?flash=x", "/?flash=x"),
            ("/morsel/keys?a=/morsel", "/keys?a=/morsel"),
            ("/morsel/morsel", "/morsel"),
            ("/morsels", "/morsels"),
            ("/healthz", "/healthz"),
        ] {
            let request = Request::builder().uri(from).body(Body::empty()).expect("a request");
            let stripped = strip_request(request, "/morsel");
            assert_eq!(stripped.uri().to_string(), to, "{from}");
        }
    }

    #[test]
    fn only_links_to_paths_are_changed() {
        let html = "<a class=\"x\" href=\"/keys\">\n<form action=\"/\"><img src=\"/a.svg\"><a href=\"//other/\"><a \
                    href=\"#main\"><a href=\"https://x/\"><form data-path=\"/v1\"><p title=\"/keys\"><i data-href=\"/x\">";
        let expected = html.replace(" href=\"/keys", " href=\"/m/keys").replace(" action=\"/", " action=\"/m/");
        let expected = expected.replace("src=\"/a", "src=\"/m/a").replace("data-path=\"/", "data-path=\"/m/");
        assert_eq!(prefix_links(html, "/m"), expected);
        let text = "<p>href=&#34;/keys&#34; = \"/\"</p>";
        assert_eq!(prefix_links(text, "/m"), text);
    }
}
