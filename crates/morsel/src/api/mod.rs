//! The objects of the API.

pub mod foods;
