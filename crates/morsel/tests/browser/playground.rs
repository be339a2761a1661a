//! The playground.

use serde_json::json;

use crate::stage::Stage;

pub async fn a_meal_in_words(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/playground").await;
    page.check("playground-empty").await;
    page.fill("#text", "two scrambled eggs, a slice of toast with butter and a large latte").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length === 4").await;
    page.wait("document.getElementById('news').textContent.startsWith('4 foods')").await;
    page.check("playground-result").await;
    // Change an amount in place; the focus stays where it was.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.focus(); input.value = '3'; input.dispatchEvent(new Event('change', {bubbles: true}))", json!([])).await;
    page.wait("document.querySelectorAll('#conversation li').length === 2 && document.querySelectorAll('.item input')[1].value === '3'").await;
    page.wait("document.activeElement === document.querySelectorAll('.item input')[1]").await;
    page.wait("document.querySelector('[data-language=curl]').textContent.includes('\"type\": \"correction\"')").await;
    // An empty amount changes nothing.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.value = ''; input.dispatchEvent(new Event('change', {bubbles: true}))", json!([])).await;
    page.sees("0 removes the food").await;
    page.wait("document.querySelectorAll('.item input')[1].value === '3'").await;
    // Correct in words.
    page.fill("#text", "make it three eggs").await;
    page.press("\u{E007}").await;
    page.wait("document.querySelectorAll('.item input')[0].value === '3'").await;
    // Choose an alternative.
    let before = page.text(".item:nth-child(4) h3").await;
    page.click(".item:nth-child(4) .others button:nth-of-type(2)").await;
    page.wait(format!("document.querySelector('.item:nth-child(4) h3').innerText !== {}", json!(before))).await;
    page.check("playground-amended").await;
    page.wait("document.activeElement.matches('.item:nth-child(4) [data-focus]')").await;
    // The response and the request in every language.
    for (name, text) in [
        ("Response", "\"totals\""),
        ("curl", "curl http"),
        ("Python", "client.estimate("),
        ("JavaScript", "await client.estimate("),
    ] {
        page.click(&format!("[data-focus='sample-{name}']")).await;
        page.wait(format!("document.querySelector('.sample:not([hidden])').textContent.includes('{text}')")).await;
    }
    page.click("[name=include][value=grams]").await;
    page.wait("document.querySelector('[data-language=Response]').textContent.includes('\"grams\"')").await;
    // Remove a food, and undo that.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.value = '0'; input.dispatchEvent(new Event('change', {bubbles: true}))", json!([])).await;
    page.wait("document.querySelectorAll('.item').length === 3").await;
    page.click("#undo").await;
    page.wait("document.querySelectorAll('.item').length === 4").await;
    // Undo the choice.
    page.click("#undo").await;
    page.wait(format!("document.querySelector('.item:nth-child(4) h3').innerText === {}", json!(before))).await;
    page.click("#new-meal").await;
    page.wait("document.getElementById('result').hidden && document.querySelectorAll('#conversation li').length === 0")
        .await;
    // The meal is in the history, and its link opens it again, corrections included.
    page.click("#recent a").await;
    page.wait(
        "document.querySelectorAll('.item').length === 4 && document.querySelectorAll('#conversation li').length >= 1",
    )
    .await;
    page.click(".save summary").await;
    page.fill("#recipe-name", "Sunday breakfast").await;
    page.click(".save button").await;
    page.sees("Sunday breakfast").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn what_goes_wrong(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/playground").await;
    page.click("#send").await;
    page.sees("Describe what you ate.").await;
    page.fill("#text", "the weather was nice").await;
    page.click("#send").await;
    page.sees("No food found").await;
    page.check("playground-nothing").await;
    page.reset().await;
    page.expect("status of 401");
    stage.person().await;
    stage.open("/playground").await;
    page.clear_cookies().await;
    page.fill("#text", "an egg").await;
    page.click("#send").await;
    page.sees("You are not signed in").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn a_photo(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/playground").await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("dinner.jpg");
    image::RgbImage::from_fn(320, 240, |x, y| image::Rgb([200, (x / 2) as u8, (y / 2) as u8]))
        .save(&file)
        .expect("saved");
    page.type_into("#photo", &file.display().to_string()).await;
    page.wait("document.querySelectorAll('#photos-shown img').length === 1").await;
    page.type_into("#photo", &file.display().to_string()).await;
    page.wait("document.querySelectorAll('#photos-shown img').length === 2").await;
    page.check("playground-photo").await;
    page.fill("#text", "rice with chicken, about 400 g").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length > 0").await;
    page.wait("document.querySelector('[data-language=curl]').textContent.split('/v1/images/').length === 3").await;
    page.wait("document.querySelectorAll('.photos img').length === 2").await;
    page.check("playground-photo-result").await;
    // Files that are not photos are rejected before they are sent.
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "no picture").expect("written");
    page.script("document.getElementById('photo').removeAttribute('accept')", json!([])).await;
    page.type_into("#photo", &text.display().to_string()).await;
    page.sees("Use a JPEG, PNG or WebP photo.").await;
    let fake = folder.path().join("fake.jpg");
    std::fs::write(&fake, "no picture").expect("written");
    // The driver adds files to those that are chosen.
    page.script("document.getElementById('photo').value = ''", json!([])).await;
    page.type_into("#photo", &fake.display().to_string()).await;
    page.sees("This image cannot be read.").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn pins_on_a_photo(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/playground").await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = folder.path().join("fruit.png");
    crate::fruit::orange_and_tomato(true).save(&file).expect("saved");
    page.type_into("#photo", &file.display().to_string()).await;
    page.wait("document.querySelectorAll('#photos-shown img').length === 1").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.pins .placed').length === 2").await;
    page.wait("document.querySelector('.photos img').complete").await;
    page.check("playground-pins").await;
    // Each pin has the number of its item, and is on its fruit.
    let places = "const photo = document.querySelector('.photos img').getBoundingClientRect();
            return [...document.querySelectorAll('.pins .pin')].map((pin) => {
              const { x, y, width, height } = pin.getBoundingClientRect();
              return [pin.title, (x + width / 2 - photo.x) / photo.width, (y + height / 2 - photo.y) / photo.height];
            });";
    let places = page.script(places, json!([])).await;
    for place in places.as_array().expect("pins") {
        let is_tomato = place[0].as_str().expect("a name").to_lowercase().contains("tomato");
        let along = place[1].as_f64().expect("a share");
        assert!(if is_tomato { (0.6..0.85).contains(&along) } else { (0.15..0.4).contains(&along) }, "{places}");
    }
    page.tab_to(".pins .pin").await;
    page.press("\u{E007}").await;
    page.wait(
        "document.activeElement.matches('.item') && document.activeElement.querySelector('.pin').textContent === '1'",
    )
    .await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn without_script(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    page.scripts(false).await;
    stage.open("/playground").await;
    page.fill("#text", "two eggs and a slice of toast").await;
    page.click("#send").await;
    page.find(".item:nth-child(2)").await;
    page.fill("#text", "make it three eggs").await;
    page.click("#send").await;
    page.find("#conversation li:nth-child(2)").await;
    page.scripts(true).await;
    let shown = page.text("body").await;
    assert!(shown.contains("3 eggs") && shown.contains("kcal"), "{shown}");
}
