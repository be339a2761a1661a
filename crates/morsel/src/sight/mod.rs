//! What photos show: the eyes in the program, and before them, where the owner chose one, a model elsewhere (`model`).
//!
//! A photo is looked at once: what was seen is remembered by the photo's bytes. What an absent model would have seen is
//! not remembered, so that it is asked again next time.

mod chat;
mod model;

use std::sync::Arc;
use std::time::Duration;

use meal::{By, Facts, Guess, Label, Per, Photo as Sightings, Sighting};
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use vision::Eyes;
use vision::photo::{Photo, Refusal};
use vision::sighting::{self, What};

use crate::config::VisionConfig;
use crate::error::ApiError;
use crate::kitchen::Menu;
use crate::work::Work;

pub use chat::Food;
pub use model::{Model, Trouble};

/// Photos whose sightings are remembered.
const REMEMBERED: u64 = 10_000;
/// What is not sent again within this time is forgotten.
const IDLE: Duration = Duration::from_hours(1);
/// The long edge of what a model is shown.
const SHOWN_SIDE: u32 = 1_024;

/// Looks at photos.
#[derive(Debug)]
pub struct Sight {
    eyes: Arc<Eyes>,
    model: Option<Model>,
    seen: Cache<Mark, Arc<Sightings>>,
}

/// What tells a photo from others, and who looked at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    bytes: [u8; 32],
    by_model: bool,
}

/// What was seen in a photo.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The photo.
    pub mark: Mark,
    /// What is in it.
    pub sightings: Arc<Sightings>,
    /// Why the model did not see it.
    pub trouble: Option<Trouble>,
}

impl Sight {
    /// Opens the eyes; the networks behind them are loaded when the first photo comes.
    pub fn new(config: &VisionConfig) -> anyhow::Result<Self> {
        let model = config.model.as_ref().map(Model::new).transpose()?;
        let seen = Cache::builder().max_capacity(REMEMBERED).time_to_idle(IDLE).build();
        Ok(Self { eyes: Arc::new(Eyes::new(config.eyes)), model, seen })
    }

    /// Looks at the bytes of a photo, on the threads of `work`. Only with leave is a model elsewhere asked.
    pub async fn look(
        &self,
        work: &Work,
        menu: &Arc<Menu>,
        bytes: Vec<u8>,
        may_ask: bool,
    ) -> Result<Result<Looked, Refusal>, ApiError> {
        let model = self.model.as_ref().filter(|_| may_ask);
        // Ten megabytes take tens of milliseconds: not on an async thread.
        let digest = move || (<[u8; 32]>::from(Sha256::digest(&bytes)), bytes);
        let (digest, bytes) = tokio::task::spawn_blocking(digest).await.map_err(ApiError::internal)?;
        let mark = Mark { bytes: digest, by_model: model.is_some() };
        if let Some(sightings) = self.seen.get(&mark) {
            return Ok(Ok(Looked { mark, sightings, trouble: None }));
        }
        let (eyes, menu) = (Arc::clone(&self.eyes), Arc::clone(menu));
        let is_shown = model.is_some();
        let looked = work.run(move || {
            let photo = Photo::read(&bytes)?;
            let shown = is_shown.then(|| photo.shrunk(SHOWN_SIDE).encode());
            Ok((eyes.look(&photo, |digits| menu.has_barcode(digits)), shown))
        });
        let (seen, shown) = match looked.await? {
            Ok(looked) => looked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut sightings: Sightings = seen.into_iter().filter_map(told).collect();
        let mut trouble = None;
        // What is printed on a package needs no model.
        let is_package = sightings.iter().any(|sighting| !matches!(sighting, Sighting::Dish { .. }));
        if let (Some(model), Some(shown)) = (model.filter(|_| !is_package), shown) {
            match model.ask(&shown).await {
                Ok(foods) => {
                    sightings.retain(|sighting| !matches!(sighting, Sighting::Dish { .. }));
                    sightings.extend(foods.into_iter().map(Food::sighting));
                }
                Err(error) => trouble = Some(error),
            }
        }
        let why = trouble.as_ref().map(|trouble| Arc::from(trouble.to_string()));
        for sighting in &mut sightings {
            if let Sighting::Dish { note, .. } = sighting {
                note.clone_from(&why);
            }
        }
        let sightings = Arc::new(sightings);
        if trouble.is_none() {
            self.seen.insert(mark, Arc::clone(&sightings));
        }
        Ok(Ok(Looked { mark, sightings, trouble }))
    }
}

/// What the eyes saw, in the words of the meal.
pub fn told(seen: sighting::Sighting) -> Option<Sighting> {
    Some(match seen.what {
        What::Barcode(digits) => Sighting::Barcode(digits.parse().ok()?),
        What::Label(label) => Sighting::Label(label_of(label)),
        What::Dish(guesses) => {
            let guess = |guess: sighting::Guess| Guess { words: guess.name.to_owned(), confidence: guess.confidence };
            Sighting::Dish { guesses: guesses.into_iter().map(guess).collect(), by: By::Dish, note: None }
        }
    })
}

fn label_of(label: sighting::Label) -> Label {
    let sighting::Facts { calories, protein, carbs, fat, fiber, sugars, saturated_fat, sodium } = label.facts;
    let serving = label.serving.unwrap_or_default();
    Label {
        per: match label.per {
            sighting::Per::Serving => Per::Serving,
            sighting::Per::HundredGrams => Per::HundredGrams,
            sighting::Per::HundredMillilitres => Per::HundredMillilitres,
        },
        serving: Some(serving.text).filter(|text| !text.is_empty()),
        grams: serving.grams,
        millilitres: serving.millilitres,
        facts: Facts { calories, protein, carbs, fat, fiber, sugars, saturated_fat, sodium },
    }
}
