//! All lines of a photo, the right way up.

use std::f32::consts::PI;

use super::crop::{self, Strip, crop};
use super::detect::{LONGEST_SIDE, detect};
use super::outline::outlines;
use super::recognize::{Reading, recognize};
use super::{Line, Reader, Slanted};
use crate::photo::Photo;

/// Boxes that are read; a page with more has its longest read.
pub(super) const MOST_BOXES: usize = 160;
/// Columns of one strip. Longer lines are sentences in small print, which are not read: they would cost more than all the rest.
const LONGEST_STRIP: usize = 960;
/// Columns of all strips together: about as many as a label with all its small print has.
const MOST_COLUMNS: usize = 24_000;
/// Columns that are read at once.
const BATCH_COLUMNS: usize = 1_600;
/// Strips that are read both ways round, to see which is up.
const PROBES: usize = 3;
/// Columns of such a strip.
const PROBE_COLUMNS: usize = 192;
/// What the first glance sees.
const GLANCE_SIDE: u32 = 416;
/// Readings below this are dropped.
const LEAST_CONFIDENCE: f32 = 0.5;

/// The lines of a photo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// In no order.
    pub lines: Vec<Line>,
    /// How most lines run: 0 to the right, a quarter turn (π/2) downwards.
    pub angle: f32,
}

pub(super) fn glance(reader: &Reader, photo: &Photo) -> f32 {
    let Some(map) = detect(&reader.detection, photo, GLANCE_SIDE) else { return 0.0 };
    let inked = map.likely.iter().filter(|&&likely| likely > 0.3).count();
    inked as f32 / map.likely.len() as f32
}

pub(super) fn read(reader: &Reader, photo: &Photo) -> Page {
    let Some(map) = detect(&reader.detection, photo, LONGEST_SIDE) else { return Page::default() };
    let mut places = outlines(&map);
    drop(map);
    places.truncate(MOST_BOXES);
    if places.is_empty() {
        return Page::default();
    }
    let level = main_angle(&places);
    for place in &mut places {
        *place = along(*place, level);
    }
    let flipped = is_upside_down(reader, photo, &places);
    let angle = if flipped { level + PI } else { level };
    if flipped {
        for place in &mut places {
            place.angle += PI;
        }
    }
    let mut columns = 0;
    places.retain(|place| {
        let width = crop::width(place, LONGEST_STRIP);
        columns += if width < LONGEST_STRIP { width } else { 0 };
        width < LONGEST_STRIP && columns <= MOST_COLUMNS
    });
    Page { lines: read_all(reader, photo, places), angle }
}

/// How most of the text runs, from -π/2 to π/2: each box votes with its length, if it is long enough to have a direction.
fn main_angle(places: &[Slanted]) -> f32 {
    const BINS: usize = 60;
    let mut votes = [0.0; BINS];
    let of = |angle: f32| angle.rem_euclid(PI);
    for place in places.iter().filter(|place| place.length > 2.0 * place.thickness) {
        votes[(of(place.angle) / PI * BINS as f32) as usize % BINS] += place.length;
    }
    // A direction may fall on the border of two.
    let weight = |bin: usize| votes[bin] + votes[(bin + 1) % BINS];
    let best = (0..BINS).max_by(|&one, &other| weight(one).total_cmp(&weight(other))).unwrap_or(0);
    if weight(best) == 0.0 {
        return 0.0;
    }
    let middle = (best + 1) as f32 / BINS as f32 * PI;
    let off = |angle: f32| of(angle - middle + PI / 2.0) - PI / 2.0;
    let (mut sum, mut all) = (0.0, 0.0);
    for place in places.iter().filter(|place| place.length > 2.0 * place.thickness) {
        if off(place.angle).abs() < PI / BINS as f32 * 1.5 {
            sum += off(place.angle) * place.length;
            all += place.length;
        }
    }
    let angle = if all > 0.0 { middle + sum / all } else { middle };
    of(angle + PI / 2.0) - PI / 2.0
}

/// The same box, described so that its text runs like that of the others. A box that is nearly a square has no direction of
/// its own.
fn along(place: Slanted, level: f32) -> Slanted {
    let off = |place: &Slanted| (place.angle - level + PI / 2.0).rem_euclid(PI) - PI / 2.0;
    let place = if off(&place).abs() > PI / 4.0 { place.turned() } else { place };
    let off = off(&place);
    Slanted { angle: level + off, ..place }
}

/// Whether the print stands on its head: strips that are long enough to tell are read both ways round.
fn is_upside_down(reader: &Reader, photo: &Photo, places: &[Slanted]) -> bool {
    let clear = |place: &&Slanted| place.length > 2.5 * place.thickness && place.length < 6.0 * place.thickness;
    let mut probes: Vec<&Slanted> = places.iter().filter(clear).collect();
    probes.sort_by(|one, other| other.thickness.total_cmp(&one.thickness));
    probes.truncate(PROBES);
    let sure = |turn: f32| -> f32 {
        let strips: Vec<Strip> = probes
            .iter()
            .map(|place| crop(photo, &Slanted { angle: place.angle + turn, ..**place }, PROBE_COLUMNS))
            .collect();
        recognize(&reader.recognition, &strips).iter().map(|reading| reading.confidence).sum()
    };
    sure(PI) > sure(0.0)
}

/// Reads the boxes in batches of about the same width.
fn read_all(reader: &Reader, photo: &Photo, mut places: Vec<Slanted>) -> Vec<Line> {
    let width = |place: &Slanted| crop::width(place, LONGEST_STRIP);
    places.sort_by_key(width);
    let mut lines = Vec::with_capacity(places.len());
    let mut rest = &places[..];
    while let Some(first) = rest.first() {
        // Within a batch every strip is as wide as the widest: at most an eighth and a letter is wasted.
        let mut count = 0;
        while rest.get(count).is_some_and(|place| {
            let widest = width(place);
            widest * (count + 1) <= BATCH_COLUMNS.max(widest) && widest * 8 <= width(first) * 9 + 128
        }) {
            count += 1;
        }
        let (batch, others) = rest.split_at(count.max(1));
        rest = others;
        let strips: Vec<Strip> = batch.iter().map(|place| crop(photo, place, LONGEST_STRIP)).collect();
        for (place, Reading { text, confidence }) in batch.iter().zip(recognize(&reader.recognition, &strips)) {
            if confidence >= LEAST_CONFIDENCE && !text.is_empty() {
                lines.push(Line { text, confidence, place: *place });
            }
        }
    }
    lines
}
