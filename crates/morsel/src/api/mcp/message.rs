//! JSON-RPC messages: one request or notification, read without copying what it carries, and its answer.

use std::borrow::Cow;

use axum::http::StatusCode;
use bytes::Bytes;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::api::json::Object;

/// The message is not JSON.
const PARSE_ERROR: i32 = -32700;
/// The message is JSON, but not a message.
const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters of the method are wrong.
const INVALID_PARAMS: i32 = -32602;
/// The headers of a request say something else than its body.
const HEADER_MISMATCH: i32 = -32020;
/// The protocol revision is not one of ours.
const UNSUPPORTED_REVISION: i32 = -32022;
/// There is no such resource, in revisions that have a code for it.
const RESOURCE_NOT_FOUND: i32 = -32002;

/// Longest id of a request; it is repeated in the answer.
const MAX_ID_BYTES: usize = 1_024;

/// A request or a notification.
#[derive(Debug, Default)]
pub struct RpcRequest {
    /// The id as it was written; `None` for a notification.
    pub id: Option<String>,
    /// The name of the method.
    pub method: String,
    /// What `params` says, as far as any method of ours needs it.
    pub params: RpcParams,
}

/// The parameters of all methods together.
#[derive(Debug, Default)]
pub struct RpcParams {
    /// The protocol revision that a request says it is made in.
    pub revision: Option<String>,
    /// Whether the request says what the client can do.
    pub has_capabilities: bool,
    /// The revision that a client asks for when it connects.
    pub requested_revision: Option<String>,
    /// The name of a tool.
    pub name: Option<String>,
    /// The address of a resource.
    pub uri: Option<String>,
    /// The arguments of a tool: a JSON object.
    pub arguments: Option<Bytes>,
    /// The id of a request that the client no longer waits for, as it was written.
    pub cancelled: Option<String>,
}

/// An error of the protocol.
#[derive(Debug)]
pub struct RpcError {
    /// The HTTP status in every revision of the protocol that has one for this error.
    pub status: StatusCode,
    /// The code.
    pub code: i32,
    /// A sentence that a person can act on.
    pub message: String,
    /// More for programs.
    pub data: Option<Value>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Params<'a> {
    #[serde(rename = "_meta")]
    meta: Option<Object<Meta>>,
    protocol_version: Option<String>,
    name: Option<String>,
    uri: Option<String>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    request_id: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    revision: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Object<Ignored>>,
}

/// An object whose fields do not matter.
#[derive(Deserialize)]
struct Ignored {}

impl RpcRequest {
    /// Reads a message; `None` stands for a response, since the server never sends requests. An error comes with the id of
    /// the request, where that could be read.
    pub fn read(bytes: &Bytes) -> Result<Option<Self>, (Option<String>, RpcError)> {
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            let message = "Batches are not part of this protocol: send one message at a time.";
            return Err((None, RpcError::invalid_request(message)));
        }
        let envelope: Object<Envelope<'_>> =
            serde_json::from_slice(bytes).map_err(|error| (None, unreadable(&error)))?;
        let Object(envelope) = envelope;
        let id = envelope.id.map(RawValue::get);
        if !id.is_none_or(is_id) {
            return Err((None, RpcError::invalid_request("“id” must be a string or a whole number.")));
        }
        let id = id.map(str::to_owned);
        if envelope.jsonrpc.as_deref() != Some("2.0") {
            return Err((id, RpcError::invalid_request("“jsonrpc” must be “2.0”.")));
        }
        let Some(method) = envelope.method else {
            let is_response = envelope.result.is_some() || envelope.error.is_some();
            return if is_response { Ok(None) } else { Err((id, RpcError::no_method())) };
        };
        let params = envelope.params.map_or(Ok(RpcParams::default()), |params| RpcParams::read(bytes, params));
        match params {
            Ok(params) => Ok(Some(Self { id, method: method.into_owned(), params })),
            // Nobody waits for the answer to a notification.
            Err(_) if id.is_none() => Ok(Some(Self { method: method.into_owned(), ..Self::default() })),
            Err(error) => Err((id, error)),
        }
    }
}

