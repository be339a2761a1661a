//! Client libraries of other services, as published, against the program.

#[path = "program/server.rs"]
#[allow(dead_code, reason = "other tests stop the server and send requests")]
mod server;

use std::path::Path;
use std::process::Command;

use server::Server;

/// The script installs the clients if they are missing, and checks what they make of our answers.
#[test]
fn published_clients_work_with_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("data"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/compat-clients");
    let url = format!("http://{}", server.address);
    let output = Command::new(script).args([url, server.key()]).output().expect("the script runs");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{error}");
    assert_eq!(out.lines().count(), 2, "both languages: {out}");
}
