//! The rows of a table, from lines anywhere on a page.

use crate::text::{Line, Page};

/// A piece of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub text: String,
    /// Where it begins and ends, along the row.
    pub left: f32,
    pub right: f32,
}

/// Cells side by side, from the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub cells: Vec<Cell>,
    /// Where its middle is, from the top.
    pub middle: f32,
    /// How tall its letters are, about.
    pub height: f32,
}

/// A line in the coordinates of the page: the text runs to the right.
struct Level<'a> {
    line: &'a Line,
    across: f32,
    down: f32,
    /// How much it falls to the right, beyond the page's own angle.
    slope: f32,
}

/// Rows from the top.
pub(super) fn rows(page: &Page) -> Vec<Row> {
    let (sin, cos) = page.angle.sin_cos();
    let mut lines: Vec<Level<'_>> = page
        .lines
        .iter()
        .map(|line| {
            let (x, y) = line.place.center;
            let slope = (line.place.angle - page.angle).tan();
            Level { line, across: x * cos + y * sin, down: y * cos - x * sin, slope }
        })
        .collect();
    straighten(&mut lines);
    align(&mut lines);
    lines.sort_by(|one, other| one.down.total_cmp(&other.down));
    let mut rows: Vec<Row> = Vec::new();
    for level in &lines {
        let place = &level.line.place;
        let cell = Cell {
            text: level.line.text.clone(),
            left: level.across - place.length / 2.0,
            right: level.across + place.length / 2.0,
        };
        // The row that it fits best among the last few; a tall cell may stand beside two short rows.
        let fitting = rows
            .iter_mut()
            .rev()
            .take(4)
            .filter(|row| {
                let near = (level.down - row.middle).abs() < 0.42 * row.height.min(place.thickness);
                near && row.cells.iter().all(|other| overlap(other, &cell) < 0.4)
            })
            .min_by(|one, other| (level.down - one.middle).abs().total_cmp(&(level.down - other.middle).abs()));
        match fitting {
            Some(row) => {
                let count = row.cells.len() as f32;
                row.middle = (row.middle * count + level.down) / (count + 1.0);
                row.height = row.height.min(place.thickness);
                row.cells.push(cell);
            }
            None => rows.push(Row { cells: vec![cell], middle: level.down, height: place.thickness }),
        }
    }
    for row in &mut rows {
        row.cells.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows.sort_by(|one, other| one.middle.total_cmp(&other.middle));
    rows
}

/// The share of the shorter cell that lies over or under the other.
fn overlap(one: &Cell, other: &Cell) -> f32 {
    let common = one.right.min(other.right) - one.left.max(other.left);
    common / (one.right - one.left).min(other.right - other.left).max(1.0)
}

/// Takes perspective out: seen at an angle, lines fan out, so that the slope changes from the top to the bottom. A straight
/// line through the slopes of all long lines says how. Few lines, or such that stand close together, say little about it, and
/// then it is taken to be little.
fn straighten(lines: &mut [Level<'_>]) {
    /// How far off the slope of a line is, times its length over its thickness.
    const NOISE: f32 = 0.05;
    /// How much the slope changes within the height of a line, usually.
    const CHANGE: f32 = 0.002;
    let long =
        |level: &&Level<'_>| level.line.place.length > 4.0 * level.line.place.thickness && level.slope.abs() < 0.3;
    let (mut weight, mut down, mut slope, mut across, mut height) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for level in lines.iter().filter(long) {
        let length = level.line.place.length;
        weight += length;
        down += length * level.down;
        slope += length * level.slope;
        across += length * level.across;
        height += length * level.line.place.thickness;
    }
    if weight <= 0.0 {
        return;
    }
    let (down, slope, across, height) = (down / weight, slope / weight, across / weight, (height / weight).max(1.0));
    let (mut squares, mut products) = (CHANGE.powi(-2), 0.0);
    for level in lines.iter().filter(long) {
        let evidence = (level.line.place.length / level.line.place.thickness.max(1.0) / NOISE).powi(2);
        let below = (level.down - down) / height;
        squares += evidence * below.powi(2);
        products += evidence * below * (level.slope - slope);
    }
    let change = products / squares / height;
    for level in lines.iter_mut() {
        let here = slope + change * (level.down - down);
        level.down -= here * (level.across - across);
    }
}

/// Names stand at one side of a table and numbers at the other, so half a degree decides which belong together. Of the small
/// turns that are possible, the one is taken at which most cells have others beside them at the same height.
fn align(lines: &mut [Level<'_>]) {
    /// Half the number of turns that are tried, and how far apart they are: 1.7 degrees either way.
    const TURNS: i16 = 15;
    const STEP: f32 = 0.002;
    // How far apart two cells are, across and down, as multiples of their height.
    let mut pairs: Vec<(f32, f32)> = Vec::new();
    for (at, one) in lines.iter().enumerate() {
        for other in &lines[at + 1..] {
            let height = one.line.place.thickness.min(other.line.place.thickness).max(1.0);
            let (across, down) = (other.across - one.across, other.down - one.down);
            let beside = across.abs() > f32::midpoint(one.line.place.length, other.line.place.length);
            if beside && down.abs() < height + across.abs() * STEP * f32::from(TURNS) {
                pairs.push((across / height, down / height));
            }
        }
    }
    if pairs.is_empty() {
        return;
    }
    let matching = |turn: i16| -> f32 {
        let slope = f32::from(turn) * STEP;
        let near: f32 = pairs.iter().map(|(across, down)| 1.0 / (1.0 + (4.0 * (down - slope * across)).powi(4))).sum();
        // What was measured on the lines themselves is not far off.
        near * (1.0 - slope.abs() * 4.0)
    };
    let best = (-TURNS..=TURNS).max_by(|&one, &other| matching(one).total_cmp(&matching(other))).unwrap_or(0);
    for level in lines.iter_mut() {
        level.down -= f32::from(best) * STEP * level.across;
    }
}
