//! The account page: passwords, sessions, export, and the end of an account.

use serde_json::json;
use store::{Email, NewAccount, Rng};

use crate::harness::Service;
use crate::images::png;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

const PASSWORD: &str = "three green apples";

#[tokio::test]
async fn who_came_by_a_link_sets_a_password_without_an_old_one() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/").await.contains("Set a password"));
        let page = cook.page("/account").await;
        assert!(page.contains("name=\"new\"") && !page.contains("name=\"current\""), "{page}");
        let short = cook.send("/account/password", &[("new", "short")]).await;
        assert_eq!(short.status, 422);
        assert!(short.text().contains("id=\"new-error\""));
        let set = cook.send("/account/password", &[("new", PASSWORD)]).await;
        assert_eq!(set.header("location"), Some("/account?flash=password-set"));
        assert!(cook.is_in().await && !cook.page("/").await.contains("Set a password"));
        let mut elsewhere = Visitor::new(&service);
        let reply = elsewhere.send("/sign-in", &[("email", "cook@example.com"), ("password", PASSWORD)]).await;
        assert_eq!(reply.status, 303);
    })
    .await;
}

#[tokio::test]
async fn another_password_ends_all_other_sessions() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut here = Visitor::signed_in(&service, &service.account).await;
        here.send("/account/password", &[("new", PASSWORD)]).await;
        let there = Visitor::signed_in(&service, &service.account).await;
        let before = here.cookie.clone();
        let wrong = here.send("/account/password", &[("current", "not it at all"), ("new", "four blue plums")]).await;
        assert_eq!(wrong.status, 422);
        assert!(wrong.text().contains("id=\"current-error\"") && there.is_in().await);
        let changed = here.send("/account/password", &[("current", PASSWORD), ("new", "four blue plums")]).await;
        assert_eq!(changed.status, 303);
        assert!(here.is_in().await && here.cookie != before, "this one goes on, under a new token");
        assert!(!there.is_in().await);
        assert!(!Visitor { cookie: before, ..Visitor::new(&service) }.is_in().await);
    })
    .await;
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut here = Visitor::signed_in(&service, &service.account).await;
        let there = Visitor::signed_in(&service, &service.account).await;
        let third = Visitor::signed_in(&service, &service.account).await;
        let page = here.page("/account").await;
        assert!(
            page.contains("Firefox on Linux") && page.contains("127.0.0.1") && page.contains("this browser"),
            "{page}"
        );
        let sessions = service.app.store.sessions().list(&service.account.id, service.app.now()).await.expect("read");
        assert_eq!((sessions.len(), page.matches("Sign out<span").count()), (3, 2));
        let id =
            page.split("/account/sessions/").nth(2).expect("one that is not this").split('/').next().expect("an id");
        let ended = here.send(&format!("/account/sessions/{id}/end"), &[]).await;
        assert_eq!(ended.header("location"), Some("/account?flash=session-ended"));
        assert_ne!(there.is_in().await, third.is_in().await, "one of the two");
        assert_eq!(here.send(&format!("/account/sessions/{id}/end"), &[]).await.status, 404);
        assert_eq!(here.send("/account/sessions/nonsense/end", &[]).await.status, 404);
        here.send("/account/sessions/end-others", &[]).await;
        assert!(here.is_in().await && !there.is_in().await && !third.is_in().await);
    })
    .await;
}

#[tokio::test]
async fn the_export_holds_everything_and_no_secret() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        cook.send("/account/password", &[("new", PASSWORD)]).await;
        service.recipe(json!({"name": "Power Bowl", "calories": 500, "aliases": ["the bowl"]})).await;
        service.get("/v1/foods?q=egg").send().await;
        let reply = cook.open("/account/export").await;
        let disposition = reply.header("content-disposition").expect("a file");
        assert!(disposition.starts_with("attachment; filename=\"morsel-export-"), "{disposition}");
        let export = reply.ok();
        assert_eq!(export["account"]["email"], "cook@example.com");
        assert_eq!(export["recipes"][0]["aliases"][0], "the bowl");
        assert_eq!(export["keys"][0]["last_four"].as_str(), Some(&service.key[service.key.len() - 4..]));
        assert!(
            export["usage"].as_array().is_some_and(|usage| usage.iter().any(|row| row["route"] == "GET /v1/foods"))
        );
        assert_eq!(export["images"], json!([]));
        let text = reply.text();
        for secret in [&service.key, "argon2", "hash", cook.cookie.as_ref().expect("signed in")] {
            assert!(!text.contains(secret), "{secret}");
        }
    })
    .await;
}

#[tokio::test]
async fn with_the_account_everything_goes() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        cook.send("/account/password", &[("new", PASSWORD)]).await;
        service.recipe(json!({"name": "Power Bowl"})).await;
        let photo = service.post("/v1/upload/base64", json!({"image": png(64, 64)})).send().await.ok();
        let path = photo["url"].as_str().expect("a url").trim_start_matches("http://food.test").to_owned();
        assert_eq!(service.get(&path).send().await.status, 200);
        let files = || walk(&database.folder.path().join("images"));
        assert_eq!(files(), 1);
        for fields in [
            vec![("email", "cook@example.com")],
            vec![("email", "cook@example.com"), ("password", "not it at all")],
            vec![("email", "other@example.com"), ("password", PASSWORD)],
        ] {
            assert_eq!(cook.send("/account/delete", &fields).await.status, 422, "{fields:?}");
        }
        let page = cook.page("/account/delete").await;
        assert!(page.contains("Delete cook@example.com?") && page.contains("/account/export"));
        let gone = cook.send("/account/delete", &[("email", "Cook@example.com"), ("password", PASSWORD)]).await;
        assert_eq!(gone.header("location"), Some("/?flash=account-deleted"));
        assert!(cook.cookie.is_none() && !cook.is_in().await);
        assert_eq!(service.get("/v1/recipes").send().await.error(401), "invalid_key", "on the very next request");
        assert_eq!(files(), 0, "photos too");
        let figures = service.app.store.figures().await.expect("read");
        assert_eq!((figures.accounts, figures.keys, figures.recipes, figures.images), (0, 0, 0, 0));
    })
    .await;
}

#[tokio::test]
async fn the_only_owner_cannot_go() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let email = Email::parse("owner@example.com").expect("an address");
        let accounts = service.app.store.accounts();
        let now = service.app.now();
        let owner = accounts
            .create(NewAccount { is_owner: true, ..NewAccount::new(email) }, now, &mut Rng::system())
            .await
            .expect("made");
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        let refused = visitor.send("/account/delete", &[("email", "owner@example.com")]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("only owner"), "{}", refused.text());
        accounts.set_owner(&service.account.id, true).await.expect("works").expect("there");
        assert_eq!(visitor.send("/account/delete", &[("email", "owner@example.com")]).await.status, 303);
    })
    .await;
}

fn walk(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.expect("an entry").path()).map(|path| if path.is_dir() { walk(&path) } else { 1 }).sum()
}
