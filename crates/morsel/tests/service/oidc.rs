//! Signing in through a provider. A small server plays it here, so that it can lie; `scripts/oidc-check` does the same with a
//! real one.

use std::collections::HashMap;

use base64::Engine as _;
use morsel::config::{Secret, Settings, Switch};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{AuditFilter, NewAccount, Rng, TotpSecret};

use crate::harness::{Reply, Service};
use crate::issuer::{Issuer, encode, new_key};
use crate::visitor::Visitor;
use test_support::{Database, email, on_sqlite};

fn settings(issuer: &Issuer) -> Settings {
    Settings {
        oidc_issuer: Some(format!("{}/", issuer.url)),
        oidc_client_id: Some("morsel".to_owned()),
        oidc_client_secret: Some(Secret::new("hunter 2".to_owned())),
        oidc_name: Some("Example Login".to_owned()),
        ..Settings::default()
    }
}

/// A browser that was sent to the provider.
struct AtProvider<'a> {
    visitor: Visitor<'a>,
    /// The parameters of the provider's URL.
    query: HashMap<String, String>,
    cookie: String,
}

impl<'a> AtProvider<'a> {
    async fn go(service: &'a Service, issuer: &Issuer) -> Self {
        let visitor = Visitor::new(service);
        let reply = visitor.open("/sign-in/oidc?next=/keys").await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        let location = reply.header("location").expect("a URL");
        let query = location.strip_prefix(&format!("{}/authorize?tenant=a&", issuer.url)).expect("the provider");
        let query: HashMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let cookie = reply.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("; HttpOnly; SameSite=Lax; Max-Age=600"), "{cookie}");
        let cookie = cookie.split(';').next().expect("a pair").to_owned();
        issuer.says().claims = json!({
            "iss": issuer.url, "aud": "morsel", "sub": "42", "nonce": query["nonce"],
            "iat": service.app.now().as_second(), "exp": service.app.now().as_second() + 300,
            "email": "Cook@Example.com", "email_verified": true,
        });
        Self { visitor, query, cookie }
    }

    /// Comes back with a code and with what the provider was given.
    async fn come_back(&self) -> Reply {
        self.come_back_with(&format!("code=right&state={}", self.query["state"])).await
    }

    async fn come_back_with(&self, query: &str) -> Reply {
        let call = self.visitor.call("GET", &format!("/sign-in/oidc/return?{query}"));
        call.header("cookie", &self.cookie).send().await
    }
}

/// Reports whether an answer starts a session.
fn is_signed_in(reply: &Reply) -> bool {
    let mut cookies = reply.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().expect("text"));
    cookies.any(|cookie| cookie.starts_with("morsel_session="))
}

/// The kinds and details of the events in the trail, newest first.
async fn trail(service: &Service) -> Vec<(String, String)> {
    service.app.trail.flush(&service.app.store).await.expect("written");
    let page = service.app.store.audit().list(&AuditFilter::default(), 0, 50).await.expect("read");
    page.entries
        .into_iter()
        .map(|entry| (entry.event.kind.to_string(), entry.event.detail.unwrap_or_default()))
        .collect()
}

async fn with_issuer(change: impl Fn(Settings) -> Settings, test: impl AsyncFn(&Service, &Issuer, &Database)) {
    on_sqlite(async |database| {
        let issuer = Issuer::start().await;
        let service = Service::with(database, change(settings(&issuer))).await;
        test(&service, &issuer, database).await;
    })
    .await;
}

