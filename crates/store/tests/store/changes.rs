use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nutrition::Macros;
use store::{AccountId, KeyId, KeyState, NewKey, Plan, Rng};

use test_support::{a_recipe, after, an_account, child_store, noon, on_both, run_sql, start_child};

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_revoked_is_known_on_the_next_question() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let mut child = start_child("changes::child_that_revokes", database);
        let mut orders = child.stdin.take().expect("piped");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        for _ in 0..1_000 {
            let (key, text) =
                store.keys().create(&account, NewKey::live(), noon(), &mut Rng::system()).await.expect("a key");
            let before = store.latest_change().await.expect("read");
            assert_eq!(store.latest_change().await.expect("read"), before, "nothing happened");
            writeln!(orders, "{account} {}", key.id).expect("the child listens");
            // The child's test runner says a few words of its own.
            lines.by_ref().map(|line| line.expect("text")).find(|line| line == "revoked").expect("the child answers");
            assert_eq!(store.latest_change().await.expect("read"), before + 1);
            let changes = store.changed_accounts(before).await.expect("read");
            assert_eq!((changes.latest, changes.accounts), (before + 1, Some(vec![account.clone()])));
            let (key, _) = store.keys().by_hash(&text.hash()).await.expect("read").expect("there");
            assert_eq!(key.state(after(1)), KeyState::Revoked);
        }
        drop(orders);
        child.wait().expect("ends");
        // The last connection of the other process is closed; changes are still seen.
        let before = store.latest_change().await.expect("read");
        an_account(&database.open().await, "eve@example.org").await;
        assert_eq!(store.latest_change().await.expect("read"), before + 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test above"]
async fn child_that_revokes() {
    let Some(store) = child_store().await else { return };
    for line in std::io::stdin().lines() {
        let line = line.expect("text");
        let (account, key) = line.split_once(' ').expect("two ids");
        let (account, key) = (AccountId::parse(account).expect("an id"), KeyId::parse(key).expect("an id"));
        store.keys().revoke(&account, &key, after(1)).await.expect("works").expect("there");
        let mut out = std::io::stdout().lock();
        out.write_all(b"\nrevoked\n").and_then(|()| out.flush()).expect("the parent listens");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_an_answer_older_than_the_question() {
    on_both(async |database| {
        let (reader, writer) = (database.open().await, database.open().await);
        let account = an_account(&writer, "ada@example.org").await.id;
        // Others ask all the time, so that there is always a query under way to be served from by mistake.
        let stop = Arc::new(AtomicBool::new(false));
        let mut others = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (reader, stop) = (reader.clone(), stop.clone());
            others.spawn(async move {
                let mut last = 0;
                while !stop.load(Ordering::Relaxed) {
                    let n = reader.latest_change().await.expect("read");
                    assert!(n >= last, "numbers never go back");
                    last = n;
                    tokio::task::yield_now().await;
                }
            });
        }
        let mut n = writer.latest_change().await.expect("read");
        for round in 0..200 {
            writer.accounts().set_plan(&account, Plan::ALL[round % 4]).await.expect("works");
            n += 1;
            let mut callers = tokio::task::JoinSet::new();
            for _ in 0..4 {
                let reader = reader.clone();
                callers.spawn(async move { reader.latest_change().await.expect("read") });
            }
            assert_eq!(callers.join_all().await, [n; 4]);
        }
        stop.store(true, Ordering::Relaxed);
        others.join_all().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_change_is_numbered_for_its_account() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let mut seen = store.latest_change().await.expect("read");
        let mut is_noted = async |account: &AccountId, what: &str| {
            let changes = store.changed_accounts(seen).await.expect("read");
            assert_eq!((changes.latest, changes.accounts), (seen + 1, Some(vec![account.clone()])), "{what}");
            seen = changes.latest;
        };
        let account = an_account(&store, "ada@example.org").await.id;
        is_noted(&account, "a new account").await;
        store.accounts().set_plan(&account, Plan::Pro).await.expect("works");
        is_noted(&account, "a plan").await;
        store.accounts().set_password(&account, "hash").await.expect("works");
        is_noted(&account, "a password").await;
        let (key, _) = store.keys().create(&account, NewKey::live(), noon(), rng).await.expect("a key");
        is_noted(&account, "a key").await;
        let (key, _) = store
            .keys()
            .rotate(&account, &key.id, &KeyId::generate(rng), store::Grace::Day, noon(), rng)
            .await
            .expect("ok");
        is_noted(&account, "a roll").await;
        store.keys().revoke(&account, &key.id, noon()).await.expect("works");
        is_noted(&account, "a revocation").await;
        let recipe = store.recipes().create(&account, a_recipe("Pie"), 9, noon(), rng, None).await.expect("made").id;
        is_noted(&account, "a recipe").await;
        let change = store::RecipeChange {
            macros: Macros { fat: Some(1.0), ..Macros::default() },
            ..store::RecipeChange::default()
        };
        store.recipes().update(&account, &recipe, change, noon()).await.expect("works");
        is_noted(&account, "a changed recipe").await;
        store.recipes().delete(&account, &recipe).await.expect("works");
        is_noted(&account, "a deleted recipe").await;
        store.accounts().delete(&account).await.expect("works");
        is_noted(&account, "a deleted account").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_away_too_long_forgets_everything() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let first = store.changed_accounts(0).await.expect("read");
        assert_eq!((first.latest, first.accounts), (1, Some(vec![account.clone()])));
        // As if 20,223 changes had been made; the next number is one at which old ones are removed.
        run_sql(database, "UPDATE change_counter SET n = 20223").await;
        assert_eq!(store.latest_change().await.expect("read"), 20_223);
        store.accounts().set_plan(&account, Plan::Pro).await.expect("works");
        let away = store.changed_accounts(1).await.expect("read");
        assert_eq!((away.latest, away.accounts), (20_224, None));
        assert_eq!(store.changed_accounts(0).await.expect("read").accounts, None, "the first one was removed");
        let near = store.changed_accounts(20_223).await.expect("read");
        assert_eq!((near.latest, near.accounts), (20_224, Some(vec![account])));
        let up_to_date = store.changed_accounts(20_224).await.expect("read");
        assert_eq!((up_to_date.latest, up_to_date.accounts), (20_224, Some(vec![])));
        // A number from another database, or from before a restored backup.
        let ahead = store.changed_accounts(99_999).await.expect("read");
        assert_eq!((ahead.latest, ahead.accounts), (20_224, None));
    })
    .await;
}
