//! What one of our networks says about every place in an image.
//!
//! A network classifies an image by the mean of what it finds in cells of 32 pixels. The mean over some of the cells is
//! then its classification of that part, so one pass covers the whole image and all of its parts.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::scores::{FOODS, FoodScores};
use super::view::View;
use crate::network::Network;
use crate::photo::Photo;

/// The side of a cell in pixels.
const CELL: usize = 32;

/// The outputs of a network, cell by cell.
pub(super) struct ScoreMap {
    pub view: View,
    pub columns: usize,
    pub rows: usize,
    /// 1, output, row, column.
    outputs: NdTensor<f32, 4>,
}

impl ScoreMap {
    /// Runs a network on a part of a photo, with `short` cells along its shorter side.
    pub fn compute(network: &Network, photo: &Photo, view: View, short: usize) -> Option<Self> {
        let (columns, rows) = view.cells(short);
        let pixels = view.pixels(photo, columns * CELL, rows * CELL)?;
        let image = NdTensor::from_data([1, 3, rows * CELL, columns * CELL], pixels);
        let outputs: NdTensor<f32, 4> = network.run(image.view())?;
        (outputs.shape() == [1, FOODS + 1, rows, columns]).then_some(Self { view, columns, rows, outputs })
    }

    /// Averages the outputs of two networks for the same view and cells.
    pub fn combined(mut self, other: &Self) -> Self {
        for (one, other) in self.outputs.iter_mut().zip(other.outputs.iter()) {
            *one = f32::midpoint(*one, *other);
        }
        self
    }

    /// Returns the scores of the largest square in the middle.
    pub fn middle(&self) -> FoodScores {
        let side = self.columns.min(self.rows);
        self.scores([(self.columns - side) / 2, side], [(self.rows - side) / 2, side])
    }

    /// Returns the scores of overlapping squares of `side` cells, at most `step` cells apart, from edge to edge.
    pub fn squares(&self, side: usize, step: usize) -> Vec<FoodScores> {
        let tops = starts(self.rows, side, step);
        let corners = tops.flat_map(|top| starts(self.columns, side, step).map(move |left| (left, top)));
        corners.map(|(left, top)| self.scores([left, side], [top, side])).collect()
    }

    /// Returns an output for every cell, row by row: one of the foods, or food or not.
    pub fn plane(&self, output: usize) -> Vec<f32> {
        self.cells().map(|(row, column)| self.outputs[[0, output, row, column]]).collect()
    }

    /// Returns the mean of the logits of all foods for every cell, row by row.
    pub fn mean_plane(&self) -> Vec<f32> {
        let mean = |(row, column): (usize, usize)| {
            (0..FOODS).map(|food| self.outputs[[0, food, row, column]]).sum::<f32>() / FOODS as f32
        };
        self.cells().map(mean).collect()
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    /// Averages cells: start and number, across and down.
    fn scores(&self, across: [usize; 2], down: [usize; 2]) -> FoodScores {
        let cells = (across[1] * down[1]) as f32;
        let averages = (0..=FOODS).map(|output| {
            let rows = (down[0]..down[0] + down[1]).map(|row| {
                (across[0]..across[0] + across[1]).map(|column| self.outputs[[0, output, row, column]]).sum::<f32>()
            });
            rows.sum::<f32>() / cells
        });
        FoodScores::new(averages.collect())
    }
}

/// Returns where squares of this side start, so that they reach from edge to edge in equal steps.
fn starts(cells: usize, side: usize, step: usize) -> impl Iterator<Item = usize> {
    let room = cells.saturating_sub(side);
    let steps = room.div_ceil(step);
    (0..=steps).map(move |number| (room * number + steps / 2).checked_div(steps).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;
    use crate::network::ThreadPools;

    fn photo(image: &RgbImage) -> Photo {
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).expect("memory accepts it");
        Photo::read(&file.into_inner()).expect("it was just written")
    }

    /// A meaningless pattern that is the same on every machine.
    fn pattern(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| Rgb([4 * x, 3 * y, x * y / 16].map(|value| (value % 256) as u8)))
    }

    /// A photo with the pattern in its left or upper half, and one color in the other.
    fn half_empty(width: u32, height: u32) -> Photo {
        let mut image = RgbImage::from_pixel(width, height, Rgb([200, 190, 180]));
        image::imageops::replace(&mut image, &pattern(256, 256), 0, 0);
        photo(&image)
    }

    fn compute(network: &Network, photo: &Photo) -> ScoreMap {
        ScoreMap::compute(network, photo, View::whole(photo), 8).expect("the network runs")
    }

    /// The scores of a part of a map are those of that part of the photo on its own, apart from its surroundings.
    #[test]
    fn squares_show_their_part_of_the_photo() {
        let network = Network::load(include_bytes!("../../models/dish.onnx"), &ThreadPools::new(1));
        let alone = |image: &RgbImage| compute(&network, &photo(image)).middle().probabilities();
        let part = alone(&pattern(256, 256));
        let rest = alone(&RgbImage::from_pixel(256, 256, Rgb([200, 190, 180])));
        for photo in [half_empty(512, 256), half_empty(256, 512)] {
            let squares = compute(&network, &photo).squares(8, 8);
            let [first, _] = &squares[..] else { panic!("{} squares", squares.len()) };
            let in_map = first.probabilities();
            let distance = |other: &[f32]| -> f32 { in_map.iter().zip(other).map(|(a, b)| (a - b).abs()).sum() };
            let (near, far) = (distance(&part), distance(&rest));
            assert!(3.0 * near < far, "{near} from the part itself, {far} from the other");
        }
    }

    #[test]
    fn squares_reach_from_edge_to_edge() {
        let all = |cells, side, step| starts(cells, side, step).collect::<Vec<_>>();
        assert_eq!(all(14, 7, 3), [0, 2, 5, 7]);
        assert_eq!(all(8, 4, 2), [0, 2, 4]);
        assert_eq!(all(7, 7, 3), [0]);
    }

    /// The expected numbers were computed from the same files and pixels by the framework that trained the networks.
    #[test]
    fn our_networks_compute_what_they_computed_in_training() {
        let photo = photo(&pattern(192, 192));
        let scores = |file| {
            let network = Network::load(file, &ThreadPools::new(1));
            ScoreMap::compute(&network, &photo, View::middle(&photo), 192 / CELL).expect("the network runs").middle()
        };
        let first = scores(include_bytes!("../../models/dish.onnx"));
        first.assert_near(&[-7.9591, -8.8802, -9.5656, -10.4279], -9.0196, -0.2905);
        let second = scores(include_bytes!("../../models/dish-second.onnx"));
        second.assert_near(&[-8.6987, -10.9362, -10.0967, -12.2641], -10.1788, -1.3050);
        let last = (-9.0196 - 10.1788) / 2.0 * 1.3;
        first.combined(&second).assert_near(
            &[-8.3289, -9.9082, -9.8312, -11.3460].map(|mean: f32| mean * 1.3),
            last,
            -0.7977,
        );
    }
}
