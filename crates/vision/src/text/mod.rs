//! Printed words: where they stand and what they say.
//!
//! Two networks do the work, PP-OCR's detection and its recognition of English (`models/README.md`). The files follow the
//! data:
//!
//! 1. `network`: loading and running a network on a bounded number of threads; `depthwise`: the convolutions that are done
//!    here, faster.
//! 2. `detect`: a picture to a map of how likely each place is part of a line of text.
//! 3. `outline`: the map to slanted boxes, one a line.
//! 4. `crop`: a box to a level strip of pixels, so that tilted lines read as well as level ones.
//! 5. `recognize`: a strip to letters, each with how sure it is.
//! 6. `page`: all of it in order, with the print the right way up.
//!
//! # What it costs
//!
//! Work is bounded whatever the picture shows: detection sees at most `detect::LONGEST_SIDE` pixels a side, and at most
//! `page::MOST_BOXES` boxes and a bounded total length of strips are read.

mod crop;
mod depthwise;
mod detect;
pub(crate) mod network;
mod outline;
mod page;
mod recognize;

use crate::photo::Photo;

pub use outline::Slanted;
pub use page::Page;

use network::{Network, Threads};

/// What is read in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The letters: English ones, digits, ASCII signs. Accents are lost.
    pub text: String,
    /// How sure the letters are, from 0 to 1, on average.
    pub confidence: f32,
    /// Where it stands, in pixels of the photo.
    pub place: Slanted,
}

/// Both networks, ready to read.
pub struct Reader {
    detection: Network,
    recognition: Network,
}

impl Reader {
    /// Loads the networks, which takes some tens of milliseconds: once, and kept. Each reading then uses up to `threads`
    /// threads.
    pub fn load(threads: usize) -> Self {
        let threads = Threads::of(threads);
        Self {
            detection: Network::load_in_parts(
                include_bytes!("../../models/text-detection.onnx"),
                include_str!("../../models/text-detection.txt"),
                &threads,
            ),
            recognition: Network::load_in_parts(
                include_bytes!("../../models/text-recognition.onnx"),
                include_str!("../../models/text-recognition.txt"),
                &threads,
            ),
        }
    }

    /// How much of a photo looks like print, from 0 to 1, at a glance: a tenth of what reading costs.
    pub fn glance(&self, photo: &Photo) -> f32 {
        page::glance(self, photo)
    }

    /// All lines of a photo, level or not.
    pub fn read(&self, photo: &Photo) -> Page {
        page::read(self, photo, |_| false)
    }

    /// The lines of a photo from the top, until there are enough of them: that is asked after every few lines.
    pub fn read_until(&self, photo: &Photo, is_enough: impl FnMut(&Page) -> bool) -> Page {
        page::read(self, photo, is_enough)
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}
