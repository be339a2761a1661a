//! Printed text: where it is and what it says.
//!
//! Two networks do the work: the text detection of PP-OCR and its recognition of English (`models/README.md`). The
//! files follow the data:
//!
//! 1. `detect`: from an image to a map of how likely each pixel is part of a line of text.
//! 2. `outline`: from the map to rotated boxes, one per line.
//! 3. `crop`: from a box to a level strip of pixels, so that rotated lines read as well as level ones.
//! 4. `recognize`: from a strip to characters and a confidence.
//! 5. `reader`: all of these in order, with the text the right way up.
//!
//! # Cost
//!
//! The work is bounded, whatever the image shows: detection sees at most `detect::MAX_SIDE` pixels a side, and at most
//! `reader::MAX_BOXES` boxes and a bounded total length of strips are read.

mod reader;
mod page;
mod recognize;
mod crop;
mod outline;
mod detect;

pub use outline::TextBox;
pub use page::{Page, TextLine};
pub use reader::TextReader;
