//! Scans lines across a patch of bars.

use super::bars::BarPatch;
use super::grayscale::Grayscale;
use super::symbol::{self, BarcodeNumber};

/// Lines across a patch, from the middle outwards.
const LINES: usize = 24;
/// Lines after which a patch without enough edges is given up.
const FIRST_LINES: usize = 4;
/// Edges of a line across the shortest code.
const MIN_EDGES: usize = 30;
/// Samples along a line. Each module of a code and its margins gets at least six.
const SAMPLES: std::ops::RangeInclusive<usize> = 800..=3_000;
/// Lines that must agree on a long code.
const MIN_VOTES: usize = 2;
/// Lines that must agree on a short code.
const MIN_VOTES_SHORT: usize = 3;
/// Lines that agree after which the scan ends.
const ENOUGH_VOTES: usize = 5;

/// How a line is sampled.
struct LineFilter {
    /// Parallel lines that are averaged, a pixel apart, against noise.
    thick: usize,
    /// The strength of the unsharp mask, against blur.
    sharpen: f32,
    /// The reach of the unsharp mask: one module, if the line has this many.
    modules: usize,
}

const FILTERS: [LineFilter; 6] = [
    LineFilter { thick: 3, sharpen: 0.0, modules: 120 },
    LineFilter { thick: 5, sharpen: 1.5, modules: 120 },
    LineFilter { thick: 9, sharpen: 3.0, modules: 75 },
    LineFilter { thick: 9, sharpen: 4.0, modules: 120 },
    LineFilter { thick: 1, sharpen: 0.5, modules: 120 },
    LineFilter { thick: 13, sharpen: 6.0, modules: 75 },
];

/// Reads the code in a patch. Returns its digits and the confidence in them, from 0 to 1.
pub(super) fn read(image: &Grayscale, patch: &BarPatch) -> Option<(String, f32)> {
    let mut votes: Vec<(BarcodeNumber, usize)> = Vec::new();
    let mut edges = 0;
    for filter in &FILTERS {
        for line in 0..LINES {
            let widths = widths(image, patch, filter, offset(line) * patch.along);
            edges = edges.max(widths.len());
            if line == FIRST_LINES && edges < MIN_EDGES {
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

/// Returns the number that most lines agree on, unless too many have others.
fn winner(mut votes: Vec<(BarcodeNumber, usize)>) -> Option<(String, f32)> {
    let all: usize = votes.iter().map(|(_, count)| count).sum();
    votes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (number, count) = votes.into_iter().next()?;
    let needed = if number.is_short { MIN_VOTES_SHORT } else { MIN_VOTES };
    let is_clear = count >= needed && count * 3 >= all * 2;
    is_clear.then(|| (number.digits, 1.0 - 0.5_f32.powf(count as f32 + 1.0)))
}

/// Returns the position of a line along the bars: 0 is in the middle, 1 and -1 are at the ends.
fn offset(line: usize) -> f32 {
    let step = line.div_ceil(2) as f32 * 2.0 / LINES as f32 * 0.95;
    if line.is_multiple_of(2) { step } else { -step }
}

/// Returns the widths of gaps and bars along a line, beginning and ending with a gap.
fn widths(image: &Grayscale, patch: &BarPatch, filter: &LineFilter, offset: f32) -> Vec<f32> {
    let values = values(image, patch, filter.thick, offset);
    let values = if filter.sharpen > 0.0 { sharpened(&values, filter) } else { values };
    let thresholds = thresholds(&values);
    let mut widths = Vec::with_capacity(128);
    let mut is_dark = false;
    let mut edge = 0.0;
    for (at, (pair, limits)) in values.windows(2).zip(thresholds.windows(2)).enumerate() {
        if (pair[1] < limits[1]) == is_dark {
            continue;
        }
        // Where the brightness crosses the threshold, between two samples.
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

/// Samples the brightness along a line that is somewhat longer than the patch is wide.
fn values(image: &Grayscale, patch: &BarPatch, thick: usize, offset: f32) -> Vec<f32> {
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
            *value += image.at(start_x + way * x, start_y + way * y);
        }
    }
    for value in &mut values {
        *value /= thick as f32;
    }
    values
}

/// Applies an unsharp mask with a reach of about a module.
fn sharpened(values: &[f32], filter: &LineFilter) -> Vec<f32> {
    let reach = (values.len() / filter.modules).max(2);
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
            values[at] + filter.sharpen * (values[at] - mean)
        })
        .collect()
}

/// Returns the brightness below which a sample is part of a bar: halfway between the darkest and the lightest nearby.
/// Where both are nearly the same, there is no bar.
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
            // Between the centers of two blocks, the threshold is interpolated.
            let place = (at as f32 / size as f32 - 0.5).clamp(0.0, (limits.len() - 1) as f32);
            let (one, other) = (limits[place as usize], limits[(place as usize + 1).min(limits.len() - 1)]);
            if one <= f32::MIN || other <= f32::MIN { one.max(other) } else { one + (other - one) * place.fract() }
        })
        .collect()
}
