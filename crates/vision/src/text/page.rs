//! All lines of a photo, the right way up.

use std::f32::consts::PI;

use super::crop::{self, crop};
use super::detect::{LONGEST_SIDE, detect};
use super::outline::outlines;
use super::recognize::{Reading, recognize};
use super::{Line, Reader, Slanted};
use crate::photo::Photo;

/// Boxes that are read; a page with more has its shortest read, since names and numbers are short.
pub(super) const MOST_BOXES: usize = 160;
/// Columns of one strip. Longer lines are sentences in small print, which are not read: they would cost more than all the rest.
const LONGEST_STRIP: usize = 960;
/// Columns of all strips together: about as many as a label with all its small print has.
const MOST_COLUMNS: usize = 24_000;
/// Columns that are read before it is asked whether there are enough.
const PART_COLUMNS: usize = 1_500;
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

pub(super) fn read(reader: &Reader, photo: &Photo, is_enough: impl FnMut(&Page) -> bool) -> Page {
    let Some(map) = detect(&reader.detection, photo, LONGEST_SIDE) else { return Page::default() };
    let mut places = outlines(&map);
    drop(map);
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
    choose(&mut places);
    let (sin, cos) = angle.sin_cos();
    let down = |place: &Slanted| place.center.1 * cos - place.center.0 * sin;
    places.sort_by(|one, other| down(one).total_cmp(&down(other)));
    read_down(reader, photo, &places, angle, is_enough)
}

/// Leaves out sentences, and the longest of the others where all would cost too much.
fn choose(places: &mut Vec<Slanted>) {
    let width = |place: &Slanted| crop::width(place, LONGEST_STRIP);
    places.sort_by_key(width);
    places.truncate(MOST_BOXES);
    let mut columns = 0;
    places.retain(|place| {
        columns += width(place);
        width(place) < LONGEST_STRIP && columns <= MOST_COLUMNS
    });
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
        let turned = probes.iter().map(|place| Slanted { angle: place.angle + turn, ..**place });
        turned.map(|place| recognize(&reader.recognition, &crop(photo, &place, PROBE_COLUMNS)).confidence).sum()
    };
    sure(PI) > sure(0.0)
}

/// Reads boxes one after the other. They are not read several at once: a strip takes as long in company, and would have to
/// be as wide as the widest.
fn read_down(
    reader: &Reader,
    photo: &Photo,
    places: &[Slanted],
    angle: f32,
    mut is_enough: impl FnMut(&Page) -> bool,
) -> Page {
    let mut page = Page { lines: Vec::with_capacity(places.len()), angle };
    let mut columns = 0;
    for place in places {
        let strip = crop(photo, place, LONGEST_STRIP);
        columns += strip.width;
        let Reading { text, confidence } = recognize(&reader.recognition, &strip);
        if confidence >= LEAST_CONFIDENCE && !text.is_empty() {
            page.lines.push(Line { text, confidence, place: *place });
        }
        if columns >= PART_COLUMNS {
            columns = 0;
            if is_enough(&page) {
                break;
            }
        }
    }
    page
}
