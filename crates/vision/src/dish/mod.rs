//! Foods and dishes, by their looks.
//!
//! Three networks do the work (`models/README.md`). Two were trained for this program: they tell food from what is none,
//! and 240 foods apart. They differ in build and so in what they mistake; the second is asked where the first is unsure.
//! The third is Google's AIY classifier with its 2,023 dishes: it backs the others, and where pictures that were published
//! for research only must not be used, it answers alone.
//!
//! The files follow the data:
//!
//! 1. `view`: a part of the photo, in the size that the networks take.
//! 2. `names`: what the outputs are called.
//! 3. `map`: what one of our own networks says at every place of a picture.
//! 4. `judge`: what the networks say, as chances.
//! 5. `explain`: the fewest foods that explain what the whole and its parts show.
//!
//! # What it costs
//!
//! Passes of 15 to 35 ms of a core each: one for a photo that is not food, two for one that is surely a single food, three
//! where the second network is asked, one more for a wide photo, as much as three more where a photo is looked at closely,
//! and again as much where that seems to show several foods.

mod explain;
mod judge;
mod map;
mod names;
mod view;

use crate::photo::Photo;
use crate::sighting::{Guess, Region, Sighting, What};
use crate::text::network::{Network, Threads};

use explain::{Evidence, Explained, explain};
use judge::Dish;
use map::Map;
use names::Names;
use view::View;

/// Cells along the shorter side at the first look. The network was trained on pieces of pictures of 192 pixels, enlarged:
/// things look as large to it in a whole picture of 256. Measured: two points better than 192, or than 192 and its mirror image.
const GLANCE: usize = 8;
/// Cells along the shorter side when a photo is looked at closely: half of it is as many as it learned from.
const CLOSE: usize = 14;
/// A photo whose likeliest food has this chance is not looked at closely, unless its parts show several.
const SURE: f32 = 0.5;

/// The most guesses for one food.
const MOST_GUESSES: usize = 5;
/// A guess below this is not worth a person's time.
const LEAST_CONFIDENCE: f32 = 0.002;

/// Knows foods by their looks.
pub struct Dishes {
    names: Names,
    /// Nothing where research pictures must not be used.
    trained: Option<Trained>,
    aiy: Network,
}

/// Our own networks: foods, and food or not.
struct Trained {
    first: Network,
    /// Of another build. It errs on other photos than the first, and is asked where that one is unsure.
    second: Network,
}

impl Dishes {
    /// Loads the networks, which takes some tens of milliseconds: once, and kept. Each look then uses up to `threads`
    /// threads. Without `research`, only what was not learned from pictures published for research is used: 2,023
    /// dishes, but no plain fruits and vegetables, and much that is not food is taken for some.
    pub fn load(threads: usize, research: bool) -> Self {
        let threads = Threads::of(threads);
        Self {
            names: Names::read(),
            trained: research.then(|| Trained {
                first: Network::load(include_bytes!("../../models/dish.onnx"), &threads),
                second: Network::load(include_bytes!("../../models/dish-second.onnx"), &threads),
            }),
            aiy: Network::load(include_bytes!("../../models/dish-aiy.onnx"), &threads),
        }
    }

    /// The foods in a photo, the main one first; nothing where it shows none. Takes a core for a tenth of a second: not
    /// for an async task.
    pub fn see(&self, photo: &Photo) -> Vec<Sighting> {
        let Some(trained) = &self.trained else {
            return self.see_with_aiy(photo);
        };
        let middle = View::middle(photo);
        let Some(glance) = Map::of(&trained.first, photo, middle, GLANCE) else {
            return Vec::new();
        };
        let opinion = glance.middle();
        // What no food could make up for needs no second opinion.
        if !opinion.is_food(1.0) {
            return Vec::new();
        }
        let dishes = Dish::all(&self.aiy, photo, middle);
        let hints = judge::hints(&dishes);
        let mut opinion = opinion.with_hints(&hints);
        if likeliest(&opinion.chances()) < judge::ASK_AGAIN
            && let Some(other) = Map::of(&trained.second, photo, middle, GLANCE)
        {
            opinion = opinion.and(&other.middle().with_hints(&hints));
        }
        let whole = Evidence { view: middle, chances: opinion.chances() };
        let found = trained.foods(photo, glance, &whole);
        if !opinion.is_food(found.iter().map(|food| likeliest(&food.chances)).fold(0.0, f32::max)) {
            return Vec::new();
        }
        if let [alone] = &found[..] {
            return sighting(self.guesses(&alone.chances, &dishes), Region::WHOLE).into_iter().collect();
        }
        let (mut seen, mut names): (Vec<Sighting>, Vec<&str>) = Default::default();
        for food in found {
            let guesses = self.guesses(&food.chances, &[]);
            let name = guesses.first().map_or("", |guess| guess.name);
            if !names.contains(&name) {
                names.push(name);
                seen.extend(sighting(guesses, food.view.region(photo)));
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

impl Trained {
    /// The foods that explain a photo, of which the glance and the chances of the whole are known.
    fn foods(&self, photo: &Photo, glance: Map, whole: &Evidence) -> Vec<Explained> {
        // Of a wide photo, the middle leaves out much.
        let wide = View::is_wide(photo).then(|| Map::of(&self.first, photo, View::whole(photo), GLANCE)).flatten();
        let glance = wide.unwrap_or(glance);
        let is_sure = likeliest(&whole.chances) >= SURE;
        let is_plain = is_sure && explain(whole, &parts(&glance, GLANCE / 2, 2)).len() == 1;
        let look = |network: &Network| Map::of(network, photo, View::whole(photo), CLOSE);
        let explain_by = |map: &Map| explain(whole, &parts(map, CLOSE / 2, 3));
        let Some(close) = (!is_plain).then(|| look(&self.first)).flatten() else {
            return explain(whole, &[]);
        };
        let found = explain_by(&close);
        // That there are several is only believed when both networks together say so.
        let found = match (found.len() > 1).then(|| look(&self.second)).flatten() {
            Some(other) => explain_by(&close.and(&other)),
            None => found,
        };
        // Parts tell how many foods there are, and what a single one is only where the whole does not.
        if is_sure && found.len() == 1 { explain(whole, &[]) } else { found }
    }
}

impl std::fmt::Debug for Dishes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dishes").field("research", &self.trained.is_some()).finish_non_exhaustive()
    }
}

/// What the parts of a map show that surely show food: squares of so many cells a side, at most `step` apart.
fn parts(map: &Map, side: usize, step: usize) -> Vec<Evidence> {
    let squares = map.squares(side, step).into_iter().filter(|(_, opinion)| opinion.is_surely_food());
    squares.map(|(view, opinion)| Evidence { view, chances: opinion.chances() }).collect()
}

fn likeliest(chances: &[f32]) -> f32 {
    chances.iter().copied().fold(0.0, f32::max)
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
