use jiff::civil::date;
use store::usage::status_class;
use store::{AccountId, KeyId, Mode, RequestCount, Rng};

use test_support::{an_account, on_both};

pub fn a_count(account: &AccountId, key: &KeyId) -> RequestCount {
    RequestCount {
        day: date(2026, 11, 15),
        account: account.clone(),
        key: key.clone(),
        route: "/v1/estimate".into(),
        status: "2xx".into(),
        mode: Mode::Live,
        latency_bucket: 7,
        requests: 2,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_add_up_and_nothing_else_is_mixed() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let other = an_account(&store, "eve@example.org").await.id;
        let keys = [1, 2].map(|seed| KeyId::generate(&mut Rng::seeded(seed)));
        let base = a_count(&account, &keys[0]);
        let different = [
            RequestCount { day: date(2026, 11, 16), ..base.clone() },
            RequestCount { account: other.clone(), ..base.clone() },
            RequestCount { key: keys[1].clone(), requests: 5, ..base.clone() },
            RequestCount { route: "/v1/foods".into(), ..base.clone() },
            RequestCount { status: "429".into(), ..base.clone() },
            RequestCount { mode: Mode::Test, ..base.clone() },
            RequestCount { latency_bucket: 8, ..base.clone() },
        ];
        let before = store.latest_change().await.expect("read");
        store.usage().add(&different).await.expect("added");
        store.usage().add(&[base.clone(), RequestCount { requests: 40, ..base.clone() }]).await.expect("added");
        store.usage().add(&[]).await.expect("nothing to do");
        assert_eq!(store.latest_change().await.expect("read"), before, "usage is no change");

        let day = store.usage().daily(&account, base.day, base.day).await.expect("read");
        assert_eq!(day.len(), 6);
        assert!(day.contains(&RequestCount { requests: 42, ..base.clone() }), "{day:?}");
        assert!(different[2..].iter().all(|count| day.contains(count)));
        assert_eq!(store.usage().daily(&account, base.day, date(2026, 11, 16)).await.expect("read").len(), 7);
        let mut by_key = vec![(keys[0].clone(), 42 + 4 * 2), (keys[1].clone(), 5)];
        by_key.sort();
        assert_eq!(store.usage().today_by_key(&account, base.day).await.expect("read"), by_key);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_add_at_once_lose_nothing() {
    on_both(async |database| {
        let stores = [database.open().await, database.open().await];
        let account = an_account(&stores[0], "ada@example.org").await.id;
        let keys: Vec<_> = (0..10).map(|seed| KeyId::generate(&mut Rng::seeded(seed))).collect();
        let mut servers = tokio::task::JoinSet::new();
        for n in 0..8 {
            let (store, account, mut keys) = (stores[n % 2].clone(), account.clone(), keys.clone());
            servers.spawn(async move {
                for _ in 0..5 {
                    // Each in an order of its own.
                    keys.rotate_left(n + 1);
                    let counts: Vec<_> = keys.iter().map(|key| a_count(&account, key)).collect();
                    store.usage().add(&counts).await.expect("added");
                }
            });
        }
        servers.join_all().await;
        let by_key = stores[0].usage().today_by_key(&account, date(2026, 11, 15)).await.expect("read");
        assert!(by_key.len() == 10 && by_key.iter().all(|(_, requests)| *requests == 8 * 5 * 2), "{by_key:?}");
    })
    .await;
}

#[test]
fn refusals_for_the_limit_are_counted_apart() {
    let classes = [200, 204, 304, 400, 404, 428, 429, 430, 500, 503].map(status_class);
    assert_eq!(classes, ["2xx", "2xx", "3xx", "4xx", "4xx", "4xx", "429", "4xx", "5xx", "5xx"]);
}
