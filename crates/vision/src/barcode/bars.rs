//! Where a bar code may be: patches in which many strong edges run side by side.
//!
//! The picture is divided into cells. For each, the gradients are summed up so that opposite ones do not cancel (the
//! structure tensor), which tells how strong the edges are, which way they run, and how much they agree. In print and in
//! nature edges run every way; in a bar code they all run one way.

use super::gray::Gray;

/// Cells along the longer side. With 128 the bars of a small code still fill a few.
const CELLS: usize = 128;
/// Cells are also looked at in blocks of so many a side: the bars of a code that fills the photo are wider than a cell.
const BLOCK: usize = 3;
/// The least mean square of the gradient, in gray levels. Faint print in bad light has more.
const LEAST_STRENGTH: f32 = 40.0;
/// How much the edges of a cell and its neighbours must agree, from 0 to 1.
const LEAST_AGREEMENT: f32 = 0.55;
/// Cells of a patch.
const FEWEST_CELLS: usize = 8;

/// A stretch of parallel edges.
pub(super) struct Patch {
    pub center: (f32, f32),
    /// A unit vector across the bars: the way to read.
    pub direction: (f32, f32),
    /// Half the extent across the bars, in pixels.
    pub across: f32,
    /// Half the extent along the bars.
    pub along: f32,
    /// Strength times area.
    weight: f32,
}

impl Patch {
    /// Whether the middle of another patch lies in this one.
    pub fn holds_middle_of(&self, other: &Self) -> bool {
        let (x, y) = (other.center.0 - self.center.0, other.center.1 - self.center.1);
        let (across, along) =
            (x * self.direction.0 + y * self.direction.1, y * self.direction.0 - x * self.direction.1);
        across.abs() < self.across && along.abs() < self.along
    }
}

/// Sums of products of the gradients in a cell, per pixel.
#[derive(Clone, Copy, Default)]
struct Cell {
    xx: f32,
    yy: f32,
    xy: f32,
}

impl Cell {
    fn strength(self) -> f32 {
        self.xx + self.yy
    }

    /// The direction across the edges, doubled so that opposite directions are one. Its length is the agreement times the
    /// strength.
    fn doubled(self) -> (f32, f32) {
        (self.xx - self.yy, 2.0 * self.xy)
    }

    fn is_barred(self) -> bool {
        let (x, y) = self.doubled();
        self.strength() >= LEAST_STRENGTH && x.hypot(y) >= LEAST_AGREEMENT * self.strength()
    }

    /// Whether the edges of two cells run within 15 degrees of each other.
    fn runs_like(self, other: Self) -> bool {
        let ((x, y), (other_x, other_y)) = (self.doubled(), other.doubled());
        x * other_x + y * other_y >= 0.866 * x.hypot(y) * other_x.hypot(other_y)
    }
}

/// The patches of a picture, the strongest first.
pub(super) fn find(picture: &Gray) -> Vec<Patch> {
    let side = picture.width.max(picture.height).div_ceil(CELLS).max(4);
    let (columns, rows) = (picture.width / side, picture.height / side);
    if columns < 3 || rows < 3 {
        return Vec::new();
    }
    let fine = Grid { side, columns, rows, cells: gradients(picture, side, columns, rows) };
    let mut patches = fine.in_blocks().patches();
    patches.extend(fine.patches());
    patches.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    patches
}

/// All cells of a picture.
struct Grid {
    /// Pixels of a side of a cell.
    side: usize,
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

impl Grid {
    fn in_blocks(&self) -> Self {
        let (columns, rows) = (self.columns / BLOCK, self.rows / BLOCK);
        let mut cells = vec![Cell::default(); columns * rows];
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

    fn patches(&self) -> Vec<Patch> {
        let cells = smoothed(&self.cells, self.columns, self.rows);
        let mut seen = vec![false; cells.len()];
        let mut patches = Vec::new();
        for start in 0..cells.len() {
            if seen[start] || !cells[start].is_barred() {
                continue;
            }
            let members = grow(&cells, self.columns, self.rows, start, &mut seen);
            if members.len() >= FEWEST_CELLS {
                patches.push(patch(&cells, self.columns, self.side, &members));
            }
        }
        patches
    }
}

fn gradients(picture: &Gray, side: usize, columns: usize, rows: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); columns * rows];
    let per_pixel = 1.0 / (side * side) as f32;
    for y in 1..(rows * side).min(picture.height - 1) {
        let row = |y: usize| &picture.pixels[y * picture.width..(y + 1) * picture.width];
        let (above, here, below) = (row(y - 1), row(y), row(y + 1));
        for column in 0..columns {
            let (from, to) = ((column * side).max(1), ((column + 1) * side).min(picture.width - 1));
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

/// Each cell with its eight neighbours, so that wide gaps and bars do not tear a code apart.
fn smoothed(cells: &[Cell], columns: usize, rows: usize) -> Vec<Cell> {
    let mut smooth = Vec::with_capacity(cells.len());
    for y in 0..rows {
        for x in 0..columns {
            let mut sum = Cell::default();
            let mut number = 0.0;
            for near_y in y.saturating_sub(1)..(y + 2).min(rows) {
                for near in &cells[near_y * columns + x.saturating_sub(1)..near_y * columns + (x + 2).min(columns)] {
                    sum.xx += near.xx;
                    sum.yy += near.yy;
                    sum.xy += near.xy;
                    number += 1.0;
                }
            }
            smooth.push(Cell { xx: sum.xx / number, yy: sum.yy / number, xy: sum.xy / number });
        }
    }
    smooth
}

/// All barred cells that hang together with the first and whose edges run the same way.
fn grow(cells: &[Cell], columns: usize, rows: usize, start: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut members = vec![start];
    seen[start] = true;
    let mut next = 0;
    while let Some(&member) = members.get(next) {
        next += 1;
        let (x, y) = (member % columns, member / columns);
        for near_y in y.saturating_sub(1)..(y + 2).min(rows) {
            for near_x in x.saturating_sub(1)..(x + 2).min(columns) {
                let near = near_y * columns + near_x;
                if !seen[near] && cells[near].is_barred() && cells[near].runs_like(cells[member]) {
                    seen[near] = true;
                    members.push(near);
                }
            }
        }
    }
    members
}

fn patch(cells: &[Cell], columns: usize, side: usize, members: &[usize]) -> Patch {
    let middle = |member: usize| {
        let half = side as f32 / 2.0;
        ((member % columns * side) as f32 + half, (member / columns * side) as f32 + half)
    };
    let (mut doubled, mut center, mut weight) = ((0.0, 0.0), (0.0, 0.0), 0.0);
    for &member in members {
        let (x, y) = cells[member].doubled();
        doubled = (doubled.0 + x, doubled.1 + y);
        weight += cells[member].strength();
        let (x, y) = middle(member);
        center = (center.0 + x, center.1 + y);
    }
    let number = members.len() as f32;
    center = (center.0 / number, center.1 / number);
    let angle = 0.5 * f32::atan2(doubled.1, doubled.0);
    let direction = (angle.cos(), angle.sin());
    // The extent is not where the last stray cell is: it follows from the spread of all of them.
    let (mut across, mut along) = (0.0, 0.0);
    for &member in members {
        let (x, y) = middle(member);
        let (x, y) = (x - center.0, y - center.1);
        across += (x * direction.0 + y * direction.1).powi(2);
        along += (y * direction.0 - x * direction.1).powi(2);
    }
    let extent = |squares: f32| (3.0 * squares / number).sqrt() + side as f32;
    let weight = weight * (side * side) as f32;
    Patch { center, direction, across: extent(across), along: extent(along), weight }
}
