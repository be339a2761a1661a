//! The methods of the protocol in the revisions that are spoken, whatever carries the messages.

use axum::http::{HeaderMap, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::backend::McpClient;
use super::message::{RpcError, RpcRequest, result_body};
use super::resources;
use super::tools::{self, McpTool};
use crate::error::ApiError;

/// The revision without sessions: each request says its revision and what its client can do.
const STATELESS: &str = "2026-07-28";
/// Revisions that begin with `initialize`, the newest first.
const WITH_HANDSHAKE: [&str; 2] = ["2025-11-25", "2025-06-18"];
/// All revisions, the newest first.
const REVISIONS: [&str; 3] = [STATELESS, WITH_HANDSHAKE[0], WITH_HANDSHAKE[1]];

/// How long clients may keep lists, in milliseconds. They change when the scopes of a key or the program do.
const LIST_TTL_MS: u32 = 300_000;
/// The start and the end of a header's value that is not plain text.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// What assistants are told about the server as a whole.
const INSTRUCTIONS: &str = "Morsel knows foods and products with their calories, protein, carbs, fat and more. Call \
    estimate_meal with the person's own words, or a photo, instead of guessing numbers; include “grams” and “source” to \
    show what they are based on. Find single foods with search_foods and lookup_barcode. All numbers come from published \
    food tables, product labels and the person's own recipes.";

/// The two kinds of revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Revision {
    Handshake,
    Stateless,
}

/// The answer to a request.
#[derive(Debug)]
pub enum RpcAnswer {
    /// A message, and its HTTP status.
    Message(StatusCode, Vec<u8>),
    /// The service cannot answer now, or does not want to.
    Failure(ApiError),
}

/// Why a request has no result.
enum Failure {
    /// The client misunderstood the protocol.
    Protocol(RpcError),
    /// The service cannot answer, or does not want to.
    Service(ApiError),
}

impl From<RpcError> for Failure {
    fn from(error: RpcError) -> Self {
        Self::Protocol(error)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Service(error)
    }
}

/// Answers a request with this id. Headers are those that carried it, if it came over HTTP.
pub async fn answer(client: &McpClient, id: &str, request: RpcRequest, headers: Option<&HeaderMap>) -> RpcAnswer {
    let revision = match revision_of(&request, headers) {
        Ok(revision) => revision,
        Err(error) => return RpcAnswer::Message(error.status, error.body(Some(id))),
    };
    match result(client, request, revision).await {
        Ok(result) => RpcAnswer::Message(StatusCode::OK, result_body(id, &result)),
        Err(Failure::Service(error)) => RpcAnswer::Failure(error),
        Err(Failure::Protocol(error)) => {
            // The earlier revisions use the status for HTTP alone.
            let status = if revision == Revision::Stateless { error.status } else { StatusCode::OK };
            RpcAnswer::Message(status, error.body(Some(id)))
        }
    }
}

/// A result with what every result has in the revision of its request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FramedResult {
    #[serde(flatten)]
    result: RpcResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

/// The result of a method.
#[derive(Serialize)]
#[serde(untagged)]
enum RpcResult {
    Object(Map<String, Value>),
    Tools { tools: Vec<&'static RawValue> },
    ToolAnswer(ToolResult),
}

/// The result of a tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult {
    content: [TextContent; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Box<RawValue>>,
    is_error: bool,
}

#[derive(Serialize)]
struct TextContent {
    r#type: &'static str,
    text: String,
}

async fn result(client: &McpClient, request: RpcRequest, revision: Revision) -> Result<FramedResult, Failure> {
    let is_stateless = revision == Revision::Stateless;
    let RpcRequest { method, params, .. } = request;
    let (result, ttl_ms) = match method.as_str() {
        "initialize" => (initialized(params.requested_revision.as_deref()), None),
        "server/discover" if is_stateless => (discovered(), Some(LIST_TTL_MS)),
        "ping" if !is_stateless => (RpcResult::Object(Map::new()), None),
        "tools/list" => (RpcResult::Tools { tools: tools::permitted(client.scopes) }, Some(LIST_TTL_MS)),
        "tools/call" => {
            let name = params.name.ok_or_else(|| RpcError::invalid_params("“name” is missing."))?;
            (call(client, &name, params.arguments).await?, None)
        }
        "resources/list" => (list("resources", resources::permitted(client.scopes)), Some(LIST_TTL_MS)),
        "resources/templates/list" => {
            (list("resourceTemplates", resources::permitted_templates(client.scopes)), Some(LIST_TTL_MS))
        }
        "resources/read" => {
            let uri = params.uri.ok_or_else(|| RpcError::invalid_params("“uri” is missing."))?;
            let resource = resources::read(client, &uri).await?;
            let resource = resource.ok_or_else(|| RpcError::unknown_resource(is_stateless))?;
            (list("contents", vec![json!(resource)]), Some(0))
        }
        _ => return Err(RpcError::unknown_method().into()),
    };
    let ttl_ms = ttl_ms.filter(|_| is_stateless);
    Ok(FramedResult {
        result,
        ttl_ms,
        // What a client sees depends on its key.
        cache_scope: ttl_ms.map(|_| "private"),
        result_type: is_stateless.then_some("complete"),
        meta: is_stateless.then(|| json!({"io.modelcontextprotocol/serverInfo": server_info()})),
    })
}

/// Calls a tool. What the caller can correct is a result, so that assistants read it and try again.
async fn call(client: &McpClient, name: &str, arguments: Option<bytes::Bytes>) -> Result<RpcResult, Failure> {
    let Some(tool) = McpTool::find(name) else {
        let permitted = McpTool::ALL.into_iter().filter(|tool| client.scopes.contains(tool.scope()));
        let names: Vec<&str> = permitted.map(McpTool::name).collect();
        let message = format!("There is no such tool. The tools are: {}.", names.join(", "));
        return Err(RpcError { status: StatusCode::OK, ..RpcError::invalid_params(message) }.into());
    };
    client.check(tool.scope())?;
    let (text, structured_content, is_error) = match tool.call(client, arguments).await {
        Ok(answer) => (answer.text, Some(answer.structured), false),
        Err(error) if is_correctable(error.status) => (error.message, None, true),
        Err(error) => return Err(error.into()),
    };
    let content = [TextContent { r#type: "text", text }];
    Ok(RpcResult::ToolAnswer(ToolResult { content, structured_content, is_error }))
}

/// Reports whether an error is about what the caller sent, and not about when or with which key.
fn is_correctable(status: StatusCode) -> bool {
    status.is_client_error() && !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS)
}

fn list(name: &str, entries: Vec<Value>) -> RpcResult {
    RpcResult::Object(Map::from_iter([(name.to_owned(), Value::Array(entries))]))
}

fn server_info() -> Value {
    json!({"name": "morsel", "title": "Morsel", "version": env!("CARGO_PKG_VERSION")})
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}})
}

