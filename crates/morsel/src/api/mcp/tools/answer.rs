//! What tools return.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::ApiError;

/// What a tool found.
#[derive(Debug)]
pub struct ToolAnswer {
    /// In a few lines.
    pub text: String,
    /// As a body of the API.
    pub structured: Box<RawValue>,
}

impl ToolAnswer {
    /// Creates an answer from a body of the API.
    pub(super) fn new(text: String, body: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self { text, structured: to_raw_value(body).map_err(ApiError::internal)? })
    }
}
