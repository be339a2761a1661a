//! Signing up, in and out with a password, and who is kept out.

use std::time::Duration;

use morsel::config::{Settings, Signup};

use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

const PASSWORD: &str = "three green apples";

#[tokio::test]
async fn somebody_signs_up_out_and_in_again() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        let signed_up = ada.send("/sign-up", &[("email", " Ada@Example.org "), ("password", PASSWORD)]).await;
        assert_eq!((signed_up.status, signed_up.header("location")), (303, Some("/?flash=signed-up")));
        let cookie = signed_up.header("set-cookie").expect("a cookie");
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
            assert!(cookie.contains(part), "{cookie}");
        }
        let home = ada.page("/?flash=signed-up").await;
        assert!(home.contains("ada@example.org") && home.contains("Your account is ready"), "{home}");
        assert!(!ada.page("/?flash=%3Cscript%3E").await.contains("<script>"), "only our own messages");
        let first = ada.cookie.clone();
        ada.send("/sign-out", &[]).await;
        assert!(ada.cookie.is_none());
        ada.cookie = first;
        assert!(!ada.is_in().await, "the session is gone, not only the cookie");
        let wrong = ada.send("/sign-in", &[("email", "ada@example.org"), ("password", "three red apples")]).await;
        assert_eq!(wrong.status, 401);
        let text = wrong.text();
        assert!(text.contains("value=\"ada@example.org\"") && !text.contains("three red apples"), "{text}");
        let right = ada.send("/sign-in", &[("email", "ADA@example.org"), ("password", PASSWORD)]).await;
        assert_eq!((right.status, right.header("location")), (303, Some("/")));
        assert!(ada.is_in().await);
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_stands_beside_the_field() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut visitor = Visitor::new(&service);
        let refused = [
            ("nonsense", PASSWORD, "email"),
            ("", PASSWORD, "email"),
            ("ada@example.org", "short", "password"),
            ("ada@example.org", "ada@example.org", "password"),
            ("ada@example.org", "Password123", "password"),
        ];
        for (email, password, field) in refused {
            let reply = visitor.send("/sign-up", &[("email", email), ("password", password)]).await;
            let text = reply.text();
            assert_eq!(reply.status, 422, "{email} {password}");
            assert!(text.contains(&format!("id=\"{field}-error\"")), "{text}");
            assert!(text.contains(&format!("aria-describedby=\"{field}-error")), "{text}");
            let at = text.find("autofocus").expect("the cursor is somewhere");
            assert!(text[..at].rfind(&format!("id=\"{field}\"")) > text[..at].rfind("<label"), "{field}: {text}");
            assert!(!text.contains(&format!("value=\"{password}\"")) || password == email, "passwords are not shown");
        }
        let long = "x".repeat(300 * 1024);
        assert_eq!(visitor.send("/sign-up", &[("email", &long)]).await.status, 413);
        let nul = visitor.send("/sign-up", &[("email", "a\0@example.org")]).await;
        assert_eq!((nul.status, nul.header("content-type")), (400, Some("text/html; charset=utf-8")));
        let json = visitor.call("POST", "/sign-up").header("content-type", "application/json").send().await;
        assert_eq!(json.status, 415);
        assert_eq!(service.app.store.accounts().count().await.expect("read"), 1, "nothing was made");
    })
    .await;
}

#[tokio::test]
async fn nobody_learns_which_addresses_have_accounts() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut owner = Visitor::new(&service);
        owner.send("/sign-up", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
        let mut stranger = Visitor::new(&service);
        // By signing in: cook@example.com has an account without a password.
        let mut answers = Vec::new();
        for email in ["ada@example.org", "cook@example.com", "nobody@example.org"] {
            let reply = stranger.send("/sign-in", &[("email", email), ("password", "guessed it all")]).await;
            answers.push((reply.status, reply.text().replace(email, "")));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        // By signing up: refused without a reason, unless the password is known.
        let taken = stranger.send("/sign-up", &[("email", "ada@example.org"), ("password", "guessed it all")]).await;
        assert_eq!(taken.status, 422);
        assert!(taken.text().contains("Could not create an account with this email and password"));
        assert!(stranger.cookie.is_none());
        let own = stranger.send("/sign-up", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
        assert_eq!((own.status, own.header("location")), (303, Some("/?flash=signed-in")));
    })
    .await;
}

