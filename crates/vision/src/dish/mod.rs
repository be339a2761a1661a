//! Foods and dishes, by their looks.
//!
//! Two networks of the same build do the work (`models/README.md`). One was trained for this program: it tells food from
//! what is none, and 240 foods apart. The other is Google's AIY classifier with its 2,023 dishes: it backs the first one,
//! and where pictures that were published for research only must not be used, it answers alone.
//!
//! The files follow the data:
//!
//! 1. `view`: a square of the photo, in the size that the networks take.
//! 2. `names`: what the outputs are called.
//! 3. `judge`: what the networks say, as chances.
//! 4. `parts`: other foods beside the first, from parts of the photo.
//!
//! # What it costs
//!
//! A pass through a network takes 15 to 25 ms of a core, the look at the whole photo about two of these. A photo that is not
//! food takes two, one that is surely a single food three, a wide one five, others seven.

mod judge;
mod names;
mod parts;
mod view;

use crate::photo::Photo;
use crate::sighting::{Guess, Region, Sighting, What};
use crate::text::network::{Network, Threads};

use judge::{Dish, Opinion};
use names::Names;
use parts::Found;
use view::View;

/// The most guesses for one food.
const MOST_GUESSES: usize = 5;
/// A guess below this is not worth a person's time.
const LEAST_CONFIDENCE: f32 = 0.002;

/// Knows foods by their looks.
pub struct Dishes {
    names: Names,
    /// Foods, and food or not; nothing where research pictures must not be used.
    foods: Option<Network>,
    aiy: Network,
}

impl Dishes {
    /// Loads the networks, which takes some tens of milliseconds: once, and kept. Each look then uses up to `threads`
    /// threads. Without `research`, only what was not learned from pictures published for research is used: 2,023
    /// dishes, but no plain fruits and vegetables, and much that is not food is taken for some.
    pub fn load(threads: usize, research: bool) -> Self {
        let threads = Threads::of(threads);
        Self {
            names: Names::read(),
            foods: research.then(|| Network::load(include_bytes!("../../models/dish.onnx"), &threads)),
            aiy: Network::load(include_bytes!("../../models/dish-aiy.onnx"), &threads),
        }
    }

    /// The foods in a photo, the main one first; nothing where it shows none. Takes a core for a tenth of a second: not
    /// for an async task.
    pub fn see(&self, photo: &Photo) -> Vec<Sighting> {
        let Some(foods) = &self.foods else {
            return self.see_with_aiy(photo);
        };
        let middle = View::middle(photo);
        let Some(mut opinion) = Opinion::of(foods, photo, middle) else {
            return Vec::new();
        };
        // What no food could make up for needs no second opinion.
        if !opinion.is_food(1.0) {
            return Vec::new();
        }
        let dishes = Dish::all(&self.aiy, photo, middle);
        let hints = judge::hints(&dishes);
        let mut chances = opinion.with_hints(&hints);
        let likeliest = |chances: &[f32]| chances.iter().copied().fold(0.0, f32::max);
        if likeliest(&chances) < judge::LOOK_AGAIN
            && let Some(second) = Opinion::of(foods, photo, middle.mirrored())
        {
            opinion = opinion.and(&second);
            chances = opinion.with_hints(&hints);
        }
        if !opinion.is_food(likeliest(&chances)) {
            return Vec::new();
        }
        let guesses = self.guesses(&chances, &dishes);
        let sureness = guesses.first().map_or(0.0, |guess| guess.confidence);
        let mut others = Vec::new();
        if sureness < parts::ALONE || View::is_wide(photo) {
            others = parts::others(foods, photo, &chances);
        }
        // Several plates are a mixture as a whole, which is none of them.
        let is_mixture = sureness < parts::UNSURE && others.len() > 1;
        let (mut seen, mut known) = (Vec::new(), Vec::new());
        if !is_mixture {
            seen.extend(sighting(guesses, Region::WHOLE));
            known.extend(chances_in_order(&chances).take(3).map(|(food, _)| food));
        }
        for Found { food, chance, region, .. } in others {
            if !known.contains(&food) {
                seen.extend(sighting(vec![Guess { name: self.names.food(food), confidence: chance }], region));
            }
        }
        seen
    }

    /// What AIY says alone.
    fn see_with_aiy(&self, photo: &Photo) -> Vec<Sighting> {
        let dishes = Dish::all(&self.aiy, photo, View::middle(photo));
        if dishes.first().is_none_or(|dish| dish.chance < judge::AIY_ALONE) {
            return Vec::new();
        }
        let named = dishes.iter().filter_map(|dish| Some((self.names.dish(dish.number)?, dish.chance)));
        let guesses = named.take(MOST_GUESSES).map(|(name, confidence)| Guess { name, confidence });
        sighting(guesses.collect(), Region::WHOLE).into_iter().collect()
    }

    /// The likeliest foods. A dish that only AIY knows comes in where it is sure of it and the other network is not.
    fn guesses(&self, chances: &[f32], dishes: &[Dish]) -> Vec<Guess> {
        let mut guesses: Vec<Guess> = chances_in_order(chances)
            .map(|(food, chance)| Guess { name: self.names.food(food), confidence: chance })
            .filter(|guess| guess.confidence >= LEAST_CONFIDENCE)
            .take(MOST_GUESSES)
            .collect();
        let best = guesses.first().map_or(0.0, |guess| guess.confidence);
        if let Some(dish) = dishes.first()
            && dish.chance >= judge::AIY_SURE
            && best < judge::FOODS_UNSURE
            && !dish.is_one_of_ours()
            && let Some(name) = self.names.dish(dish.number)
            && guesses.iter().all(|guess| guess.name != name)
        {
            // Both are right about as often as they say; what they do not share is split between them.
            let share = dish.chance * (1.0 - best);
            for guess in &mut guesses {
                guess.confidence *= 1.0 - share;
            }
            guesses.insert(0, Guess { name, confidence: share });
            guesses.truncate(MOST_GUESSES);
            guesses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        }
        guesses
    }
}

impl std::fmt::Debug for Dishes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dishes").field("research", &self.foods.is_some()).finish_non_exhaustive()
    }
}

/// Numbers of foods, the likeliest first.
fn chances_in_order(chances: &[f32]) -> impl Iterator<Item = (usize, f32)> {
    let mut order: Vec<(usize, f32)> = chances.iter().copied().enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.into_iter()
}

fn sighting(guesses: Vec<Guess>, region: Region) -> Option<Sighting> {
    let confidence = guesses.first()?.confidence;
    Some(Sighting { what: What::Dish(guesses), confidence, region })
}
