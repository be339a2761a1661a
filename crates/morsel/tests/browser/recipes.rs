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
    page.click("button[value=save]").await;
    page.sees("must not be blank").await;
    page.check("recipe-wrong").await;
    page.fill("#name", "Mom's Lasagna").await;
    page.click("button[value=save]").await;
    page.sees("must be a number from 0").await;
    page.fill("#calories", "620").await;
    page.fill("#protein", "34.5").await;
    page.fill("#serving_description", "1 slice (350 g)").await;
    page.fill("#aliases", "family lasagna\nthe usual").await;
    page.click("button[value=save]").await;
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
    page.click("button[value=save]").await;
    page.sees("Recipe saved.").await;
    page.sees("640").await;
    page.click("tbody a").await;
    page.click("main details summary").await;
    page.click("main details form button").await;
    page.sees("Recipe deleted.").await;
    page.sees("No recipes yet").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn from_ingredients(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/recipes/new").await;
    page.fill("#name", "Rice bowl").await;
    page.fill("#pasted", "200 g of cooked white rice\n100 g chicken breast\nflumbergast").await;
    page.click("button[value=add]").await;
    page.wait("document.querySelectorAll('.ingredients li').length === 2").await;
    // What was not understood stays.
    page.wait("document.getElementById('pasted').value === 'flumbergast'").await;
    page.fill("#find", "olive oil").await;
    page.press("\u{E007}").await;
    page.wait("document.querySelector('.found-foods button')").await;
    page.click(".found-foods button").await;
    page.wait("document.querySelectorAll('.ingredients li').length === 3").await;
    page.check("recipe-ingredients").await;
    // The numbers follow the amounts.
    let before = page.text(".sum").await;
    page.type_over("#amount-1", "400").await;
    page.press("\u{E004}").await;
    page.wait(format!("document.querySelector('.sum').innerText !== {}", json!(before))).await;
    page.wait(
        "document.getElementById('calories').placeholder === document.getElementById('builder').dataset.calories",
    )
    .await;
    page.fill("#fat", "9").await;
    page.click("button[value=save]").await;
    page.sees("Recipe created").await;
    page.click("tbody a").await;
    page.wait("document.querySelectorAll('.ingredients li').length === 3").await;
    page.wait("document.getElementById('fat').value === '9' && document.getElementById('calories').value === ''").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
    // Without scripts every button sends the form.
    page.scripts(false).await;
    page.open(&page.url().await).await;
    page.click(".ingredients button").await;
    page.find(".ingredients li:nth-child(2):last-child").await;
    page.click("#basis-100").await;
    page.click("button[value=refresh]").await;
    page.find("#basis-100:checked").await;
    page.click("button[value=save]").await;
    page.find(".toast").await;
    page.scripts(true).await;
}
