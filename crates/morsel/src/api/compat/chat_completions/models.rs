//! `/v1/models`: the one model that there is.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::path::Path;

/// The name of the model.
pub const MODEL: &str = "morsel";

/// The models.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelList {
    object: &'static str,
    data: [ModelRow; 1],
}

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelRow {
    id: &'static str,
    object: &'static str,
    created: u32,
    owned_by: &'static str,
}

const ROW: ModelRow = ModelRow { id: MODEL, object: "model", created: 0, owned_by: "morsel" };

/// List the models
#[utoipa::path(get, path = "/v1/models", operation_id = "list_models", tag = "chat completions",
    responses((status = 200, description = "The only model", body = ModelList)))]
pub async fn list() -> Json<ModelList> {
    Json(ModelList { object: "list", data: [ROW] })
}

/// Get a model
#[utoipa::path(get, path = "/v1/models/{id}", operation_id = "get_model", tag = "chat completions",
    params(("id" = String, Path, description = "The name of the model")), responses(
    (status = 200, description = "The model", body = ModelRow),
    (status = 404, description = "There is no such model"),
))]
pub async fn get(Path(id): Path<String>) -> Result<Json<ModelRow>, ApiError> {
    if id == MODEL {
        return Ok(Json(ROW));
    }
    let message = format!("There is no such model; the only one is “{MODEL}”.");
    Err(ApiError::new(StatusCode::NOT_FOUND, "model_not_found", message).of("model"))
}
