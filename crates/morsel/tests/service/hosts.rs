//! The host that a request is for: exactly one, and on a loopback address none of somebody else's.

use std::net::SocketAddr;

use morsel::config::Settings;
use tokio::io::AsyncWriteExt as _;

use crate::harness::Service;
use crate::sockets::{Running, read_to_end};
use test_support::on_sqlite;

const PAGES: [&str; 6] = ["/", "/sign-up", "/sign-in", "/docs", "/metrics", "/openapi.json"];

fn on_loopback() -> Settings {
    Settings { listen: Some(SocketAddr::from(([127, 0, 0, 1], 8080))), ..Settings::default() }
}

#[tokio::test]
async fn a_server_on_loopback_answers_to_no_name_of_others() {
    on_sqlite(async |database| {
        let service = Service::with(database, on_loopback()).await;
        for host in ["evil.test", "evil.test:8080", "localhost.evil.test", "127.0.0.1.evil.test:80", "10.0.0.1", ""] {
            for path in PAGES {
                let reply = service.get(path).no_key().header("host", host).send().await;
                assert_eq!(reply.error(421), "unknown_host", "{host} {path}");
            }
            let sign_up = service.post("/sign-up", "email=a%40b.c&password=three+green+apples").no_key();
            let sign_up = sign_up.header("content-type", "application/x-www-form-urlencoded").header("host", host);
            assert_eq!(sign_up.send().await.error(421), "unknown_host");
            assert_eq!(service.get("/v1/foods?q=egg").header("host", host).send().await.status, 200, "a key is enough");
            assert_eq!(service.get("/healthz").header("host", host).send().await.status, 200);
            assert_eq!(service.get("/readyz").header("host", host).send().await.status, 200);
        }
        let page = service.get("/").no_key().header("host", "evil.test").header("accept", "text/html").send().await;
        assert_eq!((page.status, page.header("content-type")), (421, Some("text/html; charset=utf-8")));
        assert!(page.text().contains("http://localhost:8080"), "{}", page.text());
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:8080", "127.8.9.1", "[::1]:8080"] {
            for path in PAGES {
                assert_eq!(service.get(path).no_key().header("host", host).send().await.status, 200, "{host} {path}");
            }
        }
        assert_eq!(service.app.store.accounts().count().await.expect("read"), 1, "nobody signed up");
    })
    .await;
}

#[tokio::test]
async fn declared_names_and_proxies_are_served() {
    on_sqlite(async |database| {
        let named = Settings { base_url: Some("https://food.test".to_owned()), ..on_loopback() };
        let service = Service::with(database, named).await;
        for (host, status) in [("food.test", 200), ("Food.Test:443", 200), ("localhost", 200), ("evil.test", 421)] {
            assert_eq!(service.get("/sign-in").no_key().header("host", host).send().await.status, status, "{host}");
        }
    })
    .await;
    on_sqlite(async |database| {
        let proxied = Settings { trusted_proxies: Some(vec!["127.0.0.1".to_owned()]), ..on_loopback() };
        let service = Service::with(database, proxied).await;
        assert_eq!(service.get("/sign-in").no_key().header("host", "any.test").send().await.status, 200);
        let other = service.get("/sign-in").no_key().header("host", "any.test").from([127, 0, 0, 2]);
        assert_eq!(other.send().await.status, 421, "not through the proxy");
    })
    .await;
}

#[tokio::test]
async fn a_request_has_one_host_and_is_chunked_or_not() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let get = |headers: &str| format!("GET /healthz HTTP/1.1\r\n{headers}connection: close\r\n\r\n");
        let post = |coding: &str| {
            let head = format!("POST /v1/recipes HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n", service.key);
            format!("{head}transfer-encoding: {coding}\r\nconnection: close\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n")
        };
        for (request, status, text) in [
            (get(""), 400, "invalid_host"),
            (get("host: a\r\nhost: b\r\n"), 400, "invalid_host"),
            (get("host: a\r\nhost: a\r\n"), 400, "invalid_host"),
            (get("host: \u{ff}\r\n"), 400, "invalid_host"),
            (get("host: a\r\n"), 200, "ok"),
            (get("").replace("1.1", "1.0"), 200, "ok"),
            (post("chunked"), 400, "“name” is missing"),
            (post("Chunked"), 400, "“name” is missing"),
            (post("gzip, chunked"), 501, "unsupported_transfer_coding"),
        ] {
            let mut stream = running.connect().await;
            stream.write_all(request.as_bytes()).await.expect("sent");
            let answer = read_to_end(&mut stream).await.expect("answered");
            assert_eq!(answer.get(9..12), Some(status.to_string().as_str()), "{request}\n{answer}");
            assert!(answer.contains(text), "{request}\n{answer}");
        }
    })
    .await;
}
