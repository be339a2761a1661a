//! Copies of bodies, made while they pass: up to a limit, and none of photos.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

/// The largest body that is kept.
pub const MAX_KEPT: usize = 16 * 1_024;

/// A copy in the making.
#[derive(Clone, Debug, Default)]
pub struct BodyCopy(Arc<Mutex<Copied>>);

#[derive(Debug, Default)]
struct Copied {
    bytes: Vec<u8>,
    is_too_large: bool,
}

/// Runs when a body has been handed out, or when nobody reads it any more.
type AtEnd = Box<dyn FnOnce() + Send>;

/// A body that is copied as it passes.
struct CopyingBody {
    body: Body,
    copy: BodyCopy,
    at_end: Option<AtEnd>,
}

impl BodyCopy {
    /// Returns a body that copies itself here, and runs a function when it ends.
    pub fn wrap(&self, body: Body, at_end: Option<AtEnd>) -> Body {
        Body::new(CopyingBody { body, copy: self.clone(), at_end })
    }

    /// Returns the copy; `None` if the body was empty or too large.
    pub fn take(&self) -> Option<Bytes> {
        let copied = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        (!copied.is_too_large && !copied.bytes.is_empty()).then(|| copied.bytes.into())
    }

    fn add(&self, data: &[u8]) {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if copied.is_too_large || copied.bytes.len() + data.len() > MAX_KEPT {
            *copied = Copied { bytes: Vec::new(), is_too_large: true };
        } else {
            copied.bytes.extend_from_slice(data);
        }
    }
}

/// Reports whether a response is a text of a kind that is kept.
pub fn is_kept(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    ["application/json", "text/event-stream", "application/x-ndjson", "text/csv"]
        .iter()
        .any(|text| kind.starts_with(text))
}

impl HttpBody for CopyingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
        {
            self.copy.add(data);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for CopyingBody {
    fn drop(&mut self) {
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}
