//! What the networks say about a square, as probabilities.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::view::View;
use crate::network::Network;
use crate::photo::Photo;

/// The side in pixels of the image that AIY sees.
const AIY_SIDE: usize = 192;

/// The foods that our networks tell apart.
pub(super) const FOODS: usize = 407;
/// The outputs of AIY: a background and 2,023 dishes.
pub(super) const AIY_CLASSES: usize = 2024;
/// AIY alone reports nothing if its most likely dish has less than this probability, because it has no class for what
/// is not food.
pub(super) const MIN_AIY_ALONE: f32 = 0.3;
/// The second network is asked if the most likely food has less than this probability.
pub(super) const ASK_SECOND: f32 = 0.9;

/// The log odds from which on a photo shows food.
const MIN_FOOD: f32 = 2.0;
/// The log odds from which on a part clearly shows food. Other parts, such as the table beside a plate, say nothing
/// about foods.
const MIN_CLEARLY_FOOD: f32 = 3.5;
/// A most likely food of this probability is evidence neither for nor against food; a lower one, of something that
/// looks like no known food, is evidence against.
const NEUTRAL: f32 = 0.5;
/// The weight of AIY's hints relative to our network.
const HINT_WEIGHT: f32 = 0.7;
/// Added to each hint, since hints below this are noise.
const HINT_FLOOR: f32 = 0.003;
/// Calibrates the network. Higher ones fit the middle of photos from other sources better, but the closer look lowers
/// confidence further: see `docs/ACCURACY.md`.
const TEMPERATURE: f32 = 0.65;
/// Two networks together are more certain than their mean, by this factor. Measured.
const AGREEMENT: f32 = 1.3;

/// Foods from this one on are dishes of the world.
const FIRST_WORLD_DISH: usize = 240;
/// Most dishes of the world were learned from one source, so the networks are too certain of them in photos from
/// elsewhere: their confidence is lowered by this exponent. Fitted on photos from sources that were not trained on.
const WORLD_EXPONENT: f32 = 0.75;

/// The probability of each of our foods given each class of AIY, in 255ths: one row per class.
static HINT_TABLE: &[u8; FOODS * AIY_CLASSES] = include_bytes!("../../models/dish-hints.bin");

/// The scores that our networks give an image or a part of one.
pub(super) struct FoodScores {
    /// The logits of the foods.
    foods: Vec<f32>,
    /// The log odds that it is food at all.
    is_food: f32,
}

impl FoodScores {
    /// Takes the outputs of a network: the foods, then food or not.
    pub fn new(mut outputs: Vec<f32>) -> Self {
        let is_food = outputs.pop().unwrap_or(f32::MIN);
        Self { foods: outputs, is_food }
    }

    /// Combines the scores of two networks.
    pub fn combined(&self, other: &Self) -> Self {
        let both = self.foods.iter().zip(&other.foods);
        let foods = both.map(|(one, other)| f32::midpoint(*one, *other) * AGREEMENT).collect();
        Self { foods, is_food: f32::midpoint(self.is_food, other.is_food) }
    }

    /// Takes the hints of AIY into account.
    pub fn with_hints(mut self, hints: &[f32]) -> Self {
        for (food, hint) in self.foods.iter_mut().zip(hints) {
            *food += HINT_WEIGHT * (hint + HINT_FLOOR).ln();
        }
        self
    }

    /// Checks whether it is food, given the probability of the most likely food.
    pub fn is_food(&self, highest: f32) -> bool {
        self.is_food + (highest / NEUTRAL).ln() >= MIN_FOOD
    }

    /// Checks whether a part clearly shows food.
    pub fn is_clearly_food(&self) -> bool {
        self.is_food >= MIN_CLEARLY_FOOD
    }

    /// Returns the calibrated probability of each food.
    pub fn probabilities(&self) -> Vec<f32> {
        softmax(self.foods.iter().map(|value| value / TEMPERATURE).collect())
    }

    /// Returns how certain a network is on its own, without hints: the probability of its most likely food.
    pub fn certainty(&self) -> f32 {
        softmax(self.foods.clone()).into_iter().fold(0.0, f32::max)
    }

    /// Compares the first scores, the last one, and food or not.
    #[cfg(test)]
    #[track_caller]
    pub fn assert_near(&self, first: &[f32], last: f32, is_food: f32) {
        assert_eq!(self.foods.len(), FOODS);
        assert_near(&self.foods[..first.len()], first);
        assert_near(&[self.foods[FOODS - 1], self.is_food], &[last, is_food]);
    }
}

/// One of AIY's classes, with its probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct AiyDish {
    pub class: usize,
    pub probability: f32,
}

