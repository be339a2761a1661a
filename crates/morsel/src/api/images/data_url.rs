//! Photos in data URLs: `data:image/jpeg;base64,…`.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use vision::photo::{MAX_BYTES, MediaType, Photo, PhotoError};

use crate::error::ApiError;

/// Standard base64, with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes the photo in a data URL.
pub(super) fn photo(url: &str) -> Result<Photo, ApiError> {
    Photo::read(&bytes(url)?).map_err(|refusal| refused(&refusal))
}

/// Returns the bytes in a data URL, if they are of the media type that it names.
pub(crate) fn bytes(url: &str) -> Result<Vec<u8>, ApiError> {
    let form = || {
        let message = "The image must be a data URL: data:image/jpeg;base64,… (or image/png, image/webp).";
        ApiError::bad_request("invalid_image", message)
    };
    let (label, data) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')).ok_or_else(form)?;
    let label = label.strip_suffix(";base64").and_then(MediaType::parse).ok_or_else(form)?;
    if data.len() / 4 * 3 > MAX_BYTES + 3 {
        return Err(refused(&PhotoError::TooManyBytes { bytes: data.len() / 4 * 3 }));
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

/// Turns the reason why a photo cannot be used into an error.
pub(crate) fn refused(refusal: &PhotoError) -> ApiError {
    if refusal.is_too_large() {
        return ApiError::too_large(refusal.to_string());
    }
    ApiError::bad_request("invalid_image", refusal.to_string())
}
