//! Finds where a bar code may be: patches with many strong parallel edges.
//!
//! The image is divided into cells. For each cell the structure tensor is computed, a sum of gradients in which
//! opposite ones do not cancel out. It gives the strength of the edges, their direction, and how much they agree. In
//! print and in nature, edges run in every direction; in a bar code they all run in one.

use nutrition::sighting::Region;

use super::grayscale::Grayscale;

/// Cells along the longer side. The bars of a small code still fill a few of them.
const CELLS: usize = 128;
/// Cells along the side of a block. Patches are searched for in blocks too, because the bars of a code that fills the
/// photo are wider than a cell.
const BLOCK: usize = 3;
/// The mean square of the gradient that a cell needs, in gray levels. Faint print in bad light has more.
const MIN_STRENGTH: f32 = 40.0;
/// How much the edges of a cell and its neighbors must agree, from 0 to 1.
const MIN_AGREEMENT: f32 = 0.55;
/// Cells that a patch needs.
const MIN_CELLS: usize = 8;

/// A region of parallel edges.
pub(super) struct BarPatch {
    pub center: (f32, f32),
    /// A unit vector across the bars: the direction in which to read.
    pub direction: (f32, f32),
    /// Half the extent across the bars, in pixels.
    pub across: f32,
    /// Half the extent along the bars.
    pub along: f32,
    /// Strength times area.
    weight: f32,
}

impl BarPatch {
    /// Checks whether the center of another patch is in this one.
    pub fn contains_center_of(&self, other: &Self) -> bool {
        let (x, y) = (other.center.0 - self.center.0, other.center.1 - self.center.1);
        let (across, along) =
            (x * self.direction.0 + y * self.direction.1, y * self.direction.0 - x * self.direction.1);
        across.abs() < self.across && along.abs() < self.along
    }

    /// Returns the upright rectangle around the patch.
    pub fn region(&self, image: &Grayscale) -> Option<Region> {
        let (cos, sin) = (self.direction.0.abs(), self.direction.1.abs());
        let (half_width, half_height) = (self.across * cos + self.along * sin, self.across * sin + self.along * cos);
        let corner = |x: f32, y: f32| (x / image.width as f32, y / image.height as f32);
        Region::between(
            corner(self.center.0 - half_width, self.center.1 - half_height),
            corner(self.center.0 + half_width, self.center.1 + half_height),
        )
    }
}

/// The structure tensor of a cell: sums of products of gradients, per pixel.
#[derive(Clone, Copy, Default)]
struct GradientCell {
    xx: f32,
    yy: f32,
    xy: f32,
}

impl GradientCell {
    fn strength(self) -> f32 {
        self.xx + self.yy
    }

    /// Returns the direction across the edges, with the angle doubled so that opposite directions are one. Its length
    /// is the agreement times the strength.
    fn doubled_direction(self) -> (f32, f32) {
        (self.xx - self.yy, 2.0 * self.xy)
    }

    fn is_barred(self) -> bool {
        let (x, y) = self.doubled_direction();
        self.strength() >= MIN_STRENGTH && x.hypot(y) >= MIN_AGREEMENT * self.strength()
    }

    /// Checks whether the edges of two cells are within 15 degrees of each other.
    fn is_parallel_to(self, other: Self) -> bool {
        let ((x, y), (other_x, other_y)) = (self.doubled_direction(), other.doubled_direction());
        x * other_x + y * other_y >= 0.866 * x.hypot(y) * other_x.hypot(other_y)
    }
}

/// Returns the patches of an image, the strongest first.
pub(super) fn find(image: &Grayscale) -> Vec<BarPatch> {
    let side = image.width.max(image.height).div_ceil(CELLS).max(4);
    let (columns, rows) = (image.width / side, image.height / side);
    if columns < 3 || rows < 3 {
        return Vec::new();
    }
    let fine = GradientGrid { side, columns, rows, cells: gradients(image, side, columns, rows) };
    let mut patches = fine.in_blocks().patches();
    patches.extend(fine.patches());
    patches.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    patches
}

/// The cells of an image.
struct GradientGrid {
    /// The side of a cell in pixels.
    side: usize,
    columns: usize,
    rows: usize,
    cells: Vec<GradientCell>,
}

impl GradientGrid {
    fn in_blocks(&self) -> Self {
        let (columns, rows) = (self.columns / BLOCK, self.rows / BLOCK);
        let mut cells = vec![GradientCell::default(); columns * rows];
        for y in 0..rows * BLOCK {
            for x in 0..columns * BLOCK {
                let (cell, block) = (self.cells[y * self.columns + x], &mut cells[y / BLOCK * columns + x / BLOCK]);
                let share = 1.0 / (BLOCK * BLOCK) as f32;
                block.xx += cell.xx * share;
                block.yy += cell.yy * share;
                block.xy += cell.xy * share;
            }
        }
        Self { side: self.side * BLOCK, columns, rows, cells }
    }

