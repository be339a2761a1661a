//! Connections: how many, how long, and how they end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use crate::app::App;
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

/// Serves until `stop` completes, then for as long as balancers may still send requests, and lets running requests finish.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
    let timeouts = app.environment.timeouts;
    let server = Server {
        router: router(Arc::clone(&app)),
        graceful: GracefulShutdown::new(),
        connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
        app: Arc::clone(&app),
    };
    server.accept(&listener, stop).await;
    // First of all: from now on `/readyz` says so, and every response closes its connection.
    app.stopping.store(true, Ordering::Relaxed);
    if !app.config.drain.is_zero() {
        tracing::info!(seconds = app.config.drain.as_secs(), "stopping; still accepting requests for a while");
        server.accept(&listener, tokio::time::sleep(app.config.drain)).await;
    }
    drop(listener);
    let mut drained = pin!(server.graceful.shutdown());
    if tokio::time::timeout(timeouts.drain, &mut drained).await.is_err() {
        tracing::warn!("cut off requests that did not finish in time");
        app.cut_off_requests();
        // Streams end with an event that says so.
        let _ = tokio::time::timeout(LAST_EVENTS, drained).await;
    }
}

/// What connections share.
struct Server {
    app: Arc<App>,
    router: Router,
    graceful: GracefulShutdown,
    connections: Arc<Semaphore>,
}

impl Server {
    /// Accepts connections until `end` completes.
    async fn accept(&self, listener: &TcpListener, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        loop {
            let accepted = async {
                let permit = Arc::clone(&self.connections).acquire_owned().await;
                (listener.accept().await, permit)
            };
            let (accepted, permit) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut end => return,
            };
            match (accepted, permit) {
                (Ok((stream, peer)), Ok(permit)) => self.connect(stream, Peer(peer), permit),
                (Err(error), _) => {
                    // Most likely out of file descriptors. Connections end all the time, so it soon works again.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                (_, Err(_)) => return,
            }
        }
    }

    fn connect(&self, stream: TcpStream, peer: Peer, permit: OwnedSemaphorePermit) {
        let timeouts = self.app.environment.timeouts;
        // Responses are written whole; waiting for more to send only delays them.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(timeouts.stalled));
        let (app, router) = (Arc::clone(&self.app), self.router.clone());
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer);
            let (app, router) = (Arc::clone(&app), router.clone());
            async move {
                let mut response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
                if app.stopping.load(Ordering::Relaxed) {
                    // The client opens its next connection to a server that stays.
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(timeouts.head)
            .max_buf_size(MAX_HEAD_BYTES)
            .max_headers(MAX_HEADERS)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = self.graceful.watch(connection);
        tokio::spawn(async move {
            // Clients go away in all kinds of ways; none of them is the server's failure.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
            drop(permit);
        });
    }
}
