//! What a photo shows. This crate knows no foods: what it sees is handed on in words and numbers.
//!
//! - [`photo`]: from the bytes of a stranger to upright pixels of a bounded size, without metadata.
//! - [`sighting`]: what may be seen in it.
//! - [`barcode`]: the numbers under bar codes.
//! - [`dish`]: foods and dishes, by their looks.
//! - [`label`]: tables of nutrition facts, from the words.
//! - [`text`]: printed words and where they stand.

pub mod barcode;
pub mod dish;
pub mod label;
mod look;
pub mod photo;
pub mod sighting;
pub mod text;

pub use look::{Eyes, Settings};
