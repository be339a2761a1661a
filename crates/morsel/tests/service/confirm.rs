//! Steps that ask for the password again, and sessions that end by themselves.

use std::time::Duration;

use store::{Email, Mode, NewAccount, Rng};

use crate::harness::Service;
use crate::visitor::{Visitor, hidden, shown_key};
use test_support::{on_both, on_sqlite};

const PASSWORD: &str = "three green apples";
const QUARTER: Duration = Duration::from_mins(15);

/// An owner with a password, and an account to manage.
async fn an_owner(service: &Service) -> Visitor<'_> {
    let new = NewAccount { is_owner: true, ..NewAccount::new(Email::parse("owner@example.com").expect("an address")) };
    let owner = service.app.store.accounts().create(new, service.app.now(), &mut Rng::system()).await;
    let mut owner = Visitor::signed_in(service, &owner.expect("an account")).await;
    assert_eq!(owner.send("/account/password", &[("new", PASSWORD)]).await.status, 303);
    owner
}

#[tokio::test]
async fn dangerous_steps_ask_again_after_a_quarter_of_an_hour() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut owner = an_owner(&service).await;
        let (key, text) = service.key(Mode::Live, &["estimate"]).await;
        let account = &service.account.id;
        let managed = |step: &str| format!("/owner/accounts/{account}/{step}");
        let pages = ["/keys/new", "/account/second-factor", "/account/export"];
        let forms = [
            ("/keys/new".to_owned(), vec![("label", "stolen")]),
            (format!("/keys/{}/rotate", key.id), vec![("grace", "now")]),
            (format!("/keys/{}/permissions", key.id), vec![("scopes", "upload")]),
            ("/log/bodies".to_owned(), vec![("bodies", "yes")]),
            ("/log/clear".to_owned(), vec![]),
            ("/owner/plans/free".to_owned(), vec![("requests_per_minute", "1")]),
            ("/account/second-factor".to_owned(), vec![("secret", "x"), ("code", "1")]),
            ("/account/second-factor/codes".to_owned(), vec![]),
            ("/owner/accounts".to_owned(), vec![("email", "mole@example.com")]),
            (managed("plan"), vec![("plan", "free")]),
            (managed("disabled"), vec![("disabled", "yes")]),
            (managed("owner"), vec![("owner", "yes")]),
            (managed("link"), vec![]),
            (managed("second-factor"), vec![]),
            (managed("delete"), vec![("confirm", "cook@example.com")]),
        ];
        service.advance(Duration::from_secs(15 * 60 - 1));
        for page in pages {
            assert_eq!(owner.open(page).await.status, 200, "{page}");
        }
        service.advance(Duration::from_secs(1));
        for page in pages {
            let asked = owner.open(page).await;
            let location = asked.header("location").unwrap_or_default();
            assert!(asked.status == 303 && location.starts_with("/confirm?next=%2F"), "{page}: {location}");
        }
        for (path, fields) in &forms {
            let asked = owner.send(path, fields).await;
            assert_eq!(asked.status, 403, "{path}");
            assert!(asked.text().contains("name=\"confirm_password\""), "{path}: {}", asked.text());
            let script =
                owner.service.call("POST", path).no_key().header("cookie", owner.cookie.as_deref().expect("in"));
            assert_eq!(script.send().await.error(403), "confirmation_required", "{path}");
        }
        let same = service.app.store.accounts().by_id(account).await.expect("read");
        assert_eq!(same.as_ref(), Some(&service.account));
        assert_eq!(service.app.store.accounts().count().await.expect("read"), 2);
        assert_eq!(service.get("/v1/foods?q=egg").key(&text).send().await.status, 403, "the key lives");
        assert_eq!(owner.page("/keys").await.matches("stolen").count(), 0);
        // What stops harm needs no password.
        let (leaked, _) = service.key(Mode::Live, &["estimate"]).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        service.advance(QUARTER);
        assert_eq!(cook.send(&format!("/keys/{}/revoke", leaked.id), &[]).await.status, 303);
        assert_eq!(cook.send("/account/sessions/end-others", &[]).await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn the_form_goes_on_to_where_it_was_going() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut owner = an_owner(&service).await;
        let id = hidden(&owner.page("/keys/new").await, "id");
        service.advance(QUARTER);
        let label = "phone \"app\" <1>";
        let asked = owner.send("/keys/new", &[("id", &id), ("label", label), ("scopes", "a"), ("scopes", "b")]).await;
        let page = asked.text();
        assert_eq!((hidden(&page, "id"), page.matches("name=\"scopes\"").count()), (id.clone(), 2));
        assert!(page.contains("name=\"label\" value=\"phone &#34;app&#34; &#60;1&#62;\""), "{page}");
        let carried =
            [("confirm_next", "/keys/new"), ("confirm_method", "post"), ("id", id.as_str()), ("label", label)];
        let with = |password| [carried.as_slice(), &[("confirm_password", password)]].concat();
        let wrong = owner.send("/confirm", &with("not it at all")).await;
        assert_eq!((wrong.status, wrong.header("set-cookie")), (422, None));
        assert!(wrong.text().contains("id=\"confirm_password-error\"") && hidden(&wrong.text(), "id") == id);
        assert!(!wrong.text().contains("not it at all"));
        let before = owner.cookie.clone();
        let right = owner.send("/confirm", &with(PASSWORD)).await;
        assert_eq!((right.status, right.header("location")), (307, Some("/keys/new")), "with method and body");
        assert!(owner.cookie != before && owner.is_in().await);
        assert!(!Visitor { cookie: before, ..Visitor::new(&service) }.is_in().await, "the old token is void");
        let shown = owner.send("/keys/new", &with(PASSWORD)).await;
        assert_eq!(shown.status, 200);
        assert_eq!(service.get("/v1/foods?q=egg").key(&shown_key(&shown.text())).send().await.status, 200);
        // A page leads on to itself, and never to another site.
        service.advance(QUARTER);
        let form = owner.page("/confirm?next=%2Fkeys%2Fnew").await;
        assert_eq!(
            (hidden(&form, "confirm_next"), hidden(&form, "confirm_method")),
            ("/keys/new".into(), "get".into())
        );
        for (next, location) in
            [("/keys/new", "/keys/new"), ("//evil.test", "/account"), ("https://evil.test", "/account")]
        {
            let fields = [("confirm_next", next), ("confirm_password", PASSWORD)];
            let reply = owner.send("/confirm", &fields).await;
            assert_eq!((reply.status, reply.header("location")), (303, Some(location)), "{next}");
        }
        for n in 0..11 {
            let reply = owner.send("/confirm", &[("confirm_password", "a guess")]).await;
            assert_eq!(reply.status, if n < 10 { 422 } else { 429 }, "{n}");
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_password_only_a_new_sign_in_counts() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert_eq!(cook.open("/keys/new").await.status, 200);
        service.advance(QUARTER);
        let asked = cook.page("/confirm?next=%2Fkeys%2Fnew").await;
        assert!(asked.contains("morsel account sign-in") && !asked.contains("name=\"confirm_password\""), "{asked}");
        assert_eq!(cook.send("/confirm", &[("confirm_password", "")]).await.status, 422);
        assert_eq!(cook.send("/confirm", &[("confirm_code", "000000")]).await.status, 422);
        let refused = cook.send("/account/password", &[("new", PASSWORD)]).await;
        assert_eq!(refused.header("location"), Some("/confirm?next=%2Faccount"));
        let refused = cook.send("/account/delete", &[("email", "cook@example.com")]).await;
        assert_eq!(refused.header("location"), Some("/confirm?next=%2Faccount%2Fdelete"));
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert_eq!(cook.send("/account/password", &[("new", PASSWORD)]).await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn who_forgot_the_password_sets_a_new_one_with_a_link() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        cook.send("/account/password", &[("new", PASSWORD)]).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert!(!cook.page("/account").await.contains("name=\"current\""));
        service.advance(QUARTER);
        assert!(cook.page("/account").await.contains("name=\"current\""), "not for whoever finds the browser");
        assert_eq!(cook.send("/account/password", &[("new", "four blue plums")]).await.status, 422);
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert_eq!(cook.send("/account/password", &[("new", "four blue plums")]).await.status, 303);
        assert!(cook.page("/account").await.contains("name=\"current\""), "the link was used");
    })
    .await;
}

#[tokio::test]
async fn sessions_end_when_idle_and_in_the_end_anyway() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let idle = Visitor::signed_in(&service, &service.account).await;
        let used = Visitor::signed_in(&service, &service.account).await;
        let day = Duration::from_hours(24);
        for days in 1..=29 {
            service.advance(day);
            assert!(used.is_in().await, "day {days}");
            if days == 6 {
                assert_eq!(used.page("/account").await.matches("Firefox on Linux</th>").count(), 1, "both are listed");
            }
        }
        assert!(!idle.is_in().await);
        assert_eq!(used.page("/account").await.matches("Sign out<span").count(), 0, "the idle one is not listed");
        service.advance(day);
        assert!(!used.is_in().await, "a month is the end");
    })
    .await;
}
