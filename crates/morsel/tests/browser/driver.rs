//! Chromium, driven through chromedriver. The WebDriver protocol is JSON over HTTP, and half of the commands here are
//! Chromium's own (DevTools, browser log), which client libraries do not cover; one would save about 90 lines and add 15
//! crates.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A command that takes longer fails the test.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A browser with one window. It is closed when this value is dropped.
pub struct Driver {
    chromedriver: Child,
    address: SocketAddr,
    session: String,
    profile: TempDir,
}

impl Driver {
    /// Starts chromedriver on a free port, and Chromium with a profile of its own.
    pub async fn start() -> Self {
        let address = free_address();
        let chromedriver = Command::new("chromedriver")
            .args([format!("--port={}", address.port()), "--silent".to_owned()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start ({error}); run scripts/browser-tools"));
        let profile = TempDir::new().expect("a folder");
        let mut driver = Self { chromedriver, address, session: String::new(), profile };
        let started = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            assert!(started.elapsed() < TIMEOUT, "chromedriver does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        driver.session = driver.open_window().await;
        driver
    }

    async fn open_window(&self) -> String {
        let folder = format!("--user-data-dir={}", self.profile.path().display());
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--font-render-hinting=none",
            folder.as_str(),
        ];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let opened = self.send("POST", "/session", &capabilities).await.expect("chromium starts");
        opened["sessionId"].as_str().expect("a session").to_owned()
    }

    /// Sends a WebDriver command for the window; the error is the browser's.
    pub async fn command(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.send(method, &format!("/session/{}{path}", self.session), body).await
    }

    /// Sends a command of the DevTools protocol.
    pub async fn devtools(&self, name: &str, parameters: Value) -> Value {
        let body = json!({"cmd": name, "params": parameters});
        let done = self.command("POST", "/goog/cdp/execute", &body).await;
        done.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the new entries of the browser's log: script errors, blocked and failed requests.
    pub async fn log(&self) -> Vec<Value> {
        let log = self.command("POST", "/se/log", &json!({"type": "browser"})).await;
        log.expect("a log").as_array().cloned().unwrap_or_default()
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let exchange = async {
            let mut stream = TcpStream::connect(self.address).await.expect("chromedriver listens");
            stream.write_all(request.as_bytes()).await.expect("written");
            read_answer(&mut stream).await
        };
        let answer = timeout(TIMEOUT, exchange).await.map_err(|_| format!("{path}: the browser hangs"))?;
        let mut answer: Value = serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default())),
            None => Ok(value),
        }
    }

    /// Closes the browser.
    pub async fn stop(self) {
        let _ = self.command("DELETE", "", &Value::Null).await;
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.chromedriver.kill();
        let _ = self.chromedriver.wait();
    }
}

/// Reads the body of a response; chromedriver always keeps connections open.
async fn read_answer(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let read = stream.read_buf(&mut bytes).await.expect("a response");
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:")).expect("a length");
            let length: usize = length.trim().parse().expect("a number");
            if bytes.len() >= end + 4 + length {
                return bytes[end + 4..end + 4 + length].to_vec();
            }
        }
        assert!(read > 0, "chromedriver hung up");
    }
}

/// Returns an address with a free port.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address")
}
