//! The photos that accounts keep.

use jiff::Timestamp;
use store::{AccountId, Image, ImageId};
use vision::photo::MediaType;

use crate::app::App;
use crate::error::ApiError;

/// Bytes of photos that an account may keep at a time.
const MAX_STORED_BYTES: u64 = 2 << 30;

/// What a caller reads who names an image that does not exist.
pub(crate) const NOT_FOUND: &str = "Image not found; it may have expired.";

/// Stores a photo for an account, within the bytes that it may keep.
pub(crate) async fn keep(
    app: &App,
    account: &AccountId,
    (width, height): (u32, u32),
    jpeg: &[u8],
) -> Result<Image, ApiError> {
    if app.store.images().bytes_of(account).await? + jpeg.len() as u64 > MAX_STORED_BYTES {
        let message = "The account has reached its limit of stored photos. Delete some, or wait until they expire.";
        return Err(ApiError::bad_request("image_limit", message));
    }
    let now = app.now();
    let image = Image {
        id: ImageId::generate(&mut app.rng()),
        account_id: account.clone(),
        media_type: MediaType::Jpeg.name().to_owned(),
        width,
        height,
        bytes: jpeg.len() as u64,
        created_at: now,
        expires_at: now.checked_add(app.config.keep_images).unwrap_or(Timestamp::MAX),
    };
    // The file first: a row without a file would be a URL that leads nowhere.
    app.images.put(&image.id, jpeg).await?;
    if let Err(error) = app.store.images().insert(&image).await {
        // If it cannot be removed either, it is a stray file that the background task removes.
        let _ = app.images.delete(&image.id).await;
        return Err(error.into());
    }
    Ok(image)
}

/// Returns the account's photo with this id, or `None` if it does not exist or has expired. Another account's is an
/// error.
pub(crate) async fn own(app: &App, account: &AccountId, id: &str) -> Result<Option<Image>, ApiError> {
    let Some(id) = ImageId::parse(id) else { return Ok(None) };
    let Some(image) = app.store.images().by_id(&id).await? else { return Ok(None) };
    if image.account_id != *account {
        let message = "This API key has no access to this resource: the image belongs to another account.";
        return Err(ApiError::forbidden("other_account", message));
    }
    Ok(Some(image).filter(|image| image.expires_at > app.now()))
}
