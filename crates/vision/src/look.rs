//! Everything that a photo shows, from what is cheap and sure to what is dear.

use std::sync::OnceLock;

use crate::dish::Dishes;
use crate::photo::Photo;
use crate::sighting::{Sighting, What};
use crate::text::Reader;
use crate::{barcode, label};

/// What may be used to look at photos.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether foods are recognised that were learned from pictures published for research only.
    pub research: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { research: true }
    }
}

/// Looks at photos. The networks are loaded when they are first needed, once, and shared by all threads.
#[derive(Debug, Default)]
pub struct Eyes {
    settings: Settings,
    reader: OnceLock<Reader>,
    dishes: OnceLock<Dishes>,
}

/// A photo is looked at on one thread: several photos at once use the others.
const THREADS: usize = 1;
/// A photo that so surely shows food is not read, since that costs more than everything else; only what comes in packages,
/// whose back looks like a package too, is read where it shows much print.
const SURELY_FOOD: f32 = 0.75;
/// How the names of foods end that come in packages.
const PACKAGED: [&str; 4] = ["juice", "milk", "yogurt", "sour cream"];

impl Eyes {
    /// Eyes that use what the settings allow.
    pub fn new(settings: Settings) -> Self {
        Self { settings, reader: OnceLock::new(), dishes: OnceLock::new() }
    }

    /// What a photo shows; nothing where it shows nothing to eat. `is_known` tells which bar codes say enough. Takes a core
    /// for a tenth of a second, or one to two seconds where there is small print to read: not for an async task.
    pub fn look(&self, photo: &Photo, is_known: impl Fn(&str) -> bool) -> Vec<Sighting> {
        let mut seen = barcode::find(photo);
        let is_told = |sighting: &Sighting| matches!(&sighting.what, What::Barcode(digits) if is_known(digits));
        if seen.iter().any(is_told) {
            return seen;
        }
        let dishes = self.dishes.get_or_init(|| Dishes::load(THREADS, self.settings.research)).see(photo);
        let sureness = dishes.iter().map(|dish| dish.confidence).fold(0.0, f32::max);
        let reader = || self.reader.get_or_init(|| Reader::load(THREADS));
        if !seen.is_empty() || sureness < SURELY_FOOD {
            seen.extend(label::find(reader(), photo));
        } else if dishes.iter().any(comes_in_packages) {
            seen.extend(label::find_in_print(reader(), photo));
        }
        seen.extend(dishes);
        seen
    }
}

fn comes_in_packages(dish: &Sighting) -> bool {
    let What::Dish(guesses) = &dish.what else { return false };
    guesses.first().is_some_and(|guess| PACKAGED.iter().any(|end| guess.name.ends_with(end)))
}
