//! `/v1/upload/base64` and `/v1/images`: photos, kept for a day.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use store::{AccountId, Image, ImageId, Rng};
use utoipa::ToSchema;
use vision::photo::{MAX_BYTES, MediaType, Photo, Refusal};

use super::query::Query;
use super::recipes::Deleted;
use crate::app::App;
use crate::body::Received;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::guard::address::BaseUrl;

/// Bytes of photos that an account may keep at a time.
const MOST_BYTES: u64 = 2 << 30;
/// The name under which the time of expiry is asked for.
const EXPIRES_AT: &str = "expires_at";
/// A photo of the largest size as base64, and the rest of the body.
const LARGEST_BODY: usize = MAX_BYTES / 3 * 4 + 64 * 1024;

/// Standard base64, with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

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
    let received = Received::read(&app, request.into_body(), LARGEST_BODY).await?;
    let prepare = move || {
        let mut body = received.object()?;
        let asked = asked | asked_in_body(&body)?;
        let photo = from_data_url(&image_field(&mut body)?).map_err(|error| error.of("image"))?;
        Ok::<_, ApiError>((asked, photo.width(), photo.height(), photo.encode()))
    };
    let (asked, width, height, jpeg) = app.looking.run(prepare).await??;
    let image = keep(&app, caller.account(), (width, height), &jpeg).await?;
    let expires = format!("{:.3}", image.expires_at);
    let answer =
        Uploaded { url: format!("{}/v1/images/{}", base.0, image.id), expires_at: asked.then(|| expires.clone()) };
    let mut response = Json(answer).into_response();
    if let Ok(value) = HeaderValue::from_str(&expires) {
        response.headers_mut().insert("x-image-expires", value);
    }
    Ok(response)
}

/// Keeps a photo for an account, if it may have another one.
pub(crate) async fn keep(
    app: &App,
    account: &AccountId,
    (width, height): (u32, u32),
    jpeg: &[u8],
) -> Result<Image, ApiError> {
    if app.store.images().bytes_of(account).await? + jpeg.len() as u64 > MOST_BYTES {
        let message = "The account keeps as many photos as it may. Delete some, or wait until they expire.";
        return Err(ApiError::bad_request("image_limit", message));
    }
    let now = Timestamp::now();
    let image = Image {
        id: ImageId::generate(&mut Rng::system()),
        account_id: account.clone(),
        media_type: MediaType::Jpeg.name().to_owned(),
        width,
        height,
        bytes: jpeg.len() as u64,
        created_at: now,
        expires_at: now.checked_add(app.config.keep_images).unwrap_or(Timestamp::MAX),
    };
    // The file first: a row without a file would be an address that leads nowhere.
    app.images.put(&image.id, jpeg).await?;
    app.store.images().insert(&image).await?;
    Ok(image)
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
    let image = own(&app, caller.account(), &id).await?.ok_or_else(unknown)?;
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
    let image = own(&app, caller.account(), &id).await?.ok_or_else(unknown)?;
    // The file first, here too: what is lost between the two steps is a row, which the next sweep removes.
    app.images.delete(&image.id).await?;
    app.store.images().delete(caller.account(), &image.id).await?;
    Ok(Json(Deleted { message: "Image deleted" }))
}

/// The photo of this id, if it is there and the caller's. Another account's is refused.
pub(super) async fn own(app: &App, account: &AccountId, id: &str) -> Result<Option<Image>, ApiError> {
    let Some(id) = ImageId::parse(id) else { return Ok(None) };
    let Some(image) = app.store.images().by_id(&id).await? else { return Ok(None) };
    if image.account_id != *account {
        let message = "This API key has no access to this resource: the image belongs to another account.";
        return Err(ApiError::forbidden("other_account", message));
    }
    Ok(Some(image).filter(|image| image.expires_at > Timestamp::now()))
}

fn unknown() -> ApiError {
    ApiError::not_found("There is no image with this id, or no longer.").of("id")
}

/// The photo in a data URL.
fn from_data_url(url: &str) -> Result<Photo, ApiError> {
    Photo::read(&data_of(url)?).map_err(|refusal| refused(&refusal))
}

/// The bytes in a data URL, where they are what it says they are.
pub(super) fn data_of(url: &str) -> Result<Vec<u8>, ApiError> {
    let form = || {
        let message = "The image must be a data URL: data:image/jpeg;base64,… (or image/png, image/webp).";
        ApiError::bad_request("invalid_image", message)
    };
    let (label, data) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')).ok_or_else(form)?;
    let label = label.strip_suffix(";base64").and_then(MediaType::parse).ok_or_else(form)?;
    if data.len() / 4 * 3 > MAX_BYTES + 3 {
        return Err(refused(&Refusal::TooManyBytes { bytes: data.len() / 4 * 3 }));
    }
    let bytes = BASE64.decode(data.trim_end());
    let bytes = bytes.map_err(|_| ApiError::bad_request("invalid_image", "The image is not valid base64."))?;
    match MediaType::of_bytes(&bytes) {
        Some(found) if found != label => {
            let message = format!("The image is {} but its data URL says {}.", found.name(), label.name());
            Err(ApiError::bad_request("invalid_image", message))
        }
        _ => Ok(bytes),
    }
}

/// What is wrong with a photo, as an error.
pub(crate) fn refused(refusal: &Refusal) -> ApiError {
    if refusal.is_too_large() {
        return ApiError::too_large(refusal.to_string());
    }
    ApiError::bad_request("invalid_image", refusal.to_string())
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
