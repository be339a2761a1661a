use store::{Begin, StoredResponse};

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
        assert_eq!(begin(1, 59).await, Begin::Running);
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
        assert_eq!(begin(60).await, Begin::Running);
        let Begin::Fresh(third) = begin(61).await else { panic!("a minute has passed") };
        // The one that was thought dead comes back: it can neither finish nor free what is another's now.
        assert!(!store.idempotency().finish(&second, &answer("late"), after(62)).await.expect("works"));
        store.idempotency().abandon(&second).await.expect("works");
        assert_eq!(begin(63).await, Begin::Running);
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
            let waiting = begun.iter().filter(|begin| **begin == Begin::Running).count();
            assert_eq!((claims, waiting), (1, 15), "{begun:?}");
        }
    })
    .await;
}
