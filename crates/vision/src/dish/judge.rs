//! What the networks say of a square, as chances.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::photo::Photo;
use crate::text::network::Network;

use super::view::View;

/// AIY sees this many pixels a side.
const SIDE: usize = 192;

/// How many foods we tell apart.
pub(super) const FOODS: usize = 240;
/// How many outputs AIY has: a background and 2,023 dishes.
pub(super) const DISHES: usize = 2024;
/// With less than this chance for its likeliest dish, AIY alone says nothing: it has no answer for what is not food.
pub(super) const AIY_ALONE: f32 = 0.3;
/// From this chance on, a dish that only AIY knows is taken over where our own foods are unsure.
pub(super) const AIY_SURE: f32 = 0.8;
/// Below this chance of the likeliest, our own foods are unsure.
pub(super) const FOODS_UNSURE: f32 = 0.4;

/// Below this chance of the likeliest, the second network is asked too.
pub(super) const ASK_AGAIN: f32 = 0.9;

/// How sure it must be, in log odds, that something is food. Measured: `docs/ACCURACY.md`.
const FOOD: f32 = 2.0;
/// How sure it must be that a part is food. What is not, as a table beside a plate, says nothing of foods.
const SURELY_FOOD: f32 = 3.5;
/// A likeliest food of this chance speaks neither for nor against food; what looks like nothing known is less likely food.
const EVEN: f32 = 0.5;
/// How much AIY's hints count beside our own network.
const HINTS: f32 = 0.5;
/// Hints below this are noise.
const LEAST_HINT: f32 = 0.003;
/// Divides what the network says, so that what it says with a chance of 90 % is right nine times of ten. Measured.
const TEMPERATURE: f32 = 0.7;
/// Two networks are surer together than their average, by this factor. Measured: of what they say with 55 %, 53 % is right.
const TOGETHER: f32 = 1.3;

/// How likely each of our foods is when AIY names a dish, in 255ths: a row for each of AIY's outputs.
static HINT_TABLE: &[u8; FOODS * DISHES] = include_bytes!("../../models/dish-hints.bin");

/// What our own network says of a picture or of a part of one.
pub(super) struct Opinion {
    /// What it says of each food, as far as one is likelier than another.
    foods: Vec<f32>,
    /// Log odds that it is food at all.
    food: f32,
}

impl Opinion {
    /// From the outputs of the network: the foods, then food or not.
    pub fn new(mut outputs: Vec<f32>) -> Self {
        let food = outputs.pop().unwrap_or(f32::MIN);
        Self { foods: outputs, food }
    }

    /// What both say together.
    pub fn and(&self, other: &Self) -> Self {
        let both = self.foods.iter().zip(&other.foods);
        let foods = both.map(|(one, other)| f32::midpoint(*one, *other) * TOGETHER).collect();
        Self { foods, food: f32::midpoint(self.food, other.food) }
    }

    /// The same with what AIY says taken into account.
    pub fn with_hints(mut self, hints: &[f32]) -> Self {
        for (food, hint) in self.foods.iter_mut().zip(hints) {
            *food += HINTS * (hint + LEAST_HINT).ln();
        }
        self
    }

    /// Whether it is food, when the likeliest food has this chance.
    pub fn is_food(&self, likeliest: f32) -> bool {
        self.food + (likeliest / EVEN).ln() >= FOOD
    }

    /// Whether a part surely shows food.
    pub fn is_surely_food(&self) -> bool {
        self.food >= SURELY_FOOD
    }

    /// The chances of our foods.
    pub fn chances(&self) -> Vec<f32> {
        softmax(self.foods.iter().map(|value| value / TEMPERATURE).collect())
    }
}

/// One of AIY's dishes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dish {
    pub number: usize,
    pub chance: f32,
}

impl Dish {
    /// Whether mostly one of our own foods is shown when AIY names this, so that its name would only be another word for that.
    pub fn is_one_of_ours(self) -> bool {
        HINT_TABLE[self.number * FOODS..(self.number + 1) * FOODS].iter().any(|share| *share >= 128)
    }

    /// All dishes of a square, the likeliest first; none if the network cannot run.
    pub fn all(network: &Network, photo: &Photo, view: View) -> Vec<Self> {
        let chances = softmax(outputs(network, photo, view).unwrap_or_default());
        let mut dishes: Vec<Self> =
            chances.into_iter().enumerate().map(|(number, chance)| Self { number, chance }).collect();
        dishes.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        dishes
    }
}

