//! `morsel serve` and the administrative commands, run as a person runs them.

mod program;
#[path = "program/server.rs"]
mod server;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use program::morsel;
use serde_json::Value;
use server::{Server, printed, stderr};

#[test]
fn a_first_start_shows_a_key_that_works_and_a_second_shows_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let data_dir = folder.path().join("data");
    let mut first = Server::start(&data_dir);
    for part in ["owner@localhost", "/sign-in/", "svc_live_", "curl http://127.0.0.1:", "shown only once"] {
        assert!(first.welcome.contains(part), "{part}: {}", first.welcome);
    }
    let key = first.key();
    // The curl command, pasted into a shell.
    let curl = &first.welcome[first.welcome.find("curl ").expect("a line")..];
    let pasted = Command::new("sh").arg("-c").arg(curl).output().expect("a shell");
    let answer: Value = serde_json::from_slice(&pasted.stdout).expect("JSON");
    assert_eq!(answer["items"].as_array().map(Vec::len), Some(2), "{answer}");
    let body = r#"{"name": "Soup", "calories": 5}"#;
    assert_eq!(first.request("POST", "/v1/recipes", &key, body).expect("answered").0, 201);
    assert!(first.stop(), "it stops cleanly");
    let mut second = Server::start(&data_dir);
    assert_eq!(second.welcome, "");
    let (status, list) = second.request("GET", "/v1/recipes", &key, "").expect("answered");
    assert!(status == 200 && list.contains("Soup"), "{list}");
    assert_eq!(second.request("GET", "/readyz", "", "").expect("answered").0, 200);
    let (status, metrics) = second.request("GET", "/metrics", "", "").expect("answered");
    assert!(status == 200 && metrics.contains("morsel_requests_total"), "{metrics}");
    assert!(second.stop());
    // Usage is written when the program stops, if not earlier.
    let listed = printed(&morsel(&data_dir, &["key", "list", "--json"]));
    let keys: Value = serde_json::from_str(&listed).expect("JSON");
    assert!(keys[0]["last_used_at"].is_string() && keys[0]["last_used_from"] == "127.0.0.1", "{keys}");
    assert!(!listed.contains(&key), "only the prefix and the last four characters are stored");
}

/// As in `morsel serve | head -1`.
#[test]
fn a_reader_that_leaves_does_not_stop_a_first_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Command::new(env!("CARGO_BIN_EXE_morsel"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(process.stdout.take());
    let mut log = BufReader::new(process.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let said: Vec<String> = log.by_ref().take_while(|line| !line.contains("ready at")).collect();
    let is_running = process.try_wait().expect("known").is_none();
    let _ = process.kill();
    let _ = process.wait();
    assert!(is_running, "{said:?}");
    assert!(said.iter().any(|line| line.contains("could not print the first key")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("morsel key create")), "{said:?}");
}

#[test]
fn pages_are_logged_for_debugging_only_and_a_restart_says_how_to_get_in() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(Server::start(folder.path()).stop());
    let log = |level: &str| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_morsel"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log-level", level, "--data-dir"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stderr = BufReader::new(process.stderr.take().expect("piped"));
        let mut seen = String::new();
        while !seen.contains("morsel: ready at http://") {
            assert!(stderr.read_line(&mut seen).expect("readable") > 0, "it ended: {seen}");
        }
        let address = seen.rsplit("http://").next().expect("an address").trim().to_owned();
        let mut server = Server { process, address, welcome: String::new() };
        assert_eq!(server.request("GET", "/sign-in", "", "").expect("answered").0, 200);
        assert_eq!(server.request("GET", "/v1/foods?q=egg", "", "").expect("answered").0, 401);
        assert!(server.stop());
        stderr.read_to_string(&mut seen).expect("readable");
        seen
    };
    let usual = log("info");
    assert!(usual.contains("morsel account sign-in") && usual.contains("morsel key create"), "{usual}");
    assert!(usual.contains("route=\"GET /v1/foods\"") && !usual.contains("/sign-in\""), "{usual}");
    let all = log("debug");
    assert!(all.contains("route=\"/sign-in\"") && all.contains("route=\"GET /v1/foods\""), "{all}");
}

