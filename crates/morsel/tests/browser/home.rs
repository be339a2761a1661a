//! The home page of visitors.

use crate::stage::Stage;

pub async fn the_demo(stage: &Stage) {
    let page = &stage.page;
    stage.account().await;
    stage.open("/").await;
    page.sees("What you ate, in numbers.").await;
    page.wait("document.querySelectorAll('.item').length === 4 && document.querySelector('.codes.chosen')").await;
    page.check("welcome").await;
    page.fill("#text", "2 bananas").await;
    page.click("#demo .ask button").await;
    page.wait("document.querySelectorAll('.item').length === 1 && document.querySelector('.sample').textContent.includes('\"totals\"')").await;
    page.click("[name=example]:last-of-type").await;
    page.sees("Understood as Spanish").await;
    page.expect("status of 400");
    page.fill("#text", " ").await;
    page.click("#demo .ask button").await;
    page.sees("Describe what you ate.").await;
    // Colors stay as chosen.
    page.click(".menu .theme [value=dark]").await;
    page.wait("getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 21)'").await;
    stage.open("/docs/accuracy").await;
    page.wait("document.documentElement.dataset.theme === 'dark'").await;
    page.sees("Carbs within 7.5 g").await;
    page.click(".menu .theme [value=auto]").await;
    page.check("accuracy").await;
}

pub async fn without_script(stage: &Stage) {
    let page = &stage.page;
    stage.account().await;
    page.scripts(false).await;
    stage.open("/").await;
    page.fill("#text", "a bowl of lentil soup").await;
    page.click("#demo .ask button").await;
    page.find(".item:first-child:last-child").await;
    page.click(".menu .theme [value=dark]").await;
    page.find("html[data-theme=dark]").await;
    page.scripts(true).await;
    assert!(page.text("body").await.contains("What you ate"), "back on the home page");
}