#[tokio::test]
async fn somebody_with_a_verified_address_gets_their_account() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            let page = Visitor::new(service).page("/sign-in?next=/keys").await;
            assert!(page.contains("href=\"/sign-in/oidc?next=%2Fkeys\"") && page.contains("Example Login"), "{page}");
            let browser = AtProvider::go(service, issuer).await;
            let query = &browser.query;
            assert_eq!(query["redirect_uri"], "http://food.test/sign-in/oidc/return");
            assert_eq!((query["response_type"].as_str(), query["client_id"].as_str()), ("code", "morsel"));
            assert_eq!(query["scope"], "openid email");
            let reply = browser.come_back().await;
            assert_eq!((reply.status, reply.header("location")), (303, Some("/keys")), "{}", reply.text());
            assert!(is_signed_in(&reply));
            let cookies: Vec<&str> =
                reply.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().expect("text")).collect();
            assert!(cookies[1].starts_with("morsel_sign_in=;") && cookies[1].contains("Max-Age=0"), "{cookies:?}");
            let session = cookies[0].split(';').next().expect("a pair").to_owned();
            let visitor = Visitor { service, cookie: Some(session), from: [127, 0, 0, 1] };
            assert!(visitor.page("/account").await.contains("cook@example.com"));
            {
                let says = issuer.says();
                let challenge = encode(Sha256::digest(says.form["code_verifier"].as_bytes()));
                assert_eq!((&challenge, query["code_challenge_method"].as_str()), (&query["code_challenge"], "S256"));
                assert_eq!(says.form["redirect_uri"], query["redirect_uri"]);
                assert!(!says.form.contains_key("client_secret"), "it is in the header");
                let basic = base64::prelude::BASE64_STANDARD.encode("morsel:hunter+2");
                assert_eq!(says.authorization, format!("Basic {basic}"));
            }
            assert_eq!(trail(service).await[0], ("signed_in".to_owned(), "with Example Login".to_owned()));
            let again = AtProvider::go(service, issuer).await;
            assert_ne!(again.query["state"], query["state"]);
            assert_ne!(again.query["nonce"], query["nonce"]);
            assert_ne!(again.query["code_challenge"], query["code_challenge"]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_token_that_breaks_one_rule_is_refused() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            let now = service.app.now().as_second();
            let claims: [(&str, Value); 14] = [
                ("iss", json!("https://evil.test")),
                ("aud", json!("another")),
                ("aud", json!(["another"])),
                ("aud", json!(["morsel", "another"])),
                ("aud", Value::Null),
                ("azp", json!("another")),
                ("exp", json!(now - 61)),
                ("exp", Value::Null),
                ("iat", json!(now + 120)),
                ("nbf", json!(now + 120)),
                ("nonce", json!("another")),
                ("nonce", Value::Null),
                ("sub", json!("")),
                ("sub", Value::Null),
            ];
            for (name, value) in claims {
                let browser = AtProvider::go(service, issuer).await;
                issuer.says().claims[name] = value.clone();
                let reply = browser.come_back().await;
                assert!(reply.status == 502 && !is_signed_in(&reply), "{name} {value}: {}", reply.text());
            }
            for head in [
                json!({"alg": "none", "kid": "first"}),
                json!({"alg": "HS256", "kid": "first"}),
                json!({"alg": "RS256", "kid": "first"}),
                json!({"alg": "ES256", "kid": "another"}),
                json!({"alg": "ES256", "kid": "first", "crit": ["x"]}),
                json!({}),
            ] {
                let browser = AtProvider::go(service, issuer).await;
                issuer.says().head = head.clone();
                let reply = browser.come_back().await;
                assert!(reply.status == 502 && !is_signed_in(&reply), "{head}: {}", reply.text());
            }
            issuer.says().head = json!({"alg": "ES256", "kid": "first"});
            issuer.says().is_forged = true;
            let reply = AtProvider::go(service, issuer).await.come_back().await;
            assert!(reply.status == 502 && !is_signed_in(&reply), "{}", reply.text());
            let (kind, detail) = trail(service).await.remove(0);
            assert_eq!(kind, "provider_refused");
            assert_eq!(detail, "the provider's answer is invalid: the signature of the token is wrong");
            issuer.says().is_forged = false;
            let audiences = AtProvider::go(service, issuer).await;
            issuer.says().claims["aud"] = json!(["another", "morsel"]);
            issuer.says().claims["azp"] = json!("morsel");
            assert!(is_signed_in(&audiences.come_back().await), "for several services, and asked for by this one");
        },
    )
    .await;
}

#[tokio::test]
async fn an_answer_belongs_to_the_browser_that_asked() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            let browser = AtProvider::go(service, issuer).await;
            let state = browser.query["state"].clone();
            for query in
                ["code=right&state=another".to_owned(), "code=right".to_owned(), "code=right&state=".to_owned()]
            {
                let reply = browser.come_back_with(&query).await;
                assert!(reply.status == 400 && !is_signed_in(&reply), "{query}: {}", reply.text());
            }
            let other = AtProvider::go(service, issuer).await;
            let reply = other.come_back_with(&format!("code=right&state={state}")).await;
            assert!(reply.status == 400 && !is_signed_in(&reply));
            let bare = Visitor::new(service).open(&format!("/sign-in/oidc/return?code=right&state={state}")).await;
            assert!(bare.status == 400 && !is_signed_in(&bare));
            let reply = browser.come_back_with(&format!("error=access_denied&state={state}")).await;
            assert!(reply.status == 403 && reply.text().contains("Example Login refused it"), "{}", reply.text());
            let reply = browser.come_back_with(&format!("code=wrong&state={state}")).await;
            assert!(reply.status == 502 && !is_signed_in(&reply), "{}", reply.text());
            let elsewhere = Visitor::new(service).open("/sign-in/oidc?next=https://evil.test/").await;
            let cookie = elsewhere.header("set-cookie").expect("a cookie");
            assert!(
                cookie.split(';').next().is_some_and(|pair| pair.ends_with(&format!(".{}", encode("/")))),
                "{cookie}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn only_verified_addresses_of_known_people_are_let_in() {
    let listed = |settings: Settings| Settings { oidc_allowed: Some(vec!["example.com".to_owned()]), ..settings };
    with_issuer(listed, async |service, issuer, _| {
        let disabled = NewAccount::new(email("gone@example.com"));
        let accounts = service.app.store.accounts();
        let disabled = accounts.create(disabled, service.app.now(), &mut Rng::system()).await.expect("made").id;
        accounts.set_disabled(&disabled, Some(service.app.now())).await.expect("disabled");
        for (name, value, part) in [
            ("email_verified", json!(false), "does not vouch"),
            ("email_verified", json!("false"), "does not vouch"),
            ("email_verified", Value::Null, "does not vouch"),
            ("email", json!("not an address"), "does not vouch"),
            ("email", json!("nobody@example.com"), "no account here"),
            ("email", json!("cook@elsewhere.test"), "no account here"),
            ("email", json!("gone@example.com"), "no account here"),
        ] {
            let browser = AtProvider::go(service, issuer).await;
            issuer.says().claims[name] = value.clone();
            let reply = browser.come_back().await;
            assert!(reply.status == 403 && !is_signed_in(&reply), "{name} {value}: {}", reply.text());
            assert!(reply.text().contains(part), "{name} {value}: {}", reply.text());
            assert_eq!(trail(service).await[0].0, "provider_refused");
        }
        assert_eq!(accounts.count().await.expect("read"), 2, "nobody got an account");
    })
    .await;
}

