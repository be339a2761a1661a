//! Signing up, in and out; the account; the first run.

use serde_json::json;

use crate::stage::Stage;

const PASSWORD: &str = "correct horse battery staple";
const ENTER: &str = "\u{E007}";

pub async fn from_sign_up_to_deletion(stage: &Stage) {
    let page = &stage.page;
    stage.open("/").await;
    page.check("welcome").await;
    stage.open("/sign-up").await;
    page.check("sign-up").await;
    page.expect("status of 422");
    page.fill("#email", "new@example.com").await;
    page.fill("#password", "short").await;
    page.click("main form button").await;
    page.find(".wrong .error").await;
    page.check("sign-up-wrong").await;
    page.fill("#password", PASSWORD).await;
    page.click("main form button").await;
    page.sees("Your account is ready").await;
    page.check("overview-new").await;
    page.click(".menu .who button").await;
    page.sees("You are signed out.").await;
    // A page that needs an account redirects to the form, and the form back to the page.
    page.expect("status of 401");
    page.expect("status of 403");
    stage.open("/usage").await;
    page.sees("Sign in").await;
    page.check("sign-in").await;
    page.fill("#email", "new@example.com").await;
    page.fill("#password", "wrong horse").await;
    page.click("main form button").await;
    page.sees("Wrong email or password").await;
    page.check("sign-in-wrong").await;
    page.fill("#password", PASSWORD).await;
    page.click("main form button").await;
    page.wait("location.pathname === '/usage'").await;
    stage.open("/account").await;
    page.check("account").await;
    page.fill("#current", PASSWORD).await;
    page.fill("#new", "another horse battery staple").await;
    page.click("form[action='/account/password'] button").await;
    page.sees("Password saved.").await;
    let export = page
        .script(
            "return fetch('/account/export').then((answer) => answer.json()).then((data) => JSON.stringify(data))",
            json!([]),
        )
        .await;
    assert!(export.as_str().is_some_and(|export| export.contains("new@example.com")), "{export}");
    page.click("a[href='/account/delete']").await;
    page.sees("Delete new@example.com?").await;
    page.check("delete-account").await;
    page.fill("#email", "other@example.com").await;
    page.fill("#password", "another horse battery staple").await;
    page.click("main form button").await;
    page.find(".wrong").await;
    page.fill("#email", "new@example.com").await;
    page.fill("#password", "another horse battery staple").await;
    page.click("main form button").await;
    page.sees("all its data were deleted").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

/// Signs in and creates a key without a mouse.
pub async fn by_keyboard_alone(stage: &Stage) {
    let page = &stage.page;
    stage.open("/sign-up").await;
    page.fill("#email", "keys@example.com").await;
    page.fill("#password", PASSWORD).await;
    page.press(ENTER).await;
    page.sees("Your account is ready").await;
    page.clear_cookies().await;
    stage.open("/keys").await;
    page.tab_to("#email").await;
    page.press("keys@example.com").await;
    page.tab_to("#password").await;
    page.press(PASSWORD).await;
    page.press(ENTER).await;
    page.wait("location.pathname === '/keys'").await;
    // The skip link.
    page.press("\u{E004}").await;
    page.wait("document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().top >= 0")
        .await;
    page.press(ENTER).await;
    page.tab_to("main a[href='/keys/new']").await;
    page.press(ENTER).await;
    page.sees("Expiration").await;
    page.tab_to("#label").await;
    page.press("phone app").await;
    page.tab_to("#mode-live").await;
    page.press("\u{E015}").await;
    page.wait("document.getElementById('mode-test').checked").await;
    page.tab_to("main form button").await;
    page.press(ENTER).await;
    page.sees("Copy your key now.").await;
    assert!(page.text("#key").await.starts_with("svc_test_"));
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn the_first_run(stage: &Stage) {
    let page = &stage.page;
    let address = stage.empty_service("").await;
    page.open(&format!("{address}/")).await;
    page.sees("There are no accounts yet").await;
    page.check("first-run").await;
    page.fill("#email", "owner@example.com").await;
    page.fill("#password", PASSWORD).await;
    page.click("main form button").await;
    page.wait("document.querySelector('.menu a[href=\"/owner\"]')").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn below_a_path(stage: &Stage) {
    let page = &stage.page;
    let address = stage.empty_service("/apps/morsel").await;
    page.open(&format!("{address}/")).await;
    page.fill("#email", "owner@example.com").await;
    page.fill("#password", PASSWORD).await;
    page.click("main form button").await;
    page.wait("document.querySelector('.menu a[href=\"/apps/morsel/owner\"]')").await;
    // Scripts find their way, too.
    page.open(&format!("{address}/playground")).await;
    page.fill("#text", "two eggs and a slice of toast").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length === 2").await;
    page.wait("document.querySelector('.item a').pathname.startsWith('/apps/morsel/foods/')").await;
    page.open(&format!("{address}/foods")).await;
    page.type_into("#q", "greek yogurt").await;
    page.find("#results tbody a").await;
    page.wait("location.pathname === '/apps/morsel/foods' && location.search.includes('greek')").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}