#[test]
fn keys_created_and_revoked_while_a_server_runs_take_effect_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let create = ["key", "create", "--email", "Dev@Example.com", "--test", "--label", "ci", "--scopes", "foods:read"];
    let key = printed(&morsel(folder.path(), &create));
    assert!(key.starts_with("svc_test_") && !key.contains('\n'), "the key alone: {key}");
    assert_eq!(server.request("GET", "/v1/foods?q=egg", &key, "").expect("answered").0, 200);
    assert_eq!(server.request("GET", "/v1/recipes", &key, "").expect("answered").0, 403);
    let backup = folder.path().join("backup.db");
    printed(&morsel(folder.path(), &["backup", backup.to_str().expect("a path")]));
    let last_four = &key[key.len() - 4..];
    assert!(morsel(folder.path(), &["key", "revoke", last_four]).status.success());
    let (status, body) = server.request("GET", "/v1/foods?q=egg", &key, "").expect("answered");
    assert!(status == 401 && body.contains("revoked_key"), "{body}");
    let accounts = printed(&morsel(folder.path(), &["account", "list", "--json"]));
    assert!(accounts.contains("dev@example.com") && accounts.contains("owner@localhost"), "{accounts}");
    printed(&morsel(folder.path(), &["account", "set-plan", "--email", "dev@example.com", "--plan", "pro"]));
    assert!(printed(&morsel(folder.path(), &["account", "list"])).contains("pro"));
    let link = printed(&morsel(folder.path(), &["account", "sign-in", "--email", "dev@example.com"]));
    assert!(link.starts_with("http://127.0.0.1:8080/sign-in/"), "{link}");
    let reset = morsel(folder.path(), &["account", "reset-second-factor", "--email", "dev@example.com"]);
    assert!(String::from_utf8_lossy(&reset.stderr).contains("dev@example.com was already off"), "{reset:?}");
    let nobody = morsel(folder.path(), &["account", "reset-second-factor", "--email", "nobody@example.com"]);
    assert!(!nobody.status.success() && String::from_utf8_lossy(&nobody.stderr).contains("no account"), "{nobody:?}");
    // The backup is a whole database.
    let restored = folder.path().join("restored");
    printed(&morsel(&restored, &["restore", backup.to_str().expect("a path")]));
    assert!(printed(&morsel(&restored, &["key", "list"])).contains(last_four));
}

/// Counts the requests in the log of the owner.
fn logged(data_dir: &Path) -> u64 {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = store::Store::open(&store::Location::Sqlite(data_dir.join("morsel.db"))).await.expect("opens");
        let owner = store.accounts().list().await.expect("read").remove(0);
        let count = store.request_log().count(&owner.id).await.expect("read");
        store.close().await;
        count
    })
}

#[test]
fn the_request_log_survives_a_stop_and_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let key = server.key();
    let search = |server: &Server| server.request("GET", "/v1/foods?q=egg", &key, "").expect("answered").0;
    for _ in 0..25 {
        assert_eq!(search(&server), 200);
    }
    assert!(server.stop());
    assert_eq!(logged(folder.path()), 25, "nothing is lost by stopping");
    let server = Server::start(folder.path());
    for _ in 0..5 {
        assert_eq!(search(&server), 200);
    }
    let end = std::time::Instant::now() + Duration::from_secs(20);
    while logged(folder.path()) < 30 {
        assert!(std::time::Instant::now() < end, "requests are written within a second");
        std::thread::sleep(Duration::from_millis(50));
    }
    // Kills it.
    drop(server);
    let mut server = Server::start(folder.path());
    assert_eq!(logged(folder.path()), 30, "what was written stays");
    assert_eq!(search(&server), 200);
    assert!(server.stop());
    assert_eq!(logged(folder.path()), 31);
}

