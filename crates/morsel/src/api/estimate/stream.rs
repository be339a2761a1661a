//! `POST /v1/estimate`: the response as Server-Sent Events, each item as soon as it is known.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use meal::Part;
use store::AccountId;
use tokio::sync::oneshot;

use super::body::EstimateBody;
use super::event_log::{EventLog, EventReader, MAX_DURATION};
use super::events::StreamEvent;
use super::request::{EstimateRequest, Requester};
use super::rows::ItemRow;
use crate::api::response::{X_ENGINE_VERSION, engine_version};
use crate::app::App;
use crate::budget::{BudgetExceeded, Reservation};
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::request::RequestId;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};
use crate::response_cache::Estimated;
use crate::work_queue::QueuePlace;

/// Estimate a meal, as a stream
///
/// Server-Sent Events: `start`, an `item` for each food as soon as it is known, `totals`, and `done` with the whole
/// response; or `error`, if the estimate fails after the start. An invalid request gets an ordinary error before the stream
/// starts.
#[utoipa::path(post, path = "/v1/estimate", operation_id = "estimate_stream", tag = "estimates", request_body = EstimateBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual fields, separated by commas; the same as `include` in the body"),
), responses(
    (status = 200, description = "The events", body = StreamEvent, content_type = "text/event-stream"),
    (status = 400, description = "The body is invalid, or an image, a food or an item was not found", body = ErrorBody),
    (status = 403, description = "An image belongs to another account", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<RequestId>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, unread) = request.into_parts();
    let body = RequestBody::read(&app, Some(&caller.account.id), unread, MAX_WITH_PHOTOS).await?;
    let requester = Requester::of(&app, &caller).await?;
    let request = EstimateRequest::read(&app, requester, &head, body).await?;
    respond(&app, request, id)
}

/// Starts the stream of a request's events.
pub(crate) fn respond(app: &Arc<App>, request: EstimateRequest, request_id: RequestId) -> Result<Response, ApiError> {
    let version = engine_version(&request.snapshot.version);
    let stream = one_more_stream(app, &request.account)?;
    let log = EventLog::new(&start(&request), app.memory.reservation(Some(&request.account)));
    let too_slow = StreamEvent::error(&too_slow(), &request_id);
    let (reader, is_read) = EventReader::new(app, &log, stream, &too_slow);
    if let Some(estimated) = request.key.as_ref().and_then(|key| app.responses.estimate(key)) {
        add_all(&log, &request, &estimated.parts)?;
    } else {
        // Taken before the stream starts: overload is an ordinary error.
        let place = app.texts.enter(&request.account)?;
        let app = Arc::clone(app);
        tokio::spawn(async move {
            let cut_off = app.cut_off();
            let job = {
                let (app, log) = (Arc::clone(&app), Arc::clone(&log));
                move || estimate_into(&log, &app, &request)
            };
            supervise(job, place, &log, is_read, cut_off, &request_id).await;
        });
    }
    let pieces = stream::unfold(reader, async |mut reader| {
        let piece = reader.next().await?;
        Some((Ok::<_, Infallible>(piece), reader))
    });
    let mut response = Body::from_stream(pieces).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    headers.insert(X_ENGINE_VERSION, version);
    Ok(response)
}

fn start(request: &EstimateRequest) -> StreamEvent {
    let id = format!("est_{:032x}", rand::random::<u128>());
    StreamEvent::Start { sequence: 0, id, engine_version: request.snapshot.version.to_string() }
}

/// Counts a stream of an account, or refuses it.
pub(super) fn one_more_stream(app: &App, account: &AccountId) -> Result<Reservation, ApiError> {
    app.streams.reserve(account, 1).map_err(|exceeded| match exceeded {
        BudgetExceeded::Total => ApiError::overloaded(),
        BudgetExceeded::Account => {
            let message = "Too many streams of this account are open. Read them to the end, or close some.";
            ApiError::too_many("too_many_streams", message, 1)
        }
    })
}

fn too_slow() -> ApiError {
    let message = format!("The stream was not read within {} s.", MAX_DURATION.as_secs());
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
}

