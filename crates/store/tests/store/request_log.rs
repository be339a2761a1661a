use jiff::Timestamp;
use store::{
    AccountId, KeptBodies, LogBlock, LogBounds, LogCursor, LogEntry, LogLine, LogStart, LoggedRequest, Plan, Store,
    StoredLimits,
};

use test_support::{after, an_account, on_both};

fn entry(n: i64) -> LogEntry {
    let request = LoggedRequest {
        at: after(n),
        id: format!("req_{n:032x}"),
        key: "key_0123456789012345678901".to_owned(),
        method: "POST".to_owned(),
        route: Some("POST /v1/estimate/sync".to_owned()),
        path: None,
        status: if n % 10 == 0 { 400 } else { 200 },
        micros: 150,
        address: "192.0.2.7".to_owned(),
        code: (n % 10 == 0).then(|| "invalid_request".to_owned()),
        param: (n % 10 == 0).then(|| "messages[0].\u{0}\"content\"".to_owned()),
    };
    LogEntry { request, bodies: None }
}

fn entries(numbers: std::ops::Range<i64>) -> Vec<LogEntry> {
    numbers.map(entry).collect()
}

async fn append(store: &Store, account: &AccountId, numbers: std::ops::Range<i64>) {
    store.request_log().append(&[(account.clone(), entries(numbers))]).await.expect("written");
}

/// All requests of an account, oldest first.
async fn all(store: &Store, account: &AccountId) -> Vec<LoggedRequest> {
    let blocks = store.request_log().blocks(account, i64::MAX, Timestamp::MIN, Timestamp::MAX, 10_000).await;
    let mut blocks = blocks.expect("read");
    assert!(blocks.is_sorted_by(|newer, older| newer.seq > older.seq));
    blocks.reverse();
    blocks.iter().flat_map(decoded).collect()
}

/// The requests of a block, oldest first.
fn decoded(block: &LogBlock) -> Vec<LoggedRequest> {
    let read = |line: Result<LogLine<'_>, _>| {
        let line = line.expect("a request");
        let request = line.request().expect("a request");
        assert_eq!(request.brief(), line.brief);
        request
    };
    let mut requests: Vec<_> = block.newest_first().map(read).collect();
    requests.reverse();
    requests
}

