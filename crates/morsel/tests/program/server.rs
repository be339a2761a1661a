//! A server, started as a person would.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server; killed when dropped.
pub struct Server {
    pub process: Child,
    /// The address that it says, which is its public one if it has one.
    pub address: String,
    /// What it printed on stdout before it was ready.
    pub welcome: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone in the tests that stop it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub fn start(data_dir: &Path) -> Self {
        Self::start_with(Command::new(env!("CARGO_BIN_EXE_morsel")), data_dir)
    }

    /// Starts the server by a command that takes its arguments.
    pub fn start_with(mut command: Command, data_dir: &Path) -> Self {
        let mut process = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data-dir"])
            .arg(data_dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut log = BufReader::new(process.stderr.take().expect("piped"));
        let mut seen = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).expect("readable") > 0, "it ended: {seen}");
            if let Some(address) = line.strip_prefix("morsel: ready at http://") {
                break address.trim().to_owned();
            }
            seen.push_str(&line);
        };
        // Writing to a closed pipe would fail, so the rest of the log is read and discarded.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let mut server = Self { process, address, welcome: String::new() };
        // A busy machine has warnings in the log; a server that finds an owner says where the data is.
        if !seen.contains("morsel: data in ") {
            let mut out = BufReader::new(server.process.stdout.take().expect("piped"));
            while !server.welcome.contains("Try it") || !server.welcome.ends_with("}'\n\n") {
                assert!(out.read_line(&mut server.welcome).expect("readable") > 0, "{}", server.welcome);
            }
        }
        server
    }

    pub fn key(&self) -> String {
        let at = self.welcome.find("svc_live_").expect("a key");
        self.welcome[at..].split_whitespace().next().expect("a key").to_owned()
    }

    pub fn request(&self, method: &str, path: &str, key: &str, body: &str) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_mins(1)))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}",
            self.address
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status = answer.get(9..12).and_then(|status| status.parse().ok());
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        status.map(|status| (status, body.to_owned())).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
    }

    pub fn stop(&mut self) -> bool {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        self.process.wait().expect("it ends").success()
    }
}

pub fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn printed(output: &std::process::Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
