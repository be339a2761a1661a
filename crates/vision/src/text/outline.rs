//! Finds the boxes around connected regions of a text map.

use super::detect::TextMap;

/// The probability from which on a pixel is text.
pub(super) const MIN_TEXT: f32 = 0.3;
/// The mean probability that a box needs.
const MIN_MEAN: f32 = 0.5;
/// The thickness in pixels of the map below which a box is a speck.
const MIN_THICKNESS: f32 = 3.0;
/// The network marks the core of a line. The box grows by this share of its area divided by its circumference.
const GROWTH: f32 = 1.6;

/// A rotated box around a line of text, in pixels of the photo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextBox {
    /// The center: from the left, from the top.
    pub center: (f32, f32),
    /// Along the line of text.
    pub length: f32,
    /// Across it.
    pub thickness: f32,
    /// The direction of the line: 0 is to the right, a quarter turn (π/2) is downwards.
    pub angle: f32,
}

/// Returns the boxes of a map, the longest first.
pub(super) fn outlines(map: &TextMap) -> Vec<TextBox> {
    let mut seen = vec![false; map.probabilities.len()];
    let mut boxes = Vec::new();
    for start in 0..map.probabilities.len() {
        if seen[start] || map.probabilities[start] < MIN_TEXT {
            continue;
        }
        let (border, mean) = region(map, start, &mut seen);
        if mean < MIN_MEAN {
            continue;
        }
        let Some(tight) = smallest_box(&hull(border)) else { continue };
        if tight.thickness >= MIN_THICKNESS {
            boxes.push(in_photo(grown(tight), map));
        }
    }
    boxes.sort_by(|one, other| other.length.total_cmp(&one.length));
    boxes
}

/// Collects the region of the first pixel: the corners of the first and last pixel of each row, and the mean of all
/// pixels.
fn region(map: &TextMap, start: usize, seen: &mut [bool]) -> (Vec<(f32, f32)>, f32) {
    let mut rows: std::collections::BTreeMap<usize, (usize, usize)> = std::collections::BTreeMap::new();
    let mut waiting = vec![start];
    seen[start] = true;
    let (mut sum, mut number) = (0.0, 0.0);
    while let Some(at) = waiting.pop() {
        let (x, y) = (at % map.width, at / map.width);
        sum += map.probabilities[at];
        number += 1.0;
        let row = rows.entry(y).or_insert((x, x));
        *row = (row.0.min(x), row.1.max(x));
        for near_y in y.saturating_sub(1)..(y + 2).min(map.height) {
            for near_x in x.saturating_sub(1)..(x + 2).min(map.width) {
                let near = near_y * map.width + near_x;
                if !seen[near] && map.probabilities[near] >= MIN_TEXT {
                    seen[near] = true;
                    waiting.push(near);
                }
            }
        }
    }
    // Corners and not centers of pixels, so that a line of one pixel has a thickness.
    let corners = rows.into_iter().flat_map(|(y, (from, to))| {
        let (top, left, right) = (y as f32, from as f32, (to + 1) as f32);
        [(left, top), (right, top), (left, top + 1.0), (right, top + 1.0)]
    });
    (corners.collect(), sum / number)
}

