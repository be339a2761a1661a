//! The barest server that axum makes: one route, one word. What Morsel's throughput is compared with.

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt as _;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    // Small answers go out at once, as Morsel's do.
    let listener = tokio::net::TcpListener::bind(address).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let router = Router::new().route("/", get(|| async { "hello" }));
    Ok(axum::serve(listener, router).await?)
}
