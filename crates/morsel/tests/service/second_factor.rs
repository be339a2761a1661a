//! Two-factor authentication: on, at every sign-in, off, and what becomes of those who lose their app.

use std::time::Duration;

use jiff::SignedDuration;
use store::{AuditFilter, NewAccount, Rng};

use crate::authenticator::code;
use crate::harness::{Reply, Service};
use crate::visitor::{Visitor, hidden};
use test_support::{email, on_both, on_sqlite};

const ADDRESS: &str = "ada@example.org";
const PASSWORD: &str = "three green apples";
const PAGE: &str = "/account/second-factor";
const HALF_MINUTE: Duration = Duration::from_secs(30);

/// Signs up and turns the second factor on; returns the secret and the recovery codes.
async fn turned_on(ada: &mut Visitor<'_>) -> (String, Vec<String>) {
    ada.send("/sign-up", &[("email", ADDRESS), ("password", PASSWORD)]).await;
    let secret = hidden(&ada.page(PAGE).await, "secret");
    let now = code(&secret, ada.service.app.now());
    let reply = ada.send(PAGE, &[("secret", &secret), ("code", &now)]).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    (secret, recovery_codes(&reply))
}

fn recovery_codes(reply: &Reply) -> Vec<String> {
    let page = reply.text();
    let list = page.split("id=\"list\">").nth(1).expect("a list").split("</code>").next().expect("its end");
    list.split_whitespace().map(str::to_owned).collect()
}

/// Sends the password; returns the challenge of the page that asks for a code.
async fn challenge(visitor: &mut Visitor<'_>) -> String {
    let asked = visitor.send("/sign-in", &[("email", ADDRESS), ("password", PASSWORD), ("next", "/usage")]).await;
    assert_eq!((asked.status, asked.header("set-cookie")), (200, None), "{}", asked.text());
    hidden(&asked.text(), "challenge")
}

async fn enter(visitor: &mut Visitor<'_>, challenge: &str, code: &str) -> Reply {
    visitor.send("/sign-in/code", &[("challenge", challenge), ("code", code), ("next", "/usage")]).await
}

#[tokio::test]
async fn a_code_turns_it_on_and_is_asked_for_at_every_sign_in() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        ada.send("/sign-up", &[("email", ADDRESS), ("password", PASSWORD)]).await;
        let mut elsewhere = Visitor::new(&service);
        elsewhere.send("/sign-in", &[("email", ADDRESS), ("password", PASSWORD)]).await;
        assert!(ada.page("/account").await.contains("Turn on…"));
        let page = ada.page(PAGE).await;
        let secret = hidden(&page, "secret");
        assert!(page.contains("<svg class=\"qr\"") && page.contains(&secret[..4]) && page.contains("otpauth://totp/"));
        assert_ne!(hidden(&ada.page(PAGE).await, "secret"), secret, "new every time, until one is stored");
        for wrong in ["", "000000", "nonsense"] {
            let refused = ada.send(PAGE, &[("secret", &secret), ("code", wrong)]).await;
            assert_eq!(refused.status, 422, "{wrong}");
            assert!(refused.text().contains("id=\"code-error\"") && hidden(&refused.text(), "secret") == secret);
        }
        assert_eq!(ada.send(PAGE, &[("secret", "short"), ("code", "000000")]).await.status, 400);
        assert!(elsewhere.is_in().await);
        let first = code(&secret, service.app.now());
        let on = ada.send(PAGE, &[("secret", &secret), ("code", &first)]).await;
        assert_eq!(recovery_codes(&on).len(), 10);
        assert!(on.text().contains("download=\"morsel-recovery-codes.txt\""));
        assert!(ada.is_in().await && !elsewhere.is_in().await, "other browsers are signed out");
        let again = ada.send(PAGE, &[("secret", &secret), ("code", &first)]).await;
        assert_eq!(again.header("location"), Some(PAGE), "shown once");
        assert!(!ada.page(PAGE).await.contains(&secret) && ada.page("/account").await.contains("Manage…"));

        ada.send("/sign-out", &[]).await;
        let token = challenge(&mut ada).await;
        for wrong in ["000000", "", &first] {
            let refused = enter(&mut ada, &token, wrong).await;
            assert_eq!((refused.status, refused.header("set-cookie")), (401, None), "{wrong}: used or wrong");
            assert_eq!(hidden(&refused.text(), "challenge"), token, "and may try again");
        }
        service.advance(HALF_MINUTE);
        let next = code(&secret, service.app.now());
        let typed = format!("{} {}", &next[..3], &next[3..]);
        let right = enter(&mut ada, &token, &typed).await;
        assert_eq!((right.status, right.header("location")), (303, Some("/usage")));
        assert!(ada.is_in().await);
        let mut eve = Visitor::new(&service);
        assert_eq!(enter(&mut eve, &token, &next).await.header("location"), Some("/sign-in?flash=sign-in-again"));
        let token = challenge(&mut eve).await;
        assert_eq!(enter(&mut eve, &token, &next).await.status, 401, "a code that was seen is worth nothing");
        assert!(!eve.is_in().await);
    })
    .await;
}

