//! `/v1/upload/base64` and `/v1/images`: photos, kept for a day.

pub(crate) mod stored;
pub(crate) mod data_url;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use vision::photo::{MAX_BYTES, MediaType};

use self::stored::own;
use crate::api::json;
use crate::api::response::Deleted;
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::path::Path;
use crate::query::Query;
use crate::request::BaseUrl;
use crate::request_body::RequestBody;

/// A photo of the largest size as base64, and the rest of the body.
const MAX_BODY: usize = MAX_BYTES / 3 * 4 + 64 * 1024;

/// A photo to upload.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UploadBody {
    /// A data URL: `data:image/jpeg;base64,…`. JPEG, PNG or WebP of at most 10 MB, 50 megapixels (WebP: 24), and at least 32 pixels a side.
    image: String,
    /// `expires_at`, to see when the photo will be removed.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, required = false)]
    include: UploadInclude,
}

/// What the response to an upload shows beyond the contract's fields.
#[derive(Clone, Copy, Debug, Default)]
struct UploadInclude {
    expires_at: bool,
}

impl UploadInclude {
    fn add(&mut self, name: &str) -> Result<(), String> {
        if name != "expires_at" {
            return Err(format!("has an unknown name “{name}”; choose from expires_at"));
        }
        self.expires_at = true;
        Ok(())
    }

    fn in_query(uri: &Uri) -> Result<Self, ApiError> {
        let mut include = Self::default();
        let list = Query::of(uri).get("include").unwrap_or_default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            include.add(name).map_err(|problem| ApiError::bad_field("include", format!("“include” {problem}.")))?;
        }
        Ok(include)
    }
}

impl<'de> Deserialize<'de> for UploadInclude {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::names(deserializer, Self::add)
    }
}

/// The address of an uploaded photo.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// Use it as `image_url.url` in a message.
    pub url: String,
    /// When it will be removed; only on request (`include`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

/// Upload a photo
///
/// It is rotated upright, stripped of all metadata, and kept for a day.
#[utoipa::path(post, path = "/v1/upload/base64", operation_id = "upload_photo", tag = "photos", request_body = UploadBody, params(
    ("include" = Option<String>, Query, description = "`expires_at`, to see when the photo will be removed"),
), responses(
    (status = 200, description = "Stored", body = Uploaded, headers(("X-Image-Expires" = String, description = "When it will be removed"))),
    (status = 400, description = "Not a data URL, not an image, or not usable", body = ErrorBody),
    (status = 413, description = "More than 10 MB, or more pixels than are accepted", body = ErrorBody),
))]
pub async fn upload(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let base = BaseUrl::of(&request, &app.config);
    let in_query = UploadInclude::in_query(request.uri())?;
    let received = RequestBody::read(&app, Some(&caller.account.id), request.into_body(), MAX_BODY).await?;
    let prepare = move || {
        let body: UploadBody = json::read(&received.bytes)?;
        let photo = data_url::photo(&body.image).map_err(|error| error.of("image"))?;
        Ok::<_, ApiError>((body.include, (photo.width(), photo.height()), photo.encode()))
    };
    let (in_body, size, jpeg) = app.photos.try_run(&caller.account.id, prepare).await?;
    let shows_expiry = in_query.expires_at || in_body.expires_at;
    let image = stored::keep(&app, &caller.account.id, size, &jpeg).await?;
    let expires = format!("{:.3}", image.expires_at);
    let answer = Uploaded {
        url: format!("{}/v1/images/{}", base.0, image.id),
        expires_at: shows_expiry.then(|| expires.clone()),
    };
    let mut response = Json(answer).into_response();
    if let Ok(value) = HeaderValue::from_str(&expires) {
        response.headers_mut().insert("x-image-expires", value);
    }
    Ok(response)
}

/// Get a photo
#[utoipa::path(get, path = "/v1/images/{id}", operation_id = "get_photo", tag = "photos",
    params(("id" = String, Path, description = "The photo's id, the last part of its URL")), responses(
    (status = 200, description = "The photo", body = Vec<u8>, content_type = "image/jpeg"),
    (status = 403, description = "The photo belongs to another account", body = ErrorBody),
    (status = 404, description = "Photo not found; it may have expired", body = ErrorBody),
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
#[utoipa::path(delete, path = "/v1/images/{id}", operation_id = "delete_photo", tag = "photos",
    params(("id" = String, Path, description = "The photo's id, the last part of its URL")), responses(
    (status = 200, description = "Deleted", body = Deleted),
    (status = 403, description = "The photo belongs to another account", body = ErrorBody),
    (status = 404, description = "Photo not found; it may have expired", body = ErrorBody),
))]
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Deleted>, ApiError> {
    let image = own(&app, &caller.account.id, &id).await?.ok_or_else(unknown)?;
    // The file first, here too: a row without a file is removed by the next cleanup.
    app.images.delete(&image.id).await?;
    app.store.images().delete(&caller.account.id, &image.id).await?;
    Ok(Json(Deleted { message: "Image deleted" }))
}

fn unknown() -> ApiError {
    ApiError::not_found(stored::NOT_FOUND).of("id")
}