impl RpcParams {
    fn read(message: &Bytes, params: &RawValue) -> Result<Self, RpcError> {
        let parsed: Result<Object<Params<'_>>, _> = serde_json::from_str(params.get());
        let Object(params) =
            parsed.map_err(|_| RpcError::invalid_params("“params” is not valid for this protocol."))?;
        let arguments = params.arguments.map(RawValue::get);
        if arguments.is_some_and(|arguments| !arguments.starts_with('{')) {
            return Err(RpcError::invalid_params("“arguments” must be an object."));
        }
        let meta = params.meta.map(|Object(meta)| meta).unwrap_or_default();
        Ok(Self {
            revision: meta.revision,
            has_capabilities: meta.capabilities.is_some(),
            requested_revision: params.protocol_version,
            name: params.name,
            uri: params.uri,
            arguments: arguments.map(|arguments| message.slice_ref(arguments.as_bytes())),
            cancelled: params.request_id.map(|id| id.get().to_owned()),
        })
    }
}

impl RpcError {
    fn new(status: StatusCode, code: i32, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), data: None }
    }

    /// Something that is not a message of the protocol.
    pub fn invalid_request(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, message)
    }

    fn no_method() -> Self {
        Self::invalid_request("“method” is missing.")
    }

    /// A method that we do not have.
    pub fn unknown_method() -> Self {
        Self::new(StatusCode::NOT_FOUND, METHOD_NOT_FOUND, "This server does not have the method of the request.")
    }

    /// Parameters that the method does not take.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, INVALID_PARAMS, message)
    }

    /// A header that does not say what the body says.
    pub fn header_mismatch(header: &str) -> Self {
        let message = format!("The header {header} is missing or does not match the body.");
        Self::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, message)
    }

    /// A revision of the protocol that we do not speak.
    pub fn unsupported_revision(requested: &str, supported: &[&str]) -> Self {
        let data = json!({"supported": supported, "requested": requested});
        let message = "This server does not speak this revision of the protocol.";
        Self { data: Some(data), ..Self::new(StatusCode::BAD_REQUEST, UNSUPPORTED_REVISION, message) }
    }

    /// A resource that does not exist.
    pub fn unknown_resource(is_stateless: bool) -> Self {
        let code = if is_stateless { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        Self::new(StatusCode::OK, code, "Resource not found. Use a URI like morsel://foods/sr_09040.")
    }

    /// Writes the answer to the request with this id.
    pub fn body(&self, id: Option<&str>) -> Vec<u8> {
        let error = ErrorObject { code: self.code, message: &self.message, data: self.data.as_ref() };
        write(&ErrorResponse { jsonrpc: "2.0", id: raw(id), error })
    }
}

/// Writes the answer to the request with this id.
pub fn result_body(id: &str, result: &impl Serialize) -> Vec<u8> {
    write(&ResultResponse { jsonrpc: "2.0", id: raw(Some(id)), result })
}

#[derive(Serialize)]
struct ResultResponse<'a, T> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    result: &'a T,
}

#[derive(Serialize)]
struct ErrorResponse<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    error: ErrorObject<'a>,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

/// Returns an id as it was written.
fn raw(id: Option<&str>) -> Option<&RawValue> {
    id.and_then(|id| serde_json::from_str(id).ok())
}

fn write(message: &impl Serialize) -> Vec<u8> {
    // Our objects have no keys that JSON cannot hold.
    serde_json::to_vec(message).unwrap_or_default()
}

/// Reports whether this JSON can be the id of a request. The answer repeats it, so that a string must be text: half of a surrogate
/// pair is none.
fn is_id(json: &str) -> bool {
    let is_number = json.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    json.len() <= MAX_ID_BYTES && (is_number || serde_json::from_str::<Cow<'_, str>>(json).is_ok())
}

fn unreadable(error: &serde_json::Error) -> RpcError {
    if error.is_data() {
        return RpcError::invalid_request("The message is not a JSON-RPC request.");
    }
    let message = format!("The message is not valid JSON (line {}, column {}).", error.line(), error.column());
    RpcError::new(StatusCode::BAD_REQUEST, PARSE_ERROR, message)
}