#[tokio::test]
async fn a_recovery_code_works_once_in_place_of_the_app() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (_, codes) = turned_on(&mut ada).await;
        let mut eve = Visitor::new(&service);
        let token = challenge(&mut ada).await;
        assert_eq!(enter(&mut ada, &token, &codes[0].to_uppercase().replace('-', " ")).await.status, 303);
        let token = challenge(&mut eve).await;
        assert_eq!(enter(&mut eve, &token, &codes[0]).await.status, 401);
        for code in &codes[1..8] {
            let token = challenge(&mut ada).await;
            assert_eq!(enter(&mut ada, &token, code).await.status, 303);
        }
        assert!(ada.page("/account").await.contains("You have 2 recovery codes left."));
        let new = recovery_codes(&ada.send("/account/second-factor/codes", &[]).await);
        assert!(!ada.page("/account").await.contains("left."));
        let token = challenge(&mut ada).await;
        assert_eq!(enter(&mut ada, &token, &codes[9]).await.status, 401, "replaced");
        assert_eq!(enter(&mut ada, &token, &new[9]).await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn links_and_sign_up_ask_for_the_code_too() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, _) = turned_on(&mut ada).await;
        let account = service.app.store.accounts().by_email(&email(ADDRESS)).await.expect("read").expect("there");
        service.advance(HALF_MINUTE);
        let (now, mut visitor) = (service.app.now(), Visitor::new(&service));
        let until = now + SignedDuration::from_secs(60);
        let link = service.app.store.sessions().create_link(&account.id, until, now, &mut Rng::system()).await;
        let asked = visitor.send(&format!("/sign-in/{}", link.expect("a link")), &[]).await;
        assert_eq!((asked.status, asked.header("set-cookie")), (200, None), "{}", asked.text());
        let signed_up = visitor.send("/sign-up", &[("email", ADDRESS), ("password", PASSWORD)]).await;
        assert_eq!((signed_up.status, signed_up.header("set-cookie")), (200, None));
        let token = hidden(&asked.text(), "challenge");
        assert_eq!(enter(&mut visitor, &token, &code(&secret, now)).await.status, 303);
        assert!(!visitor.page("/account").await.contains("name=\"current\""), "the link stands for the password");
    })
    .await;
}

#[tokio::test]
async fn a_challenge_ends_after_ten_minutes_and_with_the_account() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, _) = turned_on(&mut ada).await;
        ada.send("/sign-out", &[]).await;
        let again = Some("/sign-in?flash=sign-in-again");
        let token = challenge(&mut ada).await;
        service.advance(Duration::from_mins(10));
        assert_eq!(enter(&mut ada, &token, &code(&secret, service.app.now())).await.header("location"), again);
        assert!(ada.page("/sign-in?flash=sign-in-again").await.contains("Sign in again."));
        assert_eq!(enter(&mut ada, "nonsense", "000000").await.header("location"), again);
        let token = challenge(&mut ada).await;
        let account = service.app.store.accounts().by_email(&email(ADDRESS)).await.expect("read").expect("there");
        service.app.store.accounts().set_disabled(&account.id, Some(service.app.now())).await.expect("works");
        assert_eq!(enter(&mut ada, &token, &code(&secret, service.app.now())).await.header("location"), again);
        assert!(ada.cookie.is_none());
    })
    .await;
}

