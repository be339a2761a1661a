//! One request of the log, with everything that is known about it.

use std::fmt::Write as _;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;
use store::{KeptBodies, LoggedRequest};

use super::row::LogRow;
use crate::app::App;
use crate::dashboard::assets::{Asset, LOG_STYLE};
use crate::dashboard::human_time::HumanTime;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

/// The longest text that a link to the playground carries.
const MAX_TEXT: usize = 1_500;

#[derive(Template)]
#[template(path = "log/request.html")]
struct RequestPage {
    layout: Layout,
    style: Asset,
    row: LogRow,
    at: HumanTime,
    route: Option<String>,
    has_key: bool,
    keeps_bodies: bool,
    query: Option<String>,
    request: Option<String>,
    response: Option<String>,
    curl: String,
    playground: Option<String>,
}

/// The page of an id that is not in the log.
#[derive(Template)]
#[template(path = "log/unknown.html")]
struct UnknownRequestPage {
    layout: Layout,
    id: String,
    is_on: bool,
    max_requests: u32,
    max_days: u32,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    // Include the latest requests.
    app.request_log.flush(&app.store, &app.limits, app.now()).await?;
    let limits = app.limits.of(user.account.plan);
    let oldest = limits.log_bounds(app.now()).oldest;
    let found = app.store.request_log().find(&user.account.id, &id).await?;
    let Some((request, bodies)) = found.filter(|(request, _)| request.at >= oldest) else {
        let unknown = UnknownRequestPage {
            layout: user.layout(Section::Log),
            id,
            is_on: app.request_log.is_on(),
            max_requests: limits.log_requests,
            max_days: limits.log_days,
        };
        return page(StatusCode::NOT_FOUND, &unknown);
    };
    let keys = app.store.keys().list(&user.account.id).await?;
    let request_page = RequestPage {
        layout: user.layout(Section::Log),
        style: LOG_STYLE,
        row: LogRow::new(&request, &keys),
        at: HumanTime::relative(request.at, app.now()),
        has_key: keys.iter().any(|key| key.id.as_str() == request.key),
        keeps_bodies: user.account.keeps_bodies,
        curl: curl(&user.base.0, &request, &bodies),
        playground: bodies.request.as_deref().and_then(playground_link),
        request: bodies.request.as_deref().map(pretty),
        response: bodies.response.as_deref().map(pretty),
        query: bodies.query,
        route: request.route,
    };
    page(StatusCode::OK, &request_page)
}

/// Returns a command that sends the request again, as far as the log knows it.
fn curl(base: &str, request: &LoggedRequest, bodies: &KeptBodies) -> String {
    // Writing to a string does not fail.
    let mut command = "curl".to_owned();
    if !matches!(request.method.as_str(), "GET" | "POST") {
        let _ = write!(command, " -X {}", request.method);
    } else if request.method == "POST" && bodies.request.is_none() {
        command += " -X POST";
    }
    let query = bodies.query.as_deref().map(|query| format!("?{query}")).unwrap_or_default();
    let _ = write!(command, " {}", quoted(&format!("{base}{}{query}", api_path(request.shown_path()))));
    command += " \\\n  -H \"Authorization: Bearer $MORSEL_KEY\"";
    if let Some(body) = &bodies.request {
        let _ = write!(command, " \\\n  -H 'Content-Type: application/json' \\\n  -d {}", quoted(body));
    }
    command
}

/// Returns the path of the API that does what a request of the dashboard did.
fn api_path(path: &str) -> &str {
    match path {
        "/playground/estimate" => "/v1/estimate/sync",
        path => path.strip_prefix("/docs/try").unwrap_or(path),
    }
}

/// Quotes a text for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Indents JSON; other texts stay as they are.
fn pretty(body: &str) -> String {
    let value = serde_json::from_str::<Value>(body).ok();
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| body.to_owned())
}

/// Returns a link that opens the text of an estimate in the playground, if the request had one.
fn playground_link(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    let of_user = |message: &&Value| message["role"].as_str().is_none_or(|role| role == "user");
    let message = body["messages"].as_array().and_then(|messages| messages.iter().find(of_user));
    let content = message.map_or(&body["query"], |message| &message["content"]);
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join(" "),
        _ => return None,
    };
    let text: String = text.chars().take(MAX_TEXT).collect();
    let encoded: String = form_urlencoded::byte_serialize(text.trim().as_bytes()).collect();
    (!encoded.is_empty()).then(|| format!("/playground?text={encoded}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str) -> LoggedRequest {
        LoggedRequest {
            at: "2026-11-17T12:00:00Z".parse().expect("a time"),
            id: "req_1".to_owned(),
            key: "key_1".to_owned(),
            method: method.to_owned(),
            route: Some(format!("{method} /v1/recipes/{{id}}")),
            path: Some("/v1/recipes/rcp_1".to_owned()),
            status: 200,
            micros: 1,
            address: "192.0.2.1".to_owned(),
            code: None,
            param: None,
        }
    }

    #[test]
    fn a_request_can_be_repeated_from_a_shell() {
        let bodies = KeptBodies { query: Some("a=b".into()), request: Some("{\"a\":\"it's\"}".into()), response: None };
        let text = curl("https://food.test/m", &request("PUT"), &bodies);
        let expected = "curl -X PUT 'https://food.test/m/v1/recipes/rcp_1?a=b' \\\n  -H \"Authorization: Bearer \
                        $MORSEL_KEY\" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"a\":\"it'\\''s\"}'";
        assert_eq!(text, expected);
        assert!(curl("", &request("GET"), &KeptBodies::default()).starts_with("curl '/v1"));
        let path = Some("/playground/estimate".to_owned());
        let tried = LoggedRequest { path, route: None, ..request("POST") };
        assert!(curl("", &tried, &KeptBodies::default()).contains("'/v1/estimate/sync'"));
        assert!(curl("", &request("POST"), &KeptBodies::default()).starts_with("curl -X POST '/v1"));
    }

    #[test]
    fn the_first_text_of_an_estimate_opens_in_the_playground() {
        let link = |body: &str| playground_link(body);
        let text = r#"{"messages":[{"role":"user","content":"two eggs & toast"},{"role":"user","content":"no"}]}"#;
        assert_eq!(link(text).as_deref(), Some("/playground?text=two+eggs+%26+toast"));
        let parts = r#"{"messages":[{"role":"system","content":"x"},{"role":"user","content":[{"type":"text","text":"eggs"},{"type":"image_url"}]}]}"#;
        assert_eq!(link(parts).as_deref(), Some("/playground?text=eggs"));
        assert_eq!(link(r#"{"query":"an apple"}"#).as_deref(), Some("/playground?text=an+apple"));
        assert_eq!(link(r#"{"name":"Pie"}"#), None);
        assert_eq!(link("nonsense"), None);
    }
}