#[tokio::test]
async fn after_signing_in_one_is_where_one_wanted_to_be_and_nowhere_else() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut ada = Visitor::new(&service);
        ada.send("/sign-up", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
        ada.send("/sign-out", &[]).await;
        let away = ada.open("/usage?days=7&mode=live").await;
        assert_eq!(away.header("location"), Some("/sign-in?next=%2Fusage%3Fdays%3D7%26mode%3Dlive"));
        let form = ada.page("/sign-in?next=%2Fusage%3Fdays%3D7%26mode%3Dlive").await;
        assert!(form.contains("name=\"next\" value=\"/usage?days=7&#38;mode=live\""), "{form}");
        let script = ada.call("GET", "/usage").header("accept", "application/json");
        assert_eq!(script.send().await.status, 303, "two headers: one of them asks for pages");
        assert_eq!(service.get("/usage").no_key().send().await.error(401), "not_signed_in");
        for (next, location) in [
            ("/usage?days=7", "/usage?days=7"),
            ("https://evil.test/", "/"),
            ("//evil.test", "/"),
            ("/\\evil.test", "/"),
            ("javascript:alert(1)", "/"),
            ("/a\r\nSet-Cookie: x=y", "/"),
        ] {
            let fields = [("email", "ada@example.org"), ("password", PASSWORD), ("next", next)];
            let reply = ada.send("/sign-in", &fields).await;
            assert_eq!((reply.status, reply.header("location")), (303, Some(location)), "{next}");
            let again =
                format!("/sign-in?next={}", form_urlencoded::byte_serialize(next.as_bytes()).collect::<String>());
            assert_eq!(ada.open(&again).await.header("location"), Some(location), "already signed in");
        }
    })
    .await;
}

#[tokio::test]
async fn a_session_is_new_at_every_sign_in() {
    on_sqlite(async |database| {
        let base_url = Some("https://food.test".to_owned());
        let settings = Settings { base_url, signup: Some(Signup::Open), ..Settings::default() };
        let service = Service::with(database, settings).await;
        let mut ada = Visitor::new(&service);
        let fields = [("email", "ada@example.org"), ("password", PASSWORD)];
        let reply = ada.send("/sign-up", &fields).await;
        let cookie = reply.header("set-cookie").expect("a cookie");
        assert!(cookie.starts_with("__Host-morsel_session=") && cookie.contains("; Secure"), "{cookie}");
        let first = ada.cookie.clone();
        ada.send("/sign-in", &fields).await;
        assert_ne!(ada.cookie, first);
        assert!(ada.is_in().await);
        let planted = Visitor { cookie: first, ..Visitor::new(&service) };
        assert!(!planted.is_in().await, "the old token is worth nothing");
        let plain = ada.cookie.clone().map(|cookie| cookie.replace("__Host-", ""));
        assert!(!Visitor { cookie: plain, ..Visitor::new(&service) }.is_in().await, "only the bound cookie counts");
    })
    .await;
}

