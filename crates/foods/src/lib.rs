//! The food database: what foods contain and what their portions weigh.
//!
//! ```text
//!  publishers' files ──import──► Food ──catalog::Writer──► catalog file ──catalog::Catalog──► search
//!                                  │
//!                                  └──pack──► data/ (compact, committed) ──► embedded in the program
//! ```
//!
//! - [`search`]: from a query to foods, best first.
//! - [`common`]: what people mean by everyday names, and usual portions.
//! - [`pack`]: the compact form in which foods are committed.
//! - [`catalog`]: the file that is mapped and searched, and its layers.
//! - [`products`]: products of makers and restaurant chains that the tables lack.
//! - [`dishes`]: dishes missing from the tables, composed of foods that the tables have.
//! - [`import`]: readers of the publishers' bulk files.
//! - [`index`]: the terms and entries that a catalog is searched by.
//! - [`name`]: from a table's entry to a name that reads naturally.
//! - [`food`], [`food_table`], [`nutrients`], [`mod@unit`]: what a food is.
//!
//! # Example
//!
//! ```
//! use foods::catalog::{Catalog, Layer, Manifest, Writer};
//! use foods::search::Searcher;
//! use foods::{Food, Nutrients, Origin};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("catalog.morsel");
//! let mut writer = Writer::create(&path)?;
//! for (id, name) in [("sr_01001", "Butter, salted"), ("sr_01085", "Milk, nonfat"), ("sr_09040", "Bananas, raw")] {
//!     writer.add(&Food::new(id, Origin::StandardReference, name, Nutrients::default()))?;
//! }
//! writer.finish(&Manifest::default())?;
//!
//! let catalog = Catalog::new(Layer::open(&path)?, None);
//! let found = Searcher::default().search(&catalog, "bananna", 3, None);
//! assert_eq!(found[0].name, "Bananas, raw");
//! # Ok(())
//! # }
//! ```

pub mod search;
pub mod products;
pub mod common;
pub mod pack;
pub mod catalog;
pub mod dishes;
pub mod import;
pub mod index;
pub mod name;
pub mod food;
pub mod food_table;
pub mod unit;
pub mod nutrients;
pub mod id;
pub mod text;
pub mod plural;
pub mod hash;
mod codec;

pub use food::{Food, FoodSummary, LocalName, Origin, Portion, Serving, Source};
pub use food_table::FoodTable;
pub use nutrients::{Nutrient, Nutrients};
pub use unit::Unit;
