//! Many streams at once: all connect, then all send a request, then all receive their first event while every one stays
//! open, then all finish.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::{Barrier, Semaphore};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::timeout;

use crate::connection::Connection;
use crate::requests::Requests;

/// A stream that takes longer than this for a step has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Streams that start at the same time: the server refuses texts that would wait for long.
const STARTING: usize = 64;

/// The results.
#[derive(Serialize)]
pub struct Streams {
    pub opened: usize,
    /// Streams that the server rejected with an error such as 503.
    pub refused: usize,
    /// Streams that ended early or took too long.
    pub broken: usize,
    /// From the first request until the last stream had its first item.
    pub first_events_ms: f64,
    /// From the first request until the last stream was done.
    pub done_ms: f64,
    /// The memory of the server when every stream was open and had its first event.
    pub server_memory_mb: f64,
}

/// Opens `count` streams.
pub async fn open(count: usize, address: SocketAddr, requests: Rc<Requests>, memory: impl Fn() -> u64) -> Streams {
    // One after the other, because the system queues a limited number of connections that wait to be accepted.
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        connections.push(timeout(PATIENCE, Connection::open(address)).await.ok().and_then(Result::ok));
    }
    let all_have_begun = Rc::new(Barrier::new(count + 1));
    let all_may_finish = Rc::new(Barrier::new(count + 1));
    let starting = Rc::new(Semaphore::new(STARTING));
    let local = LocalSet::new();
    let mut tasks = JoinSet::new();
    let start = Instant::now();
    for mut connection in connections {
        let (requests, starting) = (Rc::clone(&requests), Rc::clone(&starting));
        let (all_have_begun, all_may_finish) = (Rc::clone(&all_have_begun), Rc::clone(&all_may_finish));
        tasks.spawn_local_on(
            async move {
                let began = match &mut connection {
                    Some(connection) => within(first_item(connection, &requests, &starting)).await,
                    None => Fate::Broken,
                };
                all_have_begun.wait().await;
                all_may_finish.wait().await;
                match &mut connection {
                    Some(connection) if began == Fate::Fine => within(connection.until(br#""type":"done""#)).await,
                    _ => began,
                }
            },
            &local,
        );
    }
    local
        .run_until(async {
            all_have_begun.wait().await;
            let first_events = start.elapsed();
            let server_memory_mb = memory() as f64 / 1e6;
            all_may_finish.wait().await;
            let (mut refused, mut broken) = (0, 0);
            while let Some(finished) = tasks.join_next().await {
                match finished {
                    Ok(Fate::Fine) => {}
                    Ok(Fate::Refused) => refused += 1,
                    Ok(Fate::Broken) | Err(_) => broken += 1,
                }
            }
            Streams {
                opened: count,
                refused,
                broken,
                first_events_ms: first_events.as_secs_f64() * 1e3,
                done_ms: start.elapsed().as_secs_f64() * 1e3,
                server_memory_mb,
            }
        })
        .await
}

async fn first_item(connection: &mut Connection, requests: &Requests, starting: &Semaphore) -> std::io::Result<()> {
    let _starting = starting.acquire().await;
    let mut request = Vec::new();
    requests.next(&mut request);
    connection.begin(&request).await?;
    connection.until(br#""type":"item""#).await
}

/// The outcome of a step of a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Fine,
    Refused,
    Broken,
}

async fn within(step: impl Future<Output = std::io::Result<()>>) -> Fate {
    match timeout(PATIENCE, step).await {
        Ok(Ok(())) => Fate::Fine,
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => Fate::Refused,
        _ => Fate::Broken,
    }
}
