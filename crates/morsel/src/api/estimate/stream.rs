//! `POST /v1/estimate`: the response as Server-Sent Events, each item as soon as it is known.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use meal::Part;
use nutrition::Macros;
use serde::Serialize;
use tokio::sync::mpsc;

use super::body::EstimateBody;
use super::request::{EstimateRequest, Requester};
use super::rows::{EstimateAnswer, ItemRow};
use crate::api::response::{X_ENGINE_VERSION, engine_version};
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::{Caller, IdempotencyClaim};
use crate::request::RequestId;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};
use crate::response_cache::Estimated;
use crate::work_queue::QueuePlace;

/// A comment is sent after this time without an event, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

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
    fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Item { .. } => "item",
            Self::Totals { .. } => "totals",
            Self::Done { .. } => "done",
            Self::Error { .. } => "error",
        }
    }

    fn is_last(&self) -> bool {
        matches!(self, Self::Done { .. } | Self::Error { .. })
    }

    fn to_event(&self) -> Event {
        // Our objects have only keys that JSON allows.
        Event::default().event(self.name()).json_data(self).unwrap_or_default()
    }
}

/// Estimate a meal, as a stream
///
/// Server-Sent Events: `start`, an `item` for each food as soon as it is known, `totals`, and `done` with the whole
/// response; or `error`, if the estimate fails after the start. An invalid request gets an ordinary error before the stream
/// starts.
#[utoipa::path(post, path = "/v1/estimate", tag = "estimates", request_body = EstimateBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual fields, separated by commas; the same as `include` in the body"),
), responses(
    (status = 200, description = "The events", body = StreamEvent, content_type = "text/event-stream"),
    (status = 400, description = "The body is invalid, or an image was not found", body = ErrorBody),
    (status = 403, description = "An image belongs to another account", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<RequestId>,
    claim: Option<Extension<IdempotencyClaim>>,
    request: Request,
) -> Result<Response, ApiError> {
    let requester = Requester::of(&app, &caller).await?;
    let (head, unread) = request.into_parts();
    let body = RequestBody::read(&app, unread, MAX_WITH_PHOTOS).await?;
    let request = EstimateRequest::read(&app, requester, &head, body).await?;
    respond(&app, request, Failure { request_id: id, claim: claim.map(|Extension(claim)| claim) })
}

/// Starts the stream of a request's events.
pub(crate) fn respond(app: &Arc<App>, request: EstimateRequest, failure: Failure) -> Result<Response, ApiError> {
    let version = engine_version(&request.snapshot.version);
    let (channel, events) = mpsc::unbounded_channel();
    let mut sender = EventSender { channel, sequence: 0, items: 0 };
    // That a client has gone away is not a failure, here and below.
    if let Some(estimated) = request.key.as_ref().and_then(|key| app.responses.estimates.get(key)) {
        let _ = sender.replay(&request, &estimated.parts);
    } else {
        // Taken before the stream starts: overload is an ordinary error.
        let place = app.texts.enter()?;
        let _ = sender.start(&request);
        let channel = sender.channel.clone();
        let app = Arc::clone(app);
        tokio::spawn(async move {
            let cut_off = app.cut_off();
            let job = {
                let app = Arc::clone(&app);
                move || {
                    let _ = sender.estimate(&app, &request);
                }
            };
            supervise(job, place, channel, cut_off, failure).await;
        });
    }
    let events = stream::unfold(Some(events), async |events| {
        let mut events: mpsc::UnboundedReceiver<StreamEvent> = events?;
        let event = events.recv().await?;
        Some((Ok::<_, Infallible>(event.to_event()), (!event.is_last()).then_some(events)))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    headers.insert(X_ENGINE_VERSION, version);
    Ok(response)
}

/// Runs the job that sends a stream's events. Whatever keeps it from finishing is reported by an `error` event.
async fn supervise(
    job: impl FnOnce() + Send + 'static,
    place: QueuePlace,
    channel: mpsc::UnboundedSender<StreamEvent>,
    cut_off: impl Future<Output = ()>,
    failure: Failure,
) {
    let finished = async {
        let permit = place.permit().await?;
        let job = move || {
            let _permit = permit;
            job();
        };
        // A panic of the job is an error here.
        tokio::task::spawn_blocking(job).await.map_err(ApiError::internal)
    };
    let outcome = tokio::select! {
        outcome = finished => outcome,
        () = cut_off => Err(ApiError::stopping()),
        () = channel.closed() => Ok(()),
    };
    if let Err(error) = outcome {
        failure.report(&error, &channel);
    }
}

/// What the report of a failure needs, once the status of the response is sent.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The request's id.
    pub request_id: RequestId,
    /// The claim on the request's idempotency key.
    pub claim: Option<IdempotencyClaim>,
}

impl Failure {
    fn report(self, error: &ApiError, channel: &mpsc::UnboundedSender<StreamEvent>) {
        let request_id = self.request_id.0.to_string();
        tracing::error!(request_id, code = error.code, cause = error.cause, "stream failed");
        // A failure is not repeated to a client that tries again.
        if let Some(claim) = self.claim {
            claim.release();
        }
        let _ = channel.send(StreamEvent::Error { error: error.message.clone(), code: error.code, request_id });
    }
}

/// Sends the events of one stream. The channel is unbounded, so that a slow client never blocks a worker thread; the
/// length of a text bounds the events that can pile up.
struct EventSender {
    channel: mpsc::UnboundedSender<StreamEvent>,
    sequence: u32,
    items: usize,
}

impl EventSender {
    /// Sends an event; breaks if the client has gone away.
    fn send(&mut self, event: impl FnOnce(u32) -> StreamEvent) -> ControlFlow<()> {
        let event = event(self.sequence);
        self.sequence += 1;
        match self.channel.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn start(&mut self, request: &EstimateRequest) -> ControlFlow<()> {
        self.send(|sequence| StreamEvent::Start {
            sequence,
            id: format!("est_{:032x}", rand::random::<u128>()),
            engine_version: request.snapshot.version.to_string(),
        })
    }

    /// Sends a part, if it is an item.
    fn part(&mut self, part: &Part, request: &EstimateRequest) -> ControlFlow<()> {
        let Some(item) = ItemRow::from_part(part, request.include) else { return ControlFlow::Continue(()) };
        let index = self.items;
        self.items += 1;
        self.send(|sequence| StreamEvent::Item { sequence, index, item: Box::new(item) })
    }

    fn finish(&mut self, request: &EstimateRequest, parts: &[Part]) -> ControlFlow<()> {
        let answer = request.answer(parts);
        let totals = answer.totals;
        self.send(|sequence| StreamEvent::Totals { sequence, totals })?;
        self.send(|sequence| StreamEvent::Done { sequence, answer })
    }

    /// Estimates a meal and sends its parts as they become known.
    fn estimate(mut self, app: &App, request: &EstimateRequest) -> ControlFlow<()> {
        let parts = request.run(|part| self.part(part, request))?;
        let estimated = Arc::new(Estimated::new(parts));
        app.responses.remember(request.key.as_ref(), &estimated);
        self.finish(request, &estimated.parts)
    }

    /// Sends the parts of a meal that was estimated before.
    fn replay(&mut self, request: &EstimateRequest, parts: &[Part]) -> ControlFlow<()> {
        self.start(request)?;
        parts.iter().try_for_each(|part| self.part(part, request))?;
        self.finish(request, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work_queue::WorkQueue;

    fn failure() -> Failure {
        Failure { request_id: RequestId("req_1".into()), claim: None }
    }

    #[tokio::test]
    async fn a_panic_is_reported_by_the_last_event() {
        let queue = WorkQueue::with(1, 0);
        let (channel, mut events) = mpsc::unbounded_channel();
        let job = || panic!("a bug with a secret in it");
        supervise(job, queue.enter().expect("empty"), channel, std::future::pending(), failure()).await;
        let event = events.recv().await.expect("an event");
        assert!(event.is_last());
        let data = serde_json::to_value(&event).expect("JSON");
        assert_eq!((data["type"].as_str(), data["code"].as_str()), (Some("error"), Some("internal_error")));
        assert_eq!(data["request_id"], "req_1");
        assert!(!data.to_string().contains("secret"), "{data}");
        assert!(events.recv().await.is_none());
        assert_eq!(queue.jobs(), 0);
    }

    #[tokio::test]
    async fn a_client_that_goes_away_gives_up_its_place_in_the_queue() {
        let queue = WorkQueue::with(1, 1);
        let busy = queue.permit().await.expect("empty");
        let (channel, events) = mpsc::unbounded_channel();
        drop(events);
        let job = || unreachable!("nobody reads its events");
        supervise(job, queue.enter().expect("room"), channel, std::future::pending(), failure()).await;
        assert_eq!(queue.jobs(), 1);
        drop(busy);
    }
}
