//! The documentation.

use serde_json::json;
use store::Mode;

use crate::stage::Stage;

/// The languages of all samples that are shown.
const SHOWN: &str = "[...document.querySelectorAll('.samples .sample')].filter((sample) => sample.offsetParent)\
                     .map((sample) => sample.dataset.language)";

pub async fn the_guide(stage: &Stage) {
    let page = &stage.page;
    stage.open("/docs").await;
    page.sees("First request in a minute").await;
    page.check("docs-guide").await;
    // One language at a time, for all samples; the choice is remembered on other pages.
    page.wait(format!("{SHOWN}.length === document.querySelectorAll('.samples').length")).await;
    page.click(".languages label:nth-of-type(5)").await;
    page.wait(format!("{SHOWN}.filter((language) => language === 'Go').length > 8")).await;
    stage.open("/docs/reference/get-v1-recipes").await;
    page.wait(format!("{SHOWN}.join() === 'Go'")).await;
    stage.open("/docs#errors").await;
    page.wait("scrollY > 1000").await;
    // Without scripts, too.
    page.scripts(false).await;
    stage.open("/docs/reference/get-v1-recipes").await;
    page.click(".languages label:nth-of-type(8)").await;
    let shown = page.script(&format!("return {SHOWN}.join()"), json!([])).await;
    page.scripts(true).await;
    assert_eq!(shown, "Swift");
}

pub async fn the_reference(stage: &Stage) {
    let page = &stage.page;
    let (_, key) = stage.service.key(Mode::Test, &["estimate", "foods:read"]).await;
    stage.open("/docs/reference").await;
    page.check("docs-reference").await;
    let outcome = |text: &str| format!("document.querySelector('.outcome').innerText.includes({})", json!(text));
    page.click("#post-v1-estimate-sync a").await;
    page.sees("Try it").await;
    page.check("docs-endpoint").await;
    // Visitors use a key, which is asked for in place.
    page.click(".try button").await;
    page.wait(outcome("Enter an API key above")).await;
    page.wait("document.activeElement.id === 'key'").await;
    page.fill("#key", &key).await;
    page.click(".try button").await;
    page.wait(format!("{} && {}", outcome("200"), outcome("\"totals\""))).await;
    page.picture("docs-endpoint-tried").await;
    stage.open("/docs/reference/post-v1-estimate").await;
    page.click(".try button").await;
    page.wait(outcome("event: done")).await;
    page.expect("status of 403");
    stage.open("/docs/reference/get-v1-recipes").await;
    page.click(".try button").await;
    page.wait(outcome("insufficient_scope")).await;
    page.click(".outcome .line a").await;
    page.sees("The key lacks a permission").await;
    page.check("docs-error").await;
    assert_eq!(page.script("return sessionStorage.getItem('key')", json!([])).await, key.as_str());
    stage.open("/docs/errors").await;
    page.check("docs-errors").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn trying_with_a_session(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/docs/reference/post-v1-estimate-sync").await;
    page.click(".try button").await;
    page.wait("document.querySelector('.outcome').innerText.includes('\"totals\"')").await;
    page.check("docs-endpoint-signed-in").await;
    stage.open("/docs/reference/get-v1-foods").await;
    page.fill("#field-q", "banana").await;
    page.press("\u{E007}").await;
    page.wait("document.querySelector('.outcome').innerText.includes('Banana, raw')").await;
    page.scripts(false).await;
    page.fill("#field-q", "greek yogurt").await;
    stage.open("/docs/reference/get-v1-foods").await;
    page.fill("#field-q", "greek yogurt").await;
    page.click(".try button").await;
    page.find(".outcome .badge.good").await;
    page.scripts(true).await;
    assert!(page.text(".outcome").await.contains("Greek yogurt"));
}

pub async fn searching(stage: &Stage) {
    let page = &stage.page;
    stage.open("/docs").await;
    // The key “/” goes to the search, but not while typing.
    page.press("/").await;
    page.wait("document.activeElement.id === 'docs-q'").await;
    page.type_into("#docs-q", "rate/limit").await;
    page.wait("document.getElementById('docs-q').value === 'rate/limit'").await;
    page.press("\u{E007}").await;
    page.sees("429 rate_limit_exceeded").await;
    page.check("docs-search").await;
    page.click(".found a").await;
    page.sees("What happened").await;
    page.scripts(false).await;
    stage.open("/docs/errors").await;
    page.fill("#docs-q", "barcode").await;
    page.click(".docs-search button").await;
    page.find(".found a[href*=barcode]").await;
    page.scripts(true).await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}
