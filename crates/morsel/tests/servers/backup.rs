//! A backup of what several servers share, with PostgreSQL's own programs.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use test_support::on_postgres;

use crate::cluster::{Cluster, PATIENT, url_of};
use crate::server::{Server, printed};

/// Runs a program of PostgreSQL. Of the parameters of the URL, it knows only where the server is.
fn postgres_program(name: &str, url: &str, arguments: &[&str], file: &Path) {
    let (place, parameters) = url.split_once('?').unwrap_or((url, ""));
    let host: Vec<&str> = parameters.split('&').filter(|parameter| parameter.starts_with("host=")).collect();
    let url = format!("{place}?{}", host.join("&"));
    let output = Command::new(name).args(["--dbname", &url]).args(arguments).arg(file).output();
    printed(&output.unwrap_or_else(|error| panic!("{name} starts: {error}")));
}

#[tokio::test]
async fn a_dump_taken_while_servers_write_is_restored_and_served() {
    let folder = TempDir::new().expect("a folder");
    let dump = folder.path().join("morsel.dump");
    on_postgres(async |database| {
        let cluster = Cluster::start(2, url_of(database), PATIENT);
        let revoked = cluster.account("revoked@example.com", "pro");
        printed(&cluster.morsel(&["key", "revoke", &revoked[revoked.len() - 4..]]));
        let save = |n: usize| {
            let recipe = format!(r#"{{"name": "Stew number {n}", "calories": {}}}"#, 100 + n);
            assert_eq!(cluster.call(n % 2, "POST", "/v1/recipes", &cluster.key, &recipe).status, 201);
        };
        (0..20).for_each(save);
        std::thread::scope(|scope| {
            scope.spawn(|| (20..60).for_each(save));
            postgres_program("pg_dump", url_of(database), &["--format=custom", "--file"], &dump);
        });
        let key = &cluster.key;
        on_postgres(async |other| {
            postgres_program("pg_restore", url_of(other), &["--exit-on-error", "--no-owner"], &dump);
            let mut program = Command::new(env!("CARGO_BIN_EXE_morsel"));
            program.env("MORSEL_DATABASE_URL", url_of(other));
            let server = Server::start_with(program, &folder.path().join("restored"));
            assert_eq!(server.welcome, "", "the owner is there already");
            let estimate = |text: &str| {
                let body = format!(r#"{{"messages": [{{"role": "user", "content": "{text}"}}]}}"#);
                server.request("POST", "/v1/estimate/sync", key, &body).expect("answered")
            };
            for n in 0..20 {
                let (status, body) = estimate(&format!("one stew number {n}"));
                assert!(status == 200 && body.contains(&format!(r#""calories":{}.0,"#, 100 + n)), "{status}: {body}");
            }
            let (status, body) = server.request("GET", "/v1/recipes", &revoked, "").expect("answered");
            assert!(status == 401 && body.contains("revoked_key"), "{status}: {body}");
            let (status, body) = server
                .request("POST", "/v1/recipes", key, r#"{"name": "Wubberlump", "calories": 321}"#)
                .expect("answered");
            assert_eq!(status, 201, "{body}");
        })
        .await;
    })
    .await;
}
