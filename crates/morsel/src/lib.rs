//! The program: its command line and, around the food catalog, what it shows to people and programs.
//!
//! - [`cli`]: the commands.
//! - [`api`]: the objects of the API, as JSON.

pub mod api;
pub mod cli;
