//! Assembles the rows of a table from lines anywhere on a page.

use crate::text::{Page, TextLine};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableCell {
    pub text: String,
    /// Where it begins, along the row.
    pub left: f32,
    /// Where it ends.
    pub right: f32,
}

/// A row of a table, with its cells from the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TableRow {
    pub cells: Vec<TableCell>,
    /// The position of its middle, from the top.
    pub middle: f32,
    /// The approximate height of its letters.
    pub height: f32,
}

/// A line in the coordinates of the page, in which text runs to the right.
struct LevelLine<'a> {
    line: &'a TextLine,
    across: f32,
    down: f32,
    /// How much it descends to the right, relative to the page.
    slope: f32,
}

/// Assembles the rows of a page, from the top.
pub(super) fn table_rows(page: &Page) -> Vec<TableRow> {
    let (sin, cos) = page.angle.sin_cos();
    let mut lines: Vec<LevelLine<'_>> = page
        .lines
        .iter()
        .map(|line| {
            let (x, y) = line.place.center;
            let slope = (line.place.angle - page.angle).tan();
            LevelLine { line, across: x * cos + y * sin, down: y * cos - x * sin, slope }
        })
        .collect();
    straighten(&mut lines);
    align(&mut lines);
    lines.sort_by(|one, other| one.down.total_cmp(&other.down));
    let mut rows: Vec<TableRow> = Vec::new();
    for level in &lines {
        let place = &level.line.place;
        let cell = TableCell {
            text: level.line.text.clone(),
            left: level.across - place.length / 2.0,
            right: level.across + place.length / 2.0,
        };
        // The best fit among the last few rows: a tall cell may be beside two short rows.
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
            None => rows.push(TableRow { cells: vec![cell], middle: level.down, height: place.thickness }),
        }
    }
    for row in &mut rows {
        row.cells.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows.sort_by(|one, other| one.middle.total_cmp(&other.middle));
    rows
}

/// Returns the share of the shorter cell that is above or below the other.
fn overlap(one: &TableCell, other: &TableCell) -> f32 {
    let common = one.right.min(other.right) - one.left.max(other.left);
    common / (one.right - one.left).min(other.right - other.left).max(1.0)
}

/// Removes perspective. Seen at an angle, lines fan out, so that their slope changes from the top to the bottom. A
/// linear regression over the slopes of all long lines finds the change. It is regularized, because a few lines, or
/// lines that are close together, say little about it.
fn straighten(lines: &mut [LevelLine<'_>]) {
    /// The error of the slope of a line, times its length divided by its thickness.
    const NOISE: f32 = 0.05;
    /// The typical change of the slope within the height of a line.
    const CHANGE: f32 = 0.002;
    let long =
        |level: &&LevelLine<'_>| level.line.place.length > 4.0 * level.line.place.thickness && level.slope.abs() < 0.3;
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

/// Corrects the angle of the page. Names are on one side of a table and numbers on the other, so half a degree decides
/// which belong together. Of the small rotations that are possible, the one is chosen at which most cells have others
/// beside them at the same height.
fn align(lines: &mut [LevelLine<'_>]) {
    /// Rotations that are tried in each direction, up to 1.7 degrees.
    const TURNS: i16 = 15;
    /// The slope between two rotations.
    const STEP: f32 = 0.002;
    // The distances of two cells, across and down, as multiples of their height.
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
        // The angle measured from the lines themselves is not far off.
        near * (1.0 - slope.abs() * 4.0)
    };
    let best = (-TURNS..=TURNS).max_by(|&one, &other| matching(one).total_cmp(&matching(other))).unwrap_or(0);
    for level in lines.iter_mut() {
        level.down -= f32::from(best) * STEP * level.across;
    }
}
