//! What Morsel answers to a text, as JSON: the same from the service, the command line and the Python module.
//!
//! [`EngineSnapshot`] has the foods, the search and the engine. [`EstimateAnswer`] is the body of `POST /v1/estimate/sync`,
//! [`FoodsAnswer`] that of `GET /v1/foods`, [`FoodDetail`] that of `GET /v1/foods/{id}`. All of them are written by serde.
//!
//! ```
//! use std::sync::Arc;
//!
//! use answers::{EngineSnapshot, EstimateAnswer, Include};
//! use foods::catalog::Catalog;
//! use meal::{RecipeBook, Speaker};
//!
//! let snapshot = EngineSnapshot::new(Arc::new(Catalog::from_static(embedded::CATALOG)?));
//! let (speaker, include) = (Speaker::default(), "grams".parse::<Include>()?);
//!
//! let messages = ["100 g of white rice".into()];
//! let answer = EstimateAnswer::of_messages(&snapshot.engine, &messages, &RecipeBook::default(), &speaker, include);
//! assert!(serde_json::to_string(&answer)?.contains(r#""grams":{"grams":100.0,"how":"mass"}"#));
//!
//! let found = snapshot.search("greek yogurt", &speaker, 5, None).answer("greek yogurt");
//! assert_eq!(found.foods[0].name, "Greek yogurt");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `openapi` describes the types in an OpenAPI document.

pub mod snapshot;
pub mod estimate;
pub mod include;
pub mod food;
pub mod language;

pub use estimate::EstimateAnswer;
pub use food::{FoodDetail, FoodsAnswer};
pub use include::Include;
pub use snapshot::EngineSnapshot;
