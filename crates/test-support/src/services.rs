//! Servers that the scripts start and that run as long as a test: Redis, S3, a PostgreSQL server of a test's own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A server that stops when its pipe closes: when this is dropped, or when this process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Running {
    process: Child,
    /// The line that it printed.
    pub line: String,
}

impl Running {
    /// Starts a script of the repository, which runs a shell that prints a line and waits.
    pub(crate) fn start(script: &str, line: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(script);
        let mut command = Command::new(path);
        command.args(["sh", "-c", &format!(r#"echo "{line}"; cat >/dev/null"#)]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the script runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "scripts/{script} failed; its message is above");
        Self { process, line: line.trim().to_owned() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// A Redis server of a test's own.
#[derive(Debug)]
pub struct Redis {
    running: Running,
}

impl Redis {
    /// Starts a server.
    pub fn start() -> Self {
        Self { running: Running::start("with-redis", "$MORSEL_TEST_REDIS_URL") }
    }

    /// Its URL.
    pub fn url(&self) -> &str {
        &self.running.line
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.url().trim_start_matches("redis://").parse().expect("an address")
    }

    /// Removes everything, as a restart does.
    pub fn forget(&self) {
        let mut stream = TcpStream::connect(self.address()).expect("it answers");
        stream.write_all(b"FLUSHALL\r\n").expect("sent");
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).expect("answered");
        assert_eq!(answer.trim(), "+OK");
    }
}

/// The server wants to know who asks, and believes it.
const AS_ANYBODY: &str = "Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, \
                          SignedHeaders=host, Signature=none\r\n";

/// An empty bucket on a server that speaks S3, which the tests of a program share.
#[derive(Debug)]
pub struct TestBucket {
    endpoint: SocketAddr,
    name: String,
}

impl TestBucket {
    /// Creates a bucket.
    pub fn create() -> Self {
        static SERVER: OnceLock<Running> = OnceLock::new();
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let server = SERVER.get_or_init(|| Running::start("with-s3", "$MORSEL_TEST_S3_ENDPOINT"));
        let endpoint = server.line.trim_start_matches("http://").parse().expect("an address");
        let name = format!("bucket-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let bucket = Self { endpoint, name };
        let status = bucket.send("PUT", "");
        assert!(status.contains(" 200 "), "{status}");
        bucket
    }

    /// The address of its server.
    pub fn endpoint(&self) -> SocketAddr {
        self.endpoint
    }

    /// The URL of the bucket on this server, or through a proxy.
    pub fn url(&self, endpoint: SocketAddr) -> String {
        format!("s3://{}?endpoint=http://{endpoint}&region=us-east-1", self.name)
    }

    /// Writes an object without the program, as a failing disk or an attacker might.
    pub fn overwrite(&self, key: &str, content: &str) {
        let mut stream = TcpStream::connect(self.endpoint).expect("it answers");
        let (name, length) = (&self.name, content.len());
        write!(
            stream,
            "PUT /{name}/{key} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{AS_ANYBODY}Content-Length: {length}\r\n\r\n{content}",
            self.endpoint
        )
        .expect("sent");
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status).expect("answered");
        assert!(status.contains(" 200 "), "{status}");
    }

    /// Reports whether an object exists.
    pub fn has(&self, key: &str) -> bool {
        self.send("HEAD", key).contains(" 200 ")
    }

    fn send(&self, method: &str, key: &str) -> String {
        let mut stream = TcpStream::connect(self.endpoint).expect("it answers");
        let name = &self.name;
        write!(
            stream,
            "{method} /{name}/{key} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{AS_ANYBODY}Content-Length: 0\r\n\r\n",
            self.endpoint
        )
        .expect("sent");
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status).expect("answered");
        status
    }
}

/// A PostgreSQL server of a test's own, which it may stop.
#[derive(Debug)]
pub struct Postgres {
    running: Running,
    restarted: Option<Child>,
}

impl Postgres {
    /// Starts a server with an empty database.
    pub fn start() -> Self {
        Self { running: Running::start("with-postgres", "$MORSEL_TEST_POSTGRES_URL"), restarted: None }
    }

    /// Its URL.
    pub fn url(&self) -> &str {
        &self.running.line
    }

    /// The socket that it listens on.
    pub fn socket(&self) -> PathBuf {
        self.folder().join(".s.PGSQL.5432")
    }

    fn folder(&self) -> PathBuf {
        let (_, folder) = self.url().split_once("host=").expect("a folder");
        PathBuf::from(folder)
    }

    /// Stops it; connections are closed.
    pub fn stop(&mut self) {
        let lock = self.folder().join("data/postmaster.pid");
        let pid = std::fs::read_to_string(&lock).expect("it runs");
        let pid = pid.lines().next().expect("a pid");
        assert!(Command::new("kill").args(["-INT", pid]).status().expect("kill runs").success());
        while lock.exists() {
            std::thread::yield_now();
        }
        if let Some(mut restarted) = self.restarted.take() {
            restarted.wait().expect("it ends");
        }
    }

    /// Starts it again, with the data that it had.
    pub fn start_again(&mut self) {
        let folder = self.folder();
        let command = std::fs::read_to_string(folder.join("data/postmaster.opts")).expect("how it was started");
        // As the owner of the data; PostgreSQL does not run as root.
        let script = r#"cd "$0" && user=$(stat -c %u data) && group=$(stat -c %g data) &&
            if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid "$user" --regid "$group" --clear-groups sh -c "exec $1"
            else set -- sh -c "exec $1"; fi && exec "$@" >again.log 2>&1"#;
        let mut start = Command::new("sh");
        start.args(["-c", script]).arg(&folder).arg(command.trim()).stdin(Stdio::null());
        self.restarted = Some(start.spawn().expect("a shell"));
        while !self.socket().exists() {
            std::thread::yield_now();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.restarted.is_some() {
            self.stop();
        }
    }
}
