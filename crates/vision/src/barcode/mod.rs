//! Bar codes of products: EAN-13, EAN-8, UPC-A and UPC-E, at any angle.
//!
//! This runs on every photo, and few photos show a code. So the files go from cheap to expensive:
//!
//! 1. `grayscale`: the photo without colors.
//! 2. `bars`: the patches with many strong parallel edges. A few milliseconds; most photos end here.
//! 3. `scan`: lines across such a patch, each turned into the widths of its bars and gaps.
//! 4. `symbol`: from widths to digits, with the check digit.
//!
//! One line in ten is misread in a way that still has a valid check digit. So a number counts only if several lines
//! agree on it and hardly any contradicts.
//!
//! This is not the crate rxing, because that reads upright rows of a whole image, only from the first place in a row
//! that looks like a beginning, and needs twenty more crates. `examples/barcode_accuracy.rs` measures this one.

mod scan;
mod symbol;
mod bars;
mod grayscale;

use nutrition::sighting::Region;

use crate::photo::Photo;

use bars::BarPatch;
use grayscale::Grayscale;

/// Patches that are scanned, the strongest first.
const MAX_PATCHES: usize = 8;

/// A bar code in a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Barcode {
    /// The digits as a person would type them, with a valid check digit: 8 of an EAN-8, 13 of an EAN-13, 12 of a UPC-A.
    /// An EAN-13 that begins with 0 is the same code as the UPC-A without the 0, and is written as that. A UPC-E is
    /// written as the UPC-A that it abbreviates.
    pub digits: String,
    /// The confidence in the digits, from 0 to 1.
    pub confidence: f32,
    /// Where the bars are.
    pub region: Option<Region>,
}

impl Barcode {
    /// Returns the code as a number, in which leading zeros do not matter.
    pub fn gtin(&self) -> u64 {
        self.digits.bytes().fold(0, |number, digit| 10 * number + u64::from(digit - b'0'))
    }
}

/// Finds the bar codes of a photo, each once.
pub fn find(photo: &Photo) -> Vec<Barcode> {
    let image = Grayscale::new(photo);
    let mut found: Vec<Barcode> = Vec::new();
    let mut done: Vec<&BarPatch> = Vec::new();
    let patches = bars::find(&image);
    for patch in patches.iter().take(MAX_PATCHES) {
        if done.iter().any(|done| done.contains_center_of(patch)) {
            continue;
        }
        let Some((digits, confidence)) = scan::read(&image, patch) else { continue };
        done.push(patch);
        if found.iter().all(|other| other.digits != digits) {
            found.push(Barcode { digits, confidence, region: patch.region(&image) });
        }
    }
    found
}
