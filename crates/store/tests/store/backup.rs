use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use store::{Image, ImageFiles, ImageId, Location, NewKey, RestoreError, Restored, Rng, Store};

use test_support::{Database, a_recipe, an_account, noon, on_postgres, on_sqlite, run_sql};

fn images(database: &Database) -> ImageFiles {
    ImageFiles::Disk(database.folder.path().join("images"))
}

fn path(database: &Database) -> &Path {
    let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
    path
}

/// A backup of a store with an account, a key, a recipe and a photo.
async fn a_backup(database: &Database) -> (PathBuf, ImageId) {
    let store = database.open().await;
    let account = an_account(&store, "ada@example.org").await.id;
    let rng = &mut Rng::system();
    store.keys().create(&account, NewKey::live(), noon(), rng).await.expect("a key");
    store.recipes().create(&account, a_recipe("soup"), 1_000_000, noon(), rng, None).await.expect("a recipe");
    let id = ImageId::generate(rng);
    images(database).put(&id, b"a photo").await.expect("stored");
    let image = Image {
        id: id.clone(),
        account_id: account,
        media_type: "image/jpeg".to_owned(),
        width: 2,
        height: 1,
        bytes: 7,
        created_at: noon(),
        expires_at: noon() + SignedDuration::from_hours(1),
    };
    store.images().insert(&image).await.expect("recorded");
    let file = database.folder.path().join("a-backup");
    assert_eq!(store.backup(&images(database), &file).await.expect("a backup"), 1);
    store.close().await;
    (file, id)
}

