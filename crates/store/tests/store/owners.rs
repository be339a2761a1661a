//! What whoever runs the service sees and does, and what keeps them from locking themselves out.

use jiff::civil::date;
use store::usage::UsageQuery;
use store::{CreateKeyError, KeyId, Mode, NewAccount, NewKey, Plan, Removal, RequestCount, Rng};

use crate::usage::a_count;
use test_support::{a_session, after, an_account, email, noon, on_both, run_sql};

#[tokio::test(flavor = "multi_thread")]
async fn the_last_owner_stays() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let owner = async |address: &str, rng: &mut Rng| {
            store
                .accounts()
                .create(NewAccount { is_owner: true, ..NewAccount::new(email(address)) }, noon(), rng)
                .await
                .expect("an account")
        };
        let (first, second) = (owner("a@example.org", rng).await, owner("b@example.org", rng).await);
        an_account(&store, "guest@example.org").await;
        let (one, other) = tokio::join!(store.accounts().delete(&first.id), store.accounts().delete(&second.id));
        let mut results = [one.expect("works"), other.expect("works")];
        results.sort_by_key(|removal| *removal == Removal::LastOwner);
        assert_eq!(results, [Removal::Removed, Removal::LastOwner]);
        assert_eq!(store.accounts().count().await.expect("read"), 2);
        let accounts = store.accounts().list().await.expect("read");
        let (owner, guest) = (&accounts.iter().find(|a| a.is_owner).expect("one is left").id, &accounts[1].id);
        let guest = if guest == owner { &accounts[0].id } else { guest };
        assert_eq!(store.accounts().set_owner(owner, false).await.expect("works"), None, "the last one");
        assert!(store.accounts().set_owner(guest, true).await.expect("works").expect("there").is_owner);
        assert!(!store.accounts().set_owner(owner, false).await.expect("works").expect("there").is_owner);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_account_is_known_as_such_on_the_next_question() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let account = an_account(&store, "ada@example.org").await.id;
        let (_, text) = store.keys().create(&account, NewKey::live(), noon(), rng).await.expect("a key");
        let session = store.sessions().create(&account, a_session(60), noon(), rng).await.expect("made");
        let before = store.latest_change().await.expect("read");
        let disabled = store.accounts().set_disabled(&account, Some(after(1))).await.expect("works").expect("there");
        assert_eq!(disabled.disabled_at, Some(after(1)));
        let changed = store.changed_accounts(before).await.expect("read").accounts.expect("known");
        assert_eq!(changed, std::slice::from_ref(&account));
        let (_, of) = store.keys().by_hash(&text.hash()).await.expect("read").expect("there");
        assert_eq!(of.disabled_at, Some(after(1)));
        assert_eq!(store.sessions().by_token(&session, noon()).await.expect("read"), None);
        store.accounts().set_disabled(&account, None).await.expect("works").expect("there");
        assert!(store.sessions().by_token(&session, noon()).await.expect("read").is_some());
        let owner = store
            .accounts()
            .create(NewAccount { is_owner: true, ..NewAccount::new(email("o@example.org")) }, noon(), rng)
            .await;
        let owner = owner.expect("an account").id;
        assert_eq!(store.accounts().set_disabled(&owner, Some(noon())).await.expect("works"), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_found_by_a_part_of_their_address() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let today = date(2026, 11, 15);
        for n in 0..5 {
            an_account(&store, &format!("cook{n}@example.org")).await;
        }
        let odd = an_account(&store, "100%_cook@example.net").await.id;
        let (key, _) = store.keys().create(&odd, NewKey::live(), noon(), rng).await.expect("a key");
        let (ended, _) = store.keys().create(&odd, NewKey::live(), noon(), rng).await.expect("a key");
        store.keys().revoke(&odd, &ended.id, noon()).await.expect("revoked");
        store.usage().add(&[RequestCount { requests: 42, ..a_count(&odd, &key.id) }]).await.expect("added");
        let list = async |text: &str, skipped, limit| {
            let listing = store.directory().list(text, skipped, limit, today, after(1)).await.expect("read");
            (listing.entries, listing.total)
        };
        let (all, total) = list("", 0, 4).await;
        assert_eq!((all.len(), total), (4, 6));
        assert_eq!(list("", 4, 4).await.0.len(), 2);
        assert_eq!(list("COOK3", 0, 4).await.1, 1);
        for text in ["0%_c", "%", "_"] {
            let (found, total) = list(text, 0, 4).await;
            assert_eq!((total, found[0].account.id.clone()), (1, odd.clone()), "{text}");
            assert_eq!((found[0].keys, found[0].requests_today), (1, 42));
        }
        assert_eq!(list("\\", 0, 4).await.1, 0);
        let figures = store.figures().await.expect("read");
        assert_eq!((figures.accounts, figures.keys, figures.images), (6, 2, 0));
        assert!(figures.bytes > 10_000, "{figures:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_is_summed_and_forgotten() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let other = an_account(&store, "eve@example.org").await.id;
        let keys = [1, 2].map(|seed| KeyId::generate(&mut Rng::seeded(seed)));
        let base = a_count(&account, &keys[0]);
        let old = date(2025, 10, 1);
        let counts = [
            base.clone(),
            RequestCount { latency_bucket: 9, ..base.clone() },
            RequestCount { status: "429".into(), ..base.clone() },
            RequestCount { key: keys[1].clone(), mode: Mode::Test, requests: 5, ..base.clone() },
            RequestCount { day: old, ..base.clone() },
            a_count(&other, &keys[0]),
        ];
        store.usage().add(&counts).await.expect("added");
        let span = UsageQuery { account: &account, from: base.day, to: base.day, key: None, mode: None };
        let days = store.usage().by_day(&span).await.expect("read");
        let mut days: Vec<_> =
            days.iter().map(|sum| (sum.mode, [sum.ok, sum.client, sum.limited, sum.server])).collect();
        days.sort_unstable_by_key(|(_, counts)| *counts);
        assert_eq!(days, [(Mode::Live, [4, 0, 2, 0]), (Mode::Test, [5, 0, 0, 0])]);
        let routes = store.usage().by_route(&span).await.expect("read");
        assert_eq!(routes.iter().map(|sum| sum.requests).sum::<u64>(), 11);
        assert_eq!(routes.iter().map(|sum| sum.latency_bucket).collect::<Vec<_>>(), [7, 9, 7]);
        let one = UsageQuery { key: Some(&keys[1]), ..span.clone() };
        assert_eq!(store.usage().by_day(&one).await.expect("read")[0].ok, 5);
        let live = UsageQuery { mode: Some(Mode::Live), ..span.clone() };
        assert_eq!(store.usage().by_day(&live).await.expect("read").len(), 1);

        assert_eq!(store.usage().prune(date(2025, 10, 2)).await.expect("pruned"), 1);
        assert_eq!(store.usage().daily(&account, old, old).await.expect("read"), []);
        assert_eq!(store.usage().daily(&account, base.day, base.day).await.expect("read").len(), 4);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_with_a_chosen_id_is_made_once_and_not_beyond_the_limit() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let account = an_account(&store, "ada@example.org").await.id;
        let id = KeyId::generate(rng);
        let mut tries = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let (store, account, id) = (store.clone(), account.clone(), id.clone());
            tries.spawn(async move {
                store.keys().create_once(&account, &id, NewKey::live(), 2, noon(), &mut Rng::system()).await.is_ok()
            });
        }
        let made = tries.join_all().await.into_iter().filter(|made| *made).count();
        assert_eq!(made, 1);
        store
            .keys()
            .create_once(&account, &KeyId::generate(rng), NewKey::live(), 2, noon(), rng)
            .await
            .expect("a second");
        let third = store.keys().create_once(&account, &KeyId::generate(rng), NewKey::live(), 2, noon(), rng).await;
        assert!(matches!(third, Err(CreateKeyError::LimitReached)), "{third:?}");
        store.keys().revoke(&account, &id, noon()).await.expect("revoked");
        store
            .keys()
            .create_once(&account, &KeyId::generate(rng), NewKey::live(), 2, after(1), rng)
            .await
            .expect("room again");
        let renamed = store.keys().rename(&account, &id, Some("phone")).await.expect("works").expect("there");
        assert_eq!(renamed.label.as_deref(), Some("phone"));
        let stranger = an_account(&store, "eve@example.org").await.id;
        assert_eq!(store.keys().rename(&stranger, &id, None).await.expect("works"), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_sessions_but_one_can_be_ended() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let sessions = store.sessions();
        let account = an_account(&store, "ada@example.org").await.id;
        let start =
            async |rng: &mut Rng| sessions.create(&account, a_session(1_000), noon(), rng).await.expect("a session");
        let (kept, ended) = (start(rng).await, start(rng).await);
        let (session, _) = sessions.by_token(&kept, noon()).await.expect("read").expect("signed in");
        assert_eq!(session.last_seen_at, noon());
        sessions.touch(&session.id, after(50)).await.expect("works");
        sessions.touch(&session.id, after(40)).await.expect("works");
        let (session, _) = sessions.by_token(&kept, noon()).await.expect("read").expect("signed in");
        assert_eq!(session.last_seen_at, after(50), "it only moves forward");
        let link = sessions.create_link(&account, after(600), noon(), rng).await.expect("a link");
        assert_eq!(sessions.delete_others(&account, &session.id).await.expect("works"), 1);
        assert!(sessions.by_token(&kept, noon()).await.expect("read").is_some());
        assert_eq!(sessions.by_token(&ended, noon()).await.expect("read"), None);
        assert_eq!(sessions.use_link(&link, noon()).await.expect("works"), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_the_first_version_is_brought_up_to_date() {
    on_both(async |database| {
        let (tables, session) = match &database.location {
            store::Location::Sqlite(_) => (
                include_str!("../../migrations/sqlite/0001_initial.sql"),
                "INSERT INTO sessions (id, token_hash, account_id, created_at, expires_at)
                 VALUES ('ses_0000000000000000000000', x'00', 'acc_0000000000000000000000', 7, 9)",
            ),
            store::Location::Postgres(_) => (
                include_str!("../../migrations/postgres/0001_initial.sql"),
                "INSERT INTO sessions (id, token_hash, account_id, created_at, expires_at)
                 VALUES ('ses_0000000000000000000000', '\\x00', 'acc_0000000000000000000000', 7, 9)",
            ),
        };
        run_sql(database, tables).await;
        let version = "CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL);
                       INSERT INTO schema_versions VALUES (1, 'initial');
                       INSERT INTO accounts VALUES ('acc_0000000000000000000000', 'ada@example.org', NULL, 'pro', 1, 5)";
        run_sql(database, version).await;
        run_sql(database, session).await;
        let store = database.open().await;
        let account = store.accounts().by_email(&email("ada@example.org")).await.expect("read").expect("there");
        assert!(account.is_owner && account.disabled_at.is_none() && account.plan == Plan::Pro);
        let long_ago = jiff::Timestamp::from_microsecond(8).expect("a time");
        let sessions = store.sessions().list(&account.id, long_ago).await.expect("read");
        assert_eq!((sessions[0].last_seen_at.as_microsecond(), sessions[0].confirmed_at.as_microsecond()), (7, 0));
    })
    .await;
}
