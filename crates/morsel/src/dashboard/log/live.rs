//! Server-sent events that tell the log page of new requests. The page then gets itself again, so that rows are rendered in
//! one place only.
//!
//! The requests are read from the database, so that those of other servers are seen too, only a little later.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use store::{AccountId, LogCursor};
use tokio::sync::watch;

use super::filter::{LogFilter, LogParams};
use crate::app::App;
use crate::budget::Reservation;
use crate::dashboard::query::PageQuery;
use crate::dashboard::session;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// How often the log is read although this server has written nothing: another one may have.
const LOOK_EVERY: Duration = Duration::from_secs(3);
/// Blocks of the log that are looked at in one step.
const BLOCKS: u64 = 8;

/// The state of a stream.
struct LiveLog {
    app: Arc<App>,
    account: AccountId,
    token: String,
    filter: LogFilter,
    cursor: LogCursor,
    batches: watch::Receiver<u64>,
    is_first: bool,
    _stream: Reservation,
}

/// Streams an event for new requests that the filter matches, until the session ends.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    user: SignedIn,
    headers: HeaderMap,
    PageQuery(query): PageQuery<LogParams>,
) -> Result<Response, ApiError> {
    let too_many = |_| ApiError::too_many("too_many_streams", "Too many pages with live updates are open.", 5);
    let live = LiveLog {
        account: user.account.id.clone(),
        token: session::token(&headers, &user.base).unwrap_or_default(),
        filter: query.filter(),
        batches: app.request_log.batches(),
        cursor: app.store.request_log().end(&user.account.id).await?,
        is_first: true,
        _stream: app.streams.reserve(&user.account.id, 1).map_err(too_many)?,
        app,
    };
    let pieces = stream::unfold(live, async |mut live| {
        let piece = live.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(piece)), live))
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

impl LiveLog {
    /// Returns the next piece of the stream: an event, or a comment that keeps the connection open. `None` at its end.
    async fn next(&mut self) -> Option<String> {
        if std::mem::take(&mut self.is_first) {
            return Some(": watching\n\n".to_owned());
        }
        let app = Arc::clone(&self.app);
        tokio::select! {
            () = app.cut_off() => return None,
            _ = tokio::time::timeout(LOOK_EVERY, self.batches.changed()) => {}
        }
        if app.stopping.load(std::sync::atomic::Ordering::Relaxed) || !self.is_signed_in().await {
            return None;
        }
        let read = app.store.request_log().since(&self.account, self.cursor, BLOCKS).await;
        let Ok((requests, end)) = read else { return Some(": later\n\n".to_owned()) };
        self.cursor = end;
        match requests.iter().filter(|request| self.filter.matches(request.brief())).count() {
            0 => Some(":\n\n".to_owned()),
            count => Some(format!("event: change\ndata: {{\"requests\":{count}}}\n\n")),
        }
    }

    /// Reports whether the session still lasts; a database that cannot be read ends no session.
    async fn is_signed_in(&self) -> bool {
        let session = self.app.store.sessions().by_token(&self.token, self.app.now()).await;
        session.is_err() || session.is_ok_and(|found| found.is_some_and(|(_, account)| account.id == self.account))
    }
}
