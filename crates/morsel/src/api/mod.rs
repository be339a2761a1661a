//! The objects of the API.

pub mod estimate;
pub mod foods;
