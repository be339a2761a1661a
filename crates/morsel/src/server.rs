//! Connections: how many, how long, and how they end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use crate::app::App;
use crate::environment::Timeouts;
use crate::request::Peer;
use crate::router::router;

/// Connections at a time; further ones wait in the system's queue.
const MAX_CONNECTIONS: usize = 10_000;
/// Limits of a request's head.
const MAX_HEAD_BYTES: usize = 32 * 1024;
const MAX_HEADERS: usize = 64;
/// How long streams may take to send their last event when they are cut off.
const LAST_EVENTS: Duration = Duration::from_millis(500);
/// How long to wait after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` completes, then lets running requests finish.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
    let timeouts = app.environment.timeouts;
    let router = router(Arc::clone(&app));
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            let permit = Arc::clone(&connections).acquire_owned().await;
            (listener.accept().await, permit)
        };
        let (accepted, permit) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        match (accepted, permit) {
            (Ok((stream, peer)), Ok(permit)) => {
                connect(stream, Peer(peer), permit, router.clone(), timeouts, &graceful);
            }
            (Err(error), _) => {
                // Most likely out of file descriptors. Connections end all the time, so it soon works again.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
            (_, Err(_)) => break,
        }
    }
    drop(listener);
    app.stopping.store(true, Ordering::Relaxed);
    let mut drained = pin!(graceful.shutdown());
    if tokio::time::timeout(timeouts.drain, &mut drained).await.is_err() {
        tracing::warn!("cut off requests that did not finish in time");
        app.cut_off_requests();
        // Streams end with an event that says so.
        let _ = tokio::time::timeout(LAST_EVENTS, drained).await;
    }
}

fn connect(
    stream: TcpStream,
    peer: Peer,
    permit: OwnedSemaphorePermit,
    router: Router,
    timeouts: Timeouts,
    graceful: &GracefulShutdown,
) {
    // Responses are written whole; waiting for more to send only delays them.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(timeouts.stalled));
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer);
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // Clients go away in all kinds of ways; none of them is the server's failure.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke off");
        }
        drop(permit);
    });
}