/// How likely each of our foods is after what AIY says.
pub(super) fn hints(dishes: &[Dish]) -> Vec<f32> {
    let mut hints = vec![0.0; FOODS];
    // The unlikely rest changes nothing.
    for dish in dishes.iter().take(100) {
        let row = &HINT_TABLE[dish.number * FOODS..(dish.number + 1) * FOODS];
        for (hint, share) in hints.iter_mut().zip(row) {
            *hint += dish.chance * f32::from(*share) / 255.0;
        }
    }
    hints
}

/// What AIY says of a square.
fn outputs(network: &Network, photo: &Photo, view: View) -> Option<Vec<f32>> {
    let pixels = view.pixels(photo, SIDE, SIDE)?;
    let outputs: NdTensor<f32, 2> = network.run(NdTensor::from_data([1, 3, SIDE, SIDE], pixels).view())?;
    (outputs.shape() == [1, DISHES]).then(|| outputs.into_data())
}

pub(super) fn softmax(mut values: Vec<f32>) -> Vec<f32> {
    let most = values.iter().copied().fold(f32::MIN, f32::max);
    for value in &mut values {
        *value = (*value - most).exp();
    }
    let total: f32 = values.iter().sum();
    for value in &mut values {
        *value /= total;
    }
    values
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;
    use crate::dish::map::Map;
    use crate::text::network::Threads;

    /// A picture without meaning that is the same everywhere.
    fn pattern() -> Photo {
        let side = SIDE as u32;
        let image =
            RgbImage::from_fn(side, side, |x, y| Rgb([4 * x, 3 * y, x * y / 16].map(|value| (value % 256) as u8)));
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).expect("memory takes it");
        Photo::read(&file.into_inner()).expect("it was just written")
    }

    fn load(file: &'static [u8]) -> Network {
        Network::load(file, &Threads::of(1))
    }

    fn assert_near(numbers: &[f32], expected: &[f32]) {
        for (number, expected) in numbers.iter().zip(expected) {
            assert!((number - expected).abs() < 0.02, "{numbers:?} is not {expected}");
        }
    }

    /// The numbers are those that another program computes from the same file and the same pixels.
    #[test]
    fn our_networks_say_what_they_said_where_they_were_trained() {
        let photo = pattern();
        let say = |file| {
            let map = Map::of(&load(file), &photo, View::middle(&photo), SIDE / 32).expect("it runs");
            map.middle()
        };
        let first = say(include_bytes!("../../models/dish.onnx"));
        assert_near(&first.foods, &[-7.6443, -7.3007, -7.9934, -8.8891]);
        assert_near(&[first.foods[FOODS - 1], first.food], &[-6.6074, 0.6771]);
        let second = say(include_bytes!("../../models/dish-second.onnx"));
        assert_near(&second.foods, &[-5.1071, -7.5616, -6.5646, -8.3885]);
        assert_near(&[second.foods[FOODS - 1], second.food], &[-6.6170, -1.3685]);
        let both = first.and(&second);
        assert_near(&both.foods, &[-6.3757, -7.4312, -7.2790, -8.6388].map(|value: f32| value * TOGETHER));
        assert_near(&[both.food], &[-0.3457]);
    }

    #[test]
    fn aiy_says_what_it_said_where_it_was_trained() {
        let photo = pattern();
        let network = load(include_bytes!("../../models/dish-aiy.onnx"));
        let out = outputs(&network, &photo, View::middle(&photo)).expect("it runs");
        assert_near(&out, &[-4.9199, -0.1009, -0.1565, 2.8286]);
        assert_near(&out[DISHES - 2..], &[-0.2327, -3.2696]);
        assert_eq!(Dish::all(&network, &photo, View::middle(&photo))[0].number, 708);
    }

    #[test]
    fn chances_sum_to_one() {
        let opinion = Opinion::new((0..FOODS).map(|food| -(food as f32)).chain([2.0]).collect());
        assert!(opinion.is_food(0.9) && !opinion.is_food(0.1));
        assert!((opinion.chances().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let hints = hints(&[Dish { number: 1, chance: 0.9 }, Dish { number: 2, chance: 0.1 }]);
        assert!(hints.iter().all(|hint| (0.0..=1.01).contains(hint)));
        assert!((opinion.with_hints(&hints).chances().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
