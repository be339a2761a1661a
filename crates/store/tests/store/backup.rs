use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use store::{Location, NewKey, Rng, Store};

use test_support::{a_recipe, an_account, noon, on_postgres, on_sqlite};

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
            store.backup(&file).await.expect("a backup");
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
        let error = store.backup(&file).await.expect_err("the name is taken");
        assert!(error.to_string().contains("morsel.db"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), "precious");
        store.backup(&folder.join("missing/morsel.db")).await.expect_err("no such folder");
        store.backup(&folder.join("second.db")).await.expect("a backup");
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
        let error = database.open().await.backup(&database.folder.path().join("backup")).await.expect_err("not here");
        assert!(error.to_string().contains("pg_dump"), "{error}");
    })
    .await;
}
