//! A database that fails for a while works again afterwards, without being opened anew.

use store::{Begin, Error, Rng, SaveRecipeError, Store, StoredResponse};
use test_support::{Database, a_recipe, after, an_account, noon, on_both, on_sqlite, run_sql};

async fn save(store: &Store, account: &store::AccountId) -> Result<(), SaveRecipeError> {
    let saved = store.recipes().create(account, a_recipe("Pie"), 1_000, noon(), &mut Rng::system(), None).await;
    saved.map(drop)
}

/// Makes SQLite roll the transaction of every new recipe back by itself, as it does when the disk is full.
async fn break_recipes(database: &Database) {
    let sql = "CREATE TRIGGER broken BEFORE INSERT ON recipes BEGIN SELECT RAISE(ROLLBACK, 'no room'); END";
    run_sql(database, sql).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_sqlite_rolled_back_by_itself_leaves_the_store_usable() {
    on_sqlite(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        break_recipes(database).await;
        for _ in 0..3 {
            save(&store, &account).await.expect_err("rolled back");
            store.check(noon()).await.expect("other writes work");
        }
        run_sql(database, "DROP TRIGGER broken").await;
        save(&store, &account).await.expect("works again");
        assert_eq!(store.recipes().list(&account).await.expect("read").len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_that_are_refused_leave_nothing_behind() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        let gone = an_account(&store, "grace@example.org").await.id;
        store.accounts().delete(&gone).await.expect("deleted");
        for _ in 0..20 {
            let refused = save(&store, &gone).await.expect_err("no such account");
            assert!(matches!(refused, SaveRecipeError::Store(Error::AccountGone)), "{refused}");
        }
        save(&store, &ada).await.expect("works");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_process_holds_the_lock_writers_are_refused_and_readers_are_not() {
    on_sqlite(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let lock = test_support::hold_write_lock(database).await;
        let mut writers = tokio::task::JoinSet::new();
        for _ in 0..12 {
            let (store, account) = (store.clone(), account.clone());
            writers.spawn(async move { save(&store, &account).await });
        }
        assert!(store.accounts().by_id(&account).await.expect("read").is_some());
        assert!(store.check(noon()).await.expect_err("locked").is_unavailable());
        for refused in writers.join_all().await {
            let Err(SaveRecipeError::Store(error)) = refused else { panic!("{refused:?}") };
            assert!(error.is_unavailable(), "{error}");
        }
        drop(lock);
        // SQLite lets go of the lock when the connection is closed, which happens on a thread of its own.
        while store.check(noon()).await.is_err() {}
        save(&store, &account).await.expect("works again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn space_that_is_no_longer_used_is_returned() {
    on_sqlite(async |database| {
        let store = database.open().await;
        let eve = an_account(&store, "eve@example.org").await.id;
        let body = "x".repeat(60_000);
        for n in 0..100 {
            let key = format!("key {n}");
            let begun = store.idempotency().begin(&eve, &key, &[1; 32], noon()).await.expect("works");
            let Begin::Fresh(claim) = begun else { panic!("{key} is new") };
            let response = StoredResponse { status: 200, content_type: String::new(), body: body.clone().into() };
            store.idempotency().finish(&claim, &response, noon()).await.expect("works");
        }
        let full = store.figures().await.expect("read").bytes;
        assert!(full > 6_000_000, "{full}");
        assert_eq!(store.idempotency().prune(after(90_000)).await.expect("works"), 100);
        assert_eq!(store.figures().await.expect("read").bytes, full, "not by itself");
        assert!(store.return_space().await.expect("works") > 1_000);
        let left = store.figures().await.expect("read").bytes;
        assert!(left < 1_500_000, "{left}");
        assert_eq!(store.return_space().await.expect("works"), 0, "some is kept for what comes next");
    })
    .await;
}
