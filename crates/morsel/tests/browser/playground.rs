//! The playground.

use serde_json::json;

use crate::stage::Stage;

pub async fn a_meal_in_words(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/playground").await;
    page.check("playground-empty").await;
    // Record every change of the list, to see that foods appear one by one.
    page.script(
        "window.counts = []; new MutationObserver(() => counts.push(document.querySelectorAll('.item').length))
             .observe(document.getElementById('items'), {childList: true});
         const append = Element.prototype.append; window.appended = 0;
         Element.prototype.append = function (...nodes) { if (this.id === 'items') window.appended += 1; return append.apply(this, nodes); };",
        json!([]),
    )
    .await;
    page.fill("#text", "two scrambled eggs, a slice of toast with butter and a large latte").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length === 4").await;
    page.wait("window.appended === 4").await;
    page.wait("document.getElementById('news').textContent.startsWith('4 foods')").await;
    page.check("playground-result").await;
    // Change an amount in place.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.value = '3'; input.dispatchEvent(new Event('change'))", json!([])).await;
    page.wait("document.querySelectorAll('#conversation li').length === 2 && document.querySelectorAll('.item input')[1].value === '3'").await;
    page.wait("document.getElementById('request').textContent.includes('\"type\": \"correction\"')").await;
    // An empty amount changes nothing.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.value = ''; input.dispatchEvent(new Event('change'))", json!([])).await;
    page.sees("0 removes the food").await;
    page.wait("document.querySelectorAll('.item input')[1].value === '3'").await;
    // Correct in words.
    page.fill("#text", "make it three eggs").await;
    page.press("\u{E007}").await;
    page.wait("document.querySelectorAll('.item input')[0].value === '3'").await;
    // Choose an alternative.
    let before = page.text(".item:nth-child(4) h2").await;
    page.click(".item:nth-child(4) .others button:nth-of-type(2)").await;
    page.wait(format!("document.querySelector('.item:nth-child(4) h2').innerText !== {}", json!(before))).await;
    page.check("playground-amended").await;
    // The request in every language, and the events.
    for (name, text) in [
        ("curl", "curl http"),
        ("python", "client.estimate("),
        ("script", "await client.estimate("),
        ("events", "event: done"),
    ] {
        page.click(&format!("[data-shows={name}]")).await;
        page.wait(format!("document.getElementById('request').textContent.includes('{text}')")).await;
    }
    // Remove a food, and undo that.
    page.script("const input = document.querySelectorAll('.item input')[1]; input.value = '0'; input.dispatchEvent(new Event('change'))", json!([])).await;
    page.wait("document.querySelectorAll('.item').length === 3").await;
    page.click("#undo").await;
    page.wait("document.querySelectorAll('.item').length === 4").await;
    // Undo the choice.
    page.click("#undo").await;
    page.wait(format!("document.querySelector('.item:nth-child(4) h2').innerText === {}", json!(before))).await;
    page.click("#new-meal").await;
    page.wait("document.getElementById('result').hidden && document.querySelectorAll('#conversation li').length === 0")
        .await;
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
    page.wait("!document.getElementById('photo-shown').hidden").await;
    page.check("playground-photo").await;
    page.fill("#text", "rice with chicken, about 400 g").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length > 0").await;
    page.wait("document.getElementById('request').textContent.includes('/v1/images/')").await;
    // Files that are not photos are rejected before they are sent.
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "no picture").expect("written");
    page.script("document.getElementById('photo').removeAttribute('accept')", json!([])).await;
    page.type_into("#photo", &text.display().to_string()).await;
    page.sees("Use a JPEG, PNG or WebP photo.").await;
    let fake = folder.path().join("fake.jpg");
    std::fs::write(&fake, "no picture").expect("written");
    page.type_into("#photo", &fake.display().to_string()).await;
    page.sees("This image cannot be read.").await;
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
    assert!(shown.contains("3 egg") && shown.contains("kcal"), "{shown}");
}
