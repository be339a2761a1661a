//! Searches whose answers are remembered, whatever their form.

use axum::response::Response;
use bytes::Bytes;

use crate::api::response::json_response;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::response_cache::CompatSearchKey;

/// Returns the answer to a request: the remembered one, or what `write` makes of the current foods, in the caller's queue.
/// `identity` is the same for requests with the same answer, whoever sends them.
pub async fn searched(
    app: &App,
    caller: &Caller,
    identity: String,
    write: impl FnOnce(&EngineSnapshot) -> serde_json::Result<Vec<u8>> + Send + 'static,
) -> Result<Response, ApiError> {
    let snapshot = app.engine.snapshot();
    let key = CompatSearchKey { version: snapshot.version.clone(), request: identity };
    if let Some(body) = app.responses.compat_search(&key) {
        return Ok(json_response(body));
    }
    let written = app.texts.run(&caller.account.id, move || write(&snapshot));
    let body = Bytes::from(written.await?.map_err(ApiError::internal)?);
    app.responses.remember_compat_search(key, body.clone());
    Ok(json_response(body))
}
