//! A minimal axum server with one route and one word, as the baseline for Morsel's throughput.

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt as _;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    // Small responses are sent at once, as Morsel does.
    let listener = tokio::net::TcpListener::bind(address).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let router = Router::new().route("/", get(|| async { "hello" }));
    Ok(axum::serve(listener, router).await?)
}
