//! Reading request bodies: limited in size, in time, and in the memory that all bodies share.

use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use store::AccountId;
use tokio::time::{Instant, timeout_at};

use crate::app::{self, App};
use crate::budget::{Budget, BudgetExceeded, Reservation};
use crate::error::ApiError;

/// Largest body of a request without photos.
pub const MAX_JSON: usize = 512 * 1024;
/// Largest body of a request with photos.
pub const MAX_WITH_PHOTOS: usize = app::MAX_BODY;

/// Bodies up to this size do not count against the memory that all bodies share.
pub const UNMETERED_BYTES: usize = 64 * 1024;
/// A body that arrives more slowly than this is given up.
const MIN_BYTES_PER_SECOND: usize = 16 * 1024;

/// Of the body of a refused request, so much is read and thrown away, in this time. A client that has sent it all sees the
/// response; if the connection were closed before, many clients would see only that.
const MAX_DISCARDED_BYTES: usize = 16 << 20;
const MAX_DISCARDING: Duration = Duration::from_secs(10);
/// A body up to this size is read by the connection itself.
const MIN_DISCARDED_BYTES: u64 = 4 * 1024;

/// A whole body, and the memory reserved for it.
#[derive(Debug)]
pub struct RequestBody {
    /// The bytes.
    pub bytes: Bytes,
    memory: Reservation,
}

impl RequestBody {
    /// Reads a body of at most `limit` bytes. What it takes beyond the first piece counts as memory of the account, or of
    /// all clients without one.
    pub async fn read(app: &App, account: Option<&AccountId>, body: Body, limit: usize) -> Result<Self, ApiError> {
        Self::read_within(&app.memory, app.environment.timeouts.body, account, body, limit).await
    }

    /// Reads a body within a budget of memory, and within the patience described at [`deadline`].
    async fn read_within(
        budget: &Budget,
        patience: Duration,
        account: Option<&AccountId>,
        mut body: Body,
        limit: usize,
    ) -> Result<Self, ApiError> {
        let mut bytes = BytesMut::new();
        let mut memory = budget.reservation(account);
        let started = Instant::now();
        loop {
            let until = deadline(started, bytes.len(), patience, Instant::now());
            let frame = timeout_at(until, body.frame()).await.map_err(|_| too_slow())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|_| ApiError::bad_request("incomplete_body", "The request body broke off."))?;
            let Ok(data) = frame.into_data() else { continue };
            let length = bytes.len() + data.len();
            if length > limit {
                discard(body);
                return Err(ApiError::too_large(format!("The request body is larger than {} kB.", limit / 1_024)));
            }
            let metered = length.saturating_sub(bytes.len().max(UNMETERED_BYTES));
            if let Err(exceeded) = memory.grow(metered) {
                discard(body);
                return Err(no_memory(exceeded));
            }
            if bytes.is_empty() && data.len() > UNMETERED_BYTES && body.is_end_stream() {
                // It is in one piece: there is nothing to put together.
                return Ok(Self { bytes: data, memory });
            }
            bytes.extend_from_slice(&data);
        }
        Ok(Self { bytes: bytes.freeze(), memory })
    }

    /// Returns the memory that is reserved for the body, to hold it for as long as what was read from the body is used.
    pub fn into_memory(self) -> Reservation {
        self.memory
    }

    /// Returns the bytes without their reservation, to be read again by the next in line.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Reports whether parsing the body would hold up an async thread.
    pub fn is_large(&self) -> bool {
        self.bytes.len() > UNMETERED_BYTES
    }
}

/// Reads the rest of a body that nobody needs, up to a limit, while the response is sent.
pub fn discard(mut body: Body) {
    let size = body.size_hint();
    if body.is_end_stream() || size.upper().is_some_and(|bytes| bytes <= MIN_DISCARDED_BYTES) {
        return;
    }
    let rest = async move {
        let mut discarded = 0;
        while let Some(Ok(frame)) = body.frame().await {
            discarded += frame.data_ref().map_or(0, Bytes::len);
            if discarded > MAX_DISCARDED_BYTES {
                return;
            }
        }
    };
    tokio::spawn(tokio::time::timeout(MAX_DISCARDING, rest));
}

/// Returns when to give up a client that has sent so many bytes until now: when it sends nothing for as long as the patience
/// lasts, or less than a little for each further second.
fn deadline(started: Instant, received: usize, patience: Duration, now: Instant) -> Instant {
    let for_received = Duration::from_secs((received / MIN_BYTES_PER_SECOND) as u64);
    (started + patience + for_received).min(now + patience)
}

/// Says that the memory for what clients send, or do not read, is used up.
pub fn no_memory(exceeded: BudgetExceeded) -> ApiError {
    match exceeded {
        BudgetExceeded::Total => ApiError::overloaded(),
        BudgetExceeded::Account => {
            let message = "Requests of this account take too much memory. Send fewer large ones at once, and try again in a second.";
            ApiError { message: message.to_owned(), ..ApiError::overloaded() }
        }
    }
}

fn too_slow() -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The request body took too long to arrive.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{StreamExt as _, stream};
    use std::convert::Infallible;
    use store::Rng;

    const PATIENCE: Duration = Duration::from_secs(15);

    fn account(seed: u64) -> AccountId {
        AccountId::generate(&mut Rng::seeded(seed))
    }

    /// A body in pieces of this size.
    fn pieces(count: usize, size: usize) -> Body {
        Body::from_stream(stream::iter(0..count).map(move |_| Ok::<_, Infallible>(Bytes::from(vec![b'x'; size]))))
    }

    async fn read(budget: &Budget, body: Body) -> Result<RequestBody, ApiError> {
        RequestBody::read_within(budget, PATIENCE, Some(&account(1)), body, MAX_WITH_PHOTOS).await
    }

    #[tokio::test]
    async fn memory_is_counted_by_bytes_however_they_arrive() {
        for size in [1, 7, 4_096, 70_000] {
            let budget = Budget::new(usize::MAX / 2, usize::MAX / 2);
            let count = 140_000 / size;
            let body = read(&budget, pieces(count, size)).await.expect("read");
            assert_eq!(budget.held(), count * size - UNMETERED_BYTES, "in pieces of {size}");
            drop(body);
            assert_eq!(budget.held(), 0);
        }
    }

    #[tokio::test]
    async fn an_account_that_sends_too_much_at_once_leaves_the_rest_to_others() {
        let budget = Budget::new(400_000, 100_000);
        let body = || Body::from(vec![b'x'; UNMETERED_BYTES + 60_000]);
        let _first = read(&budget, body()).await.expect("enough");
        let refused = read(&budget, body()).await.expect_err("more than the share of an account");
        assert_eq!((refused.code, refused.retry_after), ("overloaded", Some(1)));
        let other = RequestBody::read_within(&budget, PATIENCE, Some(&account(2)), body(), MAX_JSON).await;
        assert!(other.is_ok());
        let small = read(&budget, Body::from(vec![b'x'; UNMETERED_BYTES])).await;
        assert!(small.is_ok(), "small ones are not counted");
    }

    #[test]
    fn patience_lasts_as_long_as_there_is_progress() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let waits_until = |received, now| deadline(start, received, PATIENCE, now);
        assert_eq!(waits_until(0, start), after(15));
        assert_eq!(waits_until(25 << 20, after(2)), after(17), "what was sent at once buys no time for a pause");
        assert_eq!(waits_until(100 * 32 * 1024, after(100)), after(115), "a slow connection may take minutes");
        assert_eq!(waits_until(1_000, after(14)), after(15), "a byte now and then is not progress");
    }
}
