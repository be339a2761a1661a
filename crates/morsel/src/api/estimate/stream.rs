//! `POST /v1/estimate`: the answer as Server-Sent Events, each item as soon as it is known.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use meal::Part;
use serde::Serialize;
use tokio::sync::mpsc;

use super::request::{EstimateRequest, Requester};
use super::rows::{EstimateAnswer, EstimateBody, ItemRow, Totals};
use crate::api::response::{X_ENGINE_VERSION, engine_version};
use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::request_body::{self, RequestBody};
use crate::response_cache::Estimated;

/// A comment is sent after this time without an event, so that nobody in between closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The events, in the order in which they come: one `start`, an `item` for every food, `totals`, `done`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum StreamEvent {
    /// The stream begins.
    Start {
        /// Counts the events.
        sequence: u32,
        /// Of this estimate.
        id: String,
        /// Changes when the same text may get another answer.
        engine_version: String,
    },
    /// A food is known.
    Item {
        /// Counts the events.
        sequence: u32,
        /// Counts the items.
        index: usize,
        /// The food.
        item: Box<ItemRow>,
    },
    /// The sums of all items.
    Totals {
        /// Counts the events.
        sequence: u32,
        /// The sums.
        totals: Totals,
    },
    /// The whole answer; the last event.
    Done {
        /// Counts the events.
        sequence: u32,
        /// The answer, as the endpoint without a stream gives it.
        #[serde(flatten)]
        answer: EstimateAnswer,
    },
}

impl StreamEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Item { .. } => "item",
            Self::Totals { .. } => "totals",
            Self::Done { .. } => "done",
        }
    }

    fn into_event(self) -> Event {
        let event = Event::default().event(self.name());
        // Our objects have no keys that JSON cannot hold.
        event.json_data(&self).unwrap_or_default()
    }
}

/// Where events go. Without a bound, so that a slow reader does not hold up a thread that others wait for; the length of
/// a text bounds what can pile up.
struct Sender {
    channel: mpsc::UnboundedSender<Event>,
    sequence: u32,
}

impl Sender {
    /// Sends an event; says whether somebody listens.
    fn send(&mut self, event: impl FnOnce(u32) -> StreamEvent) -> bool {
        let event = event(self.sequence).into_event();
        self.sequence += 1;
        self.channel.send(event).is_ok()
    }

    fn start(&mut self, request: &EstimateRequest) -> Option<()> {
        let start = |sequence| StreamEvent::Start {
            sequence,
            id: format!("est_{:032x}", rand::random::<u128>()),
            engine_version: request.snapshot.version.to_string(),
        };
        self.send(start).then_some(())
    }

    /// Sends an item, where the part is one.
    fn part(&mut self, part: &Part, index: &mut usize, request: &EstimateRequest) -> bool {
        let Some(item) = ItemRow::from_part(part, request.include) else { return true };
        let place = *index;
        *index += 1;
        self.send(|sequence| StreamEvent::Item { sequence, index: place, item: Box::new(item) })
    }

    fn finish(&mut self, request: &EstimateRequest, parts: &[Part]) -> Option<()> {
        let answer = request.answer(parts);
        let totals = answer.totals;
        self.send(|sequence| StreamEvent::Totals { sequence, totals }).then_some(())?;
        self.send(|sequence| StreamEvent::Done { sequence, answer }).then_some(())
    }
}

/// Estimate a meal, as a stream
///
/// Server-Sent Events: `start`, an `item` for each food as soon as it is known, `totals`, and `done` with the whole
/// answer. What is wrong with a request is told before the stream begins, as an ordinary error.
#[utoipa::path(post, path = "/v1/estimate", tag = "estimates", request_body = EstimateBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual, as a comma list; as `include` in the body"),
    ("Idempotency-Key" = Option<String>, Header, description = "Repeating a request with the same key repeats its answer"),
), responses(
    (status = 200, description = "The events", body = StreamEvent, content_type = "text/event-stream"),
    (status = 400, description = "The body makes no sense, or an image is not there", body = ErrorBody),
    (status = 401, description = "No key, or one that does not work", body = ErrorBody),
    (status = 403, description = "The key lacks the scope estimate, or an image belongs to another account", body = ErrorBody),
    (status = 413, description = "The body or an image is too large", body = ErrorBody),
    (status = 429, description = "Rate limit exceeded", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let requester = Requester::of(&app, &caller).await?;
    let (head, unread) = request.into_parts();
    let received = RequestBody::read(&app, unread, request_body::MAX_WITH_PHOTOS).await?;
    let request = EstimateRequest::read(&app, requester, &head, received).await?;
    answer(&app, request).await
}

/// The events of a request.
pub(crate) async fn answer(app: &Arc<App>, request: EstimateRequest) -> Result<Response, ApiError> {
    let version = engine_version(&request.snapshot.version);
    let (channel, events) = mpsc::unbounded_channel();
    let sender = Sender { channel, sequence: 0 };
    // That nobody listens any more is no failure, here and below.
    if let Some(estimated) = request.key.as_ref().and_then(|key| app.responses.estimates.get(key)) {
        let _ = repeat(&request, &estimated.parts, sender);
    } else {
        // The permit is taken before the stream begins: overload is an ordinary error.
        let permit = app.texts.permit().await?;
        let app = Arc::clone(app);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let _ = run(&app, &request, sender);
        });
    }
    let events = stream::unfold(events, async |mut events| {
        events.recv().await.map(|event| (Ok::<_, Infallible>(event), events))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    headers.insert(X_ENGINE_VERSION, version);
    Ok(response)
}

/// Sends the events of a request as they become known; `None` when nobody listens any more.
fn run(app: &App, request: &EstimateRequest, mut sender: Sender) -> Option<()> {
    sender.start(request)?;
    let mut index = 0;
    let estimated = Arc::new(Estimated::new(request.run(|part| sender.part(part, &mut index, request))?));
    app.responses.remember(request.key.as_ref(), &estimated);
    sender.finish(request, &estimated.parts)
}

/// Sends the events of a request that was answered before.
fn repeat(request: &EstimateRequest, parts: &[Part], mut sender: Sender) -> Option<()> {
    sender.start(request)?;
    let mut index = 0;
    parts.iter().all(|part| sender.part(part, &mut index, request)).then_some(())?;
    sender.finish(request, parts)
}
