//! Every URL of the service.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router, middleware};
use tower::ServiceBuilder;
use tower::util::MapRequest;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::estimate::{batch, stream, sync};
use crate::api::{compat, foods, images, mcp, recipes};
use crate::app::App;
use crate::config::Cors;
use crate::dialect::credentials::take_key_from_path;
use crate::error::ApiError;
use crate::metrics::{Gauge, RefusedJobs};
use crate::observe::{Observer, observe};
use crate::request::ClientAddress;
use crate::{base_path, dashboard, openapi, routes};

/// Smaller responses are not worth compressing.
const MIN_COMPRESSED_BYTES: u64 = 1_024;

/// Returns the service as one function from requests to responses.
pub fn router(app: Arc<App>) -> Router {
    let (api, document) = OpenApiRouter::new()
        .routes(routes!(stream::estimate))
        .routes(routes!(sync::estimate))
        .routes(routes!(batch::estimate))
        .routes(routes!(images::upload))
        .routes(routes!(images::get, images::delete))
        .routes(routes!(foods::search))
        .routes(routes!(foods::get))
        .routes(routes!(foods::by_barcode))
        .routes(routes!(recipes::list, recipes::create))
        .routes(routes!(recipes::get, recipes::update, recipes::delete))
        .split_for_parts();
    let document = openapi::complete(document, &app.config.base_path);
    let (compat, compat_document) = compat::routes().routes(routes!(mcp::http::message)).split_for_parts();
    let compat_document = openapi::complete_compat(compat_document, &app.config.base_path);
    // The same handlers again, for requests that people try in the documentation.
    let tried = api.clone().fallback(unknown_path).method_not_allowed_fallback(unknown_method);
    let pages = dashboard::routes(&app, &document, tried.with_state(Arc::clone(&app)));
    let router = api
        .merge(compat)
        .route("/openapi.json", get(async move || Json(document)))
        .route("/openapi-compat.json", get(async move || Json(compat_document)))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .merge(pages)
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method);
    let is_worth_compressing =
        SizeAbove::new(MIN_COMPRESSED_BYTES).and(NotForContentType::IMAGES).and(NotForContentType::SSE);
    let observer = Observer { app: Arc::clone(&app), write_error_page: dashboard::write_error_page };
    let below: Arc<str> = app.config.base_path.as_str().into();
    let prefix = middleware::from_fn_with_state(Arc::clone(&below), base_path::prefix_response);
    // All in one layer: each on its own would be another allocation for every request.
    let around = ServiceBuilder::new()
        .layer(CompressionLayer::new().gzip(true).compress_when(is_worth_compressing))
        .option_layer((!below.is_empty()).then_some(prefix))
        .layer(middleware::from_fn_with_state(observer, observe));
    let router = router.layer(around);
    let router = match cors(&app.config.cors) {
        Some(cors) => router.layer(cors),
        None => router,
    };
    let router = router.with_state(app);
    // Before the path is looked up: a key in it must be gone by then.
    let router = Router::new().fallback_service(MapRequest::new(router, take_key_from_path));
    if below.is_empty() { router } else { base_path::mount(router, &below) }
}

/// Reports whether the service can handle requests.
async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, ApiError> {
    if app.stopping.load(Ordering::Relaxed) {
        return Err(ApiError::stopping());
    }
    app.readiness.check(&app.store, app.now()).await?;
    Ok("ready\n")
}

/// Returns the metrics, to addresses that may read them.
async fn metrics(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
) -> Result<Response, ApiError> {
    if !app.may_read_metrics(from) {
        let message = "This address may not read the metrics; see --metrics-from.";
        return Err(ApiError::forbidden("forbidden", message));
    }
    let gauge = |name, help, value| Gauge { name, help, value };
    let queues = [("texts", &app.texts), ("photos", &app.photos), ("bulk", &app.bulk)];
    let refused = queues.into_iter().flat_map(|(queue, jobs)| {
        jobs.refused().map(move |(reason, count)| RefusedJobs { queue, reason: reason.name(), count })
    });
    let refused: Vec<RefusedJobs> = refused.collect();
    let counters = app.counters.state();
    let limits_are_exact = u64::from(counters.is_shared || !counters.has_redis);
    let gauges = [
        gauge("morsel_texts_under_way", "Texts and searches that run or wait.", app.texts.jobs() as u64),
        gauge("morsel_photos_under_way", "Photos that are read or wait.", app.photos.jobs() as u64),
        gauge("morsel_bulk_under_way", "Large recipe books and exports that run or wait.", app.bulk.jobs() as u64),
        gauge("morsel_request_memory_bytes", "Memory of large bodies and unread streams.", app.memory.held() as u64),
        gauge("morsel_request_log_waiting", "Requests to be written to the log.", app.request_log.waiting() as u64),
        gauge("morsel_request_log_dropped", "Requests missing in the log, since the start.", app.request_log.dropped()),
        gauge("morsel_streams_open", "Streams that have not ended.", app.streams.held() as u64),
        gauge("morsel_foods", "Foods in the catalog.", app.engine.snapshot().catalog.len() as u64),
        gauge("morsel_limits_exact", "1 if limits hold exactly; 0 if Redis is gone.", limits_are_exact),
        gauge("morsel_limits_local_total", "Limits decided without Redis.", counters.local_decisions),
        gauge("morsel_servers", "Servers that share limits, as last seen.", u64::from(counters.servers)),
        gauge("morsel_database_up", "1 if the database answers.", u64::from(app.account_cache.is_current())),
        gauge("morsel_uptime_seconds", "Seconds since the start.", app.started.elapsed().as_secs()),
    ];
    let text = app.metrics.render(&gauges, &refused);
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

async fn unknown_path() -> ApiError {
    ApiError::not_found("There is nothing at this URL.")
}

async fn unknown_method(request: Request) -> Response {
    let message = format!("This URL does not support the method {}.", request.method());
    let error = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message);
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let allowed = routes::allowed(path);
    let mut response = error.into_response();
    let allowed = HeaderValue::from_str(if allowed.is_empty() { "GET, HEAD" } else { &allowed });
    if let Ok(allowed) = allowed {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

/// Returns the layer that lets web pages call the API, if any may.
fn cors(config: &Cors) -> Option<CorsLayer> {
    let origins = match config {
        Cors::Off => return None,
        Cors::Any => AllowOrigin::any(),
        Cors::Origins(origins) => AllowOrigin::list(origins.iter().filter_map(|origin| origin.parse().ok())),
    };
    let exposed = [
        "x-request-id",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "retry-after",
        "x-engine-version",
        "x-image-expires",
        "idempotent-replayed",
        "link",
    ];
    let own = ["idempotency-key", "x-api-key", "mcp-protocol-version", "mcp-method", "mcp-name"];
    let sent = [header::AUTHORIZATION, header::CONTENT_TYPE].into_iter().chain(own.map(HeaderName::from_static));
    Some(
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
            .allow_headers(sent.collect::<Vec<_>>())
            .expose_headers(exposed.map(HeaderName::from_static))
            .max_age(std::time::Duration::from_hours(1)),
    )
}