#[test]
fn every_mistake_is_reported_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("one"));
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("written");
    let broken = folder.path().join("broken");
    std::fs::create_dir(&broken).expect("a folder");
    std::fs::write(broken.join("morsel.db"), "this is not a database but a text of some length").expect("written");
    let config = folder.path().join("morsel.toml");
    std::fs::write(&config, "lisen = \"127.0.0.1:0\"\npassword = \"hunter2\"").expect("written");
    let config = config.to_str().expect("a path");
    let any = ["--listen", "127.0.0.1:0"];
    for (data_dir, arguments, code, part) in [
        ("two", vec!["--listen", server.address.as_str()], 1, "--listen"),
        ("file", any.to_vec(), 1, "--data-dir"),
        ("broken", any.to_vec(), 1, "not a SQLite database"),
        ("three", [&any[..], &["--database-url", "postgres://u:hunter2@127.0.0.1:1/x"]].concat(), 1, "cannot connect"),
        ("three", [&any[..], &["--database-url", "mysql://u:hunter2@h/x"]].concat(), 1, "postgres://"),
        ("three", vec!["--plan-limits", "gold=5"], 2, "gold=5"),
        ("three", vec!["--no-such-flag"], 2, "--no-such-flag"),
        ("three", vec!["--config", config], 2, "lisen"),
        ("three", vec!["--config", "/nowhere.toml"], 2, "/nowhere.toml"),
    ] {
        let mut all = vec!["serve"];
        all.extend(&arguments);
        let output = morsel(&folder.path().join(data_dir), &all);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert!(!error.contains("hunter2"), "a secret: {error}");
        assert!(!error.contains("panicked"), "{error}");
        assert!(output.stdout.is_empty(), "nothing was started");
    }
    for (arguments, part) in [
        (vec!["key", "create", "--email", "nobody"], "email address"),
        (vec!["key", "create", "--email", "a@b.c", "--scopes", "cook"], "cook"),
        (vec!["key", "create", "--email", "a@b.c", "--expires", "2020-01-01"], "in the past"),
        (vec!["account", "set-plan", "--email", "a@b.c", "--plan", "gold"], "gold"),
    ] {
        let output = morsel(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    assert_eq!(morsel(folder.path(), &["key", "revoke", "zzzz"]).status.code(), Some(1));
}

#[test]
fn a_killed_server_has_every_recipe_that_it_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let key = server.key();
    let mut acknowledged = Vec::new();
    for round in 0..8 {
        let (enough, wait) = std::sync::mpsc::channel();
        let pid = server.process.id().to_string();
        let killer = std::thread::spawn(move || {
            wait.recv().expect("some recipes are saved");
            Command::new("kill").args(["-KILL", &pid]).status().expect("kill runs");
        });
        for count in 0.. {
            let name = format!("recipe {round} {count}");
            match server.request("POST", "/v1/recipes", &key, &format!("{{\"name\": \"{name}\"}}")) {
                Ok((201, _)) => {
                    acknowledged.push(name);
                    // The next request is on its way while the server is killed.
                    if count == round {
                        enough.send(()).expect("it waits");
                    }
                }
                // The server was killed.
                _ => break,
            }
            assert!(count < 10_000, "it was never killed");
        }
        killer.join().expect("no panic");
        server = Server::start(folder.path());
    }
    let (status, list) = server.request("GET", "/v1/recipes", &key, "").expect("answered");
    assert_eq!(status, 200);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let names: Vec<&str> =
        list["recipes"].as_array().expect("a list").iter().filter_map(|recipe| recipe["name"].as_str()).collect();
    assert!(acknowledged.len() > 8, "{}", acknowledged.len());
    for name in &acknowledged {
        assert!(names.contains(&name.as_str()), "{name} was acknowledged and is lost");
    }
}

