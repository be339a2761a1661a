//! Keys and usage.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use serde_json::json;
use store::{Key, Mode, NewKey, RequestCount, Rng, Scopes};

use crate::stage::Stage;

pub async fn from_first_to_last(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/keys").await;
    page.sees("No keys yet").await;
    page.check("keys-empty").await;
    page.click("main a[href='/keys/new']").await;
    page.check("key-new").await;
    page.fill("#label", "phone app").await;
    page.click("#mode-test").await;
    page.click("label[for='expires-30']").await;
    page.click("main form button").await;
    page.sees("Copy your key now.").await;
    let key = page.text("#key").await;
    assert!(key.starts_with("svc_test_"), "{key}");
    page.check("key-shown").await;
    page.script(
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
        json!([]),
    )
    .await;
    page.click("[data-copy=key]").await;
    page.wait(format!(
        "window.copied === '{key}' && document.querySelector('[data-copy=key]').textContent === 'Copied'"
    ))
    .await;
    let search = |key: String| async move { stage.service.get("/v1/foods?q=egg").key(&key).send().await };
    assert_eq!(search(key.clone()).await.status, 200);
    stage.open("/keys").await;
    assert!(!page.text("body").await.contains(&key), "shown once");
    page.check("keys").await;
    page.click("tbody a").await;
    page.sees("Rotate key").await;
    page.check("key").await;
    page.fill("#label", "tablet app").await;
    page.click("form[action$='/label'] button").await;
    page.sees("Label saved.").await;
    page.fill("#networks", "nowhere").await;
    page.expect("status of 422");
    page.click("form[action$='/permissions'] button").await;
    page.sees("is not an IP address").await;
    page.check("key-permissions-wrong").await;
    page.fill("#networks", "127.0.0.0/8").await;
    page.click("form[action$='/permissions'] button").await;
    page.sees("Permissions saved.").await;
    page.click("form[action$='/rotate'] button").await;
    page.sees("Copy your key now.").await;
    let successor = page.text("#key").await;
    assert_ne!(successor, key);
    assert_eq!((search(key).await.status, search(successor.clone()).await.status), (200, 200), "for a day both work");
    stage.open("/keys").await;
    page.sees("rotated").await;
    page.check("keys-rotated").await;
    page.click("tbody tr:not(:has(.badge.rotated)) a").await;
    page.click("a[href$='/revoke']").await;
    page.sees("This cannot be undone.").await;
    page.check("key-revoke").await;
    page.click("main form button").await;
    page.sees("It no longer works.").await;
    assert_eq!(search(successor).await.error(401), "revoked_key");
    assert_eq!(page.errors().await, Vec::<String>::new());
}

/// Adds thirty days of made-up traffic of a small app: busier at weekends, with a bad hour and a burst over the limit.
pub async fn make_traffic(stage: &Stage, account: &store::Account) {
    let key = async |mode, label: &str, scopes: &[&str], days: Option<i64>| -> Key {
        let now = stage.service.app.now();
        let scopes = Scopes::from_names(scopes.iter().copied()).expect("known scopes");
        let expires_at = days.map(|days| now + SignedDuration::from_hours(24 * days));
        let new = NewKey { mode, label: Some(label.to_owned()), scopes, expires_at };
        let keys = stage.service.app.store.keys();
        let made = keys.create(&account.id, new, now, &mut Rng::system()).await.expect("a key").0;
        let used = now - SignedDuration::from_mins(7 * i64::try_from(label.len()).expect("short"));
        keys.touch(&[(made.id.clone(), used, "203.0.113.7".to_owned())]).await.expect("used");
        made
    };
    let all = ["estimate", "upload", "foods:read", "recipes:read", "recipes:write"];
    let keys = [
        key(Mode::Live, "phone app", &all, Some(200)).await,
        key(Mode::Live, "web shop", &["estimate", "foods:read"], Some(4)).await,
        key(Mode::Test, "continuous integration", &all, None).await,
    ];
    let today = stage.service.app.now().to_zoned(TimeZone::UTC).date();
    let mut counts = Vec::new();
    for ago in 0..30_i64 {
        let day = today.saturating_sub(jiff::Span::new().days(ago));
        let wave = 900 + 35 * (30 - ago) + if ago % 7 < 2 { 500 } else { 0 } + (ago * 137 % 211);
        for (at, (key, share)) in keys.iter().zip([10, 6, 2]).enumerate() {
            for (route, part) in
                [("POST /v1/estimate", 5), ("POST /v1/estimate/sync", 3), ("GET /v1/foods", 6), ("GET /v1/recipes", 1)]
            {
                let requests = u64::try_from(wave * share * part / 150).expect("positive");
                let mut add = |status: &str, bucket: u8, requests: u64| {
                    if requests > 0 {
                        let (account, key, mode) = (account.id.clone(), key.id.clone(), key.mode);
                        let (route, status) = (route.to_owned(), status.to_owned());
                        counts.push(RequestCount {
                            day,
                            account,
                            key,
                            route,
                            status,
                            mode,
                            latency_bucket: bucket,
                            requests,
                        });
                    }
                };
                add("2xx", 6 + at as u8, requests * 7 / 10);
                add("2xx", 8, requests * 2 / 10);
                add("2xx", 11, requests / 20);
                add("4xx", 4, requests / 40);
                add("429", 2, if ago == 9 { requests / 3 } else { 0 });
                add("5xx", 20, if ago == 17 { requests / 12 } else { 0 });
            }
        }
    }
    stage.service.app.store.usage().add(&counts).await.expect("counted");
}

pub async fn usage(stage: &Stage) {
    let page = &stage.page;
    let account = stage.person().await;
    stage.open("/usage").await;
    page.check("usage-empty").await;
    make_traffic(stage, &account).await;
    stage.open("/usage").await;
    page.sees("By endpoint").await;
    page.check("usage").await;
    let all = page.text(".tile .figure").await;
    page.script("const mode = document.getElementById('mode'); mode.value = 'test'; mode.dispatchEvent(new Event('change', {bubbles: true}))", json!([])).await;
    page.wait(format!(
        "location.search.includes('mode=test') && document.querySelector('.tile .figure').innerText !== '{all}'"
    ))
    .await;
    let csv = page
        .script(
            "return fetch(document.querySelector('a[href^=\"/usage.csv\"]').href).then((answer) => answer.text())",
            json!([]),
        )
        .await;
    assert!(csv.as_str().is_some_and(|csv| csv.lines().count() > 30 && csv.contains("POST /v1/estimate")), "{csv}");
    stage.open("/").await;
    page.sees("Last 7 days").await;
    page.check("overview").await;
}
