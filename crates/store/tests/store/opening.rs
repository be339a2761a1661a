use store::{Location, OpenError, Rng, Store};

use test_support::{an_account, email, noon, on_both, on_postgres, on_sqlite, run_sql};

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_can_be_opened_by_many_at_once() {
    on_both(async |database| {
        let mut servers = tokio::task::JoinSet::new();
        for n in 0..8 {
            let location = database.location.clone();
            servers.spawn(async move {
                let store = Store::open(&location).await.expect("opens");
                an_account(&store, &format!("{n}@example.org")).await;
            });
        }
        servers.join_all().await;
        assert_eq!(database.open().await.accounts().count().await.expect("read"), 8);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_database_is_refused_and_left_alone() {
    on_both(async |database| {
        database.open().await.close().await;
        run_sql(database, "INSERT INTO schema_versions (version, name) VALUES (7, 'from the future')").await;
        let error = Store::open(&database.location).await.expect_err("newer");
        assert!(matches!(error, OpenError::Newer { found: 7, .. }));
        let sentence =
            "the database was written by a newer version of Morsel (schema 7; this version supports up to 6)";
        assert!(error.to_string().starts_with(sentence), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn something_else_than_a_database_is_refused() {
    on_sqlite(async |database| {
        let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
        let text = "These are notes about dinner. ".repeat(100);
        std::fs::write(path, &text).expect("written");
        let error = Store::open(&database.location).await.expect_err("notes");
        assert!(matches!(error, OpenError::NotADatabase { .. }), "{error}");
        assert_eq!(std::fs::read_to_string(path).expect("still there"), text);
        // A file where the folder should be.
        let error = Store::open(&Location::Sqlite(path.join("morsel.db"))).await.expect_err("no folder");
        assert!(matches!(error, OpenError::FolderNotWritable { .. }), "{error}");
        assert!(error.to_string().contains("choose another"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_named_without_the_password() {
    let location = Location::parse("postgres://ada:s3cret@127.0.0.1:1/morsel").expect("a URL");
    let error = Store::open(&location).await.expect_err("nobody listens");
    assert!(matches!(error, OpenError::CannotConnect { .. }));
    assert!(error.to_string().contains("ada@127.0.0.1:1/morsel"), "{error}");
    assert!(!format!("{error} {error:?}").contains("s3cret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_there_is_named() {
    on_postgres(async |database| {
        let Location::Postgres(url) = &database.location else { unreachable!("on PostgreSQL") };
        let url = url.replace("/test_", "/no_such_");
        let error = Store::open(&Location::Postgres(url)).await.expect_err("no such database");
        assert!(error.to_string().contains("does not exist"), "{error}");
    })
    .await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn the_files_are_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    on_sqlite(async |database| {
        let store = Store::open(&Location::Sqlite(database.folder.path().join("new/morsel.db"))).await.expect("opens");
        an_account(&store, "ada@example.org").await;
        let folder = database.folder.path().join("new");
        let mode = |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let mut names = vec![];
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            assert_eq!(mode(&entry.path()), 0o600, "{entry:?}");
            names.push(entry.file_name().into_string().expect("text"));
        }
        names.sort();
        assert_eq!(names, ["morsel.db", "morsel.db-shm", "morsel.db-wal", "morsel.db.used"]);
        // Even a program that is killed now leaves a file that nobody takes for an emptied one.
        assert!(std::fs::metadata(folder.join("morsel.db")).expect("there").len() > 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_the_server_ended_are_replaced() {
    on_postgres(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await;
        let latest = store.latest_change().await.expect("read");
        for _ in 0..3 {
            let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND pid <> pg_backend_pid()";
            run_sql(database, end).await;
            assert_eq!(store.latest_change().await.expect("read"), latest);
            assert_eq!(store.accounts().by_id(&account.id).await.expect("read"), Some(account.clone()));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_says_that_it_is_unavailable() {
    on_both(async |database| {
        let store = database.open().await;
        store.check(noon()).await.expect("answers");
        store.close().await;
        assert!(store.check(noon()).await.expect_err("closed").is_unavailable());
        let made = store.accounts().find_or_create(&email("a@b"), noon(), &mut Rng::system()).await;
        assert!(made.expect_err("closed").is_unavailable());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_called_damaged() {
    on_sqlite(async |database| {
        let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
        let store = database.open().await;
        an_account(&store, "ada@example.org").await;
        store.close().await;
        let whole = std::fs::read(path).expect("read");
        // The header is right; the page of the schema is not.
        let mut damaged = whole.clone();
        damaged[100..4_096].fill(0xff);
        // The header is right and says that there are more pages.
        let cut = &whole[..whole.len() / 2];
        for bytes in [&damaged[..], cut] {
            std::fs::write(path, bytes).expect("written");
            let error = Store::open(&database.location).await.expect_err("damaged");
            assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
            assert!(error.to_string().ends_with("restore a backup"), "{error}");
            assert_eq!(std::fs::read(path).expect("read"), bytes, "it is left as it is");
        }
        std::fs::write(path, whole).expect("restored");
        assert_eq!(database.open().await.accounts().count().await.expect("read"), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_file_is_a_new_database_only_in_a_new_folder() {
    on_sqlite(async |database| {
        let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
        std::fs::write(path, "").expect("written");
        let store = database.open().await;
        an_account(&store, "ada@example.org").await;
        store.close().await;
        let whole = std::fs::read(path).expect("read");
        std::fs::write(path, "").expect("emptied");
        let error = Store::open(&database.location).await.expect_err("it lost its content");
        assert!(matches!(error, OpenError::Empty { .. }), "{error}");
        assert!(error.to_string().contains("restore a backup, or remove the empty file"), "{error}");
        // A folder of an earlier release has photos, if nothing else.
        std::fs::remove_file(database.folder.path().join("morsel.db.used")).expect("removed");
        std::fs::create_dir(database.folder.path().join("images")).expect("created");
        assert!(matches!(Store::open(&database.location).await, Err(OpenError::Empty { .. })));
        std::fs::write(path, whole).expect("restored");
        assert_eq!(database.open().await.accounts().count().await.expect("read"), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_another_program_has_locked_is_called_locked() {
    on_sqlite(async |database| {
        run_sql(database, "CREATE TABLE theirs (n INTEGER)").await;
        let lock = test_support::hold_write_lock(database).await;
        let error = Store::open(&database.location).await.expect_err("locked");
        assert!(matches!(error, OpenError::Locked { .. }), "{error}");
        drop(lock);
        while Store::open(&database.location).await.is_err() {}
    })
    .await;
}
