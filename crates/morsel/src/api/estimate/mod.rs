//! `/v1/estimate`: from the messages of a request to the items of a meal.
//!
//! [`body`] and [`content`] read the body, `photos` analyzes its images, `request` joins both with the account's recipes and
//! runs the engine. [`sync`] answers at once, [`stream`] item by item ([`events`],
//! kept in `event_log` until the client reads them), both with the objects in [`rows`].

pub mod sync;
pub mod stream;
mod event_log;
pub mod events;
pub(crate) mod request;
mod photos;
pub mod body;
pub mod content;
pub mod rows;
pub mod include;
