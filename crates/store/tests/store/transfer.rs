//! Moving a SQLite store to PostgreSQL.

use store::{Location, Mode, NewKey, Rng, Scopes, Store, TransferError};
use test_support::{a_recipe, a_session, an_account, noon, on_postgres, on_sqlite, run_sql};

/// Something in the store that must arrive.
async fn fill(store: &Store, accounts: u32) -> Vec<[u8; 32]> {
    let mut hashes = Vec::new();
    for n in 0..accounts {
        let account = an_account(store, &format!("cook{n}@example.com")).await;
        let new = NewKey {
            mode: Mode::Live,
            label: Some("Omas „Küche“".to_owned()),
            scopes: Scopes::all(),
            expires_at: None,
        };
        let (_, text) = store.keys().create(&account.id, new, noon(), &mut Rng::system()).await.expect("a key");
        hashes.push(text.hash());
        store
            .recipes()
            .create(&account.id, a_recipe(&format!("soup {n}")), 100, noon(), &mut Rng::system(), None)
            .await
            .expect("a recipe");
        store.sessions().create(&account.id, a_session(60), noon(), &mut Rng::system()).await.expect("a session");
    }
    hashes
}

#[tokio::test]
async fn everything_arrives_and_nothing_else_is_overwritten() {
    on_sqlite(async |from| {
        let source = from.open().await;
        let hashes = fill(&source, 7).await;
        on_postgres(async |to| {
            let target = to.open().await;
            let mut reports = 0;
            let copied =
                source.move_to(&target, |progress| reports += u32::from(progress.copied == progress.rows)).await;
            let copied = copied.expect("moved");
            let rows = |name: &str| copied.iter().find(|table| table.name == name).map(|table| table.rows);
            assert_eq!(
                (rows("accounts"), rows("keys"), rows("recipes"), rows("sessions")),
                (Some(7), Some(7), Some(7), Some(7))
            );
            assert!(reports >= 4);
            for hash in &hashes {
                let found = target.keys().by_hash(hash).await.expect("read").expect("the key");
                assert_eq!(Some(&found), source.keys().by_hash(hash).await.expect("read").as_ref());
                let recipes = target.recipes().list(&found.1.id).await.expect("read");
                assert_eq!(recipes, source.recipes().list(&found.1.id).await.expect("read"));
            }
            assert_eq!(target.latest_change().await.expect("read"), source.latest_change().await.expect("read"));
            // Numbers go on after the last one.
            fill_one(&target).await;
            let again = source.move_to(&target, |_| {}).await;
            assert!(matches!(again, Err(TransferError::NotEmpty)), "{again:?}");
        })
        .await;
    })
    .await;
}

async fn fill_one(store: &Store) {
    let account = an_account(store, "new@example.com").await;
    store
        .recipes()
        .create(&account.id, a_recipe("stew"), 100, noon(), &mut Rng::system(), None)
        .await
        .expect("a recipe");
}

#[tokio::test]
async fn an_interrupted_move_goes_on_and_another_store_is_refused() {
    on_sqlite(async |from| {
        let source = from.open().await;
        fill(&source, 5).await;
        on_postgres(async |to| {
            let target = to.open().await;
            // The database refuses the recipes, as if the connection broke there.
            run_sql(to, "ALTER TABLE recipes ADD CONSTRAINT broken CHECK (name = '')").await;
            let failed = source.move_to(&target, |_| {}).await;
            assert!(matches!(failed, Err(TransferError::Store(_))), "{failed:?}");
            assert_eq!(target.accounts().list().await.expect("read").len(), 5, "what was copied before stays");
            let other = from.folder.path().join("other.db");
            let other = Store::open(&Location::Sqlite(other)).await.expect("opens");
            let empty = other.move_to(&target, |_| {}).await;
            assert!(matches!(empty, Err(TransferError::Empty)), "{empty:?}");
            fill(&other, 1).await;
            let refused = other.move_to(&target, |_| {}).await;
            assert!(matches!(refused, Err(TransferError::OtherSource)), "{refused:?}");
            run_sql(to, "ALTER TABLE recipes DROP CONSTRAINT broken").await;
            let copied = source.move_to(&target, |_| {}).await.expect("it goes on");
            assert!(copied.iter().any(|table| table.name == "recipes" && table.rows == 5), "{copied:?}");
        })
        .await;
    })
    .await;
}