impl AiyDish {
    /// Returns all dishes for a square, the most likely first; none if the network cannot run.
    pub fn recognize(network: &Network, photo: &Photo, view: View) -> Vec<Self> {
        let probabilities = softmax(aiy_outputs(network, photo, view).unwrap_or_default());
        let mut dishes: Vec<Self> =
            probabilities.into_iter().enumerate().map(|(class, probability)| Self { class, probability }).collect();
        dishes.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        dishes
    }
}

/// Returns the probabilities to report, given what the networks say: the ranking stays the same.
pub(super) fn reported(probabilities: &[f32]) -> Vec<f32> {
    let first = (0..probabilities.len()).max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    if first.is_none_or(|first| first < FIRST_WORLD_DISH) {
        return probabilities.to_vec();
    }
    softmax(probabilities.iter().map(|one| WORLD_EXPONENT * one.max(f32::MIN_POSITIVE).ln()).collect())
}

/// Returns the probability that something with these log odds of being food is some.
pub(super) fn food_probability(is_food: f32) -> f32 {
    1.0 / (1.0 + (MIN_FOOD - is_food).exp())
}

/// Returns the probability of each of our foods according to AIY.
pub(super) fn hints(dishes: &[AiyDish]) -> Vec<f32> {
    let mut hints = vec![0.0; FOODS];
    // The unlikely rest changes nothing.
    for dish in dishes.iter().take(100) {
        for (hint, share) in hints.iter_mut().zip(hint_row(dish.class)) {
            *hint += dish.probability * f32::from(*share) / 255.0;
        }
    }
    hints
}

fn hint_row(class: usize) -> &'static [u8] {
    &HINT_TABLE[class * FOODS..(class + 1) * FOODS]
}

fn aiy_outputs(network: &Network, photo: &Photo, view: View) -> Option<Vec<f32>> {
    let pixels = view.pixels(photo, AIY_SIDE, AIY_SIDE)?;
    let outputs: NdTensor<f32, 2> = network.run(NdTensor::from_data([1, 3, AIY_SIDE, AIY_SIDE], pixels).view())?;
    (outputs.shape() == [1, AIY_CLASSES]).then(|| outputs.into_data())
}

pub(super) fn softmax(mut values: Vec<f32>) -> Vec<f32> {
    let highest = values.iter().copied().fold(f32::MIN, f32::max);
    for value in &mut values {
        *value = (*value - highest).exp();
    }
    let total: f32 = values.iter().sum();
    for value in &mut values {
        *value /= total;
    }
    values
}

#[cfg(test)]
#[track_caller]
fn assert_near(numbers: &[f32], expected: &[f32]) {
    assert_eq!(numbers.len(), expected.len());
    for (number, expected) in numbers.iter().zip(expected) {
        assert!((number - expected).abs() < 0.02, "{numbers:?} is not {expected}");
    }
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;
    use crate::network::ThreadPools;

    /// The expected numbers were computed from the same file and pixels by the framework that the network comes from.
    #[test]
    fn aiy_computes_what_it_computed_in_training() {
        let side = AIY_SIDE as u32;
        let image =
            RgbImage::from_fn(side, side, |x, y| Rgb([4 * x, 3 * y, x * y / 16].map(|value| (value % 256) as u8)));
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).expect("memory accepts it");
        let photo = Photo::read(&file.into_inner()).expect("it was just written");
        let network = Network::load(include_bytes!("../../models/dish-aiy.onnx"), &ThreadPools::new(1));
        let outputs = aiy_outputs(&network, &photo, View::middle(&photo)).expect("the network runs");
        assert_near(&outputs[..4], &[-4.9199, -0.1009, -0.1565, 2.8286]);
        assert_near(&outputs[AIY_CLASSES - 2..], &[-0.2327, -3.2696]);
        assert_eq!(AiyDish::recognize(&network, &photo, View::middle(&photo))[0].class, 708);
    }

    #[test]
    fn probabilities_sum_to_one() {
        let scores = FoodScores::new((0..FOODS).map(|food| -(food as f32)).chain([2.0]).collect());
        assert!(scores.is_food(0.9) && !scores.is_food(0.1));
        assert!((scores.probabilities().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let hints = hints(&[AiyDish { class: 1, probability: 0.9 }, AiyDish { class: 2, probability: 0.1 }]);
        assert!(hints.iter().all(|hint| (0.0..=1.01).contains(hint)));
        assert!((scores.with_hints(&hints).probabilities().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn dishes_of_the_world_are_reported_with_less_confidence() {
        let shown = |first: usize| {
            let mut probabilities = vec![0.1 / (FOODS - 1) as f32; FOODS];
            probabilities[first] = 0.9;
            reported(&probabilities)
        };
        assert!((shown(3)[3] - 0.9).abs() < 1e-5);
        let dish = shown(FIRST_WORLD_DISH);
        assert!(dish[FIRST_WORLD_DISH] < 0.8 && dish.iter().all(|other| *other <= dish[FIRST_WORLD_DISH]));
        assert!((dish.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(reported(&[]).is_empty());
    }
}
