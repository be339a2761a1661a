//! The catalog that ships inside the program.
//!
//! It is part of the program's read-only data: opening it takes about a millisecond, and the operating system loads only
//! the pages that a search touches.

/// The bytes of a catalog file, for `foods::catalog::Layer::from_static` and `foods::catalog::live::Live::open`.
pub static CATALOG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalog.morsel"));