#[tokio::test]
async fn closed_means_closed() {
    on_sqlite(async |database| {
        let settings = Settings { signup: Some(Signup::Closed), ..Settings::default() };
        let service = Service::with(database, settings).await;
        let mut visitor = Visitor::new(&service);
        let page = visitor.page("/sign-up").await;
        assert!(page.contains("morsel account create") && !page.contains("name=\"password\""), "{page}");
        assert!(!visitor.page("/sign-in").await.contains("No account yet"));
        let refused = visitor.send("/sign-up", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
        assert_eq!((refused.status, refused.header("content-type")), (403, Some("text/html; charset=utf-8")));
        assert!(refused.text().contains("morsel account create"));
        assert!(refused.header("content-security-policy").is_some());
    })
    .await;
}

#[tokio::test]
async fn guessing_is_slowed_down_by_account_and_by_address() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut owner = Visitor::new(&service);
        owner.send("/sign-up", &[("email", "ada@example.org"), ("password", PASSWORD)]).await;
        let mut guesser = Visitor { from: [192, 0, 2, 1], ..Visitor::new(&service) };
        for n in 0..10 {
            let guess = format!("guess number {n}");
            let reply = guesser.send("/sign-in", &[("email", "ada@example.org"), ("password", &guess)]).await;
            assert_eq!(reply.status, 401, "{n}");
        }
        guesser.from = [192, 0, 2, 2];
        let right = [("email", "ada@example.org"), ("password", PASSWORD)];
        let reply = guesser.send("/sign-in", &right).await;
        assert_eq!(reply.status, 429, "from another address too, even the right one");
        assert_eq!(reply.header("retry-after"), Some("300"));
        assert!(reply.text().contains("Try again in 5 minutes"), "{}", reply.text());
        assert_eq!(owner.send("/account/password", &[("current", PASSWORD), ("new", "x")]).await.status, 429);
        for n in 0..30 {
            let email = format!("{n}@example.org");
            let reply = guesser.send("/sign-in", &[("email", &email), ("password", "one for all of you")]).await;
            assert_eq!(reply.status, 401, "{n}");
        }
        let reply = guesser.send("/sign-in", &[("email", "x@example.org"), ("password", "one for all")]).await;
        assert_eq!(reply.status, 429, "many accounts from one address");
        for n in 0..10 {
            let email = format!("new{n}@example.org");
            guesser.send("/sign-up", &[("email", &email), ("password", PASSWORD)]).await;
        }
        let reply = guesser.send("/sign-up", &[("email", "one@example.org"), ("password", PASSWORD)]).await;
        assert_eq!(reply.status, 429, "accounts are not made by the dozen");
        service.advance(Duration::from_mins(5));
        assert_eq!(guesser.send("/sign-in", &right).await.status, 303, "after five minutes the right one works");
    })
    .await;
}

#[tokio::test]
async fn the_first_visitor_at_the_machine_becomes_the_owner() {
    on_both(async |database| {
        let service = Service::on(database).await;
        service.app.store.accounts().delete(&service.account.id).await.expect("deleted");
        let visitor = Visitor::new(&service);
        for path in ["/", "/sign-in", "/sign-up"] {
            assert_eq!(visitor.open(path).await.header("location"), Some("/first-run"), "{path}");
        }
        let far = Visitor { from: [192, 0, 2, 1], ..Visitor::new(&service) };
        assert!(!far.page("/first-run").await.contains("<form class=\"card\""));
        let body = "email=me%40example.org&password=three+green+apples";
        assert_eq!(far.call("POST", "/first-run").body(body).send().await.status, 403);
        assert_eq!(visitor.call("POST", "/first-run").body(body).send().await.status, 403, "by another name");
        let own_name = Settings { base_url: Some("http://localhost:8080".into()), ..Settings::default() };
        let service = Service::with(database, own_name).await;
        service.app.store.accounts().delete(&service.account.id).await.expect("deleted");
        let mut visitor = Visitor::new(&service);
        let weak = visitor.send("/first-run", &[("email", "me@example.org"), ("password", "short")]).await;
        assert_eq!(weak.status, 422);
        let made = visitor.send("/first-run", &[("email", "me@example.org"), ("password", PASSWORD)]).await;
        assert_eq!((made.status, made.header("location")), (303, Some("/?flash=signed-up")));
        assert_eq!(visitor.open("/owner").await.status, 200);
        let second = visitor.send("/first-run", &[("email", "you@example.org"), ("password", PASSWORD)]).await;
        assert_eq!(second.header("location"), Some("/sign-in"), "once");
        assert_eq!(visitor.open("/first-run").await.header("location"), Some("/"));
    })
    .await;
}
