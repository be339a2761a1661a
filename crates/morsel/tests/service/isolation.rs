//! What holds for every page: its headers, who may see it, and that two accounts never reach each other.

use serde_json::json;
use store::{Email, Mode, NewAccount, Plan, Rng};

use crate::harness::{Reply, Service};
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

/// Pages for everybody.
const OPEN: [&str; 6] = ["/", "/sign-in", "/sign-up", "/sign-in/some-link", "/docs", "/docs/reference"];
/// Pages for somebody who is signed in.
const CLOSED: [&str; 15] = [
    "/keys",
    "/keys/new",
    "/usage",
    "/usage.csv",
    "/log",
    "/log/req_1",
    "/account",
    "/account/export",
    "/account/delete",
    "/account/second-factor",
    "/confirm",
    "/playground",
    "/foods",
    "/recipes",
    "/recipes/new",
];
/// Pages for owners.
const OWNERS: [&str; 3] = ["/owner", "/owner/plans", "/owner/accounts"];
/// Forms that need no id.
const FORMS: [&str; 20] = [
    "/sign-up",
    "/sign-in",
    "/sign-in/some-link",
    "/sign-out",
    "/first-run",
    "/keys/new",
    "/account/password",
    "/account/sessions/end-others",
    "/account/delete",
    "/account/second-factor",
    "/account/second-factor/codes",
    "/account/second-factor/off",
    "/confirm",
    "/sign-in/code",
    "/owner/accounts",
    "/owner/plans/free",
    "/log/bodies",
    "/log/clear",
    "/playground",
    "/recipes",
];

#[track_caller]
fn is_protected(reply: &Reply, path: &str) {
    let policy = reply.header("content-security-policy").unwrap_or_else(|| panic!("{path} has no policy"));
    for part in ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{path}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{path}: {policy}");
    assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
    assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{path}");
    assert_eq!(reply.header("referrer-policy"), Some("same-origin"), "{path}");
}

async fn an_owner(service: &Service) -> Visitor<'_> {
    let email = Email::parse("owner@example.com").expect("an address");
    let accounts = service.app.store.accounts();
    let owner = accounts
        .create(
            NewAccount { plan: Plan::Scale, is_owner: true, ..NewAccount::new(email) },
            service.app.now(),
            &mut Rng::system(),
        )
        .await;
    Visitor::signed_in(service, &owner.expect("an account")).await
}

#[tokio::test]
async fn every_page_is_protected_and_holds_no_inline_script_or_style() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (nobody, owner) = (Visitor::new(&service), an_owner(&service).await);
        for path in OPEN {
            is_protected(&nobody.open(path).await, path);
        }
        for path in OPEN.iter().chain(&CLOSED).chain(&OWNERS).chain(&["/no/such/page", "/keys/nonsense"]) {
            let reply = owner.open(path).await;
            is_protected(&reply, path);
            let text = reply.text();
            assert!(!text.contains(" style=") && !text.contains(" onclick=") && !text.contains("<style"), "{path}");
            assert!(!text.contains("<script>"), "{path}");
            // The longest is the guide with samples in nine languages, which is an eighth of that on the wire.
            assert!(text.len() < 280_000, "{path} has {} bytes", text.len());
        }
    })
    .await;
}

#[tokio::test]
async fn errors_are_pages_for_people_and_json_for_programs() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let visitor = Visitor::new(&service);
        for (method, path, status) in [("GET", "/no/such/page", 404), ("DELETE", "/keys", 405), ("POST", "/usage", 405)]
        {
            let reply = visitor.call(method, path).send().await;
            assert_eq!(
                (reply.status, reply.header("content-type")),
                (status, Some("text/html; charset=utf-8")),
                "{path}"
            );
            is_protected(&reply, path);
            assert!(reply.text().contains("Back to the dashboard"));
            service.call(method, path).no_key().send().await.error(status);
        }
        let api = visitor.call("GET", "/v1/recipes").send().await;
        assert_eq!(api.error(401), "missing_key", "the API never answers with pages");
    })
    .await;
}

