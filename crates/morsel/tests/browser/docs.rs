//! The documentation.

use serde_json::json;
use store::Mode;

use crate::stage::Stage;

pub async fn the_guide(stage: &Stage) {
    let page = &stage.page;
    stage.open("/docs").await;
    page.sees("First request in a minute").await;
    page.check("docs-guide").await;
    // One language at a time, for all samples; the choice is remembered on other pages.
    page.wait("document.querySelectorAll('.samples .sample:not([hidden])').length === document.querySelectorAll('.samples').length").await;
    page.script("document.querySelectorAll('.languages button')[1].click()", json!([])).await;
    page.wait("[...document.querySelectorAll('.samples .sample:not([hidden])')].every((sample) => sample.dataset.language === 'Python')").await;
    stage.open("/docs/reference").await;
    page.wait("document.querySelector('.samples .sample:not([hidden])').dataset.language === 'Python'").await;
    stage.open("/docs#errors").await;
    page.wait("scrollY > 1000").await;
    // Without scripts all samples are shown.
    page.scripts(false).await;
    stage.open("/docs").await;
    let shown = page
        .script("return [...document.querySelectorAll('.sample')].every((sample) => !sample.hidden)", json!([]))
        .await;
    page.scripts(true).await;
    assert_eq!(shown, true);
}

pub async fn the_reference(stage: &Stage) {
    let page = &stage.page;
    let (_, key) = stage.service.key(Mode::Test, &["estimate", "foods:read"]).await;
    stage.open("/docs/reference").await;
    page.check("docs-reference").await;
    let send = async |id: &str| {
        page.script("const box = document.getElementById(arguments[0]).closest('section').querySelector('.try'); box.open = true; box.querySelector('form').requestSubmit()", json!([id])).await;
    };
    let outcome =
        |id: &str| format!("document.getElementById('{id}').closest('section').querySelector('.outcome').innerText");
    send("post-v1-estimate-sync").await;
    page.wait(format!("{}.includes('Enter a test key')", outcome("post-v1-estimate-sync"))).await;
    page.fill("#key", &key).await;
    send("post-v1-estimate-sync").await;
    page.wait(format!(
        "{}.includes('200') && {}.includes('\"totals\"')",
        outcome("post-v1-estimate-sync"),
        outcome("post-v1-estimate-sync")
    ))
    .await;
    send("post-v1-estimate").await;
    page.wait(format!("{}.includes('event: done')", outcome("post-v1-estimate"))).await;
    send("get-v1-foods").await;
    page.wait(format!("{}.includes('Greek yogurt')", outcome("get-v1-foods"))).await;
    page.expect("status of 403");
    send("get-v1-recipes").await;
    page.wait(format!("{}.includes('insufficient_scope')", outcome("get-v1-recipes"))).await;
    page.picture("docs-reference-tried").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
    let kept = page.script("return sessionStorage.getItem('key')", json!([])).await;
    assert_eq!(kept, key.as_str());
}
