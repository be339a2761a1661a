//! What a photo shows. This crate knows no foods: what it sees is handed on in words and numbers.
//!
//! - [`photo`]: from the bytes of a stranger to upright pixels of a bounded size, without metadata.

pub mod photo;
