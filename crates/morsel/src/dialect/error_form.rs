//! Errors in the form that programs of each dialect read.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::Dialect;
use crate::error::ApiError;

impl Dialect {
    /// Writes an error into a response, for a request with this id.
    pub fn write_error(self, response: &mut Response, error: &ApiError, request_id: &str) {
        let (status, body) = match self {
            Self::Morsel => (error.status, error.body(request_id)),
            Self::ChatCompletions => (error.status, to_bytes(&chat_completions(error))),
            Self::Mcp => {
                let id = response.extensions_mut().remove::<RpcId>();
                (error.status, json_rpc(error, id.as_ref(), Some(request_id)))
            }
            Self::OpenFoodFacts => (error.status, to_bytes(&open_food_facts(error))),
            Self::CalorieNinjas | Self::ApiNinjas => {
                (error.status, to_bytes(&json!({"error": error.message, "message": error.message})))
            }
            Self::Nutritionix => (error.status, to_bytes(&json!({"message": error.message, "id": request_id}))),
            Self::FoodDataCentral => food_data_central(error),
        };
        *response.status_mut() = status;
        *response.body_mut() = Body::from(body);
    }
}

fn to_bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// The kinds of errors that client libraries of language models tell apart.
fn chat_completions(error: &ApiError) -> Value {
    let kind = match error.status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    };
    json!({"error": {"message": error.message, "type": kind, "param": error.param, "code": error.code}})
}

/// The id of a request in JSON-RPC as it was written, in the extensions of a response that answers it with an error.
#[derive(Clone, Debug)]
pub struct RpcId(pub String);

/// Writes an error as a response of JSON-RPC. Its code is that of HTTP: JSON-RPC reserves the negative ones.
pub fn json_rpc(error: &ApiError, id: Option<&RpcId>, request_id: Option<&str>) -> Vec<u8> {
    let mut data = json!({"code": error.code});
    let details = [("request_id", request_id.map(Value::from)), ("retry_after", error.retry_after.map(Value::from))];
    for (name, value) in details {
        if let Some(value) = value {
            data[name] = value;
        }
    }
    let id: Value = id.and_then(|RpcId(id)| serde_json::from_str(id).ok()).unwrap_or_default();
    let code = error.status.as_u16();
    to_bytes(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": error.message, "data": data}}))
}

fn open_food_facts(error: &ApiError) -> Value {
    let failure = json!({
        "message": {"id": error.code, "name": error.message, "lc_name": error.message},
        "field": {"id": error.param.as_deref().unwrap_or_default(), "value": null},
        "impact": {"id": "failure", "name": "Failure", "lc_name": "Failure"},
    });
    json!({"status": 0, "status_verbose": error.message, "errors": [failure]})
}

/// The gateway in front of FoodData Central answers 403 to wrong keys, and its clients compare the codes.
fn food_data_central(error: &ApiError) -> (StatusCode, Vec<u8>) {
    let (status, code) = match error.code {
        "missing_key" => (StatusCode::FORBIDDEN, "API_KEY_MISSING"),
        "invalid_key" | "revoked_key" | "expired_key" => (StatusCode::FORBIDDEN, "API_KEY_INVALID"),
        "account_disabled" => (StatusCode::FORBIDDEN, "API_KEY_DISABLED"),
        "address_not_allowed" | "insufficient_scope" => (StatusCode::FORBIDDEN, "API_KEY_UNAUTHORIZED"),
        _ if error.status == StatusCode::TOO_MANY_REQUESTS => (error.status, "OVER_RATE_LIMIT"),
        other => (error.status, other),
    };
    (status, to_bytes(&json!({"error": {"code": code, "message": error.message}})))
}
