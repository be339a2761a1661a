//! Reading photos: the program's own recognition and, asked before it where the owner configured one, a model elsewhere
//! ([`VisionModel`]).
//!
//! A photo is read once: results are cached by account and by the photo's bytes. By account, because otherwise the time
//! that a photo takes would reveal whether somebody else has sent it. A result that lacks the model's part is not cached,
//! so that the model is asked again the next time.

mod chat;
mod model;
mod model_error;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use nutrition::sighting::{PhotoSightings, Sighting};
use sha2::{Digest, Sha256};
use store::AccountId;
use vision::PhotoAnalyzer;
use vision::photo::{Photo, PhotoError};

use crate::config::VisionConfig;
use crate::error::ApiError;
use crate::fair_cache::FairCache;
use crate::live_engine::EngineSnapshot;
use crate::work_queue::WorkQueue;

pub use chat::ModelFood;
pub use model::VisionModel;
pub use model_error::ModelError;

/// Memory for sightings.
const MAX_CACHED_BYTES: usize = 16 << 20;
/// What a sighting takes: a few names with their confidence, or the numbers of a label.
const SIGHTING_BYTES: usize = 1_024;
/// The long side of the photo that a model gets, in pixels.
const MODEL_PHOTO_SIDE: u32 = 1_024;

/// Reads photos.
#[derive(Debug)]
pub struct PhotoReader {
    analyzer: Arc<PhotoAnalyzer>,
    model: Option<VisionModel>,
    cache: FairCache<(AccountId, PhotoKey), Arc<PhotoSightings>>,
}

/// What identifies a photo, and who read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhotoKey {
    digest: [u8; 32],
    by_model: bool,
}

/// What a photo shows.
#[derive(Clone, Debug)]
pub struct PhotoResult {
    /// Identifies the photo.
    pub key: PhotoKey,
    /// What is in it.
    pub sightings: Arc<PhotoSightings>,
    /// Why the model did not contribute, if it was asked and failed.
    pub model_error: Option<ModelError>,
}

/// Why a photo was not read.
#[derive(Debug)]
pub enum ReadPhotoError {
    /// The photo cannot be used.
    Refused(PhotoError),
    /// The service failed.
    Failed(ApiError),
}

impl From<PhotoError> for ReadPhotoError {
    fn from(error: PhotoError) -> Self {
        Self::Refused(error)
    }
}

impl From<ApiError> for ReadPhotoError {
    fn from(error: ApiError) -> Self {
        Self::Failed(error)
    }
}

impl PhotoReader {
    /// Creates a reader; its networks are loaded when the first photo comes.
    pub fn new(config: &VisionConfig, model_retry: Duration) -> anyhow::Result<Self> {
        let model = config.model.as_ref().map(|config| VisionModel::new(config, model_retry)).transpose()?;
        let cache = FairCache::new(MAX_CACHED_BYTES);
        Ok(Self { analyzer: Arc::new(PhotoAnalyzer::new(config.recognition)), model, cache })
    }

    /// Reads the bytes of an account's photo, on the threads of `queue`. A model elsewhere is asked only if
    /// `may_ask_model`.
    pub async fn read(
        &self,
        (queue, account): (&WorkQueue, &AccountId),
        snapshot: &Arc<EngineSnapshot>,
        bytes: Vec<u8>,
        may_ask_model: bool,
        now: Timestamp,
    ) -> Result<PhotoResult, ReadPhotoError> {
        let model = self.model.as_ref().filter(|_| may_ask_model);
        // Ten megabytes take tens of milliseconds: not on an async thread.
        let digest = move || (<[u8; 32]>::from(Sha256::digest(&bytes)), bytes);
        let (digest, bytes) = tokio::task::spawn_blocking(digest).await.map_err(ApiError::internal)?;
        let key = PhotoKey { digest, by_model: model.is_some() };
        let cache_key = (account.clone(), key);
        if let Some(sightings) = self.cache.get(&cache_key) {
            return Ok(PhotoResult { key, sightings, model_error: None });
        }
        let (analyzer, snapshot) = (Arc::clone(&self.analyzer), Arc::clone(snapshot));
        let is_for_model = model.is_some();
        let read = queue.try_run(account, move || {
            let photo = Photo::read(&bytes)?;
            let jpeg = is_for_model.then(|| photo.shrunk(MODEL_PHOTO_SIDE).encode());
            Ok::<_, ReadPhotoError>((analyzer.analyze(&photo, |gtin| snapshot.has_barcode(gtin)), jpeg))
        });
        let (mut sightings, jpeg) = read.await?;
        let model_error = match (model, jpeg) {
            (Some(model), Some(jpeg)) if !shows_package(&sightings) => {
                add_model_sightings(&mut sightings, model, &jpeg, now).await.err()
            }
            _ => None,
        };
        let sightings = Arc::new(sightings);
        if model_error.is_none() {
            let bytes = sightings.len() * SIGHTING_BYTES;
            self.cache.insert(account, cache_key, Arc::clone(&sightings), bytes);
        }
        Ok(PhotoResult { key, sightings, model_error })
    }
}

/// Reports whether a photo shows something printed on a package; that needs no model.
fn shows_package(sightings: &PhotoSightings) -> bool {
    sightings.iter().any(|sighting| !matches!(sighting, Sighting::Dish { .. }))
}

/// Replaces the program's dishes by those that the model names. If it fails, the program's stay, with a note.
async fn add_model_sightings(
    sightings: &mut PhotoSightings,
    model: &VisionModel,
    jpeg: &[u8],
    now: Timestamp,
) -> Result<(), ModelError> {
    match model.ask(jpeg, now).await {
        Ok(foods) => {
            *sightings = foods.into_iter().map(ModelFood::sighting).collect();
            Ok(())
        }
        Err(error) => {
            let why: Arc<str> = error.to_string().into();
            for sighting in sightings {
                if let Sighting::Dish { note, .. } = sighting {
                    *note = Some(Arc::clone(&why));
                }
            }
            Err(error)
        }
    }
}
