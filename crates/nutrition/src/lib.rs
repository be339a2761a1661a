//! The values that the crates of Morsel exchange about food. A leaf: it depends on none of them.

mod macros;
pub mod sighting;

pub use macros::Macros;
