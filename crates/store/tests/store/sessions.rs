use store::sessions::MAX_IDLE;
use store::{NewSession, Rng, SessionId};

use test_support::{a_session, after, an_account, noon, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn a_link_signs_in_once() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let rng = &mut Rng::system();
        let link = store.sessions().create_link(&account, after(600), noon(), rng).await.expect("a link");
        assert!(link.len() >= 43, "256 bits in base62");
        let mut clicks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (store, link) = (store.clone(), link.clone());
            clicks.spawn(async move { store.sessions().use_link(&link, after(1)).await.expect("works") });
        }
        let signed_in: Vec<_> = clicks.join_all().await.into_iter().flatten().collect();
        assert_eq!(signed_in, std::slice::from_ref(&account));
        let late = store.sessions().create_link(&account, after(600), noon(), rng).await.expect("a link");
        assert_eq!(store.sessions().use_link(&late, after(600)).await.expect("works"), None);
        assert_eq!(store.sessions().use_link("unknown", noon()).await.expect("works"), None);
        assert_eq!(store.sessions().prune(after(600)).await.expect("works"), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_begin_and_end() {
    on_both(async |database| {
        let store = database.open().await;
        let sessions = store.sessions();
        let account = an_account(&store, "ada@example.org").await;
        let rng = &mut Rng::system();
        let start = async |seconds, rng: &mut Rng| {
            let new = NewSession { user_agent: Some("Firefox"), address: Some("192.0.2.1"), ..a_session(1_000) };
            sessions.create(&account.id, new, after(seconds), rng).await.expect("a session")
        };
        let (first, second, third) = (start(1, rng).await, start(2, rng).await, start(3, rng).await);
        let (session, of) = sessions.by_token(&first, after(999)).await.expect("read").expect("signed in");
        assert_eq!(of, account);
        assert_eq!((session.created_at, session.expires_at), (after(1), after(1_000)));
        assert_eq!((session.user_agent.as_deref(), session.address.as_deref()), (Some("Firefox"), Some("192.0.2.1")));
        assert_eq!(sessions.by_token(&first, after(1_000)).await.expect("read"), None);
        assert_eq!(sessions.by_token("unknown", noon()).await.expect("read"), None);
        let listed = sessions.list(&account.id, after(5)).await.expect("read");
        assert_eq!(listed.len(), 3);
        assert_eq!(listed[2], session, "the oldest is the last");

        let other = an_account(&store, "eve@example.org").await.id;
        assert!(!sessions.delete(&other, &session.id).await.expect("works"));
        assert!(!sessions.delete(&account.id, &SessionId::generate(rng)).await.expect("works"));
        assert!(sessions.delete(&account.id, &session.id).await.expect("works"));
        assert_eq!(sessions.by_token(&first, noon()).await.expect("read"), None);
        assert!(sessions.by_token(&second, noon()).await.expect("read").is_some());
        let link = sessions.create_link(&account.id, after(600), noon(), rng).await.expect("a link");
        assert_eq!(sessions.delete_all(&account.id).await.expect("works"), 2);
        assert_eq!(sessions.by_token(&third, noon()).await.expect("read"), None);
        assert_eq!(sessions.use_link(&link, noon()).await.expect("works"), None, "signed out everywhere");
        start(4, rng).await;
        assert_eq!(sessions.prune(after(1_000)).await.expect("works"), 1);
        assert_eq!(sessions.list(&account.id, noon()).await.expect("read"), []);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_session_ends_and_a_used_one_goes_on_to_its_end() {
    on_both(async |database| {
        let store = database.open().await;
        let sessions = store.sessions();
        let account = an_account(&store, "ada@example.org").await;
        let idle = MAX_IDLE.as_secs();
        let rng = &mut Rng::system();
        let token = sessions.create(&account.id, a_session(3 * idle), noon(), rng).await.expect("a session");
        let at = async |seconds| sessions.by_token(&token, after(seconds)).await.expect("read");
        let (session, _) = at(idle - 1).await.expect("not idle for too long");
        assert_eq!(at(idle).await, None);
        assert_eq!(sessions.list(&account.id, after(idle)).await.expect("read"), []);
        for seconds in [idle - 1, 2 * idle - 2] {
            assert!(at(seconds).await.is_some());
            sessions.touch(&session.id, after(seconds)).await.expect("works");
        }
        assert!(at(3 * idle - 3).await.is_some());
        assert_eq!(at(3 * idle).await, None, "used or not");
        assert_eq!(sessions.prune(after(3 * idle - 3)).await.expect("works"), 0);
        assert_eq!(sessions.prune(after(3 * idle - 2)).await.expect("works"), 1, "idle");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmed_session_has_another_token() {
    on_both(async |database| {
        let store = database.open().await;
        let sessions = store.sessions();
        let account = an_account(&store, "ada@example.org").await;
        let rng = &mut Rng::system();
        let old = sessions
            .create(&account.id, NewSession { is_by_link: true, ..a_session(1_000) }, noon(), rng)
            .await
            .expect("a session");
        let (session, _) = sessions.by_token(&old, noon()).await.expect("read").expect("signed in");
        assert_eq!((session.confirmed_at, session.is_by_link), (noon(), true));
        let new = sessions.confirm(&session.id, after(500), rng).await.expect("works").expect("a token");
        assert_eq!(sessions.by_token(&old, after(501)).await.expect("read"), None);
        let (same, _) = sessions.by_token(&new, after(501)).await.expect("read").expect("signed in");
        assert_eq!((same.id, same.confirmed_at, same.expires_at), (session.id.clone(), after(500), after(1_000)));
        assert!(sessions.delete(&account.id, &session.id).await.expect("works"));
        assert_eq!(sessions.confirm(&session.id, after(502), rng).await.expect("works"), None);
    })
    .await;
}
