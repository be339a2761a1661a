//! Recognizes the foods in a photo.

use nutrition::sighting::{Guess, Region};

use super::class_names::ClassNames;
use super::explain::explain;
use super::other_dishes::OtherDishes;
use super::place::places;
use super::score_map::ScoreMap;
use super::scores::{self, AiyDish, FoodScores};
use super::view::View;
use crate::network::{Network, ThreadPools};
use crate::photo::Photo;

/// Cells along the shorter side at the first look. The networks were trained on crops of 192 pixels, enlarged, so
/// things appear at the same size in a whole photo of 256 pixels. This is two points more accurate than 192 pixels,
/// with or without the mirror image.
const GLANCE_CELLS: usize = 8;
/// Cells along the shorter side at a close look: half of them are as many as in training.
const CLOSE_CELLS: usize = 14;
/// A photo is not looked at closely if its most likely food has this probability, unless its parts show several foods.
const CONFIDENT: f32 = 0.5;

/// From this probability of a dish that only AIY knows on, the photo is taken for this one dish: our networks would
/// only find foods of ours in its parts.
const MIN_OTHER: f32 = 0.5;

/// Guesses per food.
const MAX_GUESSES: usize = 5;
/// Guesses below this confidence are dropped.
const MIN_CONFIDENCE: f32 = 0.002;

/// Recognizes foods by how they look. Holds the networks.
pub struct DishRecognizer {
    names: ClassNames,
    /// `None` if networks trained on research-only images must not be used.
    trained: Option<TrainedNetworks>,
    aiy: Network,
}

/// A food in a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognizedDish {
    /// What it may be, the most likely first; never empty. The confidences add up to at most 1.
    pub guesses: Vec<Guess>,
    /// Where it is. AIY alone does not say that.
    pub region: Option<Region>,
}

/// Our own networks: which food, and whether it is food.
struct TrainedNetworks {
    first: Network,
    /// Of another architecture, so that its mistakes differ from those of the first. Asked where the first is unsure.
    second: Network,
}

impl DishRecognizer {
    /// Loads the networks, which takes some tens of milliseconds: load once and keep. Each recognition uses up to
    /// `threads` threads. Without `research`, the networks trained on research-only images are not used: 2,023 dishes
    /// are left, but no plain fruits and vegetables, and much that is not food is taken for some.
    pub fn load(threads: usize, research: bool) -> Self {
        let pools = ThreadPools::new(threads);
        Self {
            names: ClassNames::read(),
            trained: research.then(|| TrainedNetworks {
                first: Network::load(include_bytes!("../../models/dish.onnx"), &pools),
                second: Network::load(include_bytes!("../../models/dish-second.onnx"), &pools),
            }),
            aiy: Network::load(include_bytes!("../../models/dish-aiy.onnx"), &pools),
        }
    }

    /// Returns the foods in a photo, the main one first. Takes a tenth of a second of CPU time: do not call it from an
    /// async task.
    pub fn recognize(&self, photo: &Photo) -> Vec<RecognizedDish> {
        let Some(trained) = &self.trained else {
            let guesses = non_empty(self.guesses_of_aiy(photo));
            return guesses.map(|guesses| RecognizedDish { guesses, region: None }).collect();
        };
        let middle = View::middle(photo);
        let Some(glance) = ScoreMap::compute(&trained.first, photo, middle, GLANCE_CELLS) else {
            return Vec::new();
        };
        let scores = glance.middle();
        // If not even a certain food could make it food, nothing else needs to be asked.
        if !scores.is_food(1.0) {
            return Vec::new();
        }
        let certainty = scores.certainty();
        let aiy_dishes = AiyDish::recognize(&self.aiy, photo, middle);
        let others = OtherDishes::new(&aiy_dishes, &self.names);
        let is_other = others.chance(certainty);
        let hints = scores::hints(&aiy_dishes);
        let mut scores = scores.with_hints(&hints);
        if highest(&scores.probabilities()) < scores::ASK_SECOND
            && let Some(second) = ScoreMap::compute(&trained.second, photo, middle, GLANCE_CELLS)
        {
            scores = scores.combined(&second.middle().with_hints(&hints));
        }
        let whole = scores.probabilities();
        let (found, map) =
            if is_other < MIN_OTHER { trained.foods(photo, glance, &whole, &hints) } else { (vec![whole], glance) };
        if !scores.is_food(found.iter().map(|food| highest(food)).fold(0.0, f32::max)) {
            return Vec::new();
        }
        let foods = match &found[..] {
            [only] => non_empty(self.guesses(only, others.shares(), is_other)).collect(),
            several => self.different_foods(several),
        };
        let classes: Vec<Option<usize>> = foods.iter().map(|guesses| self.names.class_of(&guesses[0].words)).collect();
        let regions = places(&map, photo, &classes);
        foods.into_iter().zip(regions).map(|(guesses, region)| RecognizedDish { guesses, region }).collect()
    }