fn initialized(requested: Option<&str>) -> RpcResult {
    let known = WITH_HANDSHAKE.into_iter().find(|revision| Some(*revision) == requested);
    RpcResult::Object(Map::from_iter([
        ("protocolVersion".to_owned(), Value::from(known.unwrap_or(WITH_HANDSHAKE[0]))),
        ("capabilities".to_owned(), capabilities()),
        ("serverInfo".to_owned(), server_info()),
        ("instructions".to_owned(), Value::from(INSTRUCTIONS)),
    ]))
}

fn discovered() -> RpcResult {
    RpcResult::Object(Map::from_iter([
        ("supportedVersions".to_owned(), json!(REVISIONS)),
        ("capabilities".to_owned(), capabilities()),
        ("instructions".to_owned(), Value::from(INSTRUCTIONS)),
    ]))
}

/// Returns the revision of a request. Requests that say none are those of revisions with a handshake.
fn revision_of(request: &RpcRequest, headers: Option<&HeaderMap>) -> Result<Revision, RpcError> {
    let in_header = headers.and_then(|headers| text_of(headers, "mcp-protocol-version"));
    let in_body = request.params.revision.as_deref();
    if request.method == "initialize" && in_body.is_none() {
        return Ok(Revision::Handshake);
    }
    match in_body.or(in_header) {
        Some(STATELESS) => {}
        None if request.method == "server/discover" => {}
        None => return Ok(Revision::Handshake),
        Some(revision) if WITH_HANDSHAKE.contains(&revision) => return Ok(Revision::Handshake),
        Some(other) => return Err(RpcError::unsupported_revision(other, &REVISIONS)),
    }
    if in_body.is_none() || !request.params.has_capabilities {
        let message = "“params._meta” must have “io.modelcontextprotocol/protocolVersion” and \
                       “io.modelcontextprotocol/clientCapabilities”.";
        return Err(RpcError::invalid_params(message));
    }
    if let Some(headers) = headers {
        check_headers(request, headers)?;
    }
    Ok(Revision::Stateless)
}

/// Checks that the headers, which proxies may act on, say what the body says.
fn check_headers(request: &RpcRequest, headers: &HeaderMap) -> Result<(), RpcError> {
    let params = &request.params;
    let name = match request.method.as_str() {
        "tools/call" => params.name.as_deref(),
        "resources/read" => params.uri.as_deref(),
        _ => None,
    };
    let mirrored = [
        ("MCP-Protocol-Version", params.revision.as_deref()),
        ("Mcp-Method", Some(request.method.as_str())),
        ("Mcp-Name", name),
    ];
    for (header, value) in mirrored.into_iter().filter(|(_, value)| value.is_some()) {
        let sent = text_of(headers, header).and_then(decoded);
        if sent.as_deref() != value {
            return Err(RpcError::header_mismatch(header));
        }
    }
    Ok(())
}

/// Returns the value of a header that occurs once.
fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Returns what a header's value stands for.
fn decoded(value: &str) -> Option<String> {
    let encoded = value.strip_prefix(ENCODED.0).and_then(|rest| rest.strip_suffix(ENCODED.1));
    match encoded {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_is_not_plain_text_is_decoded() {
        for (value, meaning) in [
            ("get_food", Some("get_food")),
            ("=?base64?SGVsbG8sIOS4lueVjA==?=", Some("Hello, 世界")),
            ("=?base64?%%%?=", None),
            ("=?base64?/w==?=", None),
            ("=?base64?", Some("=?base64?")),
        ] {
            assert_eq!(decoded(value).as_deref(), meaning, "{value}");
        }
    }
}
