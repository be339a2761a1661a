//! Large responses at the pace of the client, counted as memory of its account until they are read: somebody who asks for
//! much and reads nothing must not fill the memory that others need.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use store::AccountId;

use crate::app::App;
use crate::budget::Reservation;
use crate::request_body::{UNMETERED_BYTES, no_memory};

/// The connection takes a body whole if it can, so it gets pieces of this size.
const PIECE_BYTES: usize = 32 * 1024;

/// A body that is handed out in pieces.
struct PacedBody {
    body: Body,
    /// What was taken from the body and not yet handed out.
    rest: Bytes,
    _memory: Reservation,
}

/// Counts a large response as memory of the account, or refuses it.
pub(super) fn pace(app: &App, account: &AccountId, response: Response) -> Response {
    let length = response.body().size_hint().exact().and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    if length <= UNMETERED_BYTES {
        return response;
    }
    match app.memory.reserve(account, length) {
        Ok(memory) => {
            let mut response = response.map(|body| Body::new(PacedBody { body, rest: Bytes::new(), _memory: memory }));
            response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            response
        }
        Err(exceeded) => no_memory(exceeded).into_response(),
    }
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                end => return Poll::Ready(end),
            }
        }
        let length = self.rest.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let unread = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(rest + unread.lower());
        if let Some(upper) = unread.upper() {
            hint.set_upper(rest + upper);
        }
        hint
    }
}
