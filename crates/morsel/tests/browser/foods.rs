//! The food database.

use crate::stage::Stage;

pub async fn search_as_you_type(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/foods").await;
    page.sees("Search the food database").await;
    page.check("foods-empty").await;
    page.type_into("#q", "choclate mil").await;
    page.sees("Chocolate milk").await;
    page.check("foods").await;
    // With the keyboard: down to a food, enter.
    page.click("#q").await;
    page.press("\u{E015}").await;
    page.wait("document.activeElement.matches('#results a')").await;
    page.press("\u{E007}").await;
    page.sees("Nutrition facts").await;
    page.check("food").await;
    let before = page.text(".tile .figure").await;
    page.fill("#grams", "500").await;
    page.press("\u{E007}").await;
    page.wait(format!("document.querySelector('.tile .figure').innerText !== '{before}'")).await;
    page.sees("per 500 g").await;
    stage.open("/foods?q=x").await;
    page.sees("at least two characters").await;
    stage.open("/foods?q=zzzzqqqq+wwwwxx").await;
    page.sees("No food matches").await;
    stage.open("/foods?q=4006381333931").await;
    page.sees("No product has this barcode").await;
    page.check("foods-none").await;
    page.expect("status of 404");
    stage.open("/foods/nonsense").await;
    page.sees("Food not found.").await;
    page.check("not-found").await;
}

pub async fn without_script(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    page.scripts(false).await;
    stage.open("/foods").await;
    page.type_into("#q", "greek yogurt").await;
    page.click("#search button").await;
    page.find("#results tbody a").await;
    page.click("#results tbody a").await;
    page.find("#portion").await;
    page.scripts(true).await;
    assert!(page.text("body").await.contains("Greek yogurt"));
}
