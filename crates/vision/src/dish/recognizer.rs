//! Recognizes the foods in a photo.

use nutrition::sighting::Guess;

use super::class_names::ClassNames;
use super::explain::explain;
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

    /// Returns the foods in a photo, the main one first, each as a list of guesses that is never empty, the most likely
    /// first. Their confidences add up to at most 1. Takes a tenth of a second of CPU time: do not call it from an
    /// async task.
    pub fn recognize(&self, photo: &Photo) -> Vec<Vec<Guess>> {
        let Some(trained) = &self.trained else {
            return non_empty(self.guesses_of_aiy(photo)).collect();
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
        let aiy_dishes = AiyDish::recognize(&self.aiy, photo, middle);
        let hints = scores::hints(&aiy_dishes);
        let mut scores = scores.with_hints(&hints);
        if highest(&scores.probabilities()) < scores::ASK_SECOND
            && let Some(second) = ScoreMap::compute(&trained.second, photo, middle, GLANCE_CELLS)
        {
            scores = scores.combined(&second.middle().with_hints(&hints));
        }
        let whole = scores.probabilities();
        let found = trained.foods(photo, glance, &whole);
        if !scores.is_food(found.iter().map(|food| highest(food)).fold(0.0, f32::max)) {
            return Vec::new();
        }
        if let [only] = &found[..] {
            return non_empty(self.guesses(only, &aiy_dishes)).collect();
        }
        let mut foods: Vec<Vec<Guess>> = Vec::new();
        for guesses in found.iter().flat_map(|food| non_empty(self.guesses(food, &[]))) {
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

    /// Returns the most likely foods. A dish that only AIY knows is added where AIY is confident and our network is
    /// not.
    fn guesses(&self, probabilities: &[f32], aiy_dishes: &[AiyDish]) -> Vec<Guess> {
        let mut guesses: Vec<Guess> = ranked(probabilities)
            .map(|(food, confidence)| Guess { words: self.names.food(food).to_owned(), confidence })
            .filter(|guess| guess.confidence >= MIN_CONFIDENCE)
            .take(MAX_GUESSES)
            .collect();
        let best = guesses.first().map_or(0.0, |guess| guess.confidence);
        if let Some(dish) = aiy_dishes.first()
            && dish.probability >= scores::MIN_AIY_CONFIDENT
            && best < scores::MAX_FOODS_UNSURE
            && !dish.is_one_of_ours()
            && let Some(name) = self.names.dish(dish.class)
            && guesses.iter().all(|guess| guess.words != name)
        {
            // Both are calibrated, so the rest of the probability is split between them.
            let share = dish.probability * (1.0 - best);
            for guess in &mut guesses {
                guess.confidence *= 1.0 - share;
            }
            guesses.insert(0, Guess { words: name.to_owned(), confidence: share });
            guesses.truncate(MAX_GUESSES);
            guesses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        }
        guesses
    }
}

impl TrainedNetworks {
    /// Returns the probabilities of each food that explains a photo, given the first look and the probabilities of the
    /// whole.
    fn foods(&self, photo: &Photo, glance: ScoreMap, whole: &[f32]) -> Vec<Vec<f32>> {
        // The middle leaves out much of a wide photo.
        let wide = View::is_wide(photo)
            .then(|| ScoreMap::compute(&self.first, photo, View::whole(photo), GLANCE_CELLS))
            .flatten();
        let glance = wide.unwrap_or(glance);
        let is_confident = highest(whole) >= CONFIDENT;
        let is_single = is_confident && explain(whole, &parts(&glance, GLANCE_CELLS / 2, 2)).len() == 1;
        let look = |network: &Network| ScoreMap::compute(network, photo, View::whole(photo), CLOSE_CELLS);
        let explain_by = |map: &ScoreMap| explain(whole, &parts(map, CLOSE_CELLS / 2, 3));
        let Some(close) = (!is_single).then(|| look(&self.first)).flatten() else {
            return explain(whole, &[]);
        };
        let found = explain_by(&close);
        // Several foods are only reported if both networks together see several.
        let found = match (found.len() > 1).then(|| look(&self.second)).flatten() {
            Some(second) => explain_by(&close.combined(&second)),
            None => found,
        };
        // The parts tell how many foods there are; what a single food is they tell only if the whole does not.
        if is_confident && found.len() == 1 { explain(whole, &[]) } else { found }
    }
}

impl std::fmt::Debug for DishRecognizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DishRecognizer").field("research", &self.trained.is_some()).finish_non_exhaustive()
    }
}

/// Returns the probabilities of the parts of a map that clearly show food: squares of `side` cells, at most `step`
/// apart.
fn parts(map: &ScoreMap, side: usize, step: usize) -> Vec<Vec<f32>> {
    let squares = map.squares(side, step).into_iter().filter(FoodScores::is_clearly_food);
    squares.map(|scores| scores.probabilities()).collect()
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
