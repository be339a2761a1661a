//! Servers that share everything, each service behind a proxy that a test can cut.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use store::Location;
use tempfile::TempDir;
use test_support::{Database, Proxy, Redis, TestBucket};

use crate::server::{Server, printed};

/// How long servers wait for Redis: long enough that a busy machine does not look like an outage.
pub const PATIENT: Duration = Duration::from_secs(30);

/// What a server answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Checks that the client is asked to come back later.
    #[track_caller]
    pub fn is_unavailable(&self) {
        assert_eq!(self.status, 503, "{}", self.body);
        assert!(self.header("retry-after").is_some(), "{}", self.head);
    }
}

/// Sends a request and reads the whole answer.
pub fn send(to: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> std::io::Result<Reply> {
    let mut stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(Duration::from_mins(1)))?;
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let status = head.get(9..12).and_then(|status| status.parse().ok()).ok_or(std::io::ErrorKind::InvalidData)?;
    Ok(Reply { status, head: head.to_owned(), body: body.to_owned() })
}

/// Servers on one database, with one Redis and one bucket.
pub struct Cluster {
    pub servers: Vec<Server>,
    /// The key of the owner, whose plan has the largest limit.
    pub key: String,
    pub redis: Proxy,
    pub images: Proxy,
    pub bucket: TestBucket,
    environment: Vec<(&'static str, String)>,
    folder: TempDir,
    _redis: Redis,
}

impl Cluster {
    /// Starts servers at the same time, on an empty database at this URL. `redis_wait` is how long a request waits for Redis.
    pub fn start(servers: usize, database_url: &str, redis_wait: Duration) -> Self {
        let (own_redis, bucket) = (Redis::start(), TestBucket::create());
        let (redis, images) = (Proxy::to(own_redis.address()), Proxy::to(bucket.endpoint()));
        let environment = vec![
            ("MORSEL_DATABASE_URL", database_url.to_owned()),
            ("MORSEL_REDIS_URL", format!("redis://{}?timeout_ms={}", redis.address(), redis_wait.as_millis())),
            ("MORSEL_IMAGES_URL", bucket.url(images.address())),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
            // Tests that wait for something look at pages again and again.
            ("MORSEL_PLAN_LIMITS", "pages=1000000".to_owned()),
        ];
        let folder = TempDir::new().expect("a folder");
        let mut cluster =
            Self { servers: vec![], key: String::new(), redis, images, bucket, environment, folder, _redis: own_redis };
        cluster.servers = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..servers)
                .map(|n| {
                    let cluster = &cluster;
                    scope.spawn(move || cluster.server(n))
                })
                .collect();
            starting.into_iter().map(|server| server.join().expect("it starts")).collect()
        });
        let owners: Vec<&Server> = cluster.servers.iter().filter(|server| !server.welcome.is_empty()).collect();
        assert_eq!(owners.len(), 1, "one of them created the tables and the owner");
        cluster.key = owners[0].key();
        cluster.wait_for_all(servers);
        cluster
    }

    /// Waits until every server has heard of all others.
    pub fn wait_for_all(&self, servers: usize) {
        let expected = format!("morsel_servers {servers}");
        Self::wait("all servers know of each other", || {
            self.servers.iter().all(|server| metrics(&server.address).lines().any(|line| line == expected))
        });
    }

    /// Starts one more server, with a data directory of its own.
    pub fn server(&self, n: usize) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morsel"));
        command.envs(self.environment.iter().map(|(name, value)| (name, value.as_str())));
        command.env("MORSEL_DRAIN_SECONDS", "1");
        Server::start_with(command, &self.data_dir(n))
    }

    pub fn data_dir(&self, n: usize) -> PathBuf {
        self.folder.path().join(format!("server-{n}"))
    }

    /// Runs a command of the program on the same database.
    pub fn morsel(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morsel"));
        command.envs(self.environment.iter().map(|(name, value)| (name, value.as_str()))).args(arguments);
        command.env("MORSEL_DATA_DIR", self.folder.path().join("operator")).output().expect("the program starts")
    }

    /// Creates an account on a plan, with a key.
    pub fn account(&self, email: &str, plan: &str) -> String {
        printed(&self.morsel(&["account", "create", "--email", email]));
        printed(&self.morsel(&["account", "set-plan", "--email", email, "--plan", plan]));
        printed(&self.morsel(&["key", "create", "--email", email]))
    }

    pub fn address(&self, n: usize) -> &str {
        &self.servers[n].address
    }

    /// Sends a request with a key to a server.
    #[track_caller]
    pub fn call(&self, n: usize, method: &str, path: &str, key: &str, body: &str) -> Reply {
        let authorization = format!("Bearer {key}");
        send(self.address(n), method, path, &[("Authorization", &authorization)], body).expect("answered")
    }

    /// Waits for what happens by itself, soon.
    #[track_caller]
    pub fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_mins(1), "it never happens that {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The metrics of a server.
pub fn metrics(address: &str) -> String {
    send(address, "GET", "/metrics", &[], "").expect("answered").body
}

/// The URL of a database behind a proxy.
pub fn through(proxy: SocketAddr, database: &Database) -> String {
    let place = database.location.to_string();
    let name = place.rsplit('/').next().expect("a name");
    format!("postgres://postgres@{proxy}/{name}")
}

pub fn url_of(database: &Database) -> &str {
    let Location::Postgres(url) = &database.location else { panic!("only PostgreSQL is shared") };
    url
}

pub const EGG: &str = r#"{"messages": [{"role": "user", "content": "an egg"}]}"#;
/// A tiny picture as a body of an upload.
pub const UPLOAD: &str = r#"{"image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mNocFCgKWIYtWDUglELRi0YtWDUglELRi0YtWDUglELhooFAMqGgC7FCDG7AAAAAElFTkSuQmCC"}"#;

/// The path of an uploaded photo.
pub fn photo_of(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", reply.body);
    let url = reply.json()["url"].as_str().expect("a URL").to_owned();
    url[url.find("/v1/images/").expect("a path")..].to_owned()
}
