//! Lines across a patch of bars.

use super::bars::Patch;
use super::gray::Gray;
use super::symbol::{self, Number};

/// Lines across a patch, from the middle outwards.
const LINES: usize = 24;
/// Lines after which a patch without enough edges is left.
const FIRST_LINES: usize = 4;
/// Edges that a line across the shortest code has.
const FEWEST_EDGES: usize = 30;
/// Samples along a line. A code of 95 modules and its margins have at least six each.
const SAMPLES: std::ops::RangeInclusive<usize> = 800..=3_000;
/// Lines that must agree on a long code, on a short one.
const VOTES: (usize, usize) = (2, 3);
/// With so many votes there is no need to look further.
const ENOUGH_VOTES: usize = 5;

/// A way to look at a line.
struct Look {
    /// How many parallel lines are averaged, a pixel apart: against noise.
    thick: usize,
    /// How much of the difference to the surroundings is added: against blur.
    sharpen: f32,
    /// How far the surroundings reach: a module, if the line has so many in all.
    modules: usize,
}

const LOOKS: [Look; 6] = [
    Look { thick: 3, sharpen: 0.0, modules: 120 },
    Look { thick: 5, sharpen: 1.5, modules: 120 },
    Look { thick: 9, sharpen: 3.0, modules: 75 },
    Look { thick: 9, sharpen: 4.0, modules: 120 },
    Look { thick: 1, sharpen: 0.5, modules: 120 },
    Look { thick: 13, sharpen: 6.0, modules: 75 },
];

/// The number of a code in this patch, and how sure it is.
pub(super) fn read(picture: &Gray, patch: &Patch) -> Option<(String, f32)> {
    let mut votes: Vec<(Number, usize)> = Vec::new();
    let mut edges = 0;
    for look in &LOOKS {
        for line in 0..LINES {
            let widths = widths(picture, patch, look, offset(line) * patch.along);
            edges = edges.max(widths.len());
            if line == FIRST_LINES && edges < FEWEST_EDGES {
                return None;
            }
            let backwards: Vec<f32> = widths.iter().rev().copied().collect();
            let both = [symbol::read(&widths), symbol::read(&backwards)];
            let better = both.into_iter().flatten().min_by(|one, other| one.1.total_cmp(&other.1));
            let Some((number, _)) = better else { continue };
            match votes.iter_mut().find(|(other, _)| *other == number) {
                Some((_, count)) => *count += 1,
                None => votes.push((number, 1)),
            }
            if votes.iter().any(|(_, count)| *count >= ENOUGH_VOTES) {
                return winner(votes);
            }
        }
    }
    winner(votes)
}

/// The number that most lines gave, unless too many gave others.
fn winner(mut votes: Vec<(Number, usize)>) -> Option<(String, f32)> {
    let all: usize = votes.iter().map(|(_, count)| count).sum();
    votes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (number, count) = votes.into_iter().next()?;
    let needed = if number.is_short { VOTES.1 } else { VOTES.0 };
    let is_clear = count >= needed && count * 3 >= all * 2;
    is_clear.then(|| (number.digits, 1.0 - 0.5_f32.powf(count as f32 + 1.0)))
}

/// Where the line with this number lies: 0 in the middle, 1 at the far end along the bars.
fn offset(line: usize) -> f32 {
    let step = line.div_ceil(2) as f32 * 2.0 / LINES as f32 * 0.95;
    if line.is_multiple_of(2) { step } else { -step }
}

/// The widths of gaps and bars along a line, beginning and ending with a gap.
fn widths(picture: &Gray, patch: &Patch, look: &Look, offset: f32) -> Vec<f32> {
    let values = values(picture, patch, look.thick, offset);
    let values = if look.sharpen > 0.0 { sharpened(&values, look) } else { values };
    let thresholds = thresholds(&values);
    let mut widths = Vec::with_capacity(128);
    let mut is_dark = false;
    let mut edge = 0.0;
    for (at, (pair, limits)) in values.windows(2).zip(thresholds.windows(2)).enumerate() {
        if (pair[1] < limits[1]) == is_dark {
            continue;
        }
        // Where the brightness crosses the limit, between two samples.
        let (here, there) = (pair[0] - limits[0], pair[1] - limits[1]);
        let share = if (here - there).abs() > f32::EPSILON { (here / (here - there)).clamp(0.0, 1.0) } else { 0.0 };
        let next = at as f32 + share;
        widths.push(next - edge);
        edge = next;
        is_dark = !is_dark;
    }
    let last = values.len() as f32 - edge;
    if is_dark {
        widths.push(last);
        widths.push(0.0);
    } else {
        widths.push(last);
    }
    widths
}

/// Brightness along a line, somewhat longer than the patch is wide.
fn values(picture: &Gray, patch: &Patch, thick: usize, offset: f32) -> Vec<f32> {
    let (x, y) = patch.direction;
    let half = patch.across * 1.25 + 12.0;
    let samples = ((half * 6.0) as usize).clamp(*SAMPLES.start(), *SAMPLES.end());
    let step = 2.0 * half / samples as f32;
    let mut values = vec![0.0; samples];
    for line in 0..thick {
        let side = offset + line as f32 - (thick - 1) as f32 / 2.0;
        let (start_x, start_y) = (patch.center.0 - half * x - side * y, patch.center.1 - half * y + side * x);
        for (at, value) in values.iter_mut().enumerate() {
            let way = at as f32 * step;
            *value += picture.at(start_x + way * x, start_y + way * y);
        }
    }
    for value in &mut values {
        *value /= thick as f32;
    }
    values
}

/// Adds what sets each sample apart from those within about a module.
fn sharpened(values: &[f32], look: &Look) -> Vec<f32> {
    let reach = (values.len() / look.modules).max(2);
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for value in values {
        sum += f64::from(*value);
        sums.push(sum);
    }
    (0..values.len())
        .map(|at| {
            let (from, to) = (at.saturating_sub(reach), (at + reach + 1).min(values.len()));
            let mean = ((sums[to] - sums[from]) / (to - from) as f64) as f32;
            values[at] + look.sharpen * (values[at] - mean)
        })
        .collect()
}

/// The brightness below which a sample is part of a bar: halfway between the darkest and the lightest nearby. Where both
/// are nearly the same, everything is light.
fn thresholds(values: &[f32]) -> Vec<f32> {
    const BLOCKS: usize = 48;
    let size = values.len().div_ceil(BLOCKS);
    let extremes =
        |part: &[f32]| part.iter().fold((f32::MAX, f32::MIN), |(low, high), &value| (low.min(value), high.max(value)));
    let blocks: Vec<(f32, f32)> = values.chunks(size).map(extremes).collect();
    let (darkest, lightest) = extremes(values);
    let limits: Vec<f32> = (0..blocks.len())
        .map(|at| {
            let near = &blocks[at.saturating_sub(2)..(at + 3).min(blocks.len())];
            let low = near.iter().map(|block| block.0).fold(f32::MAX, f32::min);
            let high = near.iter().map(|block| block.1).fold(f32::MIN, f32::max);
            if high - low < 0.22 * (lightest - darkest) { f32::MIN } else { f32::midpoint(low, high) }
        })
        .collect();
    (0..values.len())
        .map(|at| {
            // Between the middles of two blocks the limit changes steadily.
            let place = (at as f32 / size as f32 - 0.5).clamp(0.0, (limits.len() - 1) as f32);
            let (one, other) = (limits[place as usize], limits[(place as usize + 1).min(limits.len() - 1)]);
            if one <= f32::MIN || other <= f32::MIN { one.max(other) } else { one + (other - one) * place.fract() }
        })
        .collect()
}
