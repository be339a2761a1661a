//! `morsel healthcheck`: whether a running server handles requests, for containers and supervisors without an HTTP client.
//!
//! It speaks HTTP itself, since it asks its own server: no proxy, no redirect, no TLS, and nothing that an empty file system
//! does not have.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::Value;

use super::args::UsageError;
use crate::config::{Config, Settings};

/// How long the server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The longest answer that is read.
const MAX_ANSWER: u64 = 64 * 1024;

/// Arguments of `morsel healthcheck`.
#[derive(Debug, Args)]
pub(super) struct HealthcheckArgs {
    /// URL to request, with http:// [default: /readyz at the address that the server listens on]
    #[arg(long)]
    url: Option<String>,
    /// Address and port that the server listens on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "MORSEL_LISTEN")]
    listen: Option<SocketAddr>,
    /// TOML file with the settings of the server
    #[arg(long, value_name = "FILE", env = "MORSEL_CONFIG")]
    config: Option<PathBuf>,
}

impl HealthcheckArgs {
    pub fn run(&self) -> Result<()> {
        let url = match &self.url {
            Some(url) => url.clone(),
            None => format!("http://{}/readyz", reachable(self.listen()?)),
        };
        let (authority, path) = split(&url)
            .ok_or_else(|| UsageError(format!("“{url}” does not look like http://127.0.0.1:8080/readyz")))?;
        let answer = request(&authority, &path).map_err(|error| match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => {
                anyhow::anyhow!("{url} did not answer within {} s", TIMEOUT.as_secs())
            }
            _ => anyhow::Error::new(error).context(format!("cannot reach {url}")),
        })?;
        match status(&answer).with_context(|| format!("{url} did not answer in HTTP"))? {
            200..=299 => Ok(()),
            status => bail!("{url} answered {status}: {}", reason(&answer)),
        }
    }

    fn listen(&self) -> Result<SocketAddr> {
        let file = self.config.as_deref().map(Settings::from_file).transpose().map_err(UsageError)?;
        Ok(self.listen.or(file.and_then(|file| file.listen)).unwrap_or(Config::DEFAULT_LISTEN))
    }
}

/// Returns the address under which this machine reaches a server that listens on all of its addresses.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Returns host and port of an `http` URL, and its path.
fn split(url: &str) -> Option<(String, String)> {
    let rest = url.strip_prefix("http://")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    if authority.is_empty() || authority.contains('@') || !is_plain(rest) {
        return None;
    }
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
    Some((authority, format!("/{path}")))
}

/// Sends the request and returns the whole answer.
fn request(authority: &str, path: &str) -> io::Result<Vec<u8>> {
    let until = Instant::now() + TIMEOUT;
    let left = || match until.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::Error::from(ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    let mut connected = None;
    for address in authority.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left()?) {
            Ok(stream) => {
                connected = Some(stream);
                break;
            }
            Err(error) => last = error,
        }
    }
    let mut stream = connected.ok_or(last)?;
    stream.set_write_timeout(Some(left()?))?;
    // In one piece: a proxy or server that answers the first packet must find the whole request in it.
    let head = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    let mut answer = Vec::new();
    let mut piece = [0; 4_096];
    while (answer.len() as u64) < MAX_ANSWER {
        stream.set_read_timeout(Some(left()?))?;
        match stream.read(&mut piece)? {
            0 => break,
            length => answer.extend_from_slice(&piece[..length]),
        }
    }
    Ok(answer)
}

/// Returns the status of an answer.
fn status(answer: &[u8]) -> Option<u16> {
    let line = answer.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    words.next()?.starts_with("HTTP/1.").then_some(())?;
    words.next()?.parse().ok()
}

/// Returns the sentence in the body of an error.
fn reason(answer: &[u8]) -> String {
    let body = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").map(|end| &answer[end + 4..]);
    let body: Value = body.and_then(|body| serde_json::from_slice(body).ok()).unwrap_or_default();
    body["error"].as_str().unwrap_or("no reason was given").to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_loopback() {
        for (listen, expected) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:9000", "[::1]:9000"),
            ("192.0.2.7:80", "192.0.2.7:80"),
            ("127.0.0.1:1", "127.0.0.1:1"),
        ] {
            assert_eq!(reachable(listen.parse().expect("an address")).to_string(), expected);
        }
    }

    #[test]
    fn urls_are_split_into_authority_and_path() {
        for (url, expected) in [
            ("http://127.0.0.1:8080/readyz", Some(("127.0.0.1:8080", "/readyz"))),
            ("http://food.test", Some(("food.test:80", "/"))),
            ("http://[::1]:1/a/b?c", Some(("[::1]:1", "/a/b?c"))),
            ("http://[::1]", Some(("[::1]:80", "/"))),
            ("https://food.test/readyz", None),
            ("http:///readyz", None),
            ("http://user@host/", None),
            ("http://host/a b", None),
            ("http://host/\r\nx", None),
            ("readyz", None),
        ] {
            let expected = expected.map(|(authority, path)| (authority.to_owned(), path.to_owned()));
            assert_eq!(split(url), expected, "{url}");
        }
    }

    #[test]
    fn answers_that_are_not_a_success_fail_with_their_reason() {
        for (answer, expected) in [
            ("HTTP/1.1 200 OK\r\n\r\nready\n", Ok(())),
            (
                "HTTP/1.1 503 x\r\na: b\r\n\r\n{\"error\": \"The server is stopping.\"}",
                Err("503: The server is stopping."),
            ),
            ("HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n", Err("302: no reason was given")),
            ("SSH-2.0-x\r\n", Err("did not answer in HTTP")),
            ("", Err("did not answer in HTTP")),
        ] {
            let server = TcpListener::bind("127.0.0.1:0").expect("a port");
            let url = format!("http://{}/readyz", server.local_addr().expect("an address"));
            let serving = std::thread::spawn(move || {
                let (mut stream, _) = server.accept().expect("a client");
                let mut head = Vec::new();
                let mut reader = BufReader::new(&stream);
                while !head.ends_with(b"\r\n\r\n") {
                    assert_ne!(reader.read_until(b'\n', &mut head).expect("a request"), 0, "the request ends early");
                }
                stream.write_all(answer.as_bytes()).expect("sent");
                String::from_utf8(head).expect("text")
            });
            let checked = HealthcheckArgs { url: Some(url), listen: None, config: None }.run();
            let head = serving.join().expect("no panic");
            assert!(head.starts_with("GET /readyz HTTP/1.1\r\n"), "{head}");
            match expected {
                Ok(()) => checked.expect("healthy"),
                Err(part) => {
                    let error = checked.expect_err("unhealthy").to_string();
                    assert!(error.contains(part), "{error}");
                }
            }
        }
    }
}
