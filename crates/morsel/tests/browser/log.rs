//! The request log.

use serde_json::json;
use store::{Account, NewKey, Rng};

use crate::stage::Stage;

/// Returns a key of the account.
async fn a_key(stage: &Stage, account: &Account) -> String {
    let keys = stage.service.app.store.keys();
    let created = keys.create(&account.id, NewKey::live(), stage.service.app.now(), &mut Rng::system()).await;
    created.expect("a key").1.as_str().to_owned()
}

/// Writes what was recorded, which the program does every second.
async fn flush(stage: &Stage) {
    let app = &stage.service.app;
    app.request_log.flush(&app.store, &app.limits, app.now()).await.expect("written");
}

fn a_meal(text: &str) -> serde_json::Value {
    json!({"messages": [{"role": "user", "content": text}]})
}

pub async fn from_a_request_id_to_the_playground(stage: &Stage) {
    let page = &stage.page;
    let account = stage.person().await;
    let key = a_key(stage, &account).await;
    stage.open("/log").await;
    page.sees("No requests yet").await;
    page.check("log-empty").await;
    page.click("details.more summary").await;
    page.click("form[action='/log/bodies'] button").await;
    page.sees("The log keeps bodies from now on.").await;
    // The page that is open shows new requests by itself.
    page.wait("!document.querySelector('.live').hidden").await;
    stage.service.get("/v1/foods?limit=x").key(&key).send().await;
    flush(stage).await;
    page.sees("1 request").await;
    page.sees("/v1/foods").await;
    let meal = stage.service.post("/v1/estimate/sync", a_meal("two eggs and toast")).key(&key).send().await;
    flush(stage).await;
    page.sees("2 requests").await;
    page.check("log").await;
    page.script("document.getElementById('status').value = 'errors'; document.getElementById('status').dispatchEvent(new Event('change', {bubbles: true}))", json!([])).await;
    page.sees("1 request found").await;
    page.check("log-filtered").await;
    let id = meal.header("x-request-id").expect("an id").to_owned();
    page.fill("#id", &id).await;
    page.click(".log-search button").await;
    page.sees("Send it again").await;
    page.sees("Response body").await;
    page.check("log-request").await;
    page.script(
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
        json!([]),
    )
    .await;
    page.click("[data-copy=curl]").await;
    page.wait("window.copied.includes('$MORSEL_KEY') && window.copied.includes('two eggs and toast')").await;
    page.click("a[href^='/playground?text=']").await;
    page.wait("document.querySelectorAll('.item').length === 2").await;
    page.expect("status of 404");
    stage.open("/log/req_0").await;
    page.sees("is not in your log").await;
    page.check("log-unknown").await;
}

pub async fn without_script(stage: &Stage) {
    let page = &stage.page;
    let account = stage.person().await;
    let key = a_key(stage, &account).await;
    for _ in 0..60 {
        stage.service.get("/v1/foods?q=egg").key(&key).send().await;
    }
    let bad = stage.service.get("/v1/foods").key(&key).send().await;
    page.scripts(false).await;
    stage.open("/log").await;
    page.click("nav[aria-label=Pages] a").await;
    page.find("nav[aria-label=Pages] a[href='/log?']").await;
    stage.open("/log").await;
    page.fill("#code", "query_too_short").await;
    page.click(".filters button").await;
    page.find("a[href='/log']").await;
    page.click("tbody th a").await;
    let id = bad.header("x-request-id").expect("an id");
    assert!(page.text("main").await.contains(id));
}

pub async fn usage_by_the_minute(stage: &Stage) {
    let page = &stage.page;
    let account = stage.person().await;
    let key = a_key(stage, &account).await;
    for _ in 0..5 {
        stage.service.get("/v1/foods?q=egg").key(&key).send().await;
    }
    stage.service.get("/v1/foods").key(&key).send().await;
    stage.open("/usage?days=1h").await;
    page.sees("By minute").await;
    page.check("usage-hour").await;
    page.click(".chart a .bar-ok").await;
    page.sees("6 requests found").await;
    page.check("log-of-a-minute").await;
}
