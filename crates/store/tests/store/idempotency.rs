use store::idempotency::MAX_STORED_BODY;
use store::{AccountId, Begin, Location, StoredResponse};

use test_support::{after, an_account, noon, on_both};

fn answer(body: &str) -> StoredResponse {
    StoredResponse { status: 200, content_type: "application/json".into(), body: body.into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_is_given_again_for_a_day() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let begin = async |fingerprint: u8, seconds| {
            store.idempotency().begin(&account, "k", &[fingerprint; 32], after(seconds)).await.expect("works")
        };
        let Begin::Fresh(claim) = begin(1, 0).await else { panic!("the key is new") };
        assert_eq!(begin(1, 0).await, Begin::Running { seconds_left: 60 });
        assert_eq!(begin(1, 59).await, Begin::Running { seconds_left: 2 });
        assert_eq!(begin(2, 59).await, Begin::Mismatch);
        assert!(store.idempotency().finish(&claim, &answer("first"), after(59)).await.expect("works"));
        assert_eq!(begin(1, 120).await, Begin::Replay(answer("first")));
        assert_eq!(begin(2, 120).await, Begin::Mismatch);
        // Whoever finished cannot take it back.
        store.idempotency().abandon(&claim).await.expect("works");
        assert!(!store.idempotency().finish(&claim, &answer("second"), after(121)).await.expect("works"));
        assert_eq!(begin(1, 86_399).await, Begin::Replay(answer("first")));
        // Another account's key of the same name is another key.
        let other = an_account(&store, "eve@example.org").await.id;
        let others = store.idempotency().begin(&other, "k", &[1; 32], noon()).await.expect("works");
        assert!(matches!(others, Begin::Fresh(_)));
        assert!(matches!(begin(2, 86_400).await, Begin::Fresh(_)));
        assert_eq!(store.idempotency().prune(after(86_401)).await.expect("works"), 1, "the other account's");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_abandoned_key_is_free_at_once_and_a_dead_holders_after_a_minute() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let begin =
            async |seconds| store.idempotency().begin(&account, "k", &[1; 32], after(seconds)).await.expect("works");
        let Begin::Fresh(first) = begin(0).await else { panic!("the key is new") };
        store.idempotency().abandon(&first).await.expect("works");
        let Begin::Fresh(second) = begin(1).await else { panic!("it was abandoned") };
        assert_eq!(begin(60).await, Begin::Running { seconds_left: 2 });
        let Begin::Fresh(third) = begin(61).await else { panic!("a minute has passed") };
        // The one that was thought dead comes back: it can neither finish nor free what is another's now.
        assert!(!store.idempotency().finish(&second, &answer("late"), after(62)).await.expect("works"));
        store.idempotency().abandon(&second).await.expect("works");
        assert_eq!(begin(63).await, Begin::Running { seconds_left: 59 });
        assert!(store.idempotency().finish(&third, &answer("in time"), after(64)).await.expect("works"));
        assert_eq!(begin(200).await, Begin::Replay(answer("in time")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_exactly_one_does_the_work() {
    on_both(async |database| {
        let stores = [database.open().await, database.open().await];
        let account = an_account(&stores[0], "ada@example.org").await.id;
        for round in 0..20 {
            // Odd rounds start with a claim whose holder died, so that it is a take-over that is raced for.
            let key = format!("key {round}");
            if round % 2 == 1 {
                let begun = stores[0].idempotency().begin(&account, &key, &[1; 32], noon()).await.expect("works");
                assert!(matches!(begun, Begin::Fresh(_)));
            }
            let mut callers = tokio::task::JoinSet::new();
            for n in 0..16 {
                let (store, account, key) = (stores[n % 2].clone(), account.clone(), key.clone());
                callers.spawn(async move {
                    store.idempotency().begin(&account, &key, &[1; 32], after(100)).await.expect("works")
                });
            }
            let begun = callers.join_all().await;
            let claims = begun.iter().filter(|begin| matches!(begin, Begin::Fresh(_))).count();
            let waiting = begun.iter().filter(|begin| matches!(begin, Begin::Running { .. })).count();
            assert_eq!((claims, waiting), (1, 15), "{begun:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn work_without_effect_is_repeated() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let begin = async |fingerprint: u8, seconds| {
            store.idempotency().begin(&account, "k", &[fingerprint; 32], after(seconds)).await.expect("works")
        };
        let Begin::Fresh(claim) = begin(1, 0).await else { panic!("the key is new") };
        assert!(store.idempotency().finish_repeatable(&claim, 200, after(1)).await.expect("works"));
        assert_eq!(begin(1, 86_399).await, Begin::Repeat);
        assert_eq!(begin(2, 86_399).await, Begin::Mismatch);
        assert!(!store.idempotency().finish_repeatable(&claim, 200, after(2)).await.expect("works"), "once");
        assert!(matches!(begin(2, 86_400).await, Begin::Fresh(_)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_responses_of_an_account_are_bounded_and_the_oldest_go_first() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        let eve = an_account(&store, "eve@example.org").await.id;
        let store_one = async |account: &AccountId, key: &str, body: &str| {
            let begun = store.idempotency().begin(account, key, &[1; 32], noon()).await.expect("works");
            let Begin::Fresh(claim) = begun else { panic!("{key} is new") };
            assert!(store.idempotency().finish(&claim, &answer(body), noon()).await.expect("works"));
        };
        store_one(&ada, "hers", "small").await;
        let large = "x".repeat(MAX_STORED_BODY);
        let before = store.figures().await.expect("read").bytes;
        for n in 0..300 {
            store_one(&eve, &format!("key {n}"), &large).await;
        }
        // 19 MB were stored, and 8 MiB may stay.
        assert!(store.figures().await.expect("read").bytes - before < 12 << 20);
        let again = async |key: String| store.idempotency().begin(&eve, &key, &[1; 32], noon()).await.expect("works");
        assert_eq!(again("key 299".to_owned()).await, Begin::Replay(answer(&large)));
        assert_eq!(again("key 180".to_owned()).await, Begin::Replay(answer(&large)));
        assert!(matches!(again("key 0".to_owned()).await, Begin::Fresh(_)));
        assert!(matches!(again("key 160".to_owned()).await, Begin::Fresh(_)));
        let hers = store.idempotency().begin(&ada, "hers", &[1; 32], noon()).await.expect("works");
        assert_eq!(hers, Begin::Replay(answer("small")), "nobody else's are deleted");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_start_a_sqlite_server_releases_what_a_dead_one_held() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let begin = async |key: &str| store.idempotency().begin(&account, key, &[1; 32], noon()).await.expect("works");
        let Begin::Fresh(held) = begin("held").await else { panic!("new") };
        let Begin::Fresh(done) = begin("done").await else { panic!("new") };
        store.idempotency().finish(&done, &answer("done"), noon()).await.expect("works");
        store.close().await;
        let store = database.open().await;
        let released = store.idempotency().release_at_start().await.expect("works");
        let begin = async |key: &str| store.idempotency().begin(&account, key, &[1; 32], noon()).await.expect("works");
        if matches!(database.location, Location::Sqlite(_)) {
            assert_eq!(released, 1);
            assert!(matches!(begin("held").await, Begin::Fresh(_)));
        } else {
            // Another server may hold it.
            assert_eq!(released, 0);
            assert!(store.idempotency().finish(&held, &answer("late"), noon()).await.expect("works"));
        }
        assert_eq!(begin("done").await, Begin::Replay(answer("done")));
    })
    .await;
}