/// Computes the convex hull (Andrew's monotone chain).
fn hull(mut points: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    points.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    points.dedup();
    let turns_right =
        |a: (f32, f32), b: (f32, f32), c: (f32, f32)| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) <= 0.0;
    let half = |points: &mut dyn Iterator<Item = (f32, f32)>| {
        let mut chain: Vec<(f32, f32)> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..] {
                if !turns_right(a, b, point) {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut around = half(&mut points.iter().copied());
    around.extend(half(&mut points.iter().rev().copied()));
    around
}

/// Computes the box of least area around a convex outline. One of its sides is on a side of the outline.
fn smallest_box(outline: &[(f32, f32)]) -> Option<TextBox> {
    let mut best: Option<TextBox> = None;
    for (at, from) in outline.iter().enumerate() {
        let to = outline[(at + 1) % outline.len()];
        let angle = f32::atan2(to.1 - from.1, to.0 - from.0);
        let (sin, cos) = angle.sin_cos();
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for point in outline {
            let (u, v) = (point.0 * cos + point.1 * sin, point.1 * cos - point.0 * sin);
            low = (low.0.min(u), low.1.min(v));
            high = (high.0.max(u), high.1.max(v));
        }
        let (length, thickness) = (high.0 - low.0, high.1 - low.1);
        if best.is_none_or(|best| length * thickness < best.length * best.thickness) {
            let (u, v) = (f32::midpoint(low.0, high.0), f32::midpoint(low.1, high.1));
            best = Some(TextBox { center: (u * cos - v * sin, u * sin + v * cos), length, thickness, angle });
        }
    }
    best.map(lengthwise)
}

/// Describes a box by its longer side.
fn lengthwise(tight: TextBox) -> TextBox {
    if tight.length >= tight.thickness { tight } else { tight.turned() }
}

/// Extends the core of a line to the whole line.
fn grown(tight: TextBox) -> TextBox {
    let by = tight.length * tight.thickness * GROWTH / (2.0 * (tight.length + tight.thickness));
    TextBox { length: tight.length + 2.0 * by, thickness: tight.thickness + 2.0 * by, ..tight }
}

/// Converts pixels of the map to pixels of the photo. Both scales are nearly the same.
fn in_photo(text_box: TextBox, map: &TextMap) -> TextBox {
    let (x, y) = map.scale;
    let (sin, cos) = text_box.angle.sin_cos();
    TextBox {
        center: (text_box.center.0 * x, text_box.center.1 * y),
        length: text_box.length * (cos * x).hypot(sin * y),
        thickness: text_box.thickness * (sin * x).hypot(cos * y),
        angle: f32::atan2(sin * y, cos * x),
    }
}

impl TextBox {
    /// Describes the same box with its text a quarter turn further.
    pub(super) fn turned(self) -> Self {
        Self { length: self.thickness, thickness: self.length, angle: self.angle + std::f32::consts::FRAC_PI_2, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with a bar of this length, thickness and angle in its middle.
    fn bar(length: f32, thickness: f32, angle: f32) -> TextMap {
        let (width, height) = (200, 160);
        let probabilities = (0..width * height).map(|at| {
            let (x, y) = ((at % width) as f32 + 0.5 - 100.0, (at / width) as f32 + 0.5 - 80.0);
            let (u, v) = (x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin());
            f32::from(u.abs() <= length / 2.0 && v.abs() <= thickness / 2.0)
        });
        TextMap { width, height, probabilities: probabilities.collect(), scale: (2.0, 2.0) }
    }

    #[test]
    fn a_bar_is_found_at_any_angle() {
        for degrees in [0.0_f32, 7.0, 30.0, 45.0, 80.0, 90.0, 120.0, 170.0] {
            let found = outlines(&bar(90.0, 10.0, degrees.to_radians()));
            assert_eq!(found.len(), 1, "{degrees}");
            let found = found[0];
            let off = (found.angle.to_degrees() - degrees).rem_euclid(180.0);
            assert!(off.min(180.0 - off) < 2.0, "{degrees}: {found:?}");
            let growth = 90.0 * 10.0 * GROWTH / 100.0;
            assert!((found.length - 2.0 * (90.0 + growth)).abs() < 8.0, "{degrees}: {found:?}");
            assert!((found.thickness - 2.0 * (10.0 + growth)).abs() < 8.0, "{degrees}: {found:?}");
            assert!((found.center.0 - 200.0).abs() < 2.0 && (found.center.1 - 160.0).abs() < 2.0, "{found:?}");
        }
    }

    #[test]
    fn specks_and_faint_regions_are_ignored() {
        assert_eq!(outlines(&bar(2.0, 2.0, 0.0)), []);
        let mut faint = bar(90.0, 10.0, 0.0);
        faint.probabilities.iter_mut().for_each(|value| *value *= 0.4);
        assert_eq!(outlines(&faint), []);
    }
}
