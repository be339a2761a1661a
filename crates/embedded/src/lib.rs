//! The catalog that ships inside the program.
//!
//! It lies in the program's read-only data: opening it takes about a millisecond, and the system pages in what a search
//! touches.

/// The bytes of a catalog file, for `foods::catalog::Layer::from_static` and `foods::catalog::live::Live::open`.
pub static CATALOG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalog.morsel"));
