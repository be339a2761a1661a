//! `POST /mcp`: one message of the protocol for each request of HTTP, answered as JSON. There are neither sessions nor
//! streams.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::backend::{McpBackend, McpClient, ServiceBackend};
use super::message::{RpcError, RpcRequest};
use super::protocol::{self, RpcAnswer};
use crate::app::App;
use crate::config::{Config, Cors, is_loopback_url};
use crate::dialect::error_form::RpcId;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};

/// Answer a message of the Model Context Protocol
///
/// A JSON-RPC request gets its response, a notification gets 202.
#[utoipa::path(post, path = "/mcp", tag = "mcp", request_body = Object, responses(
    (status = 200, description = "The JSON-RPC response", body = Object),
    (status = 202, description = "The message was a notification"),
    (status = 403, description = "The page that sent the message may not use this server, or the key lacks a scope", body = Object),
))]
pub async fn message(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, unread) = request.into_parts();
    check_origin(&head.headers, &app.config)?;
    let (account, mode) = (caller.account.id.clone(), caller.key.mode);
    let received = RequestBody::read(&app, Some(&account), unread, MAX_WITH_PHOTOS).await?;
    let bytes = received.bytes.clone();
    // Held until the message is answered: until then it is in memory.
    let _memory = received.into_memory();
    let client = McpClient {
        scopes: caller.key.scopes,
        backend: McpBackend::Service(Box::new(ServiceBackend { app, account, mode, head })),
    };
    let length = bytes.len();
    let read = client.backend.read(length, move || Ok::<_, ApiError>(RpcRequest::read(&bytes))).await?;
    let request = match read {
        Ok(Some(request)) => request,
        Ok(None) => return Ok(StatusCode::ACCEPTED.into_response()),
        Err((id, error)) => return Ok(refused(&error, id.as_deref())),
    };
    let Some(id) = request.id.clone() else { return Ok(StatusCode::ACCEPTED.into_response()) };
    let McpBackend::Service(service) = &client.backend else { return Err(ApiError::internal("not the service")) };
    match protocol::answer(&client, &id, request, Some(&service.head.headers)).await {
        RpcAnswer::Message(status, body) => Ok(respond(status, body)),
        RpcAnswer::Failure(error) => {
            let mut response = error.into_response();
            response.extensions_mut().insert(RpcId(id));
            Ok(response)
        }
    }
}

fn refused(error: &RpcError, id: Option<&str>) -> Response {
    respond(error.status, error.body(id))
}

fn respond(status: StatusCode, body: Vec<u8>) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// Refuses messages from web pages, unless they are our own or the owner lets their origin use the API: a page could have
/// its name resolve to the address of this server.
fn check_origin(headers: &HeaderMap, config: &Config) -> Result<(), ApiError> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let is_allowed = match &config.cors {
        Cors::Any => true,
        Cors::Origins(origins) => origins.iter().any(|allowed| allowed == origin),
        Cors::Off => false,
    };
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    let is_local = config.listen.ip().to_canonical().is_loopback() && is_loopback_url(origin);
    if is_allowed || is_local || config.is_public_host(host) {
        return Ok(());
    }
    let message = "Pages of this origin may not use this server. Its owner can allow them with --cors-origins.";
    Err(ApiError::forbidden("forbidden_origin", message))
}
