//! The pages: signing in by link, and what stays closed.

use jiff::SignedDuration;
use store::Rng;

use crate::harness::Service;
use test_support::on_both;

#[tokio::test]
async fn a_link_signs_in_once_and_the_cookie_shows_the_account() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let closed = service.get("/").no_key().send().await;
        assert!(closed.status == 200 && !closed.text().contains("cook@example.com"));
        assert!(!service.get("/").send().await.text().contains("cook@example.com"), "API keys do not work here");
        let now = service.app.now();
        let sessions = service.app.store.sessions();
        let until = now + SignedDuration::from_secs(60);
        let link = sessions.create_link(&service.account.id, until, now, &mut Rng::system()).await.expect("a link");
        let path = format!("/sign-in/{link}");
        assert_eq!(service.get(&path).no_key().send().await.status, 200);
        let foreign = service.post(&path, "").no_key().header("sec-fetch-site", "cross-site").send().await;
        assert_eq!(foreign.error(403), "cross_site");
        let signed_in = service.post(&path, "").no_key().header("origin", "http://food.test").send().await;
        assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/")));
        let cookie = signed_in.header("set-cookie").expect("a cookie").to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        let cookie = cookie.split(';').next().expect("a pair").to_owned();
        assert_eq!(service.post(&path, "").no_key().send().await.status, 403, "once");
        let home = service.get("/").no_key().header("cookie", &cookie).send().await;
        assert!(
            home.text().contains("cook@example.com") && home.text().contains(&service.key[service.key.len() - 4..])
        );
        assert!(!home.text().contains(&service.key), "never the whole key");
        assert!(home.header("content-security-policy").is_some_and(|policy| policy.contains("default-src 'none'")));
        assert_eq!(home.header("cache-control"), Some("no-store"));
        assert_eq!(service.get("/v1/recipes").no_key().header("cookie", &cookie).send().await.status, 401);
        service.post("/sign-out", "").no_key().header("cookie", &cookie).send().await;
        assert!(!service.get("/").no_key().header("cookie", &cookie).send().await.text().contains("cook@example.com"));
    })
    .await;
}
