//! Bar codes of products: EAN-13, EAN-8, UPC-A and UPC-E, at any angle.
//!
//! This runs on every photo, and few photos show a code. So the files follow the data from cheap to dear:
//!
//! 1. `gray`: brightness is all that counts.
//! 2. `bars`: where many strong edges run side by side. A few milliseconds; most photos end here.
//! 3. `scan`: lines across such a patch, each turned into the widths of its bars and gaps.
//! 4. `symbol`: widths to digits, with the check digit.
//!
//! A line can be misread with a check digit that fits by chance: one in ten does. So a number counts only when several
//! lines agree on it and hardly any contradicts.
//!
//! The crate rxing was tried first. It reads upright rows of a whole picture, only from the first place in a row that
//! looks like a beginning, and needs twenty more crates; `examples/barcode_accuracy.rs` says how this one does.

mod bars;
mod gray;
mod scan;
mod symbol;

use crate::photo::Photo;
use crate::sighting::{Region, Sighting, What};

use bars::Patch;
use gray::Gray;

/// How many patches are scanned, the strongest first.
const MOST_PATCHES: usize = 8;

/// The numbers under the bar codes of a photo, each once.
///
/// Digits as a person would type them: 8 of an EAN-8, 13 of an EAN-13, 12 of a UPC-A. An EAN-13 that begins with 0 is
/// the same code as the UPC-A behind it, and is written as that one; a UPC-E is written out as the UPC-A that it
/// abbreviates. As numbers all of them are what a catalog has: leading zeros do not count there.
pub fn find(photo: &Photo) -> Vec<Sighting> {
    let picture = Gray::of(photo);
    let mut found: Vec<Sighting> = Vec::new();
    let mut done: Vec<&Patch> = Vec::new();
    let patches = bars::find(&picture);
    for patch in patches.iter().take(MOST_PATCHES) {
        if done.iter().any(|done| done.holds_middle_of(patch)) {
            continue;
        }
        let Some((digits, confidence)) = scan::read(&picture, patch) else { continue };
        done.push(patch);
        let what = What::Barcode(digits);
        if found.iter().all(|other| other.what != what) {
            found.push(Sighting { what, confidence, region: region(&picture, patch) });
        }
    }
    found
}

/// The upright box around a patch.
fn region(picture: &Gray, patch: &Patch) -> Region {
    let (cos, sin) = (patch.direction.0.abs(), patch.direction.1.abs());
    let (half_x, half_y) = (patch.across * cos + patch.along * sin, patch.across * sin + patch.along * cos);
    let share = |from: f32, to: f32, side: usize| {
        let (from, to) = ((from / side as f32).clamp(0.0, 1.0), (to / side as f32).clamp(0.0, 1.0));
        (from, to - from)
    };
    let (left, width) = share(patch.center.0 - half_x, patch.center.0 + half_x, picture.width);
    let (top, height) = share(patch.center.1 - half_y, patch.center.1 + half_y, picture.height);
    Region { left, top, width, height }
}