    fn patches(&self) -> Vec<BarPatch> {
        let cells = smoothed(&self.cells, self.columns, self.rows);
        let mut seen = vec![false; cells.len()];
        let mut patches = Vec::new();
        for start in 0..cells.len() {
            if seen[start] || !cells[start].is_barred() {
                continue;
            }
            let members = grow(&cells, self.columns, self.rows, start, &mut seen);
            if members.len() >= MIN_CELLS {
                patches.push(patch(&cells, self.columns, self.side, &members));
            }
        }
        patches
    }
}

fn gradients(image: &Grayscale, side: usize, columns: usize, rows: usize) -> Vec<GradientCell> {
    let mut cells = vec![GradientCell::default(); columns * rows];
    let per_pixel = 1.0 / (side * side) as f32;
    for y in 1..(rows * side).min(image.height - 1) {
        let row = |y: usize| &image.pixels[y * image.width..(y + 1) * image.width];
        let (above, here, below) = (row(y - 1), row(y), row(y + 1));
        for column in 0..columns {
            let (from, to) = ((column * side).max(1), ((column + 1) * side).min(image.width - 1));
            let (mut xx, mut yy, mut xy) = (0, 0, 0);
            let (left, right) = (&here[from - 1..to - 1], &here[from + 1..=to]);
            for (((left, right), above), below) in left.iter().zip(right).zip(&above[from..to]).zip(&below[from..to]) {
                let across = i32::from(*right) - i32::from(*left);
                let down = i32::from(*below) - i32::from(*above);
                xx += across * across;
                yy += down * down;
                xy += across * down;
            }
            let cell = &mut cells[(y / side) * columns + column];
            cell.xx += xx as f32 * per_pixel;
            cell.yy += yy as f32 * per_pixel;
            cell.xy += xy as f32 * per_pixel;
        }
    }
    cells
}

/// Averages each cell with its eight neighbors, so that wide gaps and bars do not split a code.
fn smoothed(cells: &[GradientCell], columns: usize, rows: usize) -> Vec<GradientCell> {
    let mut smooth = Vec::with_capacity(cells.len());
    for y in 0..rows {
        for x in 0..columns {
            let mut sum = GradientCell::default();
            let mut number = 0.0;
            for near_y in y.saturating_sub(1)..(y + 2).min(rows) {
                for near in &cells[near_y * columns + x.saturating_sub(1)..near_y * columns + (x + 2).min(columns)] {
                    sum.xx += near.xx;
                    sum.yy += near.yy;
                    sum.xy += near.xy;
                    number += 1.0;
                }
            }
            smooth.push(GradientCell { xx: sum.xx / number, yy: sum.yy / number, xy: sum.xy / number });
        }
    }
    smooth
}

/// Returns the barred cells that are connected with the first one and whose edges are parallel.
fn grow(cells: &[GradientCell], columns: usize, rows: usize, start: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut members = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&member) = members.get(next) {
        next += 1;
        let (x, y) = (member % columns, member / columns);
        for near_y in y.saturating_sub(1)..(y + 2).min(rows) {
            for near_x in x.saturating_sub(1)..(x + 2).min(columns) {
                let near = near_y * columns + near_x;
                if !seen[near] && cells[near].is_barred() && cells[near].is_parallel_to(cells[member]) {
                    seen[near] = true;
                    members.push(near);
                }
            }
        }
    }
    members
}

fn patch(cells: &[GradientCell], columns: usize, side: usize, members: &[usize]) -> BarPatch {
    let middle = |member: usize| {
        let half = side as f32 / 2.0;
        ((member % columns * side) as f32 + half, (member / columns * side) as f32 + half)
    };
    let (mut doubled, mut center, mut weight) = ((0.0, 0.0), (0.0, 0.0), 0.0);
    for &member in members {
        let (x, y) = cells[member].doubled_direction();
        doubled = (doubled.0 + x, doubled.1 + y);
        weight += cells[member].strength();
        let (x, y) = middle(member);
        center = (center.0 + x, center.1 + y);
    }
    let number = members.len() as f32;
    center = (center.0 / number, center.1 / number);
    let angle = 0.5 * f32::atan2(doubled.1, doubled.0);
    let direction = (angle.cos(), angle.sin());
    // The extent follows from the variance of all cells, so that stray cells do not matter.
    let (mut across, mut along) = (0.0, 0.0);
    for &member in members {
        let (x, y) = middle(member);
        let (x, y) = (x - center.0, y - center.1);
        across += (x * direction.0 + y * direction.1).powi(2);
        along += (y * direction.0 - x * direction.1).powi(2);
    }
    let extent = |squares: f32| (3.0 * squares / number).sqrt() + side as f32;
    let weight = weight * (side * side) as f32;
    BarPatch { center, direction, across: extent(across), along: extent(along), weight }
}