#[tokio::test]
async fn style_and_scripts_may_be_kept_for_a_year() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let visitor = Visitor::new(&service);
        let page = visitor.page("/").await;
        let named = page.split('"').filter(|part| part.starts_with("/assets/"));
        let assets: std::collections::BTreeSet<&str> = named.filter_map(|part| part.split('#').next()).collect();
        assert!(assets.iter().any(|asset| asset.contains(".woff2")), "{assets:?}");
        let mut bytes = page.len();
        for asset in assets {
            let reply = visitor.open(asset).await;
            assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"), "{asset}");
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
            bytes += reply.body.len();
            let name = asset.rsplit('/').next().unwrap_or_default();
            let old = visitor.open(&format!("/assets/{:016x}/{name}", 0)).await;
            assert_eq!(old.header("cache-control"), Some("no-cache"), "{name}");
        }
        assert!(bytes < 150_000, "before compression: {bytes}");
        assert_eq!(visitor.open("/assets/0000/passwd").await.status, 404);
        assert_eq!(visitor.open("/assets/0000/..%2f..%2fCargo.toml").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn forms_of_other_sites_are_refused_everywhere() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let (key, _) = service.key(Mode::Live, &["foods:read"]).await;
        let account = &service.account.id;
        let mut paths: Vec<String> = FORMS.map(str::to_owned).into();
        paths.extend(["label", "permissions", "rotate", "revoke"].map(|form| format!("/keys/{}/{form}", key.id)));
        let owners = ["plan", "disabled", "owner", "link", "second-factor", "delete"];
        paths.extend(owners.map(|form| format!("/owner/accounts/{account}/{form}")));
        paths.push("/account/sessions/ses_0123456789012345678901/end".to_owned());
        for path in &paths {
            for (name, value) in [
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-site", "same-site"),
                ("origin", "https://evil.test"),
                ("origin", "null"),
                ("origin", "http://food.test.evil.test"),
            ] {
                let reply = owner.call("POST", path).header(name, value).send().await;
                assert_eq!(reply.status, 403, "{path} {value}");
                assert!(reply.text().contains("another site"), "{path} {value}: {}", reply.text());
            }
            let own = owner.call("POST", path).header("origin", "http://food.test").send().await;
            assert!(!own.text().contains("another site"), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn keys_are_no_cookies_and_cookies_are_no_keys() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        for path in CLOSED.iter().chain(&OWNERS) {
            let with_key = service.get(path).send().await;
            assert_eq!(with_key.error(401), "not_signed_in", "{path}");
            let nobody = Visitor::new(&service).open(path).await;
            assert_eq!(nobody.status, 303, "{path}");
            assert!(nobody.header("location").is_some_and(|to| to.starts_with("/sign-in?next=%2F")), "{path}");
        }
        let cookie = cook.cookie.as_deref().expect("signed in");
        let token = cookie.split_once('=').expect("a pair").1;
        for call in
            [service.get("/v1/recipes").no_key().header("cookie", cookie), service.get("/v1/recipes").key(token)]
        {
            assert_eq!(call.send().await.status, 401);
        }
        let odd = Visitor { cookie: Some(format!("morsel_session={token}x; a=b")), ..Visitor::new(&service) };
        assert!(!odd.is_in().await);
        let second = Visitor { cookie: Some(format!("a=b; {cookie}")), ..Visitor::new(&service) };
        assert!(second.is_in().await);
    })
    .await;
}

#[tokio::test]
async fn two_accounts_do_not_reach_each_other() {
    on_both(async |database| {
        let service = Service::on(database).await;
        service.recipe(json!({"name": "Secret Sauce"})).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let (key, text) = service.key(Mode::Live, &["foods:read"]).await;
        let session =
            service.app.store.sessions().list(&service.account.id, service.app.now()).await.expect("read").remove(0).id;
        let (account, _) = service.stranger().await;
        let mut stranger = Visitor::signed_in(&service, &account).await;
        let id = &key.id;
        for path in [
            format!("/keys/{id}"),
            format!("/keys/{id}/revoke"),
            format!("/usage?key={id}"),
            format!("/usage.csv?key={id}"),
        ] {
            let reply = stranger.open(&path).await;
            assert_eq!(reply.status, 404, "{path}");
            assert!(!reply.text().contains(&key.last_four), "{path}");
        }
        let forms: [(String, &[(&str, &str)]); 5] = [
            (format!("/keys/{id}/label"), &[("label", "mine now")]),
            (format!("/keys/{id}/rotate"), &[("grace", "now")]),
            (format!("/keys/{id}/revoke"), &[]),
            (format!("/account/sessions/{session}/end"), &[]),
            (format!("/owner/accounts/{}/delete", service.account.id), &[("confirm", "cook@example.com")]),
        ];
        for (path, fields) in forms {
            let status = stranger.send(&path, fields).await.status;
            assert!(matches!(status, 403 | 404), "{path}: {status}");
        }
        // An id that is taken makes no key, and takes none away.
        let taken = stranger.send("/keys/new", &[("id", id.as_str()), ("label", "mine now")]).await;
        assert_eq!(taken.header("location"), Some("/keys?flash=key-already-created"));
        let wrong = stranger.send("/account/delete", &[("email", "cook@example.com")]).await;
        assert_eq!(wrong.status, 422);
        stranger.send("/account/sessions/end-others", &[]).await;
        let same = service.app.store.keys().by_id(&service.account.id, id).await.expect("read").expect("there");
        assert!(same.label.is_none() && same.revoked_at.is_none());
        assert!(cook.is_in().await);
        assert_eq!(service.get("/v1/foods?q=egg").key(&text).send().await.status, 200);
        for path in ["/", "/keys", "/usage", "/usage.csv", "/account", "/account/export"] {
            let page = stranger.open(path).await.text();
            for part in ["cook@example.com", &key.last_four, "Secret Sauce", id.as_str()] {
                assert!(!page.contains(part), "{path}: {part}");
            }
        }
    })
    .await;
}
