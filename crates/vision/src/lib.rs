//! Recognizes what a photo shows: bar codes, printed nutrition labels and dishes. The crate knows nothing about foods:
//! it reports numbers and names, and leaves nutrition and weights to its callers.
//!
//! - [`PhotoAnalyzer`]: everything that a photo shows, from the cheapest recognizer to the most expensive.
//! - [`barcode`]: the numbers of bar codes.
//! - [`dish`]: foods and dishes, recognized by how they look.
//! - [`label`]: tables of nutrition facts, from lines of text.
//! - [`text`]: printed text and where it is.
//! - [`photo`]: from untrusted bytes to upright pixels of a bounded size, without metadata.
//!
//! # Example
//!
//! A bar code is drawn, saved as a PNG file, and recognized:
//!
//! ```
//! use image::{GrayImage, ImageFormat, Luma};
//! use nutrition::sighting::Sighting;
//! use vision::photo::Photo;
//! use vision::{PhotoAnalyzer, Settings};
//!
//! // EAN-13: a guard, six digits, the middle guard, six digits, a guard. A 1 is a bar.
//! let bars = concat!(
//!     "101", "0001011", "0100111", "0110011", "0010011", "0111101", "0011101",
//!     "01010", "1100110", "1101100", "1000010", "1011100", "1001110", "1000100", "101",
//! );
//! let drawing = GrayImage::from_fn(480, 240, |x, y| {
//!     let module = (x / 4).checked_sub(12).and_then(|at| bars.as_bytes().get(at as usize));
//!     Luma([if module == Some(&b'1') && (40..200).contains(&y) { 0 } else { 255 }])
//! });
//! let mut file = std::io::Cursor::new(Vec::new());
//! drawing.write_to(&mut file, ImageFormat::Png)?;
//!
//! let photo = Photo::read(&file.into_inner())?;
//! let analyzer = PhotoAnalyzer::new(Settings::default());
//! // The caller knows this product, so that nothing else needs to be recognized.
//! let sightings = analyzer.analyze(&photo, |_gtin| true);
//! assert!(matches!(sightings[..], [Sighting::Barcode { gtin: 5_901_234_123_457, .. }]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyze;
pub mod barcode;
pub mod dish;
pub mod label;
pub mod text;
mod network;
pub mod photo;

pub use analyze::{PhotoAnalyzer, Settings};