/// Starts a server whose files cannot be made larger while [`fill_disk`] says so, which is as good as a full disk. The
/// system would end the program at the first such write; it is started with that signal ignored.
#[cfg(target_os = "linux")]
fn start_on_small_disk(data_dir: &Path) -> Server {
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#, env!("CARGO_BIN_EXE_morsel")]);
    Server::start_with(command, data_dir)
}

#[cfg(target_os = "linux")]
fn fill_disk(server: &Server, is_full: bool) {
    let limit = if is_full { 4_096 } else { u64::MAX };
    let pid = i32::try_from(server.process.id()).expect("a pid");
    rlimit::prlimit(pid, rlimit::Resource::FSIZE, Some((limit, u64::MAX)), None).expect("set");
}

#[cfg(target_os = "linux")]
impl Server {
    fn save_recipe(&self, key: &str) -> u16 {
        self.request("POST", "/v1/recipes", key, r#"{"name": "Soup", "calories": 5}"#).expect("answered").0
    }

    /// Waits until `/readyz` has this status. It checks at most once a second.
    fn wait_until_ready_is(&self, expected: u16) {
        while self.request("GET", "/readyz", "", "").expect("answered").0 != expected {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn after_a_full_disk_the_server_writes_again_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = start_on_small_disk(folder.path());
    let key = server.key();
    assert_eq!(server.save_recipe(&key), 201);
    for _ in 0..2 {
        fill_disk(&server, true);
        for _ in 0..5 {
            assert_eq!(server.save_recipe(&key), 503, "a failure of the moment, every time");
        }
        server.wait_until_ready_is(503);
        let estimate = r#"{"messages": [{"role": "user", "content": "an egg"}]}"#;
        let (status, body) = server.request("POST", "/v1/estimate/sync", &key, estimate).expect("answered");
        assert_eq!(status, 200, "what needs no disk goes on: {body}");
        fill_disk(&server, false);
        assert_eq!(server.save_recipe(&key), 201);
        server.wait_until_ready_is(200);
    }
    let (_, list) = server.request("GET", "/v1/recipes", &key, "").expect("answered");
    assert_eq!(list.matches("Soup").count(), 3, "what was acknowledged, and nothing else: {list}");
    // Usage could not be written for a while; now it is, or at the latest at the end.
    assert!(server.stop(), "it stops cleanly");
    let keys: Value = serde_json::from_str(&printed(&morsel(folder.path(), &["key", "list", "--json"]))).expect("JSON");
    assert!(keys[0]["last_used_at"].is_string(), "{keys}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_stops_cleanly_while_the_disk_is_full() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = start_on_small_disk(folder.path());
    let key = server.key();
    fill_disk(&server, true);
    assert_eq!(server.save_recipe(&key), 503);
    assert!(server.stop(), "with success");
    let server = Server::start(folder.path());
    assert_eq!(server.save_recipe(&key), 201);
}

#[test]
fn a_request_that_was_running_when_the_server_was_killed_can_be_sent_again_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let key = server.key();
    drop(server);
    // What a server leaves that is killed while it handles a request.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = store::Store::open(&store::Location::Sqlite(folder.path().join("morsel.db"))).await.expect("opens");
        let account = store.accounts().list().await.expect("read").remove(0).id;
        let begun = store.idempotency().begin(&account, "once", &[0; 32], jiff::Timestamp::now()).await;
        assert!(matches!(begun, Ok(store::Begin::Fresh(_))), "{begun:?}");
        store.close().await;
    });
    let server = Server::start(folder.path());
    let body = r#"{"name": "Soup"}"#;
    let mut stream = TcpStream::connect(&server.address).expect("connected");
    write!(
        stream,
        "POST /v1/recipes HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {key}\r\nIdempotency-Key: once\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answered");
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
}
