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
use crate::guard::address::Peer;
use crate::router::router;

/// Connections at a time; the next ones wait in the system's queue.
const MOST_CONNECTIONS: usize = 10_000;
/// A request's head must arrive within this time; a connection without requests is closed after it.
const HEAD_WITHIN: Duration = Duration::from_secs(20);
/// A client that takes nothing of its answer for this long is gone.
const STALLED_AFTER: Duration = Duration::from_secs(30);
/// Requests and streams under way get this long to finish when the program is asked to stop.
const DRAIN: Duration = Duration::from_secs(10);
/// A head may have this many bytes and headers.
const LARGEST_HEAD: usize = 32 * 1024;
const MOST_HEADERS: usize = 64;

/// Serves until `stop` is done, then finishes what is under way.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
    let router = router(Arc::clone(&app));
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
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
            (Ok((stream, peer)), Ok(permit)) => connect(stream, Peer(peer), permit, router.clone(), &graceful),
            (Err(error), _) => {
                // Out of file descriptors, most likely. Connections end all the time: a moment later it works again.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            (_, Err(_)) => break,
        }
    }
    drop(listener);
    app.stopping.store(true, Ordering::Relaxed);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not finished in time and are cut off");
    }
}

fn connect(stream: TcpStream, peer: Peer, permit: OwnedSemaphorePermit, router: Router, graceful: &GracefulShutdown) {
    // Answers are written whole; waiting for more to send only delays them.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALLED_AFTER));
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer);
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // Clients go away in all kinds of ways; none of them is our failure.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke off");
        }
        drop(permit);
    });
}