#[tokio::test]
async fn accounts_are_created_if_the_owner_wants_it() {
    let creating = |settings: Settings| Settings { oidc_create_accounts: Some(Switch::On), ..settings };
    with_issuer(creating, async |service, issuer, _| {
        let browser = AtProvider::go(service, issuer).await;
        issuer.says().claims["email"] = json!("New@Example.com");
        assert!(is_signed_in(&browser.come_back().await));
        let account = service.app.store.accounts().by_email(&email("new@example.com")).await.expect("read");
        let account = account.expect("created");
        assert!(account.password_hash.is_none() && !account.is_owner);
        let events = trail(service).await;
        assert_eq!(events[1], ("signed_up".to_owned(), "with Example Login".to_owned()), "{events:?}");
    })
    .await;
}

#[tokio::test]
async fn the_address_may_be_in_the_user_information() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            for (sub, expected) in [("42", true), ("43", false)] {
                let browser = AtProvider::go(service, issuer).await;
                issuer.says().claims["email"] = Value::Null;
                issuer.says().userinfo = json!({"sub": sub, "email": "cook@example.com", "email_verified": "true"});
                assert_eq!(is_signed_in(&browser.come_back().await), expected, "{sub}");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn new_keys_of_the_provider_are_found() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            assert!(is_signed_in(&AtProvider::go(service, issuer).await.come_back().await));
            issuer.says().key = new_key();
            issuer.says().kid = "second";
            issuer.says().head = json!({"alg": "ES256", "kid": "second"});
            assert!(
                !is_signed_in(&AtProvider::go(service, issuer).await.come_back().await),
                "not more often than once a minute"
            );
            service.advance(std::time::Duration::from_secs(61));
            assert!(is_signed_in(&AtProvider::go(service, issuer).await.come_back().await));
        },
    )
    .await;
}

#[tokio::test]
async fn a_provider_that_is_down_or_another_one_gets_a_page_that_says_so() {
    on_sqlite(async |database| {
        let issuer = Issuer::start().await;
        let down = Settings { oidc_issuer: Some("http://127.0.0.1:1".to_owned()), ..settings(&issuer) };
        let service = Service::with(database, down).await;
        let reply = Visitor::new(&service).open("/sign-in/oidc").await;
        assert_eq!((reply.status, reply.header("content-type")), (503, Some("text/html; charset=utf-8")));
        assert!(reply.text().contains("Example Login cannot be reached"), "{}", reply.text());
        assert_eq!(Visitor::new(&service).open("/sign-in").await.status, 200, "passwords still work");
    })
    .await;
    on_sqlite(async |database| {
        let issuer = Issuer::start().await;
        let other = Settings { oidc_issuer: Some(issuer.url.replace("127.0.0.1", "localhost")), ..settings(&issuer) };
        let service = Service::with(database, other).await;
        let reply = Visitor::new(&service).open("/sign-in/oidc").await;
        assert_eq!(reply.status, 502, "the metadata name another issuer: {}", reply.text());
    })
    .await;
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for path in ["/sign-in/oidc", "/sign-in/oidc/return?code=a&state=b"] {
            assert_eq!(Visitor::new(&service).open(path).await.status, 404, "{path}");
        }
        assert!(!Visitor::new(&service).page("/sign-in").await.contains("oidc"));
    })
    .await;
}

#[tokio::test]
async fn a_second_factor_is_asked_for_after_the_provider() {
    with_issuer(
        |settings| settings,
        async |service, issuer, _| {
            let (factors, secret) = (service.app.store.second_factors(), TotpSecret::generate(&mut Rng::system()));
            let now = service.app.now();
            factors.turn_on(&service.account.id, &secret, 0, now, &mut Rng::system()).await.expect("on");
            let reply = AtProvider::go(service, issuer).await.come_back().await;
            assert!(reply.status == 200 && !is_signed_in(&reply), "{}", reply.text());
            assert!(reply.text().contains("action=\"/sign-in/code\""), "{}", reply.text());
        },
    )
    .await;
}
