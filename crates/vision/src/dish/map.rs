//! What one of our own networks says at every place of a picture.
//!
//! A network judges a picture by the average of what it finds in its cells of 32 pixels, so the average over some cells is
//! its opinion of that part: one pass tells of the whole and of all parts.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::photo::Photo;
use crate::text::network::Network;

use super::judge::{FOODS, Opinion};
use super::view::View;

/// A side of a cell in pixels.
const CELL: usize = 32;

/// Outputs of a network, cell by cell.
pub(super) struct Map {
    view: View,
    columns: usize,
    rows: usize,
    /// Output, row, column.
    outputs: NdTensor<f32, 4>,
}

impl Map {
    /// Of a part of a photo, with so many cells along its shorter side.
    pub fn of(network: &Network, photo: &Photo, view: View, short: usize) -> Option<Self> {
        let (columns, rows) = view.cells(short);
        let pixels = view.pixels(photo, columns * CELL, rows * CELL)?;
        let picture = NdTensor::from_data([1, 3, rows * CELL, columns * CELL], pixels);
        let outputs: NdTensor<f32, 4> = network.run(picture.view())?;
        (outputs.shape() == [1, FOODS + 1, rows, columns]).then_some(Self { view, columns, rows, outputs })
    }

    /// What both say of the same part of a photo, in as many cells.
    pub fn and(mut self, other: &Self) -> Self {
        for (one, other) in self.outputs.iter_mut().zip(other.outputs.iter()) {
            *one = f32::midpoint(*one, *other);
        }
        self
    }

    /// Of the largest square in the middle.
    pub fn middle(&self) -> Opinion {
        let side = self.columns.min(self.rows);
        self.opinion([(self.columns - side) / 2, side], [(self.rows - side) / 2, side])
    }

    /// Of overlapping squares of so many cells a side, at most `step` cells apart, from edge to edge.
    pub fn squares(&self, side: usize, step: usize) -> Vec<(View, Opinion)> {
        let mut squares = Vec::new();
        for top in starts(self.rows, side, step) {
            for left in starts(self.columns, side, step) {
                let share = |cells: usize, all: usize| cells as f64 / all as f64;
                let across = [share(left, self.columns), share(side, self.columns)];
                let down = [share(top, self.rows), share(side, self.rows)];
                squares.push((self.view.part(across, down), self.opinion([left, side], [top, side])));
            }
        }
        squares
    }

    /// Of cells from so far and so many, across and down.
    fn opinion(&self, across: [usize; 2], down: [usize; 2]) -> Opinion {
        let cells = (across[1] * down[1]) as f32;
        let averages = (0..=FOODS).map(|output| {
            let rows = (down[0]..down[0] + down[1]).map(|row| {
                (across[0]..across[0] + across[1]).map(|column| self.outputs[[0, output, row, column]]).sum::<f32>()
            });
            rows.sum::<f32>() / cells
        });
        Opinion::new(averages.collect())
    }
}

/// Where squares of this side begin, so that they reach from edge to edge in equal steps.
fn starts(cells: usize, side: usize, step: usize) -> impl Iterator<Item = usize> {
    let room = cells.saturating_sub(side);
    let steps = room.div_ceil(step);
    (0..=steps).map(move |number| (room * number + steps / 2).checked_div(steps).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;
    use crate::text::network::Threads;

    /// A picture with a pattern in its left half, or in its upper one, and nothing in the other.
    fn half_empty(width: u32, height: u32) -> Photo {
        let image = RgbImage::from_fn(width, height, |x, y| {
            let pattern = [4 * x, 3 * y, x * y / 16].map(|value| (value % 256) as u8);
            Rgb(if x < 256 && y < 256 { pattern } else { [200, 190, 180] })
        });
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).expect("memory takes it");
        Photo::read(&file.into_inner()).expect("it was just written")
    }

    /// What is said of a part of a map is what is said of that part of the photo by itself, but for what lies beside it.
    #[test]
    fn squares_are_where_they_say() {
        let network = Network::load(include_bytes!("../../models/dish.onnx"), &Threads::of(1));
        for photo in [half_empty(512, 256), half_empty(256, 512)] {
            let map = Map::of(&network, &photo, View::whole(&photo), 8).expect("it runs");
            let squares = map.squares(8, 8);
            let [(first, in_map), (last, _)] = &squares[..] else { panic!("{} squares", squares.len()) };
            let alone = |view: &View| Map::of(&network, &photo, *view, 8).expect("it runs").middle().chances();
            let apart = |other: &[f32]| -> f32 {
                in_map.chances().iter().zip(other).map(|(one, other)| (one - other).abs()).sum()
            };
            let (near, far) = (apart(&alone(first)), apart(&alone(last)));
            assert!(3.0 * near < far, "{near} from the part itself, {far} from the other one");
        }
    }

    #[test]
    fn squares_reach_from_edge_to_edge() {
        let all = |cells, side, step| starts(cells, side, step).collect::<Vec<_>>();
        assert_eq!(all(14, 7, 3), [0, 2, 5, 7]);
        assert_eq!(all(8, 4, 2), [0, 2, 4]);
        assert_eq!(all(7, 7, 3), [0]);
    }
}