    /// Returns the guesses for several foods, each food once.
    fn different_foods(&self, found: &[Vec<f32>]) -> Vec<Vec<Guess>> {
        let mut foods: Vec<Vec<Guess>> = Vec::new();
        for guesses in found.iter().flat_map(|food| non_empty(self.guesses(food, &[], 0.0))) {
            if foods.iter().all(|other| other[0].words != guesses[0].words) {
                foods.push(guesses);
            }
        }
        foods
    }

    /// Returns the guesses of AIY alone.
    fn guesses_of_aiy(&self, photo: &Photo) -> Vec<Guess> {
        let dishes = AiyDish::recognize(&self.aiy, photo, View::middle(photo));
        if dishes.first().is_none_or(|dish| dish.probability < scores::MIN_AIY_ALONE) {
            return Vec::new();
        }
        let named = dishes.iter().filter_map(|dish| Some((self.names.dish(dish.class)?, dish.probability)));
        named.take(MAX_GUESSES).map(|(name, confidence)| Guess { words: name.to_owned(), confidence }).collect()
    }

    /// Returns the most likely foods, of ours and others, given the probability that it is one of the others.
    fn guesses(&self, ours: &[f32], others: &[(&'static str, f32)], is_other: f32) -> Vec<Guess> {
        let ours = scores::reported(ours);
        let ours = ranked(&ours).map(|(food, share)| (self.names.food(food), (1.0 - is_other) * share));
        let others = others.iter().map(|(name, share)| (*name, is_other * share));
        let mut guesses: Vec<Guess> = ours
            .take(MAX_GUESSES)
            .chain(others.take(MAX_GUESSES))
            .filter(|(_, confidence)| *confidence >= MIN_CONFIDENCE)
            .map(|(name, confidence)| Guess { words: name.to_owned(), confidence })
            .collect();
        guesses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        guesses.truncate(MAX_GUESSES);
        guesses
    }
}

impl TrainedNetworks {
    /// Returns the probabilities of each food that explains a photo, given the first look, the probabilities of the
    /// whole and AIY's hints, and the map of the last look.
    fn foods(&self, photo: &Photo, glance: ScoreMap, whole: &[f32], hints: &[f32]) -> (Vec<Vec<f32>>, ScoreMap) {
        // The middle leaves out much of a wide photo.
        let wide = View::is_wide(photo)
            .then(|| ScoreMap::compute(&self.first, photo, View::whole(photo), GLANCE_CELLS))
            .flatten();
        let glance = wide.unwrap_or(glance);
        let is_confident = highest(whole) >= CONFIDENT;
        let is_single = is_confident && explain(whole, &parts(&glance, GLANCE_CELLS / 2, 2, hints)).len() == 1;
        let look = |network: &Network| ScoreMap::compute(network, photo, View::whole(photo), CLOSE_CELLS);
        let explain_by = |map: &ScoreMap| explain(whole, &parts(map, CLOSE_CELLS / 2, 3, hints));
        let Some(close) = (!is_single).then(|| look(&self.first)).flatten() else {
            return (explain(whole, &[]), glance);
        };
        let found = explain_by(&close);
        // Several foods are only reported if both networks together see several.
        let (found, close) = match (found.len() > 1).then(|| look(&self.second)).flatten() {
            Some(second) => {
                let both = close.combined(&second);
                (explain_by(&both), both)
            }
            None => (found, close),
        };
        // The parts tell how many foods there are; what a single food is they tell only if the whole does not.
        let found = if is_confident && found.len() == 1 { explain(whole, &[]) } else { found };
        (found, close)
    }
}

impl std::fmt::Debug for DishRecognizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DishRecognizer").field("research", &self.trained.is_some()).finish_non_exhaustive()
    }
}

/// Returns the probabilities of the parts of a map that clearly show food: squares of `side` cells, at most `step`
/// apart. AIY's hints for the whole photo hold for its parts too: without them, a part of a dish that AIY knows better
/// than we do is taken for something else.
fn parts(map: &ScoreMap, side: usize, step: usize, hints: &[f32]) -> Vec<Vec<f32>> {
    let squares = map.squares(side, step).into_iter().filter(FoodScores::is_clearly_food);
    squares.map(|scores| scores.with_hints(hints).probabilities()).collect()
}

fn highest(probabilities: &[f32]) -> f32 {
    probabilities.iter().copied().fold(0.0, f32::max)
}

/// Returns the classes with their probabilities, the most likely first.
fn ranked(probabilities: &[f32]) -> impl Iterator<Item = (usize, f32)> {
    let mut order: Vec<(usize, f32)> = probabilities.iter().copied().enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.into_iter()
}

fn non_empty(guesses: Vec<Guess>) -> impl Iterator<Item = Vec<Guess>> {
    Some(guesses).filter(|guesses| !guesses.is_empty()).into_iter()
}
