//! What operators do around a server: backups, health checks, secrets in files.

mod program;
#[path = "program/server.rs"]
mod server;

use std::process::Command;

use program::morsel;
use server::{Server, printed, stderr};

/// A tiny picture as a body of an upload.
const UPLOAD: &str = r#"{"image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mNocFCgKWIYtWDUglELRi0YtWDUglELRi0YtWDUglELhooFAMqGgC7FCDG7AAAAAElFTkSuQmCC"}"#;

#[test]
fn a_backup_taken_while_a_server_runs_is_restored_with_key_recipe_and_photo() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, backup) = (folder.path().join("data"), folder.path().join("backup"));
    let backup = backup.to_str().expect("a path");
    let mut server = Server::start(&data);
    let key = server.key();
    let body = r#"{"name": "Soup", "calories": 5}"#;
    assert_eq!(server.request("POST", "/v1/recipes", &key, body).expect("answered").0, 201);
    let (status, uploaded) = server.request("POST", "/v1/upload/base64", &key, UPLOAD).expect("answered");
    assert_eq!(status, 200, "{uploaded}");
    let photo = uploaded[uploaded.find("/v1/images/").expect("a URL")..].split('"').next().expect("a path").to_owned();
    assert!(stderr(&morsel(&data, &["backup", backup])).contains("1 photos"), "the photo is in the backup");
    assert_eq!(server.request("POST", "/v1/recipes", &key, r#"{"name": "Late"}"#).expect("answered").0, 201);

    let refused = morsel(&data, &["restore", backup, "--replace"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("is in use; stop the server first"), "{}", stderr(&refused));
    assert!(server.stop());
    let refused = morsel(&data, &["restore", backup]);
    assert!(!refused.status.success() && stderr(&refused).contains("--replace"), "{}", stderr(&refused));

    let elsewhere = folder.path().join("elsewhere");
    for (data_dir, arguments) in [(&data, vec!["restore", backup, "--replace"]), (&elsewhere, vec!["restore", backup])]
    {
        let restored = morsel(data_dir, &arguments);
        let report = stderr(&restored);
        assert!(restored.status.success() && report.contains("1 accounts, 1 keys, 1 recipes and 1 photos"), "{report}");
        let mut server = Server::start(data_dir);
        assert_eq!(server.welcome, "", "it has an owner");
        let (status, list) = server.request("GET", "/v1/recipes", &key, "").expect("answered");
        assert!(status == 200 && list.contains("Soup") && !list.contains("Late"), "{list}");
        assert_eq!(server.request("HEAD", &photo, &key, "").expect("answered").0, 200, "{photo}");
        assert!(server.stop());
    }
}

#[test]
fn a_health_check_follows_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let check = |address: &str| morsel(folder.path(), &["healthcheck", "--listen", address]);
    assert_eq!(check(&server.address).status.code(), Some(0));
    let address = server.address.clone();
    let url = format!("http://{address}/nowhere");
    let missing = morsel(folder.path(), &["healthcheck", "--url", &url]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("answered 404: There is nothing at this URL."), "{}", stderr(&missing));
    assert!(server.stop());
    let stopped = check(&address);
    assert_eq!(stopped.status.code(), Some(1));
    assert!(stderr(&stopped).starts_with("morsel: cannot reach http://127.0.0.1:"), "{}", stderr(&stopped));
    assert_eq!(stderr(&stopped).lines().count(), 1);
    assert_eq!(morsel(folder.path(), &["healthcheck", "--url", "https://x"]).status.code(), Some(2));
}

#[test]
fn a_database_url_comes_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, file) = (folder.path().join("other.db"), folder.path().join("url"));
    std::fs::write(&file, format!("sqlite:{}\n", database.display())).expect("written");
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morsel"));
        command.args(arguments).env("MORSEL_DATA_DIR", folder.path().join("data")).envs(variables.iter().copied());
        command.output().expect("the program starts")
    };
    let from_file = [("MORSEL_DATABASE_URL_FILE", file.to_str().expect("a path"))];
    printed(&run(&["account", "create", "--email", "a@example.com"], &from_file));
    assert!(database.exists());
    let both = [from_file[0], ("MORSEL_DATABASE_URL", "sqlite:/hunter2")];
    let missing = [("MORSEL_DATABASE_URL_FILE", "/nowhere/url")];
    for (variables, part) in [
        (&both[..], "both MORSEL_DATABASE_URL and MORSEL_DATABASE_URL_FILE are set"),
        (&missing[..], "cannot read /nowhere/url"),
    ] {
        for arguments in [&["key", "list"][..], &["serve", "--listen", "127.0.0.1:0"]] {
            let output = run(arguments, variables);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).contains(part) && !stderr(&output).contains("hunter2"), "{}", stderr(&output));
        }
    }
}
