//! The images of a request: where their bytes come from, and what they show.

use std::sync::Arc;

use meal::{Message, MessagePart};
use nutrition::sighting::Sighting;
use store::{AccountId, Milestone, Mode};

use super::content::{ImageReference, UserMessage, UserPart};
use crate::api::images::{data_url, stored};
use crate::app::App;
use crate::error::ApiError;
use crate::live_engine::EngineSnapshot;
use crate::photo_reader::{PhotoResult, ReadPhotoError};
use crate::request::BaseUrl;
use crate::response_cache::PartKey;

/// The messages of a request after their images were analyzed.
#[derive(Debug)]
pub struct Analyzed {
    /// The messages.
    pub messages: Vec<Message>,
    /// What identifies what they say.
    pub keys: Vec<Vec<PartKey>>,
    /// Images that show nothing known, in messages without words.
    pub unresolved: Vec<String>,
    /// Whether the same request would get the same answer again.
    pub is_repeatable: bool,
}

impl Analyzed {
    fn empty() -> Self {
        Self { messages: Vec::new(), keys: Vec::new(), unresolved: Vec::new(), is_repeatable: true }
    }

    /// Messages none of which has an image.
    pub fn without_photos(messages: Vec<UserMessage>) -> Self {
        let mut all = Self::empty();
        for message in messages {
            all.begin(&message);
            message.parts.into_iter().filter_map(plain).for_each(|(key, part)| all.add(key, part));
        }
        all
    }

    /// Fetches and analyzes the images of all messages, one after the other.
    pub async fn analyze(
        app: &App,
        (account, mode): (&AccountId, Mode),
        base: &BaseUrl,
        snapshot: &Arc<EngineSnapshot>,
        messages: Vec<UserMessage>,
    ) -> Result<Self, ApiError> {
        let mut all = Self::empty();
        let mut number = 0;
        for message in messages {
            let has_words = message.has_words();
            all.begin(&message);
            for part in message.parts {
                let UserPart::Image(image) = part else {
                    if let Some((key, part)) = plain(part) {
                        all.add(key, part);
                    }
                    continue;
                };
                number += 1;
                let bytes =
                    bytes_of(app, account, base, &image).await.map_err(|error| error.of(image.param.clone()))?;
                // Images sent with a test key never leave the server.
                let result =
                    app.photo_reader.read((&app.photos, account), snapshot, bytes, mode == Mode::Live, app.now()).await;
                let result = result.map_err(|error| match error {
                    ReadPhotoError::Refused(refusal) => data_url::refused(&refusal).of(image.param),
                    ReadPhotoError::Failed(error) => error,
                })?;
                all.is_repeatable &= result.model_error.is_none();
                if !has_words {
                    all.unresolved.extend(unresolved(&result, number, snapshot));
                }
                all.add(PartKey::Photo(result.key), MessagePart::Photo(result.sightings.as_ref().clone()));
            }
        }
        app.store.milestones().reach(account, Milestone::PhotoTried, app.now()).await?;
        Ok(all)
    }

    fn begin(&mut self, message: &UserMessage) {
        self.messages.push(Message { parts: Vec::with_capacity(message.parts.len()) });
        self.keys.push(Vec::with_capacity(message.parts.len()));
    }

    /// Adds a part to the last message.
    fn add(&mut self, key: PartKey, part: MessagePart) {
        if let (Some(keys), Some(message)) = (self.keys.last_mut(), self.messages.last_mut()) {
            keys.push(key);
            message.parts.push(part);
        }
    }
}

/// Returns a part that is not an image, and what identifies it.
fn plain(part: UserPart) -> Option<(PartKey, MessagePart)> {
    match part {
        UserPart::Image(_) => None,
        UserPart::Text(text) => Some((PartKey::of_text(&text), MessagePart::Text(text))),
        UserPart::Food(food) => Some((PartKey::of_food(&food), MessagePart::Food(food))),
        UserPart::Correction(correction) => {
            Some((PartKey::of_correction(&correction), MessagePart::Correction(correction)))
        }
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
        Sighting::Barcode { gtin, .. } => snapshot.catalog.by_gtin(*gtin).is_some(),
        _ => true,
    };
    if result.sightings.iter().any(is_known) {
        return None;
    }
    let mut codes = result.sightings.iter().filter_map(|sighting| match sighting {
        Sighting::Barcode { gtin, .. } => Some(format!("image {number}: barcode {gtin:013}")),
        _ => None,
    });
    let why = result.model_error.as_ref().map(|error| format!("image {number}: {error}"));
    codes.next_back().or(why).or_else(|| Some(format!("image {number}")))
}
