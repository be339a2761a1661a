//! Where in a photo a food is.
//!
//! A network classifies an image by the mean over its cells, so the logit of a food in a cell, compared with that of all
//! foods, is what the cell adds to the decision for this food (a class activation map). Where several foods were found,
//! a cell counts for each as much as it looks more like that one than like the others. Cells without food count for
//! none. The place of a food is the rectangle around the strongest cell and its neighbors that are about as strong.

use nutrition::sighting::Region;

use super::score_map::ScoreMap;
use super::scores::{self, FOODS};
use crate::photo::Photo;

/// The share of the strongest cell from which on a cell belongs to the food.
const MIN_STRENGTH: f32 = 0.35;

/// Returns where each of these foods is in the photo of a map. `None` stands for a food that the network has no class
/// for, which is wherever there is food.
pub(super) fn places(map: &ScoreMap, photo: &Photo, foods: &[Option<usize>]) -> Vec<Option<Region>> {
    let grid = CellGrid { columns: map.columns, rows: map.rows };
    let is_food = grid.smoothed(&map.plane(FOODS));
    let mean = grid.smoothed(&map.mean_plane());
    let logits: Vec<Option<Vec<f32>>> =
        foods.iter().map(|food| food.map(|food| grid.smoothed(&map.plane(food)))).collect();
    let strength = |food: usize, cell: usize| {
        let certainty = scores::food_probability(is_food[cell]);
        let Some(logit) = &logits[food] else { return certainty };
        let against = logits.iter().flatten().map(|other| other[cell] - logit[cell]);
        let share = 1.0 / against.map(f32::exp).sum::<f32>();
        certainty * share * (logit[cell] - mean[cell]).max(0.0)
    };
    let place = |food: usize| {
        let strengths: Vec<f32> = (0..is_food.len()).map(|cell| strength(food, cell)).collect();
        let [left, top, right, bottom] = grid.strongest(&strengths)?;
        let corner = |column: usize, row: usize| (column as f64 / map.columns as f64, row as f64 / map.rows as f64);
        map.view.region(photo, corner(left, top), corner(right, bottom))
    };
    (0..foods.len()).map(place).collect()
}

/// Cells in rows.
struct CellGrid {
    columns: usize,
    rows: usize,
}

impl CellGrid {
    /// Averages each cell with its neighbors.
    fn smoothed(&self, values: &[f32]) -> Vec<f32> {
        let mean = |cell: usize| {
            let near = self.near(cell);
            near.iter().map(|cell| values[*cell]).sum::<f32>() / near.len() as f32
        };
        (0..values.len()).map(mean).collect()
    }

    /// Returns the bounds of the cells around the strongest one that are about as strong: left, top, right, bottom.
    /// Returns `None` if no cell has any strength.
    fn strongest(&self, strengths: &[f32]) -> Option<[usize; 4]> {
        let (start, peak) = strengths.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if peak <= 0.0 {
            return None;
        }
        let mut is_seen = vec![false; strengths.len()];
        is_seen[start] = true;
        let mut waiting = vec![start];
        let (column, row) = (start % self.columns, start / self.columns);
        let mut bounds = [column, row, column + 1, row + 1];
        while let Some(cell) = waiting.pop() {
            let (column, row) = (cell % self.columns, cell / self.columns);
            bounds[0] = bounds[0].min(column);
            bounds[1] = bounds[1].min(row);
            bounds[2] = bounds[2].max(column + 1);
            bounds[3] = bounds[3].max(row + 1);
            for near in self.near(cell) {
                if !is_seen[near] && strengths[near] >= MIN_STRENGTH * peak {
                    is_seen[near] = true;
                    waiting.push(near);
                }
            }
        }
        Some(bounds)
    }

    /// Returns a cell and its neighbors.
    fn near(&self, cell: usize) -> Vec<usize> {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows);
        let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
        rows.flat_map(|row| columns.clone().map(move |column| row * self.columns + column)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_cells_that_touch_are_one_place() {
        let grid = CellGrid { columns: 5, rows: 3 };
        #[rustfmt::skip]
        let strengths = [
            0.0, 0.0, 0.1, 0.0, 0.9,
            0.6, 1.0, 0.1, 0.0, 0.9,
            0.0, 0.7, 0.0, 0.0, 0.0,
        ];
        assert_eq!(grid.strongest(&strengths), Some([0, 1, 2, 3]));
        assert_eq!(grid.strongest(&[0.0; 15]), None);
    }

    #[test]
    fn cells_are_averaged_with_those_that_are_there() {
        let grid = CellGrid { columns: 2, rows: 2 };
        assert_eq!(grid.smoothed(&[0.0, 1.0, 2.0, 5.0]), [2.0; 4]);
    }
}
