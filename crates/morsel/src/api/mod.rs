//! The HTTP API: a folder for each group of endpoints, with its handlers and the objects that it sends and receives.

pub mod mcp;
pub mod compat;
pub mod estimate;
pub mod foods;
pub mod recipes;
pub mod images;
pub mod amount;
pub mod response;
pub(crate) mod json;
