//! `/v1/estimate`: from the messages of a request to the items of a meal.
//!
//! [`body`] and [`content`] read the body, `photos` analyzes its images, `request` joins both with the account's recipes and
//! runs the engine. [`batch`] answers many requests in one (also as a table, [`meal_csv`]), [`sync`] one at once, [`stream`] item by item ([`events`],
//! kept in `event_log` until the client reads them), all with the objects of [`answers`].

pub mod batch;
pub mod sync;
pub mod stream;
mod event_log;
pub mod events;
pub(crate) mod request;
mod photos;
pub mod body;
pub mod content;
pub mod meal_csv;

pub use answers::{estimate as rows, include};
