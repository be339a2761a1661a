//! Reading request bodies: limited in size, in time, and in the memory that all bodies share.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use crate::app::App;
use crate::error::ApiError;

/// Largest body of a request without photos.
pub const MAX_JSON: usize = 512 * 1024;
/// Largest body of a request with photos: five of ten megabytes each, a third larger as base64, and the text.
pub const MAX_WITH_PHOTOS: usize = 68 * 1024 * 1024;

/// Bodies up to this size do not count against the memory that all bodies share.
const UNMETERED_BYTES: usize = 64 * 1024;
/// A body gets another second for each of these.
const BYTES_PER_SECOND: usize = 256 * 1024;

/// A whole body, and the memory reserved for it.
#[derive(Debug)]
pub struct RequestBody {
    /// The bytes.
    pub bytes: Bytes,
    _memory: Option<OwnedSemaphorePermit>,
}

impl RequestBody {
    /// Reads a body of at most `limit` bytes.
    pub async fn read(app: &App, mut body: Body, limit: usize) -> Result<Self, ApiError> {
        let mut bytes = BytesMut::new();
        let mut memory: Option<OwnedSemaphorePermit> = None;
        let started = Instant::now();
        loop {
            let timeout = app.environment.timeouts.body + Duration::from_secs((bytes.len() / BYTES_PER_SECOND) as u64);
            let frame = timeout_at(started + timeout, body.frame()).await.map_err(|_| too_slow())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|_| ApiError::bad_request("incomplete_body", "The request body broke off."))?;
            let Some(data) = frame.data_ref() else { continue };
            if bytes.len() + data.len() > limit {
                return Err(ApiError::too_large(format!("The request body is larger than {} kB.", limit / 1_024)));
            }
            bytes.extend_from_slice(data);
            if bytes.len() > UNMETERED_BYTES {
                // Twice, because what is parsed from it is about as large again.
                let needed = (2 * data.len()).div_ceil(1_024) as u32;
                let more = Arc::clone(&app.body_memory).try_acquire_many_owned(needed);
                let more = more.map_err(|_| ApiError::overloaded())?;
                match &mut memory {
                    Some(memory) => memory.merge(more),
                    None => memory = Some(more),
                }
            }
        }
        Ok(Self { bytes: bytes.freeze(), _memory: memory })
    }

    /// Reports whether parsing the body would hold up an async thread.
    pub fn is_large(&self) -> bool {
        self.bytes.len() > UNMETERED_BYTES
    }
}

fn too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The request body took too long to arrive.")
}
