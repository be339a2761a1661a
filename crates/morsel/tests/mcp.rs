//! `morsel mcp` as an assistant runs it, and both transports of the protocol with its official client.

#![allow(clippy::needless_pass_by_value, reason = "so that a call reads well with whatever its arguments are made of")]

mod program;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use program::morsel;
use serde_json::{Value, json};

/// The program on its standard streams; killed when dropped.
struct Assistant {
    process: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // Already gone in the tests that end it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Assistant {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_morsel"))
            .arg("mcp")
            .args(arguments)
            .env_remove("MORSEL_DATA_DIR")
            .env_remove("MORSEL_DATABASE_URL")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Self { process, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("it reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).expect("it writes") > 0, "it ended");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], method, "{answer}");
        answer
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments}))["result"].clone()
    }

    fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().expect("tools");
        tools.iter().filter_map(|tool| tool["name"].as_str()).map(str::to_owned).collect()
    }
}

#[test]
fn it_answers_without_data_server_or_key() {
    let mut assistant = Assistant::start(&[]);
    let connected = assistant.ask("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
    assert_eq!(connected["result"]["protocolVersion"], "2025-06-18");
    assistant.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assistant.send("");
    assert_eq!(assistant.tools(), ["estimate_meal", "search_foods", "get_food", "lookup_barcode", "compare_foods"]);
    let folder = tempfile::tempdir().expect("a folder");
    let printed = morsel(folder.path(), &["estimate", "two eggs and a slice of toast", "--json"]).stdout;
    let meal = assistant.call("estimate_meal", json!({"text": "two eggs and a slice of toast"}));
    assert_eq!(meal["structuredContent"], serde_json::from_slice::<Value>(&printed).expect("JSON"));
    let printed = morsel(folder.path(), &["foods", "greek yogurt", "--json"]).stdout;
    let found = assistant.call("search_foods", json!({"query": "greek yogurt"}));
    assert_eq!(found["structuredContent"], serde_json::from_slice::<Value>(&printed).expect("JSON"));
    let milk = assistant.call("get_food", json!({"id": "fndds_11100000", "amount": 100, "unit": "g"}));
    assert_eq!(milk["structuredContent"]["amount"]["grams"]["grams"], 100.0);
    assert_eq!(assistant.call("estimate_meal", json!({"image_base64": "x"}))["isError"], true);
    let hidden = assistant.ask("tools/call", json!({"name": "list_recipes"}));
    assert_eq!(hidden["error"]["code"], 403, "{hidden}");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = assistant.ask("server/discover", json!({"_meta": meta}));
    assert_eq!(discovered["result"]["supportedVersions"][0], "2026-07-28");
    for (line, code) in [("{", -32700), ("[]", -32600), ("{}", -32600)] {
        assistant.send(line);
        assert_eq!(assistant.receive()["error"]["code"], code, "{line}");
    }
    assistant.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gone"}}"#);
    // The last request is answered although the input ends behind it.
    assistant.send(r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#);
    drop(assistant.input.take());
    let mut rest = String::new();
    assistant.output.read_line(&mut rest).expect("it writes");
    assert_eq!(rest, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n");
    assert!(assistant.process.wait().expect("it ends").success());
}

#[test]
fn a_data_directory_brings_its_recipes() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    let mut assistant = Assistant::start(&["--data-dir", data]);
    assert_eq!(assistant.tools().len(), 5, "nobody has an account yet");
    for email in ["ann@example.com", "ben@example.com"] {
        let created = morsel(folder.path(), &["account", "create", "--email", email]);
        assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    }
    let output = morsel(folder.path(), &["mcp"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--account"));
    let mut assistant = Assistant::start(&["--data-dir", data, "--account", "ann@example.com"]);
    assert_eq!(assistant.tools().len(), 8);
    let saved = assistant.call("save_recipe", json!({"name": "Ann's stew", "calories": 432}));
    assert_eq!(saved["structuredContent"]["message"], "Recipe created");
    let meal = assistant.call("estimate_meal", json!({"text": "Ann's stew"}));
    assert_eq!(meal["structuredContent"]["totals"]["calories"], 432.0);
    let mut other = Assistant::start(&["--data-dir", data, "--account", "ben@example.com"]);
    assert_eq!(other.call("list_recipes", json!({}))["structuredContent"], json!({"recipes": []}));
    let output = morsel(&folder.path().join("none"), &["mcp"]);
    assert_eq!(output.status.code(), Some(2), "a mistyped directory is not created");
}

/// A server with a public name; killed when dropped.
struct NamedServer {
    process: Child,
    port: u16,
    key: String,
}

impl Drop for NamedServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl NamedServer {
    fn start(data_dir: &Path) -> Self {
        // The program says its public name, not its port: this one is free.
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
        let mut process = Command::new(env!("CARGO_BIN_EXE_morsel"))
            .args(["serve", "--base-url", "https://food.test", "--log-level", "warn", "--listen"])
            .arg(format!("127.0.0.1:{port}"))
            .arg("--data-dir")
            .arg(data_dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let line_with = |output: &mut dyn std::io::BufRead, part: &str| loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).expect("readable") > 0, "it ended before it said “{part}”");
            if line.contains(part) {
                return line;
            }
        };
        let welcome = line_with(&mut BufReader::new(process.stdout.take().expect("piped")), "svc_live_");
        let key = welcome.split_whitespace().find(|word| word.starts_with("svc_live_")).expect("a key").to_owned();
        let mut log = BufReader::new(process.stderr.take().expect("piped"));
        line_with(&mut log, "ready at");
        // Writing to a closed pipe would fail, so the rest of the log is read and discarded.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { process, port, key }
    }
}

/// Imports a product with a barcode: none that ships has one.
fn import_product(data_dir: &Path) {
    let file = data_dir.join("products.csv");
    let columns =
        "code\tproduct_name\tbrands\tserving_size\tenergy-kcal_100g\tproteins_100g\tcarbohydrates_100g\tfat_100g";
    let product = "4006381333931\tOat biscuits\tGrunau\t1 biscuit (12,5 g)\t478\t6.1\t66\t20";
    std::fs::write(&file, format!("{columns}\n{product}\n")).expect("written");
    let imported = morsel(data_dir, &["import", "off", file.to_str().expect("a path")]);
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
}

/// Runs the official client.
fn run_client(arguments: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/mcp-client-test");
    let output = Command::new(script).args(arguments).output().expect("the script runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    // Shown with --nocapture.
    eprint!("{out}");
}

#[test]
#[ignore = "needs the official client: scripts/mcp-client-test --install"]
fn the_official_client_works_over_http_under_a_public_name() {
    let folder = tempfile::tempdir().expect("a folder");
    import_product(folder.path());
    let server = NamedServer::start(folder.path());
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    run_client(&[&url, &server.key, "food.test"]);
    run_client(&[&url, &server.key]);
}

#[test]
#[ignore = "needs the official client: scripts/mcp-client-test --install"]
fn the_official_client_works_over_the_standard_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let created = morsel(folder.path(), &["account", "create", "--email", "ann@example.com"]);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    import_product(folder.path());
    run_client(&["--", env!("CARGO_BIN_EXE_morsel"), "mcp"]);
    let data = folder.path().to_str().expect("a path");
    run_client(&["--", env!("CARGO_BIN_EXE_morsel"), "mcp", "--data-dir", data]);
}
