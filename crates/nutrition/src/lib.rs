//! The values that the crates of Morsel exchange about food. A leaf: it depends on none of them.

pub mod sighting;

mod macros;

pub use macros::Macros;
