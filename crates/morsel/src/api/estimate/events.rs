//! The events of a stream.

use nutrition::Macros;
use serde::Serialize;

use super::rows::{EstimateAnswer, ItemRow};
use crate::error::ApiError;
use crate::request::RequestId;

/// The events, in their order: one `start`, an `item` for every food, `totals`, `done`; after a failure, `error`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum StreamEvent {
    /// The stream starts.
    Start {
        /// Counts the events.
        sequence: u32,
        /// The id of this estimate.
        id: String,
        /// Changes whenever the same request may get another response.
        engine_version: String,
    },
    /// An item is known.
    Item {
        /// Counts the events.
        sequence: u32,
        /// Counts the items.
        index: usize,
        /// The item.
        item: Box<ItemRow>,
    },
    /// All items are known.
    Totals {
        /// Counts the events.
        sequence: u32,
        /// The sums over the items.
        totals: Macros,
    },
    /// The whole response; the last event on success.
    Done {
        /// Counts the events.
        sequence: u32,
        /// The response of the endpoint without a stream.
        #[serde(flatten)]
        answer: EstimateAnswer,
    },
    /// The estimate failed after the start; the last event.
    Error {
        /// A sentence that a person can act on.
        error: String,
        /// Stable name of the error.
        code: &'static str,
        /// The request's id, as in the header X-Request-Id.
        request_id: String,
    },
}

impl StreamEvent {
    /// Returns its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Item { .. } => "item",
            Self::Totals { .. } => "totals",
            Self::Done { .. } => "done",
            Self::Error { .. } => "error",
        }
    }

    /// Reports an error.
    pub fn error(error: &ApiError, request_id: &RequestId) -> Self {
        Self::Error { error: error.message.clone(), code: error.code, request_id: request_id.0.to_string() }
    }
}
