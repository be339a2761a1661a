//! `/v1/upload/base64` and `/v1/images`: photos, kept for a day.

pub(crate) mod stored;
pub(crate) mod data_url;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use vision::photo::{MAX_BYTES, MediaType};

use self::stored::own;
use crate::api::response::Deleted;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::query::Query;
use crate::request::BaseUrl;
use crate::request_body::RequestBody;

/// The name under which the time of expiry is asked for.
const EXPIRES_AT: &str = "expires_at";
/// A photo of the largest size as base64, and the rest of the body.
const MAX_BODY: usize = MAX_BYTES / 3 * 4 + 64 * 1024;

/// A photo to upload.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "describes the body in the OpenAPI document; it is read field by field, for better errors")]
pub struct UploadBody {
    /// A data URL: `data:image/jpeg;base64,…`. JPEG, PNG or WebP of at most 10 MB, 50 megapixels, and 32 pixels a side.
    image: String,
    /// `expires_at`, to be told when the photo will be removed.
    include: Option<Vec<String>>,
}

/// Where an uploaded photo is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// To be used as `image_url.url` in a message.
    pub url: String,
    /// When it will be removed; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

/// Upload a photo
///
/// It is turned upright, freed of all metadata, and kept for a day.
#[utoipa::path(post, path = "/v1/upload/base64", tag = "photos", request_body = UploadBody, params(
    ("include" = Option<String>, Query, description = "`expires_at`, to be told when the photo will be removed"),
), responses(
    (status = 200, description = "Stored", body = Uploaded, headers(("X-Image-Expires" = String, description = "When it will be removed"))),
    (status = 400, description = "Not a data URL, not an image, or one that cannot be used", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope upload", body = ErrorBody),
    (status = 413, description = "More than 10 MB or 50 megapixels", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn upload(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let base = BaseUrl::of(&request, &app.config);
    let asked = asked_in_address(request.uri())?;
    let received = RequestBody::read(&app, request.into_body(), MAX_BODY).await?;
    let prepare = move || {
        let mut body = received.object()?;
        let asked = asked | asked_in_body(&body)?;
        let photo = data_url::photo(&image_field(&mut body)?).map_err(|error| error.of("image"))?;
        Ok::<_, ApiError>((asked, photo.width(), photo.height(), photo.encode()))
    };
    let (asked, width, height, jpeg) = app.photos.try_run(prepare).await?;
    let image = stored::keep(&app, &caller.account.id, (width, height), &jpeg).await?;
    let expires = format!("{:.3}", image.expires_at);
    let answer =
        Uploaded { url: format!("{}/v1/images/{}", base.0, image.id), expires_at: asked.then(|| expires.clone()) };
    let mut response = Json(answer).into_response();
    if let Ok(value) = HeaderValue::from_str(&expires) {
        response.headers_mut().insert("x-image-expires", value);
    }
    Ok(response)
}

/// Get a photo
#[utoipa::path(get, path = "/v1/images/{id}", tag = "photos",
    params(("id" = String, Path, description = "The photo's id, the last part of its address")), responses(
    (status = 200, description = "The photo", body = Vec<u8>, content_type = "image/jpeg"),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The photo belongs to another account", body = ErrorBody),
    (status = 404, description = "No such photo, or no longer", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let image = own(&app, &caller.account.id, &id).await?.ok_or_else(unknown)?;
    let bytes = app.images.get(&image.id).await?.ok_or_else(unknown)?;
    let mut response = Body::from(bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MediaType::Jpeg.name()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"));
    if let Ok(value) = HeaderValue::from_str(&format!("{:.3}", image.expires_at)) {
        headers.insert("x-image-expires", value);
    }
    Ok(response)
}

/// Delete a photo
#[utoipa::path(delete, path = "/v1/images/{id}", tag = "photos",
    params(("id" = String, Path, description = "The photo's id, the last part of its address")), responses(
    (status = 200, description = "Deleted", body = Deleted),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The photo belongs to another account, or the key lacks the scope upload", body = ErrorBody),
    (status = 404, description = "No such photo, or no longer", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Deleted>, ApiError> {
    let image = own(&app, &caller.account.id, &id).await?.ok_or_else(unknown)?;
    // The file first, here too: what is lost between the two steps is a row, which the next sweep removes.
    app.images.delete(&image.id).await?;
    app.store.images().delete(&caller.account.id, &image.id).await?;
    Ok(Json(Deleted { message: "Image deleted" }))
}

fn unknown() -> ApiError {
    ApiError::not_found(stored::NOT_FOUND).of("id")
}

fn image_field(body: &mut Map<String, Value>) -> Result<String, ApiError> {
    match body.remove("image") {
        Some(Value::String(image)) => Ok(image),
        Some(_) => Err(ApiError::bad_field("image", "“image” must be a string.")),
        None => Err(ApiError::bad_field("image", "“image” is missing.")),
    }
}

fn asked_in_address(uri: &Uri) -> Result<bool, ApiError> {
    let list = Query::of(uri).get("include").unwrap_or_default();
    asked(list.split(',').map(str::trim).filter(|name| !name.is_empty()))
}

fn asked_in_body(body: &Map<String, Value>) -> Result<bool, ApiError> {
    match body.get("include") {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Array(names)) => asked(names.iter().map(|name| name.as_str().unwrap_or_default())),
        Some(_) => Err(ApiError::bad_field("include", "“include” must be an array of names.")),
    }
}

fn asked<'a>(names: impl Iterator<Item = &'a str>) -> Result<bool, ApiError> {
    let mut asked = false;
    for name in names {
        if name != EXPIRES_AT {
            let message = format!("“{name}” cannot be included; what can be: {EXPIRES_AT}.");
            return Err(ApiError::bad_field("include", message));
        }
        asked = true;
    }
    Ok(asked)
}
