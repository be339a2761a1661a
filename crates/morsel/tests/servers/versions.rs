//! Two versions at once, as while servers are replaced one by one.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use test_support::on_postgres;

use crate::cluster::{Cluster, EGG, send, url_of};
use crate::server::{Server, printed, stderr};

fn program(path: &str, database_url: &str) -> Command {
    let mut command = Command::new(path);
    command.env("MORSEL_DATABASE_URL", database_url);
    command
}

/// Runs a command of a version on the database.
fn run(path: &str, database_url: &str, data_dir: &Path, arguments: &[&str]) -> Output {
    program(path, database_url).args(arguments).env("MORSEL_DATA_DIR", data_dir).output().expect("the program starts")
}

/// Saves a recipe twice with the same idempotency key, once on each of two servers, and estimates it on both.
fn both_ways(from: &Server, to: &Server, key: &str, name: &str) {
    let authorization = format!("Bearer {key}");
    let headers = [("Authorization", authorization.as_str()), ("Idempotency-Key", name)];
    let recipe = format!(r#"{{"name": "{name}", "calories": 321}}"#);
    let save = |server: &Server| send(&server.address, "POST", "/v1/recipes", &headers, &recipe).expect("answered");
    let (first, again) = (save(from), save(to));
    assert_eq!((first.status, again.status), (201, 201), "{} {}", first.body, again.body);
    assert_eq!(first.json()["id"], again.json()["id"], "it is saved once");
    let text = format!(r#"{{"messages": [{{"role": "user", "content": "one {name}"}}]}}"#);
    for server in [to, from] {
        let (status, body) = server.request("POST", "/v1/estimate/sync", key, &text).expect("answered");
        assert!(status == 200 && body.contains("321"), "{status}: {body}");
    }
}

#[tokio::test]
#[ignore = "needs the program of the version before, in MORSEL_PREVIOUS; scripts/side-by-side runs it"]
async fn this_version_and_the_previous_one_serve_side_by_side() {
    let previous = std::env::var("MORSEL_PREVIOUS").expect("MORSEL_PREVIOUS names the previous program");
    let this = env!("CARGO_BIN_EXE_morsel");
    on_postgres(async |database| {
        let (url, folder) = (url_of(database), TempDir::new().expect("a folder"));
        let start = |path: &str, name: &str| Server::start_with(program(path, url), &folder.path().join(name));
        let mut old = start(&previous, "old");
        let key = old.key();
        let operator = folder.path().join("operator");
        let create = ["key", "create", "--email", "owner@localhost"];
        let made_before = printed(&run(&previous, url, &operator, &create));
        // The tables change under the older server, which goes on.
        let mut new = start(this, "new");
        both_ways(&old, &new, &key, "plonkedoodle");
        both_ways(&new, &old, &key, "wubberlump");
        // Servers that run go on; the older version does not start on the newer tables.
        let refused = run(&previous, url, &operator, &create);
        assert!(stderr(&refused).contains("newer version"), "{}", stderr(&refused));
        let made_after = printed(&run(this, url, &operator, &create));
        for made in [made_before, made_after] {
            let status = |server: &Server| server.request("POST", "/v1/estimate/sync", &made, EGG).expect("answered").0;
            assert_eq!([&old, &new].map(status), [200; 2]);
            printed(&run(this, url, &operator, &["key", "revoke", &made[made.len() - 4..]]));
            // Without Redis, a server hears of it within a moment.
            Cluster::wait("the key is refused everywhere", || [&old, &new].map(status) == [401; 2]);
        }
        for server in [&old, &new] {
            let (status, ready) = server.request("GET", "/readyz", &key, "").expect("answered");
            assert_eq!(status, 200, "{ready}");
        }
        assert!(old.stop() && new.stop(), "both stop cleanly");
    })
    .await;
}
