//! What only shows on a real connection: streams as they come, clients that go away or dawdle, stopping.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use morsel::app::App;
use morsel::server;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::Service;
use test_support::on_sqlite;

/// A server on a port of its own.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    async fn start(service: &Service) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let app = Arc::clone(&service.app);
        let stopped = async move {
            let _ = stopped.await;
        };
        let server = tokio::spawn(server::serve(listener, app, stopped));
        Self { address, stop, server }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("connected")
    }
}

fn request(service: &Service, path: &str, text: &str) -> String {
    let body = json!({"messages": [{"role": "user", "content": text}]}).to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: food.test\r\nAuthorization: Bearer {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        service.key,
        body.len()
    )
}

async fn read_to_end(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_comes_over_a_socket_and_clients_may_leave() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let mut stream = running.connect().await;
        stream.write_all(request(&service, "/v1/estimate", "two eggs and a latte").as_bytes()).await.expect("sent");
        let text = read_to_end(&mut stream).await.expect("answered");
        assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
        assert!(text.contains("transfer-encoding: chunked"), "{text}");
        for event in ["event: start", "event: item", "event: totals", "event: done"] {
            assert!(text.contains(event), "{event}: {text}");
        }
        // Long meals, and nobody stays to hear the answer.
        let long = "2 eggs, toast with butter, 1 cup of rice and ".repeat(150);
        for round in 0..40 {
            let mut stream = running.connect().await;
            let unique = format!("{round} bananas and {long}");
            stream.write_all(request(&service, "/v1/estimate", &unique).as_bytes()).await.expect("sent");
            if round % 2 == 0 {
                let mut first = [0; 64];
                stream.read_exact(&mut first).await.expect("it begins");
            }
            drop(stream);
        }
        let mut stream = running.connect().await;
        stream.write_all(request(&service, "/v1/estimate/sync", "an egg").as_bytes()).await.expect("sent");
        assert!(read_to_end(&mut stream).await.expect("answered").starts_with("HTTP/1.1 200 OK"));
        running.stop.send(()).expect("it runs");
        running.server.await.expect("no panic");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_finishes_what_is_under_way_and_takes_nothing_new() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let whole = request(&service, "/v1/estimate", "two eggs and a latte");
        let mut under_way = running.connect().await;
        let (head, rest) = whole.split_at(whole.len() - 10);
        under_way.write_all(head.as_bytes()).await.expect("sent");
        let mut idle = running.connect().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        running.stop.send(()).expect("it runs");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(TcpStream::connect(running.address).await.is_err(), "nothing new");
        under_way.write_all(rest.as_bytes()).await.expect("still heard");
        let text = read_to_end(&mut under_way).await.expect("answered");
        assert!(text.contains("event: done"), "{text}");
        assert_eq!(read_to_end(&mut idle).await.unwrap_or_default(), "");
        let begun = Instant::now();
        running.server.await.expect("no panic");
        assert!(begun.elapsed() < Duration::from_secs(5));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_are_too_large_or_senseless_are_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        for (sent, status) in [
            ("nonsense\r\n\r\n".to_owned(), "400"),
            (format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(100_000)), "431"),
            (format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(200)), "431"),
        ] {
            let mut stream = running.connect().await;
            // The server may hang up while the rest is still being sent.
            let _ = stream.write_all(sent.as_bytes()).await;
            let text = read_to_end(&mut stream).await.unwrap_or_default();
            assert!(text.is_empty() || text.starts_with(&format!("HTTP/1.1 {status}")), "{text}");
        }
        let mut stream = running.connect().await;
        stream.write_all(request(&service, "/v1/estimate/sync", "an egg").as_bytes()).await.expect("sent");
        assert!(read_to_end(&mut stream).await.expect("answered").starts_with("HTTP/1.1 200 OK"));
        running.stop.send(()).expect("it runs");
        running.server.await.expect("no panic");
    })
    .await;
}

#[tokio::test]
async fn clients_that_dawdle_are_cut_off() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let whole = request(&service, "/v1/estimate/sync", "two eggs");
        let half = async |sent: &str| {
            let mut stream = running.connect().await;
            stream.write_all(sent.as_bytes()).await.expect("sent");
            let begun = Instant::now();
            let answer = tokio::time::timeout(Duration::from_secs(40), read_to_end(&mut stream)).await;
            (answer.expect("ended").unwrap_or_default(), begun.elapsed().as_secs())
        };
        let (head, body) = tokio::join!(half(&whole[..40]), half(&whole[..whole.len() - 5]));
        assert!(!head.0.contains("200 OK") && (19..=25).contains(&head.1), "{head:?}");
        assert!(body.0.starts_with("HTTP/1.1 408") && (14..=20).contains(&body.1), "{body:?}");
        assert!(body.0.contains("\"error\""), "{}", body.0);
    })
    .await;
}

#[tokio::test]
async fn under_overload_the_excess_is_told_at_once() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let ask = async |path: &str, text: &str| {
            let mut stream = running.connect().await;
            stream.write_all(request(&service, path, text).as_bytes()).await.expect("sent");
            read_to_end(&mut stream).await.expect("answered")
        };
        assert!(ask("/v1/estimate/sync", "an egg").await.starts_with("HTTP/1.1 200 OK"));
        // Every place to work is taken, and then every place to wait.
        let mut busy = Vec::new();
        for _ in 0..morsel::work_queue::processors() {
            busy.push(service.app.texts.permit().await.expect("a free place"));
        }
        let wait = |app: Arc<App>| async move { app.texts.permit().await.is_ok() };
        let waiting: Vec<JoinHandle<bool>> = (0..3_000).map(|_| tokio::spawn(wait(Arc::clone(&service.app)))).collect();
        while !waiting.iter().any(JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        let begun = Instant::now();
        let refused = ask("/v1/estimate/sync", "two eggs and a banana").await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        // What needs no work is answered as ever: this meal was estimated before.
        assert!(ask("/v1/estimate/sync", "an egg").await.starts_with("HTTP/1.1 200 OK"));
        drop(busy);
        let mut served = 0;
        for permit in waiting {
            served += usize::from(permit.await.expect("no panic"));
        }
        assert!((1..3_000).contains(&served), "{served} waited, the others were told at once");
        assert!(ask("/v1/estimate/sync", "two eggs and a banana").await.starts_with("HTTP/1.1 200 OK"));
    })
    .await;
}
