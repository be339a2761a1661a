//! A PostgreSQL server that vanishes without a word, as a machine does that loses its power: connections stay open and
//! nothing comes through them any more.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use store::{Location, Plan, Store};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use test_support::{Database, an_account, noon, on_postgres};

#[tokio::test(flavor = "multi_thread")]
async fn it_costs_seconds_and_not_the_service() {
    on_postgres(async |database| {
        let way = Way::to(database).await;
        let store = Store::open(&way.location).await.expect("opens");
        let account = an_account(&store, "ada@example.org").await.id;
        store.latest_change().await.expect("read");
        way.freeze();
        let started = Instant::now();
        let (latest, read, write) = tokio::join!(
            store.latest_change(),
            store.accounts().by_id(&account),
            store.accounts().set_plan(&account, Plan::Pro),
        );
        assert!(latest.expect_err("its connection is frozen").is_unavailable());
        // These may have got a new connection; the new ones work.
        assert!(read.map_or_else(|error| error.is_unavailable(), |found| found.is_some()));
        assert!(write.map_or_else(|error| error.is_unavailable(), |found| found.is_some()));
        // Well beyond the timeouts, for a busy machine; without them this would take until TCP gives up.
        assert!(started.elapsed() < Duration::from_mins(2), "{:?}", started.elapsed());
        store.latest_change().await.expect("a new connection");
        // At most the few connections that were idle are still to be found out.
        let mut tries = 0;
        while store.check(noon()).await.is_err() {
            tries += 1;
            assert!(tries < 3);
        }
        store.accounts().set_plan(&account, Plan::Scale).await.expect("works again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_is_reported_without_trying_again_and_again() {
    on_postgres(async |database| {
        let way = Way::to(database).await;
        let store = Store::open(&way.location).await.expect("opens");
        store.check(noon()).await.expect("there");
        way.close();
        let before = way.opened.load(Ordering::SeqCst);
        assert!(store.check(noon()).await.expect_err("gone").is_unavailable());
        let tries = way.opened.load(Ordering::SeqCst) - before;
        assert!(tries <= 1, "as a request does: {tries}");
    })
    .await;
}

/// A way to the server on which the connections of the past can be frozen.
struct Way {
    location: Location,
    opened: Arc<AtomicU64>,
    frozen: Arc<AtomicU64>,
    is_closed: Arc<AtomicBool>,
}

impl Way {
    async fn to(database: &Database) -> Self {
        let Location::Postgres(url) = &database.location else { unreachable!("on PostgreSQL") };
        let server = PgConnectOptions::from_str(url).expect("a URL");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let mut url = server.to_url_lossy();
        url.set_host(Some("127.0.0.1")).expect("a host");
        url.set_port(Some(listener.local_addr().expect("bound").port())).expect("a port");
        url.set_query(Some("sslmode=disable"));
        let (opened, frozen) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let is_closed = Arc::new(AtomicBool::new(false));
        let way = Self { location: Location::Postgres(url.to_string()), opened, frozen, is_closed };
        tokio::spawn(forward_all(listener, server, way.gate()));
        way
    }

    /// What the connections need to know.
    fn gate(&self) -> Gate {
        Gate { opened: self.opened.clone(), frozen: self.frozen.clone(), is_closed: self.is_closed.clone() }
    }

    /// Ends all connections with their next use, and every new one at once, as a server does that was stopped.
    fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
    }

    fn freeze(&self) {
        self.frozen.store(self.opened.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

#[derive(Clone)]
struct Gate {
    opened: Arc<AtomicU64>,
    frozen: Arc<AtomicU64>,
    is_closed: Arc<AtomicBool>,
}

async fn forward_all(listener: TcpListener, server: PgConnectOptions, gate: Gate) {
    while let Ok((client, _)) = listener.accept().await {
        let number = gate.opened.fetch_add(1, Ordering::SeqCst) + 1;
        if gate.is_closed.load(Ordering::SeqCst) {
            continue;
        }
        let (from_client, to_client) = client.into_split();
        if let Some(folder) = server.get_socket() {
            let socket = folder.join(format!(".s.PGSQL.{}", server.get_port()));
            let (from_server, to_server) = UnixStream::connect(socket).await.expect("the server").into_split();
            tokio::spawn(forward(from_client, to_server, number, gate.clone()));
            tokio::spawn(forward(from_server, to_client, number, gate.clone()));
        } else {
            let server = TcpStream::connect((server.get_host(), server.get_port())).await.expect("the server");
            let (from_server, to_server) = server.into_split();
            tokio::spawn(forward(from_client, to_server, number, gate.clone()));
            tokio::spawn(forward(from_server, to_client, number, gate.clone()));
        }
    }
}

async fn forward(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, number: u64, gate: Gate) {
    let mut buffer = vec![0; 8_192];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if gate.is_closed.load(Ordering::SeqCst) {
            return;
        }
        if number <= gate.frozen.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