/// Estimates a meal and adds its items as they become known.
fn estimate_into(log: &EventLog, app: &App, request: &EstimateRequest) -> Result<(), ApiError> {
    let mut outcome = Ok(());
    let parts = request.run(|part| {
        add(log, request, part).map_break(|broken| {
            outcome = broken;
        })
    });
    if let ControlFlow::Continue(parts) = parts {
        let estimated = Arc::new(Estimated::new(parts));
        app.responses.remember(request.key.as_ref(), &estimated);
        log.finish(&request.answer_end(&estimated.parts));
    }
    outcome
}

/// Adds all items of a meal that was estimated before.
fn add_all(log: &EventLog, request: &EstimateRequest, parts: &[Part]) -> Result<(), ApiError> {
    match parts.iter().try_for_each(|part| add(log, request, part)) {
        ControlFlow::Break(broken) => broken,
        ControlFlow::Continue(()) => {
            log.finish(&request.answer_end(parts));
            Ok(())
        }
    }
}

/// Adds a part, if it is an item.
fn add(log: &EventLog, request: &EstimateRequest, part: &Part) -> ControlFlow<Result<(), ApiError>> {
    match ItemRow::from_part(part, request.include) {
        Some(item) => log.add(&item),
        None => ControlFlow::Continue(()),
    }
}

/// Runs the job that adds a stream's events. Whatever keeps it from finishing is reported by an `error` event.
async fn supervise(
    job: impl FnOnce() -> Result<(), ApiError> + Send + 'static,
    place: QueuePlace,
    log: &EventLog,
    is_read: oneshot::Receiver<()>,
    cut_off: impl Future<Output = ()>,
    request_id: &RequestId,
) {
    let finished = async {
        // A panic of the job is an error here.
        place.permit().await?.run(job).await?
    };
    let outcome = tokio::select! {
        outcome = finished => outcome,
        () = cut_off => Err(ApiError::stopping()),
        // That a client has gone away is not a failure.
        _ = is_read => Ok(()),
    };
    if let Err(error) = outcome {
        tracing::error!(request_id = &*request_id.0, code = error.code, cause = error.cause, "stream failed");
        log.fail(&StreamEvent::error(&error, request_id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::work_queue::{QueueLimits, WorkQueue};
    use std::time::Duration;
    use store::Rng;

    fn log() -> Arc<EventLog> {
        let start = StreamEvent::Start { sequence: 0, id: String::new(), engine_version: String::new() };
        EventLog::new(&start, Budget::new(0, 0).reservation(None))
    }

    fn queue() -> (WorkQueue, AccountId) {
        let limits = QueueLimits { running: 1, waiting_per_account: 1, patience: Duration::from_hours(1) };
        (WorkQueue::new(limits), AccountId::generate(&mut Rng::seeded(1)))
    }

    fn id() -> RequestId {
        RequestId("req_1".into())
    }

    #[tokio::test]
    async fn a_panic_is_reported_by_the_last_event() {
        let (queue, account) = queue();
        let (log, (_reader, is_read)) = (log(), oneshot::channel());
        let job = || panic!("a bug with a secret in it");
        supervise(job, queue.enter(&account).expect("empty"), &log, is_read, std::future::pending(), &id()).await;
        let error = log.failure().expect("it failed");
        assert!(error.contains("event: error") && error.contains("\"internal_error\""), "{error}");
        assert!(error.contains("\"req_1\"") && !error.contains("secret"), "{error}");
        assert_eq!(queue.jobs(), 0);
    }

    #[tokio::test]
    async fn a_client_that_goes_away_gives_up_its_place_in_the_queue() {
        let (queue, account) = queue();
        let busy = queue.permit(&account).await.expect("empty");
        let (log, (reader, is_read)) = (log(), oneshot::channel());
        drop(reader);
        let job = || unreachable!("nobody reads its events");
        supervise(job, queue.enter(&account).expect("room"), &log, is_read, std::future::pending(), &id()).await;
        assert_eq!((queue.jobs(), log.failure()), (1, None));
        drop(busy);
    }
}