fn requests(numbers: std::ops::Range<i64>) -> Vec<LoggedRequest> {
    entries(numbers).into_iter().map(|entry| entry.request).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_come_back_in_order_from_few_rows() {
    on_both(async |database| {
        let store = database.open().await;
        let (ada, eve) =
            (an_account(&store, "ada@example.org").await.id, an_account(&store, "eve@example.org").await.id);
        let change = store.latest_change().await.expect("read");
        for n in 0..40 {
            append(&store, &ada, n..n + 1).await;
        }
        let logs = [(eve.clone(), entries(0..2)), (ada.clone(), entries(40..1_000))];
        store.request_log().append(&logs).await.expect("written");
        store.request_log().append(&[]).await.expect("nothing to do");
        assert_eq!(store.latest_change().await.expect("read"), change, "caches need not know");
        assert_eq!(all(&store, &ada).await, requests(0..1_000));
        assert_eq!(all(&store, &eve).await, requests(0..2));
        assert_eq!(store.request_log().count(&ada).await.expect("read"), 1_000);
        let blocks = store.request_log().blocks(&ada, i64::MAX, Timestamp::MIN, Timestamp::MAX, 1_000).await;
        let blocks = blocks.expect("read");
        assert!((8..16).contains(&blocks.len()), "{} rows", blocks.len());
        let before = store.request_log().blocks(&ada, blocks[1].seq, Timestamp::MIN, Timestamp::MAX, 1).await;
        assert_eq!(before.expect("read"), blocks[2..3]);
        let of_time = store.request_log().blocks(&ada, i64::MAX, after(500), after(501), 1_000).await.expect("read");
        assert!(of_time.len() <= 2 && of_time.iter().any(|block| decoded(block).contains(&entry(500).request)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_skipped_by_whole_blocks() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        let nothing = LogStart { before: i64::MAX, skipped: 0, total: 0 };
        assert_eq!(store.request_log().skip(&ada, 5).await.expect("read"), nothing);
        append(&store, &ada, 0..1_000).await;
        for skipped in [0, 50, 127, 128, 700, 999, 1_000, 5_000] {
            let start = store.request_log().skip(&ada, skipped).await.expect("read");
            assert!(start.skipped <= skipped && start.total == 1_000, "{start:?}");
            let blocks = store.request_log().blocks(&ada, start.before, Timestamp::MIN, Timestamp::MAX, 1).await;
            let newest = blocks.expect("read").iter().flat_map(decoded).collect::<Vec<_>>();
            if skipped < 1_000 {
                let left = usize::try_from(skipped - start.skipped).expect("few");
                let next = newest.iter().rev().nth(left).expect("in this block");
                assert_eq!(next.at, after(999 - i64::try_from(skipped).expect("few")));
            } else {
                assert!(newest.is_empty());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_found_by_its_id_with_its_bodies_by_its_own_account() {
    on_both(async |database| {
        let store = database.open().await;
        let (ada, eve) =
            (an_account(&store, "ada@example.org").await.id, an_account(&store, "eve@example.org").await.id);
        let bodies = KeptBodies {
            query: Some("q=egg".to_owned()),
            request: Some("{\"text\":\"two eggs\\u0000\"}\n".to_owned()),
            response: None,
        };
        let mut kept = entries(0..300);
        kept[7].bodies = Some(bodies.clone());
        kept[8].request.id = "own-id.1".to_owned();
        let id = kept[7].request.id.clone();
        store.request_log().append(&[(ada.clone(), kept.clone())]).await.expect("written");
        let found = store.request_log().find(&ada, &id).await.expect("read");
        assert_eq!(found, Some((kept[7].request.clone(), bodies.clone())));
        let (other, none) = store.request_log().find(&ada, "own-id.1").await.expect("read").expect("there");
        assert_eq!((other.at, none), (after(8), KeptBodies::default()));
        for (account, id) in [(&eve, id.as_str()), (&ada, "req_"), (&ada, "%"), (&ada, ""), (&ada, "own-id_1")] {
            assert_eq!(store.request_log().find(account, id).await.expect("read"), None, "{id}");
        }
        let exported = store.request_log().export(&ada).await.expect("read");
        kept.reverse();
        assert_eq!(exported, kept);
        store.request_log().clear_bodies(&ada).await.expect("written");
        let (_, bodies) = store.request_log().find(&ada, &id).await.expect("read").expect("there");
        assert_eq!(bodies, KeptBodies::default());
        store.request_log().clear(&ada).await.expect("written");
        assert_eq!(store.request_log().count(&ada).await.expect("read"), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_added_since_is_read_once() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        assert_eq!(store.request_log().end(&ada).await.expect("read"), LogCursor::default());
        append(&store, &ada, 0..3).await;
        let cursor = store.request_log().end(&ada).await.expect("read");
        assert_eq!(store.request_log().since(&ada, cursor, 9).await.expect("read"), (vec![], cursor));
        append(&store, &ada, 3..5).await;
        append(&store, &ada, 5..300).await;
        let (new, end) = store.request_log().since(&ada, cursor, 9).await.expect("read");
        assert_eq!(new, requests(3..300));
        assert_eq!(store.request_log().end(&ada).await.expect("read"), end);
        assert_eq!(store.request_log().since(&ada, end, 9).await.expect("read"), (vec![], end));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_are_bounded_in_number_and_age() {
    on_both(async |database| {
        let store = database.open().await;
        let (ada, eve) =
            (an_account(&store, "ada@example.org").await.id, an_account(&store, "eve@example.org").await.id);
        for account in [&ada, &eve] {
            append(&store, account, 0..2_000).await;
        }
        let bounds = LogBounds { requests: 300, oldest: Timestamp::MIN };
        assert!(store.request_log().trim(&ada, bounds).await.expect("written") > 10);
        let left = all(&store, &ada).await;
        assert!((300..300 + 128).contains(&left.len()), "{}", left.len());
        assert_eq!(left, requests(2_000 - left.len().cast_signed() as i64..2_000), "the newest");
        assert_eq!(store.request_log().count(&eve).await.expect("read"), 2_000);
        assert_eq!(store.request_log().trim(&ada, bounds).await.expect("written"), 0);

        let recent = LogBounds { requests: 10_000, oldest: after(1_500) };
        assert_eq!(store.request_log().prune(Plan::Pro, recent).await.expect("written"), 0, "both are on another plan");
        assert!(store.request_log().prune(Plan::Free, recent).await.expect("written") > 0);
        let left = all(&store, &eve).await;
        assert!(left.len() < 500 + 128 && left.last() == Some(&entry(1_999).request), "{}", left.len());
        store.request_log().prune(Plan::Free, bounds).await.expect("written");
        assert!(store.request_log().count(&eve).await.expect("read") < 300 + 128);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_goes_with_its_account() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        append(&store, &ada, 0..3).await;
        store.accounts().delete(&ada).await.expect("deleted");
        assert_eq!(store.request_log().count(&ada).await.expect("read"), 0);
        append(&store, &ada, 3..4).await;
        assert_eq!(store.request_log().count(&ada).await.expect("read"), 0, "nothing is written for it any more");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_write_at_once_lose_nothing() {
    on_both(async |database| {
        let stores = [database.open().await, database.open().await];
        let ada = an_account(&stores[0], "ada@example.org").await.id;
        let tasks = stores.map(|store| {
            let ada = ada.clone();
            tokio::spawn(async move {
                for n in 0..20 {
                    append(&store, &ada, n * 7..(n + 1) * 7).await;
                }
            })
        });
        for task in tasks {
            task.await.expect("written");
        }
        let store = database.open().await;
        let mut times: Vec<_> = all(&store, &ada).await.into_iter().map(|request| request.at).collect();
        times.sort_unstable();
        let expected: Vec<_> = (0..140).flat_map(|n| [after(n), after(n)]).collect();
        assert_eq!(times, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_bodies_are_kept_is_a_change_of_the_account() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await;
        assert!(!ada.keeps_bodies);
        let change = store.latest_change().await.expect("read");
        let changed = store.accounts().set_keeps_bodies(&ada.id, true).await.expect("written").expect("there");
        assert!(changed.keeps_bodies && store.latest_change().await.expect("read") > change);
        assert_eq!(store.accounts().by_id(&ada.id).await.expect("read"), Some(changed));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_plans_are_set_and_reset() {
    on_both(async |database| {
        let store = database.open().await;
        assert_eq!(store.plan_limits().list().await.expect("read"), []);
        let limits = StoredLimits { plan: Plan::Pro, requests_per_minute: 7, log_requests: 8, log_days: 9 };
        store.plan_limits().set(StoredLimits { log_days: 1, ..limits }).await.expect("written");
        store.plan_limits().set(limits).await.expect("written");
        assert_eq!(store.plan_limits().list().await.expect("read"), [limits]);
        assert!(store.plan_limits().reset(Plan::Pro).await.expect("written"));
        assert!(!store.plan_limits().reset(Plan::Pro).await.expect("written"));
        assert_eq!(store.plan_limits().list().await.expect("read"), []);
    })
    .await;
}