#[tokio::test]
async fn codes_cannot_be_guessed() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, _) = turned_on(&mut ada).await;
        for n in 0..20 {
            // From everywhere, and with a new challenge each time.
            let mut eve = Visitor { from: [10, 0, 0, n], ..Visitor::new(&service) };
            let token = challenge(&mut eve).await;
            assert_eq!(enter(&mut eve, &token, "000000").await.status, 401);
        }
        service.advance(HALF_MINUTE);
        let token = challenge(&mut ada).await;
        let refused = enter(&mut ada, &token, &code(&secret, service.app.now())).await;
        assert_eq!(refused.status, 429);
        assert!(refused.text().contains("Try again in 24 hours."), "{}", refused.text());
        service.advance(Duration::from_hours(24));
        let token = challenge(&mut ada).await;
        assert_eq!(enter(&mut ada, &token, &code(&secret, service.app.now())).await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn turning_it_off_takes_password_and_code() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, codes) = turned_on(&mut ada).await;
        service.advance(HALF_MINUTE);
        let now = code(&secret, service.app.now());
        for (password, code, field) in
            [("", "", "password"), (PASSWORD, "000000", "code"), ("wrong password", &now, "password")]
        {
            let refused = ada.send("/account/second-factor/off", &[("password", password), ("code", code)]).await;
            assert_eq!(refused.status, 422, "{field}");
            assert!(refused.text().contains(&format!("id=\"{field}-error\"")), "{}", refused.text());
        }
        let off = ada.send("/account/second-factor/off", &[("password", PASSWORD), ("code", &now)]).await;
        assert_eq!(off.header("location"), Some("/account?flash=second-factor-off"), "a wrong password spent no code");
        ada.send("/sign-out", &[]).await;
        assert_eq!(ada.send("/sign-in", &[("email", ADDRESS), ("password", PASSWORD)]).await.status, 303);
        let off = ada.send("/account/second-factor/off", &[("password", PASSWORD), ("code", &codes[0])]).await;
        assert_eq!(off.status, 303, "twice");
        assert!(ada.page(PAGE).await.contains("name=\"secret\""));
    })
    .await;
}

#[tokio::test]
async fn the_trail_shows_what_became_of_it() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, codes) = turned_on(&mut ada).await;
        let token = challenge(&mut ada).await;
        enter(&mut ada, &token, "000000").await;
        enter(&mut ada, &token, &codes[0]).await;
        ada.send("/account/second-factor/codes", &[]).await;
        service.advance(HALF_MINUTE);
        let now = code(&secret, service.app.now());
        ada.send("/account/second-factor/off", &[("password", PASSWORD), ("code", &now)]).await;
        service.app.trail.flush(&service.app.store).await.expect("written");
        let filter = AuditFilter { account: ADDRESS.to_owned(), ..AuditFilter::default() };
        let page = service.app.store.audit().list(&filter, 0, 100).await.expect("read");
        let kinds: Vec<&str> = page.entries.iter().rev().map(|entry| entry.event.kind.name()).collect();
        let expected = [
            "signed_up",
            "second_factor_on",
            "wrong_code",
            "recovery_code_used",
            "signed_in",
            "recovery_codes_replaced",
            "second_factor_off",
        ];
        assert_eq!(kinds, expected);
        let text = format!("{page:?}");
        assert!(![&secret, &codes[0], "000000", PASSWORD].into_iter().any(|secret| text.contains(secret)), "{text}");
    })
    .await;
}

#[tokio::test]
async fn an_owner_resets_it_and_no_page_shows_the_secret() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let (secret, codes) = turned_on(&mut ada).await;
        let account = service.app.store.accounts().by_email(&email(ADDRESS)).await.expect("read").expect("there");
        let reset = format!("/owner/accounts/{}/second-factor", account.id);
        assert_eq!(ada.send(&reset, &[]).await.status, 403, "not by herself");
        let new = NewAccount { is_owner: true, ..NewAccount::new(email("owner@example.com")) };
        let owner = service.app.store.accounts().create(new, service.app.now(), &mut Rng::system()).await;
        let mut owner = Visitor::signed_in(&service, &owner.expect("an account")).await;
        let of_ada = format!("/owner/accounts/{}", account.id);
        let export = ada.open("/account/export").await.text();
        for page in [owner.page(&of_ada).await, ada.page("/account").await, ada.page(PAGE).await, export] {
            assert!(!page.contains(&secret) && !codes.iter().any(|code| page.contains(code)), "{page}");
        }
        assert!(owner.page(&of_ada).await.contains("Turn off two-factor"));
        assert_eq!(owner.send(&reset, &[]).await.status, 303);
        assert!(!owner.page(&of_ada).await.contains("Turn off two-factor"));
        let mut ada = Visitor::new(&service);
        assert_eq!(ada.send("/sign-in", &[("email", ADDRESS), ("password", PASSWORD)]).await.status, 303);
    })
    .await;
}
