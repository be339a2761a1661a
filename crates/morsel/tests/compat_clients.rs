//! Client libraries of other services, as published, against the program.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server; killed when dropped.
struct Server {
    process: Child,
    url: String,
    key: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server on a new data directory, where it prints a key.
    fn start(data_dir: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_morsel"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data-dir"])
            .arg(data_dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut log = BufReader::new(process.stderr.take().expect("piped"));
        let mut line = String::new();
        let url = loop {
            line.clear();
            assert!(log.read_line(&mut line).expect("readable") > 0, "it ended");
            if let Some(url) = line.strip_prefix("morsel: ready at ") {
                break url.trim().to_owned();
            }
        };
        // Writing to a closed pipe would fail, so the rest is read and discarded.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let mut out = BufReader::new(process.stdout.take().expect("piped"));
        let key = loop {
            line.clear();
            assert!(out.read_line(&mut line).expect("readable") > 0, "no key was printed");
            if let Some(at) = line.find("svc_live_") {
                break line[at..].trim().to_owned();
            }
        };
        std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
        Self { process, url, key }
    }
}

/// The script installs the clients if they are missing, and checks what they make of our answers.
#[test]
fn published_clients_work_with_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("data"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/compat-clients");
    let output = Command::new(script).args([&server.url, &server.key]).output().expect("the script runs");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{error}");
    assert_eq!(out.lines().count(), 2, "both languages: {out}");
}
