//! The first steps of a new account.

use crate::stage::Stage;

pub async fn the_first_steps(stage: &Stage) {
    let page = &stage.page;
    let account = stage.person().await;
    stage.open("/").await;
    page.sees("Get started").await;
    page.check("start").await;
    page.click("[action='/start/key'] button").await;
    page.wait("document.querySelector('#key')?.innerText.startsWith('svc_live_')").await;
    // Every program has the key.
    page.wait("[...document.querySelectorAll('.samples code')].filter((code) => code.textContent.includes(document.querySelector('#key').innerText)).length === 9").await;
    page.check("start-key").await;
    page.sees("Waiting for your request").await;
    let key = page.text("#key").await;
    let reply = stage.service.get("/v1/foods?q=egg").key(&key).send().await;
    assert_eq!(reply.status, 200);
    // A running server writes the counts every second.
    stage.service.app.usage.flush(&stage.service.app.store).await.expect("written");
    page.wait("document.querySelector('[data-step=request].done')").await;
    let now = stage.service.app.now();
    let milestones = stage.service.app.store.milestones();
    milestones.reach(&account.id, store::Milestone::PhotoTried, now).await.expect("written");
    page.wait("document.querySelector('[data-step=photo].done')").await;
    page.check("start-three").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
    stage.open("/").await;
    page.scripts(false).await;
    page.click("[action='/start/hide'] button").await;
    page.find(".tiles").await;
    page.scripts(true).await;
    assert!(!page.text("main").await.contains("Get started"));
}
