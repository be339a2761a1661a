//! The images of a request: where their bytes come from, and what they show.

use std::sync::Arc;

use meal::Message;
use nutrition::sighting::Sighting;
use store::{AccountId, Mode};

use super::body::{ImageReference, UserMessage};
use crate::api::images::{data_url, stored};
use crate::app::App;
use crate::error::ApiError;
use crate::live_engine::EngineSnapshot;
use crate::photo_reader::{PhotoKey, PhotoResult, ReadPhotoError};
use crate::request::BaseUrl;

/// The messages of a request after their images were analyzed.
#[derive(Debug)]
pub struct Analyzed {
    /// The messages.
    pub messages: Vec<Message>,
    /// What identifies the images, each with the index of its message.
    pub keys: Vec<(usize, PhotoKey)>,
    /// Images that show nothing known, in messages without words.
    pub unresolved: Vec<String>,
    /// Whether the same request would get the same answer again.
    pub is_repeatable: bool,
}

impl Analyzed {
    /// Messages none of which has an image.
    pub fn without_photos(messages: Vec<UserMessage>) -> Self {
        let messages = messages.into_iter().map(|message| Message { text: message.text, photos: Vec::new() }).collect();
        Self { messages, keys: Vec::new(), unresolved: Vec::new(), is_repeatable: true }
    }

    /// Fetches and analyzes the images of all messages, one after the other.
    pub async fn analyze(
        app: &App,
        (account, mode): (&AccountId, Mode),
        base: &BaseUrl,
        snapshot: &Arc<EngineSnapshot>,
        messages: Vec<UserMessage>,
    ) -> Result<Self, ApiError> {
        let mut all = Self { messages: Vec::with_capacity(messages.len()), ..Self::without_photos(Vec::new()) };
        for (index, message) in messages.into_iter().enumerate() {
            let mut photos = Vec::with_capacity(message.images.len());
            for image in message.images {
                let bytes =
                    bytes_of(app, account, base, &image).await.map_err(|error| error.of(image.param.clone()))?;
                // Images sent with a test key never leave the server.
                let result =
                    app.photo_reader.read((&app.photos, account), snapshot, bytes, mode == Mode::Live, app.now()).await;
                let result = result.map_err(|error| match error {
                    ReadPhotoError::Refused(refusal) => data_url::refused(&refusal).of(image.param),
                    ReadPhotoError::Failed(error) => error,
                })?;
                all.keys.push((index, result.key));
                all.is_repeatable &= result.model_error.is_none();
                if message.text.trim().is_empty() {
                    all.unresolved.extend(unresolved(&result, all.keys.len(), snapshot));
                }
                photos.push(result.sightings.as_ref().clone());
            }
            all.messages.push(Message { text: message.text, photos });
        }
        Ok(all)
    }
}

/// Returns the bytes of an image that the account may use: one of its uploads, or one in the request itself.
async fn bytes_of(app: &App, account: &AccountId, base: &BaseUrl, image: &ImageReference) -> Result<Vec<u8>, ApiError> {
    let url = &image.url;
    if url.starts_with("data:") {
        let url = url.clone();
        return app.photos.try_run(account, move || data_url::bytes(&url)).await;
    }
    let id = url.strip_prefix(&base.0).and_then(|path| path.strip_prefix("/v1/images/"));
    let Some(id) = id else {
        let message = "Use a URL returned by the upload endpoint, or a data URL. Other URLs are not fetched.";
        return Err(ApiError::bad_request("invalid_image_url", message));
    };
    let image = stored::own(app, account, id).await?;
    let bytes = match &image {
        Some(image) => app.images.get(&image.id).await?,
        None => None,
    };
    bytes.ok_or_else(|| ApiError::bad_request("image_not_found", stored::NOT_FOUND))
}

/// Names an image that shows nothing known, as `unresolved` lists it; `None` if it shows something.
fn unresolved(result: &PhotoResult, number: usize, snapshot: &EngineSnapshot) -> Option<String> {
    let is_known = |sighting: &Sighting| match sighting {
        Sighting::Barcode(gtin) => snapshot.catalog.by_gtin(*gtin).is_some(),
        _ => true,
    };
    if result.sightings.iter().any(is_known) {
        return None;
    }
    let mut codes = result.sightings.iter().filter_map(|sighting| match sighting {
        Sighting::Barcode(gtin) => Some(format!("image {number}: barcode {gtin:013}")),
        _ => None,
    });
    let why = result.model_error.as_ref().map(|error| format!("image {number}: {error}"));
    codes.next_back().or(why).or_else(|| Some(format!("image {number}")))
}
