use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use store::{CreateKeyError, Grace, Key, KeyId, KeyState, KeyText, Mode, NewKey, Rng, Scope, Scopes};

use test_support::{after, an_account, noon, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_found_by_its_hash_and_never_by_its_text() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await;
        let scopes = [Scope::Estimate, Scope::RecipesRead].into_iter().collect();
        let new = NewKey { mode: Mode::Test, label: Some("app".into()), scopes, expires_at: Some(after(60)) };
        let (key, text) = store.keys().create(&account.id, new, noon(), &mut Rng::system()).await.expect("a key");
        assert!(text.as_str().starts_with(&key.prefix) && text.as_str().ends_with(&key.last_four));
        assert_eq!(key.prefix.len(), 13);
        let found = store.keys().by_hash(&text.hash()).await.expect("read");
        assert_eq!(found, Some((key.clone(), account.clone())));
        assert_eq!(store.keys().by_hash(&[7; 32]).await.expect("read"), None);
        assert_eq!(store.keys().by_id(&account.id, &key.id).await.expect("read"), Some(key.clone()));
        let other = an_account(&store, "eve@example.org").await;
        assert_eq!(store.keys().by_id(&other.id, &key.id).await.expect("read"), None);
        for shown in [key.id.as_str(), &key.prefix, &key.last_four, text.as_str()] {
            assert_eq!(store.keys().find(shown).await.expect("read"), std::slice::from_ref(&key), "{shown}");
        }
        assert_eq!(store.keys().find("svc_test_").await.expect("read"), []);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoking_is_final() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let (key, _) = store.keys().create(&account, NewKey::live(), noon(), &mut Rng::system()).await.expect("a key");
        let other = an_account(&store, "eve@example.org").await.id;
        assert_eq!(store.keys().revoke(&other, &key.id, noon()).await.expect("read"), None);
        let revoked = store.keys().revoke(&account, &key.id, after(5)).await.expect("written").expect("there");
        assert_eq!(revoked.revoked_at, Some(after(5)));
        assert_eq!(revoked.state(after(4)), KeyState::Active);
        assert_eq!(revoked.state(after(5)), KeyState::Revoked);
        let again = store.keys().revoke(&account, &key.id, after(50)).await.expect("read").expect("there");
        assert_eq!(again.revoked_at, Some(after(5)));
        let rng = &mut Rng::system();
        let new = KeyId::generate(rng);
        let rolled = store.keys().rotate(&account, &key.id, &new, Grace::Now, after(60), rng).await;
        assert!(matches!(rolled, Err(CreateKeyError::NotFound)), "{rolled:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolled_key_works_for_its_time_of_grace() {
    on_both(async |database| {
        let store = database.open().await;
        let keys = store.keys();
        let rng = &mut Rng::system();
        let account = an_account(&store, "ada@example.org").await.id;
        for (grace, seconds) in [(Grace::Now, 0), (Grace::Hour, 3600), (Grace::Day, 86_400), (Grace::Week, 604_800)] {
            let new = NewKey { label: Some("app".into()), mode: Mode::Test, ..NewKey::live() };
            let (old, old_text) = keys.create(&account, new, noon(), rng).await.expect("a key");
            let id = KeyId::generate(rng);
            let (new, text) = keys.rotate(&account, &old.id, &id, grace, after(1), rng).await.expect("rolled");
            let twice = keys.rotate(&account, &old.id, &id, grace, after(1), rng).await;
            assert!(matches!(twice, Err(CreateKeyError::AlreadyCreated)), "{twice:?}");
            assert_eq!((new.mode, &new.label, new.scopes), (old.mode, &old.label, old.scopes));
            assert_ne!(text, old_text);
            let (old, _) = keys.by_hash(&old_text.hash()).await.expect("read").expect("there");
            assert_eq!(old.revoked_at, Some(after(1 + seconds)));
            assert_eq!(old.state(after(1 + seconds)), KeyState::Revoked);
            assert_eq!(old.state(after(seconds)), KeyState::Active);
            assert_eq!(keys.by_hash(&text.hash()).await.expect("read").expect("there").0, new);
            if grace != Grace::Now {
                // A second roll cannot lengthen the first one's grace, and a revocation ends it.
                let id = KeyId::generate(rng);
                keys.rotate(&account, &old.id, &id, Grace::Week, after(2), rng).await.expect("rolled");
                let same = keys.by_id(&account, &old.id).await.expect("read").expect("there");
                assert_eq!(same.revoked_at, old.revoked_at);
                let ended = keys.revoke(&account, &old.id, after(3)).await.expect("works").expect("there");
                assert_eq!(ended.revoked_at, Some(after(3)));
            }
        }
        assert_eq!(keys.list(&account).await.expect("read").len(), 4 * 2 + 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn last_use_only_moves_forward() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await.id;
        let (key, _) = store.keys().create(&account, NewKey::live(), noon(), &mut Rng::system()).await.expect("a key");
        let used = |seconds: i64, from: &str| (key.id.clone(), after(seconds), from.to_owned());
        let nobody = (KeyId::generate(&mut Rng::system()), noon(), "::1".to_owned());
        let before = store.latest_change().await.expect("read");
        store.keys().touch(&[used(20, "10.0.0.2"), nobody, used(10, "10.0.0.1")]).await.expect("written");
        store.keys().touch(&[used(15, "10.0.0.3")]).await.expect("written");
        let read = store.keys().by_id(&account, &key.id).await.expect("read").expect("there");
        assert_eq!((read.last_used_at, read.last_used_from.as_deref()), (Some(after(20)), Some("10.0.0.2")));
        assert_eq!(store.latest_change().await.expect("read"), before, "a use is no change");
    })
    .await;
}

#[test]
fn a_revoked_key_counts_as_revoked_even_when_expired() {
    let key = |expires_at, revoked_at| Key {
        id: KeyId::generate(&mut Rng::seeded(1)),
        account_id: store::AccountId::generate(&mut Rng::seeded(2)),
        mode: Mode::Live,
        label: None,
        scopes: Scopes::all(),
        prefix: String::new(),
        last_four: String::new(),
        created_at: noon(),
        expires_at,
        revoked_at,
        last_used_at: None,
        last_used_from: None,
        networks: Vec::new(),
    };
    assert_eq!(key(None, None).state(Timestamp::MAX), KeyState::Active);
    assert_eq!(key(Some(after(1)), None).state(noon()), KeyState::Active);
    assert_eq!(key(Some(after(1)), None).state(after(1)), KeyState::Expired);
    assert_eq!(key(Some(after(1)), Some(after(2))).state(after(3)), KeyState::Revoked);
    assert_eq!(Grace::Week.duration(), SignedDuration::from_hours(168));
}

#[test]
fn a_key_does_not_show_itself() {
    let text = KeyText::generate(Mode::Live, &mut Rng::seeded(3));
    let shown = format!("{text:?}");
    assert!(shown.len() < 35 && !shown.contains(&text.as_str()[13..41]), "{shown}");
}

proptest! {
    #[test]
    fn a_generated_key_parses_and_no_neighbour_of_it_does(seed: u64, live: bool, at in 0usize..45, to in "[0-9A-Za-z_]") {
        let mode = if live { Mode::Live } else { Mode::Test };
        let text = KeyText::generate(mode, &mut Rng::seeded(seed));
        prop_assert_eq!(text.as_str().len(), 45);
        prop_assert_eq!(text.mode(), mode);
        prop_assert_eq!(KeyText::parse(text.as_str()), Some(text.clone()));
        // CRC-32 notices every single changed character.
        let mut changed = text.as_str().to_owned();
        changed.replace_range(at..=at, &to);
        prop_assert_eq!(KeyText::parse(&changed).is_some(), changed == text.as_str());
        prop_assert_eq!(KeyText::parse(&text.as_str()[..44]), None);
        prop_assert_eq!(KeyText::parse(&format!("{} ", text.as_str())), None);
    }

    #[test]
    fn no_text_makes_parsing_fail(text: String) {
        prop_assert_eq!(KeyText::parse(&text), None);
        prop_assert_eq!(KeyText::parse(&format!("svc_live_{text}")), None);
    }

    #[test]
    fn scopes_are_what_their_names_say(chosen in prop::collection::vec(0usize..5, 0..6)) {
        let names: Vec<_> = chosen.iter().map(|n| Scope::ALL[*n].name()).collect();
        let scopes = Scopes::from_names(names.iter().copied()).expect("known names");
        for scope in Scope::ALL {
            prop_assert_eq!(scopes.contains(scope), names.contains(&scope.name()));
        }
        prop_assert_eq!(Scopes::from_names(scopes.names()), Ok(scopes));
    }
}

#[test]
fn an_unknown_scope_is_named() {
    assert_eq!(Scopes::from_names(["estimate", "admin"]), Err("admin".to_owned()));
    assert_eq!(Scopes::all().to_string(), "estimate,upload,foods:read,recipes:read,recipes:write");
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_and_networks_can_be_changed_and_outlive_a_rotation() {
    on_both(async |database| {
        let store = database.open().await;
        let (ada, eve) =
            (an_account(&store, "ada@example.org").await.id, an_account(&store, "eve@example.org").await.id);
        let rng = &mut Rng::seeded(1);
        let (key, text) = store.keys().create(&ada, NewKey::live(), noon(), rng).await.expect("a key");
        assert!(key.networks.is_empty());
        let scopes = Scopes::from_names(["estimate"]).expect("known");
        let networks = ["10.0.0.0/8".to_owned(), "2001:db8::1".to_owned()];
        assert_eq!(store.keys().restrict(&eve, &key.id, scopes, &networks).await.expect("read"), None);
        let change = store.latest_change().await.expect("read");
        let changed = store.keys().restrict(&ada, &key.id, scopes, &networks).await.expect("written").expect("there");
        assert_eq!((changed.scopes, changed.networks.as_slice()), (scopes, &networks[..]));
        assert!(store.latest_change().await.expect("read") > change, "servers must notice");
        assert_eq!(store.keys().by_hash(&text.hash()).await.expect("read").map(|(key, _)| key), Some(changed));
        let (new, _) =
            store.keys().rotate(&ada, &key.id, &KeyId::generate(rng), Grace::Now, noon(), rng).await.expect("rotated");
        assert_eq!((new.scopes, new.networks.as_slice()), (scopes, &networks[..]));
        assert_eq!(store.keys().by_id(&ada, &new.id).await.expect("read"), Some(new));
    })
    .await;
}
