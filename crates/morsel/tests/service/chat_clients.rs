//! Client libraries of other services, as published, against a server on a port of its own.

use std::path::Path;
use std::process::Stdio;

use crate::harness::Service;
use crate::sockets::Running;
use test_support::on_sqlite;

#[tokio::test(flavor = "multi_thread")]
async fn client_libraries_work_unchanged() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let running = Running::start(&service).await;
        let (url, key) = (format!("http://{}", running.address), service.key.clone());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let clients = tokio::task::spawn_blocking(move || {
            let mut command = std::process::Command::new(root.join("scripts/chat-clients"));
            command.args([url, key]).stdin(Stdio::null()).output().expect("scripts/chat-clients runs")
        });
        let output = clients.await.expect("no panic");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}\nIf something is missing, run scripts/chat-clients --install.");
        assert_eq!(text.matches("… ok").count(), 8, "{text}");
        drop(running);
    })
    .await;
}
