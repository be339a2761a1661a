//! What only shows on a real connection: streams, clients that go away or dawdle, overload, stopping.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use morsel::config::{Config, Settings};
use morsel::environment::Environment;
use morsel::server;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::Service;
use test_support::{on_both, on_sqlite};

/// A server on a port of its own.
pub struct Running {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    pub async fn start(service: &Service) -> Self {
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

    pub async fn connect(&self) -> TcpStream {
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

pub async fn read_to_end(stream: &mut TcpStream) -> io::Result<String> {
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

/// Waits for something that happens soon; a test that would hang fails instead.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(2), future).await.expect("it does not hang")
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_finishes_running_requests_and_accepts_no_new_ones() {
    on_sqlite(async |database| {
        // The server must not wait for the time that it gives to requests that do not end.
        let patient = |_: &mut Config, environment: &mut Environment| {
            environment.timeouts.drain = Duration::from_hours(1);
            environment.timeouts.head = Duration::from_hours(1);
        };
        let service = Service::changed(database, Settings::default(), patient).await;
        let running = Running::start(&service).await;
        let whole = request(&service, "/v1/estimate", "two eggs and a latte");
        let whole = whole.replacen("\r\n", "\r\nExpect: 100-continue\r\n", 1);
        let (head, rest) = whole.split_at(whole.len() - 10);
        let mut busy = running.connect().await;
        busy.write_all(head.as_bytes()).await.expect("sent");
        // The handler waits for the rest of the body.
        let mut first = [0; 25];
        soon(busy.read_exact(&mut first)).await.expect("heard");
        assert_eq!(&first, b"HTTP/1.1 100 Continue\r\n\r\n");
        let mut idle = running.connect().await;
        idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: food.test\r\n\r\n").await.expect("sent");
        let mut healthy = Vec::new();
        while !healthy.ends_with(b"ok\n") {
            soon(idle.read_buf(&mut healthy)).await.expect("answered");
        }
        running.stop.send(()).expect("it runs");
        soon(async {
            while TcpStream::connect(running.address).await.is_ok() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        busy.write_all(rest.as_bytes()).await.expect("still heard");
        let text = soon(read_to_end(&mut busy)).await.expect("answered");
        assert!(text.contains("event: done"), "{text}");
        assert_eq!(soon(read_to_end(&mut idle)).await.expect("closed"), "");
        soon(running.server).await.expect("no panic");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_and_oversized_heads_are_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        // Exactly as much as the server reads: what it leaves unread would reset the connection and with it the response.
        let start = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
        let oversized = format!("{start}{}", "x".repeat(32 * 1024 - start.len()));
        for (sent, status) in [
            ("nonsense\r\n\r\n".to_owned(), "400"),
            (oversized, "431"),
            (format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(200)), "431"),
        ] {
            let mut stream = running.connect().await;
            stream.write_all(sent.as_bytes()).await.expect("sent");
            let text = soon(read_to_end(&mut stream)).await.expect("answered");
            assert!(text.starts_with(&format!("HTTP/1.1 {status}")), "{text}");
        }
        let mut stream = running.connect().await;
        stream.write_all(request(&service, "/v1/estimate/sync", "an egg").as_bytes()).await.expect("sent");
        assert!(read_to_end(&mut stream).await.expect("answered").starts_with("HTTP/1.1 200 OK"));
        running.stop.send(()).expect("it runs");
        soon(running.server).await.expect("no panic");
    })
    .await;
}

#[tokio::test]
async fn clients_that_dawdle_are_cut_off() {
    on_sqlite(async |database| {
        let limit = Duration::from_millis(100);
        let impatient = |_: &mut Config, environment: &mut Environment| {
            environment.timeouts.head = limit;
            environment.timeouts.body = limit;
        };
        let service = Service::changed(database, Settings::default(), impatient).await;
        let running = Running::start(&service).await;
        let whole = request(&service, "/v1/estimate/sync", "two eggs");
        let send = async |part: &str| {
            let begun = Instant::now();
            let mut stream = running.connect().await;
            stream.write_all(part.as_bytes()).await.expect("sent");
            let text = soon(read_to_end(&mut stream)).await.expect("ended");
            assert!(begun.elapsed() >= limit, "not before its time: {text}");
            text
        };
        assert_eq!(send(&whole[..40]).await, "", "half a head gets no response");
        let body = send(&whole[..whole.len() - 5]).await;
        assert!(body.starts_with("HTTP/1.1 408") && body.contains("\"too_slow\""), "{body}");
    })
    .await;
}

#[tokio::test]
async fn under_overload_the_excess_is_refused_before_its_body_is_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let whole = request(&service, "/v1/estimate/sync", "two eggs and a banana");
        let ask = async || {
            let mut stream = running.connect().await;
            stream.write_all(whole.as_bytes()).await.expect("sent");
            soon(read_to_end(&mut stream)).await.expect("answered")
        };
        // The second time it is cached.
        for _ in 0..2 {
            assert_eq!(service.get("/v1/foods?q=egg").send().await.status, 200);
        }
        // Every processor is taken, and then every place in the account's line.
        let mut taken = Vec::new();
        while let Ok(place) = service.app.texts.enter(&service.account.id) {
            taken.push(place);
        }
        // Only the head is sent, and the client waits to be asked for the rest.
        let head = whole.replacen("\r\n", "\r\nExpect: 100-continue\r\n", 1);
        let mut stream = running.connect().await;
        stream.write_all(head.split_once("\r\n\r\n").expect("a body").0.as_bytes()).await.expect("sent");
        stream.write_all(b"\r\n\r\n").await.expect("sent");
        let refused = soon(read_to_end(&mut stream)).await.expect("answered");
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
        assert!(refused.contains("\"overloaded\""), "{refused}");
        let refused = ask().await;
        assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
        // What needs no work is answered as ever: this search was answered before.
        assert_eq!(service.get("/v1/foods?q=egg").send().await.status, 200);
        let metrics = service.get("/metrics").no_key().send().await.text();
        assert!(metrics.contains("morsel_refused_jobs_total{queue=\"texts\",reason=\"account_share\"} 3"), "{metrics}");
        drop(taken);
        assert!(ask().await.starts_with("HTTP/1.1 200 OK"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_a_large_body_sees_why_it_is_refused() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let mut taken = Vec::new();
        while let Ok(place) = service.app.photos.enter(&service.account.id) {
            taken.push(place);
        }
        // Far more than fits into the buffers of a connection, and sent before anything is read. The connection stays usable.
        let body = vec![b'x'; 12 << 20];
        let head = format!(
            "POST /v1/upload/base64 HTTP/1.1\r\nHost: food.test\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n",
            service.key,
            body.len()
        );
        let mut stream = running.connect().await;
        for _ in 0..2 {
            soon(stream.write_all(head.as_bytes())).await.expect("sent");
            soon(stream.write_all(&body)).await.expect("the server reads what it does not need");
            let mut start = [0; 12];
            soon(stream.read_exact(&mut start)).await.expect("answered");
            assert_eq!(&start, b"HTTP/1.1 503");
            let mut rest = Vec::new();
            while !rest.ends_with(b"}") {
                soon(stream.read_buf(&mut rest)).await.expect("the rest of the response");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_deleted_while_it_writes_is_no_longer_known() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let upload = json!({"image": crate::images::png(32, 32)}).to_string();
        let bodies = [("/v1/recipes", r#"{"name": "Soup"}"#.to_owned()), ("/v1/upload/base64", upload)];
        let mut waiting = Vec::new();
        for (path, body) in &bodies {
            let mut stream = running.connect().await;
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: food.test\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
                 Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
                service.key,
                body.len()
            );
            stream.write_all(head.as_bytes()).await.expect("sent");
            // The key was accepted, and the handler waits for the body.
            let mut first = [0; 25];
            soon(stream.read_exact(&mut first)).await.expect("heard");
            waiting.push((stream, body));
        }
        service.app.store.accounts().delete(&service.account.id).await.expect("deleted");
        for (mut stream, body) in waiting {
            stream.write_all(body.as_bytes()).await.expect("sent");
            let text = soon(read_to_end(&mut stream)).await.expect("answered");
            assert!(text.starts_with("HTTP/1.1 401") && text.contains("\"invalid_key\""), "{text}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_says_so_first_and_answers_what_still_comes() {
    on_sqlite(async |database| {
        let patient = |config: &mut Config, environment: &mut Environment| {
            config.drain = Duration::from_hours(1);
            environment.timeouts.head = Duration::from_hours(1);
        };
        let service = Service::changed(database, Settings::default(), patient).await;
        let running = Running::start(&service).await;
        let address = running.address;
        let mut idle = running.connect().await;
        let get = b"GET /healthz HTTP/1.1\r\nHost: food.test\r\n\r\n";
        idle.write_all(get).await.expect("sent");
        let mut seen = Vec::new();
        while !seen.ends_with(b"ok\n") {
            soon(idle.read_buf(&mut seen)).await.expect("answered");
        }
        running.stop.send(()).expect("it runs");
        let ready = soon(async {
            loop {
                let mut stream = TcpStream::connect(address).await.expect("still accepted");
                let request = b"GET /readyz HTTP/1.1\r\nHost: food.test\r\nConnection: close\r\n\r\n";
                stream.write_all(request).await.expect("sent");
                let text = read_to_end(&mut stream).await.expect("answered");
                if !text.starts_with("HTTP/1.1 200") {
                    return text;
                }
            }
        })
        .await;
        assert!(ready.starts_with("HTTP/1.1 503") && ready.contains("\"stopping\""), "{ready}");
        // A connection that was idle loses nothing: its next request is answered, and then it is closed.
        idle.write_all(get).await.expect("sent");
        let text = soon(read_to_end(&mut idle)).await.expect("answered");
        assert!(text.starts_with("HTTP/1.1 200") && text.contains("connection: close"), "{text}");
        let mut stream = TcpStream::connect(address).await.expect("still accepted");
        stream.write_all(request(&service, "/v1/estimate/sync", "an egg").as_bytes()).await.expect("sent");
        assert!(soon(read_to_end(&mut stream)).await.expect("answered").starts_with("HTTP/1.1 200"));
        running.server.abort();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_when_its_time_to_drain_is_over() {
    on_sqlite(async |database| {
        let brief = |config: &mut Config, _: &mut Environment| config.drain = Duration::from_millis(1);
        let service = Service::changed(database, Settings::default(), brief).await;
        let running = Running::start(&service).await;
        running.stop.send(()).expect("it runs");
        soon(running.server).await.expect("no panic");
        assert!(TcpStream::connect(running.address).await.is_err());
    })
    .await;
}
