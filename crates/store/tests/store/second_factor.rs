//! Second factors: on and off, codes that work once, challenges.

use store::{Challenge, Rng, TotpSecret};

use test_support::{after, an_account, noon, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn every_code_is_spent_once() {
    on_both(async |database| {
        let store = database.open().await;
        let factors = store.second_factors();
        let (ada, eve) =
            (an_account(&store, "ada@example.org").await.id, an_account(&store, "eve@example.org").await.id);
        let rng = &mut Rng::system();
        let secret = TotpSecret::generate(rng);
        assert_eq!(factors.of(&ada).await.expect("read"), None);
        assert!(!factors.spend_step(&ada, 1).await.expect("works"), "it is off");
        assert_eq!(factors.replace_recovery_codes(&ada, rng).await.expect("works"), None);
        let codes = factors.turn_on(&ada, &secret, 100, noon(), rng).await.expect("works").expect("it was off");
        assert_eq!(codes.len(), 10);
        assert_eq!(factors.turn_on(&ada, &secret, 100, noon(), rng).await.expect("works"), None, "it is on");
        let factor = factors.of(&ada).await.expect("read").expect("on");
        assert_eq!((factor.secret, factor.created_at, factor.codes_left), (secret, noon(), 10));

        for (step, is_new) in [(100, false), (99, false), (101, true), (101, false), (100, false), (102, true)] {
            assert_eq!(factors.spend_step(&ada, step).await.expect("works"), is_new, "{step}");
        }
        let mut tries = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (store, ada, code) = (store.clone(), ada.clone(), codes[0].clone());
            tries.spawn(async move {
                let step = store.second_factors().spend_step(&ada, 200).await.expect("works");
                (step, store.second_factors().spend_recovery_code(&ada, &code).await.expect("works"))
            });
        }
        let spent = tries.join_all().await;
        assert_eq!(spent.iter().filter(|(step, _)| *step).count(), 1);
        assert_eq!(spent.iter().filter(|(_, code)| *code).count(), 1);
        assert!(!factors.spend_recovery_code(&eve, &codes[1]).await.expect("works"), "somebody else's");
        let typed = format!(" {} ", codes[1].replace('-', "").to_uppercase());
        assert!(factors.spend_recovery_code(&ada, &typed).await.expect("works"));
        for wrong in ["", "nonsense", &codes[1], "aaaa-aaaa-aaaa-aaaa"] {
            assert!(!factors.spend_recovery_code(&ada, wrong).await.expect("works"), "{wrong}");
        }
        assert_eq!(factors.of(&ada).await.expect("read").map(|factor| factor.codes_left), Some(8));
        let new = factors.replace_recovery_codes(&ada, rng).await.expect("works").expect("it is on");
        assert!(!factors.spend_recovery_code(&ada, &codes[2]).await.expect("works"), "replaced");
        assert!(factors.spend_recovery_code(&ada, &new[9]).await.expect("works"));
        assert!(factors.turn_off(&ada).await.expect("works"));
        assert!(!factors.turn_off(&ada).await.expect("works"));
        assert!(!factors.spend_recovery_code(&ada, &new[0]).await.expect("works"));
        assert_eq!(factors.of(&ada).await.expect("read"), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_ends_once_or_by_itself() {
    on_both(async |database| {
        let store = database.open().await;
        let factors = store.second_factors();
        let ada = an_account(&store, "ada@example.org").await.id;
        let rng = &mut Rng::system();
        let challenge = Challenge { account_id: ada.clone(), is_by_link: true };
        let token = factors.create_challenge(&challenge, after(600), rng).await.expect("a challenge");
        assert_eq!(factors.challenge(&token, after(599)).await.expect("read"), Some(challenge.clone()));
        assert_eq!(factors.challenge(&token, after(600)).await.expect("read"), None);
        assert_eq!(factors.challenge("unknown", noon()).await.expect("read"), None);
        assert!(factors.end_challenge(&token).await.expect("works"));
        assert!(!factors.end_challenge(&token).await.expect("works"));
        assert_eq!(factors.challenge(&token, noon()).await.expect("read"), None);
        let second = factors.create_challenge(&challenge, after(600), rng).await.expect("a challenge");
        store.sessions().delete_all(&ada).await.expect("works");
        assert_eq!(factors.challenge(&second, noon()).await.expect("read"), None, "signed out everywhere");
        factors.create_challenge(&challenge, after(600), rng).await.expect("a challenge");
        assert_eq!(store.sessions().prune(after(600)).await.expect("works"), 1);
        let secret = TotpSecret::generate(rng);
        factors.turn_on(&ada, &secret, 1, noon(), rng).await.expect("works").expect("it was off");
        store.accounts().delete(&ada).await.expect("works");
        assert_eq!(factors.of(&ada).await.expect("read"), None, "gone with the account");
        assert!(factors.turn_on(&ada, &secret, 1, noon(), rng).await.is_err());
        assert!(!format!("{secret:?}").contains(char::is_numeric));
    })
    .await;
}
