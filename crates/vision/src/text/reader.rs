//! Reads all text of a photo, the right way up.

use std::f32::consts::PI;

use super::crop::{self, crop};
use super::detect::{self, detect};
use super::outline::{MIN_TEXT, TextBox, outlines};
use super::page::{Page, TextLine};
use super::recognize::{RecognizedText, recognize};
use crate::network::{Network, ThreadPools};
use crate::photo::Photo;

/// Boxes that are read. If a page has more, the shortest are read, because names and numbers are short.
pub(super) const MAX_BOXES: usize = 160;
/// Columns of one strip. Longer lines are sentences in small print, which are skipped: they would cost more than all
/// the rest.
const MAX_STRIP_COLUMNS: usize = 960;
/// Columns of all strips together: about as many as a label with all its small print has.
const MAX_COLUMNS: usize = 24_000;
/// Columns that are read between two checks whether there is enough text.
const COLUMNS_BETWEEN_CHECKS: usize = 1_500;
/// Strips that are read both ways round to find out which way is up.
const PROBES: usize = 3;
/// Columns of such a strip.
const MAX_PROBE_COLUMNS: usize = 192;
/// The longer side of the image in which the density of text is measured.
const DENSITY_SIDE: u32 = 416;
/// Lines below this confidence are dropped.
const MIN_CONFIDENCE: f32 = 0.5;

/// Reads text. Holds both networks.
pub struct TextReader {
    detection: Network,
    recognition: Network,
}

impl TextReader {
    /// Loads the networks, which takes some tens of milliseconds: load once and keep. Each reading uses up to `threads`
    /// threads.
    pub fn load(threads: usize) -> Self {
        let pools = ThreadPools::new(threads);
        Self {
            detection: Network::load_in_parts(
                include_bytes!("../../models/text-detection.onnx"),
                include_str!("../../models/text-detection.txt"),
                &pools,
            ),
            recognition: Network::load_in_parts(
                include_bytes!("../../models/text-recognition.onnx"),
                include_str!("../../models/text-recognition.txt"),
                &pools,
            ),
        }
    }

    /// Estimates the share of a photo that is text, from 0 to 1, at a tenth of the cost of reading it.
    pub fn text_density(&self, photo: &Photo) -> f32 {
        let Some(map) = detect(&self.detection, photo, DENSITY_SIDE) else { return 0.0 };
        let text = map.probabilities.iter().filter(|&&probability| probability > MIN_TEXT).count();
        text as f32 / map.probabilities.len() as f32
    }

    /// Reads all lines of a photo, at any angle.
    pub fn read(&self, photo: &Photo) -> Page {
        self.read_until(photo, |_| false)
    }

    /// Reads the lines of a photo from the top until `is_enough` returns true, which is asked after every few lines.
    pub fn read_until(&self, photo: &Photo, is_enough: impl FnMut(&Page) -> bool) -> Page {
        let Some(map) = detect(&self.detection, photo, detect::MAX_SIDE) else { return Page::default() };
        let mut boxes = outlines(&map);
        drop(map);
        if boxes.is_empty() {
            return Page::default();
        }
        let level = main_angle(&boxes);
        for text_box in &mut boxes {
            *text_box = aligned(*text_box, level);
        }
        let flipped = self.is_upside_down(photo, &boxes);
        let angle = if flipped { level + PI } else { level };
        if flipped {
            for text_box in &mut boxes {
                text_box.angle += PI;
            }
        }
        drop_costly(&mut boxes);
        let (sin, cos) = angle.sin_cos();
        let down = |text_box: &TextBox| text_box.center.1 * cos - text_box.center.0 * sin;
        boxes.sort_by(|one, other| down(one).total_cmp(&down(other)));
        self.read_boxes(photo, &boxes, angle, is_enough)
    }

