//! Recipes and what they match.

use serde_json::json;

use crate::stage::Stage;

pub async fn a_recipe_from_first_to_last(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/recipes").await;
    page.sees("No recipes yet").await;
    page.check("recipes-empty").await;
    page.click("main .button").await;
    page.sees("New recipe").await;
    page.check("recipe-new").await;
    // Errors are shown next to their fields, and the input is kept.
    page.expect("status of 422");
    page.fill("#calories", "-5").await;
    page.click("main form button").await;
    page.sees("must not be blank").await;
    page.check("recipe-wrong").await;
    page.fill("#name", "Mom's Lasagna").await;
    page.click("main form button").await;
    page.sees("must be a number from 0").await;
    page.fill("#calories", "620").await;
    page.fill("#protein", "34.5").await;
    page.fill("#serving_description", "1 slice (350 g)").await;
    page.fill("#aliases", "family lasagna\nthe usual").await;
    page.click("main form button").await;
    page.sees("Recipe created").await;
    page.sees("family lasagna, the usual").await;
    page.check("recipes").await;
    // Which text matches and why.
    for (text, seen) in [
        ("2 slices of moms lasagna and a coke", "A serving is 1 slice, so 2 slices are 2 servings."),
        ("175 g of the family lasagna", "matches the alias “family lasagna”"),
        ("lasagna", "The whole name must be present"),
        ("moms lasagna soup", "next to it makes it a different food"),
        ("a banana", "No recipe shares a word"),
    ] {
        page.fill("#text", text).await;
        page.press("\u{E007}").await;
        page.wait(format!(
            "document.getElementById('text').value === {} && document.body.innerText.includes({})",
            json!(text),
            json!(seen)
        ))
        .await;
    }
    stage.open("/recipes?text=2+slices+of+moms+lasagna+and+a+coke").await;
    page.check("recipes-match").await;
    stage.open("/recipes?q=nothing").await;
    page.sees("No recipe matches").await;
    stage.open("/recipes").await;
    page.click("tbody a").await;
    page.fill("#calories", "640").await;
    page.check("recipe").await;
    page.click("main form button").await;
    page.sees("Recipe saved.").await;
    page.sees("640").await;
    page.click("tbody a").await;
    page.click("main details summary").await;
    page.click("main details form button").await;
    page.sees("Recipe deleted.").await;
    page.sees("No recipes yet").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}
