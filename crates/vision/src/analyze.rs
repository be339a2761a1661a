//! Everything that a photo shows, from the cheapest recognizer to the most expensive.

use std::sync::OnceLock;

use nutrition::sighting::{Guess, SeenBy, Sighting};

use crate::barcode::Barcode;
use crate::dish::{DishRecognizer, RecognizedDish};
use crate::label::PrintedLabel;
use crate::photo::Photo;
use crate::text::TextReader;
use crate::{barcode, label};

/// What the analysis may use.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether to use the networks that were trained on images published for research only.
    pub research: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { research: true }
    }
}

/// Analyzes photos. Each network is loaded once, when it is first needed, and shared by all threads.
#[derive(Debug, Default)]
pub struct PhotoAnalyzer {
    settings: Settings,
    reader: OnceLock<TextReader>,
    dishes: OnceLock<DishRecognizer>,
}

/// Threads per photo. Photos are analyzed in parallel, so one photo gets one thread.
const THREADS: usize = 1;
/// From this confidence in a dish on, the photo is not searched for a label, because reading text costs more than
/// everything else. Packaged foods are the exception: the back of a carton looks like a carton too.
const CERTAIN_DISH: f32 = 0.75;
/// Endings of the names of packaged foods.
const PACKAGED: [&str; 4] = ["juice", "milk", "yogurt", "sour cream"];

impl PhotoAnalyzer {
    /// Creates an analyzer; no network is loaded yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, reader: OnceLock::new(), dishes: OnceLock::new() }
    }

    /// Returns what a photo shows; nothing if it shows nothing to eat. A bar code for which `is_known` returns true
    /// ends the analysis.
    ///
    /// Takes a tenth of a second of CPU time, or one to two seconds if there is small print to read. Do not call it
    /// from an async task.
    pub fn analyze(&self, photo: &Photo, is_known: impl Fn(u64) -> bool) -> Vec<Sighting> {
        let codes = barcode::find(photo);
        let sighting = |code: &Barcode| Sighting::Barcode { gtin: code.gtin(), region: code.region };
        let mut sightings: Vec<Sighting> = codes.iter().map(sighting).collect();
        if codes.iter().map(Barcode::gtin).any(is_known) {
            return sightings;
        }
        let recognizer = self.dishes.get_or_init(|| DishRecognizer::load(THREADS, self.settings.research));
        let dishes = recognizer.recognize(photo);
        let best = dishes.iter().filter_map(|dish| dish.guesses.first());
        let confidence = best.clone().map(|guess| guess.confidence).fold(0.0, f32::max);
        let reader = || self.reader.get_or_init(|| TextReader::load(THREADS));
        let label = if !sightings.is_empty() || confidence < CERTAIN_DISH {
            label::find(reader(), photo)
        } else if best.clone().any(is_packaged) {
            label::find_in_dense_text(reader(), photo)
        } else {
            None
        };
        sightings.extend(label.map(|PrintedLabel { label, region, .. }| Sighting::Label { label, region }));
        sightings.extend(dishes.into_iter().map(|RecognizedDish { guesses, region }| Sighting::Dish {
            guesses,
            by: SeenBy::Dish,
            note: None,
            region,
        }));
        sightings
    }
}

fn is_packaged(guess: &Guess) -> bool {
    PACKAGED.iter().any(|ending| guess.words.ends_with(ending))
}