    /// Checks whether the text is upside down: strips that are long enough to tell are read both ways round.
    fn is_upside_down(&self, photo: &Photo, boxes: &[TextBox]) -> bool {
        let is_clear = |text_box: &&TextBox| {
            text_box.length > 2.5 * text_box.thickness && text_box.length < 6.0 * text_box.thickness
        };
        let mut probes: Vec<&TextBox> = boxes.iter().filter(is_clear).collect();
        probes.sort_by(|one, other| other.thickness.total_cmp(&one.thickness));
        probes.truncate(PROBES);
        let confidence = |turn: f32| -> f32 {
            let turned = probes.iter().map(|text_box| TextBox { angle: text_box.angle + turn, ..**text_box });
            let strips = turned.map(|text_box| crop(photo, &text_box, MAX_PROBE_COLUMNS));
            strips.map(|strip| recognize(&self.recognition, &strip).confidence).sum()
        };
        confidence(PI) > confidence(0.0)
    }

    /// Reads boxes one after the other. A batch would not be faster, and would need strips as wide as the widest.
    fn read_boxes(
        &self,
        photo: &Photo,
        boxes: &[TextBox],
        angle: f32,
        mut is_enough: impl FnMut(&Page) -> bool,
    ) -> Page {
        let mut page = Page { lines: Vec::with_capacity(boxes.len()), angle };
        let mut columns = 0;
        for text_box in boxes {
            let strip = crop(photo, text_box, MAX_STRIP_COLUMNS);
            columns += strip.width;
            let RecognizedText { text, confidence } = recognize(&self.recognition, &strip);
            if confidence >= MIN_CONFIDENCE && !text.is_empty() {
                page.lines.push(TextLine { text, confidence, place: *text_box });
            }
            if columns >= COLUMNS_BETWEEN_CHECKS {
                columns = 0;
                if is_enough(&page) {
                    break;
                }
            }
        }
        page
    }
}

impl std::fmt::Debug for TextReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TextReader")
    }
}

/// Drops sentences, and the longest of the other boxes if all would cost too much.
fn drop_costly(boxes: &mut Vec<TextBox>) {
    let width = |text_box: &TextBox| crop::width(text_box, MAX_STRIP_COLUMNS);
    boxes.sort_by_key(width);
    boxes.truncate(MAX_BOXES);
    let mut columns = 0;
    boxes.retain(|text_box| {
        columns += width(text_box);
        width(text_box) < MAX_STRIP_COLUMNS && columns <= MAX_COLUMNS
    });
}

/// Returns the direction of most of the text, from -π/2 to π/2: each box that is long enough to have a direction votes
/// with its length.
fn main_angle(boxes: &[TextBox]) -> f32 {
    const BINS: usize = 60;
    let mut votes = [0.0; BINS];
    let of = |angle: f32| angle.rem_euclid(PI);
    for text_box in boxes.iter().filter(|text_box| text_box.length > 2.0 * text_box.thickness) {
        votes[(of(text_box.angle) / PI * BINS as f32) as usize % BINS] += text_box.length;
    }
    // A direction may fall on the border of two bins.
    let weight = |bin: usize| votes[bin] + votes[(bin + 1) % BINS];
    let best = (0..BINS).max_by(|&one, &other| weight(one).total_cmp(&weight(other))).unwrap_or(0);
    if weight(best) == 0.0 {
        return 0.0;
    }
    let middle = (best + 1) as f32 / BINS as f32 * PI;
    let off = |angle: f32| of(angle - middle + PI / 2.0) - PI / 2.0;
    let (mut sum, mut all) = (0.0, 0.0);
    for text_box in boxes.iter().filter(|text_box| text_box.length > 2.0 * text_box.thickness) {
        if off(text_box.angle).abs() < PI / BINS as f32 * 1.5 {
            sum += off(text_box.angle) * text_box.length;
            all += text_box.length;
        }
    }
    let angle = if all > 0.0 { middle + sum / all } else { middle };
    of(angle + PI / 2.0) - PI / 2.0
}

/// Describes a box so that its text runs in the main direction. A box that is nearly square has no direction of its
/// own.
fn aligned(text_box: TextBox, level: f32) -> TextBox {
    let off = |text_box: &TextBox| (text_box.angle - level + PI / 2.0).rem_euclid(PI) - PI / 2.0;
    let text_box = if off(&text_box).abs() > PI / 4.0 { text_box.turned() } else { text_box };
    let off = off(&text_box);
    TextBox { angle: level + off, ..text_box }
}
