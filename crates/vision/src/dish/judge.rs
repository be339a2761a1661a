//! What the networks say of a square, as chances.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::photo::Photo;
use crate::text::network::Network;

use super::view::View;

/// AIY sees this many pixels a side, and so does our own network when it looks at parts.
pub(super) const SIDE: usize = 192;
/// Our own network sees a whole photo with this many. It was trained on pieces of pictures of 192, enlarged: things look
/// as large to it in a whole picture of 256. Measured: two points better than 192, or than 192 and its mirror image.
pub(super) const SHARP_SIDE: usize = 256;

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

/// Below this chance of the likeliest, a second look is worth its time.
pub(super) const LOOK_AGAIN: f32 = 0.6;

/// How sure it must be, in log odds, that something is food. Measured: `docs/ACCURACY.md`.
const FOOD: f32 = 1.8;
/// A likeliest food of this chance speaks neither for nor against food; what looks like nothing known is less likely food.
const EVEN: f32 = 0.5;
/// How much AIY's hints count beside our own network.
const HINTS: f32 = 0.5;
/// Hints below this are noise.
const LEAST_HINT: f32 = 0.003;
/// Divides what the network says. With this, it is more often right than it says: of answers given with 45 %, 71 % are.
const TEMPERATURE: f32 = 0.8;

/// How likely each of our foods is when AIY names a dish, in 255ths: a row for each of AIY's outputs.
static HINT_TABLE: &[u8; FOODS * DISHES] = include_bytes!("../../models/dish-hints.bin");

/// What our own network says of a square.
pub(super) struct Opinion {
    /// Logarithms of chances, one for each food.
    foods: Vec<f32>,
    /// Log odds that it is food at all.
    food: f32,
}

impl Opinion {
    /// Of a square.
    pub fn of(network: &Network, photo: &Photo, view: View) -> Option<Self> {
        Self::all(network, photo, &[view], SHARP_SIDE)?.into_iter().next()
    }

    /// Of several squares, each seen with so many pixels a side.
    pub fn all(network: &Network, photo: &Photo, views: &[View], side: usize) -> Option<Vec<Self>> {
        let out = run::<{ FOODS + 1 }>(network, photo, views, side)?;
        let opinions = out.chunks_exact(FOODS + 1).map(|row| {
            let mut foods = row[..FOODS].to_vec();
            let most = foods.iter().copied().fold(f32::MIN, f32::max);
            let total = most + foods.iter().map(|value| (value - most).exp()).sum::<f32>().ln();
            for value in &mut foods {
                *value -= total;
            }
            Self { foods, food: row[FOODS] }
        });
        Some(opinions.collect())
    }

    /// What both together say.
    pub fn and(&self, other: &Self) -> Self {
        let foods = self.foods.iter().zip(&other.foods).map(|(one, other)| f32::midpoint(*one, *other)).collect();
        Self { foods, food: f32::midpoint(self.food, other.food) }
    }

    /// Whether it is food, when the likeliest food has this chance.
    pub fn is_food(&self, likeliest: f32) -> bool {
        self.food + (likeliest / EVEN).ln() >= FOOD
    }

    /// The chances of our foods.
    pub fn chances(&self) -> Vec<f32> {
        softmax(self.foods.iter().map(|value| value / TEMPERATURE).collect())
    }

    /// The chances of our foods, with what AIY says taken into account.
    pub fn with_hints(&self, hints: &[f32]) -> Vec<f32> {
        let both = self.foods.iter().zip(hints).map(|(food, hint)| food + HINTS * (hint + LEAST_HINT).ln());
        softmax(both.map(|value| value / TEMPERATURE).collect())
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
        let Some(out) = run::<DISHES>(network, photo, &[view], SIDE) else {
            return Vec::new();
        };
        let chances = softmax(out);
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

/// Runs a network with `OUT` outputs on squares of a photo; the outputs one after the other.
fn run<const OUT: usize>(network: &Network, photo: &Photo, views: &[View], side: usize) -> Option<Vec<f32>> {
    let mut numbers = Vec::with_capacity(views.len() * 3 * side * side);
    for view in views {
        view.write(photo, side, &mut numbers)?;
    }
    let pictures = NdTensor::from_data([views.len(), 3, side, side], numbers);
    let out: NdTensor<f32, 2> = network.run(pictures.view())?;
    (out.shape() == [views.len(), OUT]).then(|| out.into_data())
}

fn softmax(mut values: Vec<f32>) -> Vec<f32> {
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
    fn our_network_says_what_it_said_where_it_was_trained() {
        let photo = pattern();
        let views = [View::middle(&photo), View::middle(&photo)];
        let network = load(include_bytes!("../../models/dish.onnx"));
        let out = run::<{ FOODS + 1 }>(&network, &photo, &views, SIDE).expect("it runs");
        assert_near(&out, &[-6.7978, -6.5728, -7.2790, -8.2343]);
        assert_near(&out[FOODS - 1..], &[-6.5203, 0.9091]);
        assert_near(&out[FOODS + 1..], &out[..FOODS]);
    }

    #[test]
    fn aiy_says_what_it_said_where_it_was_trained() {
        let photo = pattern();
        let network = load(include_bytes!("../../models/dish-aiy.onnx"));
        let out = run::<DISHES>(&network, &photo, &[View::middle(&photo)], SIDE).expect("it runs");
        assert_near(&out, &[-4.9199, -0.1009, -0.1565, 2.8286]);
        assert_near(&out[DISHES - 2..], &[-0.2327, -3.2696]);
        assert_eq!(Dish::all(&network, &photo, View::middle(&photo))[0].number, 708);
    }

    #[test]
    fn chances_sum_to_one() {
        let opinion = Opinion { foods: (0..FOODS).map(|food| -(food as f32)).collect(), food: 2.0 };
        assert!(opinion.is_food(0.9) && !opinion.is_food(0.1));
        assert!((opinion.chances().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let hints = hints(&[Dish { number: 1, chance: 0.9 }, Dish { number: 2, chance: 0.1 }]);
        assert!(hints.iter().all(|hint| (0.0..=1.01).contains(hint)));
        assert!((opinion.with_hints(&hints).iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
