//! Reads the source of a crate as a graph of files, so that tests can hold it to the rules of the house.
//!
//! - [`graph`]: which file imports from which, resolved through re-exports; rings; the order of the modules in `lib.rs`.
//! - [`source`]: what one file declares and refers to.
//!
//! The rules themselves are the tests in `tests/`. Only code that ships is read: whatever is behind `#[cfg(test)]` is
//! left out.

pub mod graph;
pub mod source;