/// Changes a file as another program might.
async fn change(file: &Path, sql: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.expect("opens");
    sqlx::raw_sql(sql).execute(&mut connection).await.expect("runs");
    connection.close().await.expect("closes");
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("one").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_restored_with_its_photos() {
    on_sqlite(async |database| {
        let (file, id) = a_backup(database).await;
        let folder = database.folder.path().join("new/data");
        let (to, files) = (folder.join("morsel.db"), ImageFiles::Disk(folder.join("images")));
        let restored = Store::restore(&file, &to, &files, false).await.expect("restored");
        assert_eq!(restored, Restored { accounts: 1, keys: 1, recipes: 1, photos: 1, replaced: None });
        assert_eq!(names(&folder), ["images", "morsel.db"], "nothing else is left");
        assert_eq!(files.get(&id).await.expect("read").as_deref(), Some(&b"a photo"[..]));
        let store = Store::open(&Location::Sqlite(to.clone())).await.expect("opens");
        assert!(store.images().by_id(&id).await.expect("read").is_some());
        // What was restored can be backed up again.
        assert_eq!(store.backup(&files, &folder.join("again")).await.expect("a backup"), 1);
        store.close().await;
        // A backup of an earlier release had no photos.
        run_sql(database, "DELETE FROM images").await;
        let store = database.open().await;
        let plain = database.folder.path().join("plain");
        store.backup(&images(database), &plain).await.expect("a backup");
        store.close().await;
        let restored = Store::restore(&plain, &to, &files, true).await.expect("restored");
        assert_eq!((restored.photos, restored.replaced), (0, Some(folder.join("morsel.db.replaced"))));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_replaced_only_if_asked_and_while_nobody_uses_it() {
    on_sqlite(async |database| {
        let (file, _) = a_backup(database).await;
        let (to, files) = (path(database), images(database));
        let error = Store::restore(&file, to, &files, false).await.expect_err("there is one");
        assert!(matches!(error, RestoreError::Exists { .. }), "{error}");
        let store = database.open().await;
        an_account(&store, "late@example.org").await;
        let error = Store::restore(&file, to, &files, true).await.expect_err("in use");
        assert!(matches!(error, RestoreError::InUse { .. }), "{error}");
        assert_eq!(store.accounts().count().await.expect("the store goes on"), 2);
        an_account(&store, "later@example.org").await;
        store.close().await;
        let restored = Store::restore(&file, to, &files, true).await.expect("restored");
        let store = database.open().await;
        assert_eq!(store.accounts().count().await.expect("read"), 1);
        store.close().await;
        let replaced = Store::open(&Location::Sqlite(restored.replaced.expect("kept"))).await.expect("opens");
        assert_eq!(replaced.accounts().count().await.expect("read"), 3, "the old one is whole");
        replaced.close().await;
        // A damaged database is what backups are for.
        std::fs::write(to, "damaged, and not a database any more").expect("written");
        Store::restore(&file, to, &files, true).await.expect("restored");
        let store = database.open().await;
        assert_eq!(store.accounts().count().await.expect("read"), 1);
        store.close().await;
        // An emptied one has nothing to replace.
        std::fs::write(to, "").expect("written");
        Store::restore(&file, to, &files, false).await.expect("restored");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_a_whole_backup_changes_nothing() {
    on_sqlite(async |database| {
        let (file, _) = a_backup(database).await;
        let folder = database.folder.path();
        let (to, files) = (path(database), images(database));
        let bytes = std::fs::read(&file).expect("read");
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).expect("written");
            path
        };
        let mut flipped = bytes.clone();
        for byte in &mut flipped[8_192..12_288] {
            *byte ^= 0x55;
        }
        let future = write("future", &bytes);
        change(&future, "INSERT INTO schema_versions (version, name) VALUES (99, 'from the future')").await;
        let other = write("other", b"");
        change(&other, "CREATE TABLE notes (text TEXT)").await;
        for (file, part) in [
            (write("notes", b"These are notes about dinner."), "is not a backup"),
            (write("empty", b""), "is not a backup"),
            (other, "is not a backup"),
            (future, "newer version"),
            (write("cut", &bytes[..bytes.len() / 2]), "is damaged"),
            (write("flipped", &flipped), "is damaged"),
            (folder.join("missing"), "cannot copy the backup"),
        ] {
            let error = Store::restore(&file, to, &files, true).await.expect_err(part).to_string();
            assert!(error.contains(part), "{}: {error}", file.display());
            let store = database.open().await;
            assert_eq!(store.accounts().count().await.expect("read"), 1);
            store.close().await;
        }
        let left: Vec<String> = names(folder).into_iter().filter(|name| name.contains("restore")).collect();
        assert!(left.is_empty(), "{left:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_holds_everything_acknowledged_before_it_began() {
    on_sqlite(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let stop = Arc::new(AtomicBool::new(false));
        let acknowledged = Arc::new(Mutex::new(vec![]));
        let mut writers = tokio::task::JoinSet::new();
        for _ in 0..3 {
            let (store, account) = (store.clone(), account.clone());
            let (stop, acknowledged) = (stop.clone(), acknowledged.clone());
            writers.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let rng = &mut Rng::system();
                    let recipe = a_recipe("written during a backup");
                    let recipe = store.recipes().create(&account, recipe, 1_000_000, noon(), rng, None).await;
                    let (_, key) = store.keys().create(&account, NewKey::live(), noon(), rng).await.expect("a key");
                    acknowledged.lock().expect("no panic").push((recipe.expect("made").id, key.hash()));
                }
            });
        }
        for n in 0..5 {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            let before = acknowledged.lock().expect("no panic").clone();
            let file = database.folder.path().join(format!("backup-{n}.db"));
            store.backup(&images(database), &file).await.expect("a backup");
            let copy = Store::open(&Location::Sqlite(file)).await.expect("the backup opens");
            for (recipe, key) in &before {
                assert!(copy.recipes().by_id(recipe).await.expect("read").is_some());
                assert!(copy.keys().by_hash(key).await.expect("read").is_some());
            }
            copy.close().await;
        }
        stop.store(true, Ordering::Relaxed);
        writers.join_all().await;
        assert!(acknowledged.lock().expect("no panic").len() > 10, "the writers went on meanwhile");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_overwrites_nothing_and_leaves_nothing_half_done() {
    on_sqlite(async |database| {
        let store = database.open().await;
        let folder = database.folder.path().join("backups");
        std::fs::create_dir(&folder).expect("a folder");
        let file = folder.join("morsel.db");
        std::fs::write(&file, "precious").expect("written");
        let error = store.backup(&images(database), &file).await.expect_err("the name is taken");
        assert!(error.to_string().contains("morsel.db"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), "precious");
        store.backup(&images(database), &folder.join("missing/morsel.db")).await.expect_err("no such folder");
        store.backup(&images(database), &folder.join("second.db")).await.expect("a backup");
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("one").file_name()).collect();
        names.sort();
        assert_eq!(names, ["morsel.db", "second.db"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(folder.join("second.db")).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn for_postgres_the_error_says_what_to_use() {
    on_postgres(async |database| {
        let to = database.folder.path().join("backup");
        let error = database.open().await.backup(&images(database), &to).await.expect_err("not here");
        assert!(error.to_string().contains("pg_dump"), "{error}");
    })
    .await;
}
