use store::{CreateAccountError, NewAccount, NewKey, Plan, Removal, Rng};

use test_support::{a_recipe, a_session, after, an_account, email, noon, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_found_as_it_was_made() {
    on_both(async |database| {
        let store = database.open().await;
        let accounts = store.accounts();
        let rng = &mut Rng::seeded(1);
        let made = accounts
            .create(
                NewAccount {
                    password_hash: Some("hash".to_owned()),
                    plan: Plan::Pro,
                    is_owner: true,
                    ..NewAccount::new(email("  Ada@Example.org "))
                },
                noon(),
                rng,
            )
            .await
            .expect("an account");
        assert_eq!(made.email.as_str(), "ada@example.org");
        assert_eq!(accounts.by_id(&made.id).await.expect("read"), Some(made.clone()));
        assert_eq!(accounts.by_email(&email("ADA@example.ORG")).await.expect("read"), Some(made.clone()));
        assert_eq!(accounts.by_email(&email("eve@example.org")).await.expect("read"), None);
        let second = accounts.create(NewAccount::new(email("ada@EXAMPLE.org")), noon(), rng).await;
        assert!(matches!(second, Err(CreateAccountError::EmailTaken)));
        assert_eq!(accounts.find_or_create(&email("Ada@example.org"), after(9), rng).await.expect("found"), made);
        let other = accounts.find_or_create(&email("eve@example.org"), after(9), rng).await.expect("made");
        assert_eq!((other.plan, other.is_owner), (Plan::Free, false));
        assert_eq!(accounts.list().await.expect("read"), [made, other]);
        assert_eq!(accounts.count().await.expect("read"), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn plan_and_password_change() {
    on_both(async |database| {
        let store = database.open().await;
        let account = an_account(&store, "ada@example.org").await;
        let changed = store.accounts().set_plan(&account.id, Plan::Scale).await.expect("written").expect("exists");
        assert_eq!(changed.plan, Plan::Scale);
        assert!(store.accounts().set_password(&account.id, "hash").await.expect("written"));
        let read = store.accounts().by_id(&account.id).await.expect("read").expect("exists");
        assert_eq!((read.plan, read.password_hash.as_deref()), (Plan::Scale, Some("hash")));
        let nobody = store::AccountId::generate(&mut Rng::system());
        assert_eq!(store.accounts().set_plan(&nobody, Plan::Pro).await.expect("written"), None);
        assert!(!store.accounts().set_password(&nobody, "hash").await.expect("written"));
        assert_eq!(store.accounts().delete(&nobody).await.expect("written"), Removal::NotFound);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_servers_that_start_together_one_makes_the_owner() {
    on_both(async |database| {
        // Stores of their own, as servers on several machines have them.
        let mut servers = tokio::task::JoinSet::new();
        for n in 0..8 {
            let location = database.location.clone();
            servers.spawn(async move {
                let store = store::Store::open(&location).await.expect("opens");
                let address = email(&format!("owner{n}@example.org"));
                store.accounts().create_first_owner(&address, noon(), &mut Rng::system()).await.expect("works")
            });
        }
        let owners: Vec<_> = servers.join_all().await.into_iter().flatten().collect();
        assert_eq!(owners.len(), 1);
        assert!(owners[0].is_owner);
        assert_eq!(database.open().await.accounts().list().await.expect("read"), owners);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_address_at_the_same_time_is_one_account() {
    on_both(async |database| {
        let store = database.open().await;
        let mut callers = tokio::task::JoinSet::new();
        for _ in 0..16 {
            let store = store.clone();
            callers.spawn(async move {
                let address = email("ada@example.org");
                store.accounts().find_or_create(&address, noon(), &mut Rng::system()).await.expect("works").id
            });
        }
        let mut ids = callers.join_all().await;
        ids.dedup();
        assert_eq!(ids.len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_account_goes_everything_it_had() {
    on_both(async |database| {
        let store = database.open().await;
        let rng = &mut Rng::system();
        let gone = an_account(&store, "gone@example.org").await;
        let stays = an_account(&store, "stays@example.org").await;
        let mut keys = vec![];
        let mut recipes = vec![];
        let mut tokens = vec![];
        for account in [&gone.id, &stays.id] {
            let (key, text) = store.keys().create(account, NewKey::live(), noon(), rng).await.expect("a key");
            let recipe = store.recipes().create(account, a_recipe("Pie"), 10, noon(), rng, None).await.expect("made");
            let session = store.sessions().create(account, a_session(60), noon(), rng).await.expect("made");
            let link = store.sessions().create_link(account, after(60), noon(), rng).await.expect("made");
            store.usage().add(&[crate::usage::a_count(account, &key.id)]).await.expect("added");
            store.images().insert(&crate::images::an_image(account, rng)).await.expect("inserted");
            store.idempotency().begin(account, "k", &[0; 32], noon()).await.expect("begun");
            keys.push(text.hash());
            recipes.push(recipe.id);
            tokens.push((session, link));
        }
        assert_eq!(store.accounts().delete(&gone.id).await.expect("deleted"), Removal::Removed);
        assert_eq!(store.accounts().by_id(&gone.id).await.expect("read"), None);

        let day = noon().to_zoned(jiff::tz::TimeZone::UTC).date();
        for (n, account) in [&gone.id, &stays.id].into_iter().enumerate() {
            let there = n == 1;
            assert_eq!(store.keys().by_hash(&keys[n]).await.expect("read").is_some(), there);
            assert_eq!(store.recipes().by_id(&recipes[n]).await.expect("read").is_some(), there);
            assert_eq!(store.sessions().by_token(&tokens[n].0, noon()).await.expect("read").is_some(), there);
            assert_eq!(store.sessions().use_link(&tokens[n].1, noon()).await.expect("read").is_some(), there);
            assert_eq!(store.usage().daily(account, day, day).await.expect("read").len(), usize::from(there));
        }
        // The image is gone for callers, but its row waits until the file has been removed.
        let left = store.images().expired(noon(), 10).await.expect("read");
        assert_eq!(left.iter().map(|image| &image.account_id).collect::<Vec<_>>(), [&gone.id]);
        assert_eq!(store.images().by_id(&left[0].id).await.expect("read"), None);
        // What arrives late for an account that is gone.
        let late = crate::usage::a_count(&gone.id, &store::KeyId::generate(rng));
        store.usage().add(&[late]).await.expect("dropped, not refused");
        let recipe = store.recipes().create(&gone.id, a_recipe("Pie"), 10, noon(), rng, None).await;
        assert!(matches!(recipe, Err(store::SaveRecipeError::Store(store::Error::AccountGone))));
        assert!(matches!(
            store.keys().create(&gone.id, NewKey::live(), noon(), rng).await,
            Err(store::Error::AccountGone)
        ));
    })
    .await;
}
