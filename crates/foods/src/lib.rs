//! The food database: what foods contain and what their portions weigh.
//!
//! ```text
//!  publishers' files ──import──► Food ──catalog::writer──► catalog file ──catalog::reader──► search
//!                                  │
//!                                  └──pack──► data/ (compact, committed) ──► embedded in the program
//! ```
//!
//! - [`food`], [`nutrients`], [`mod@unit`]: what a food is.
//! - [`name`]: from a table's entry to a name that reads naturally.
//! - [`dishes`]: dishes that no table has, made of foods that the tables have.
//! - [`import`]: readers of the publishers' bulk files.
//! - [`catalog`]: the file that is opened and searched, and its layers.
//! - [`search`]: from what somebody typed to foods, best first.
//! - [`pack`]: the compact form in which foods are committed.

pub mod catalog;
mod codec;
pub mod dishes;
pub mod food;
pub mod id;
pub mod import;
pub mod name;
pub mod nutrients;
pub mod pack;
pub mod plural;
pub mod search;
pub mod text;
pub mod unit;

pub use food::{Food, Origin, Portion, Serving, Source};
pub use nutrients::{Nutrient, Nutrients};
pub use unit::Unit;
