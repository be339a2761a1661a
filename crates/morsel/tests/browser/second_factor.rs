//! Two-factor authentication, and steps that ask for the password again.

use std::time::Duration;

use serde_json::json;

use crate::authenticator::code;
use crate::stage::Stage;

const PASSWORD: &str = "correct horse battery staple";
const HALF_MINUTE: Duration = Duration::from_secs(30);

async fn sign_up(stage: &Stage, email: &str) {
    stage.open("/sign-up").await;
    stage.page.fill("#email", email).await;
    stage.page.fill("#password", PASSWORD).await;
    stage.page.click("main form button").await;
    stage.page.find("a[href='/keys/new']").await;
}

pub async fn on_used_off(stage: &Stage) {
    let page = &stage.page;
    let now = || stage.service.app.now();
    sign_up(stage, "careful@example.com").await;
    stage.open("/account").await;
    page.click("a[href='/account/second-factor']").await;
    page.sees("Scan this").await;
    page.check("second-factor-off").await;
    let secret = page.script("return document.querySelector('[name=secret]').value", json!([])).await;
    let secret = secret.as_str().expect("a secret").to_owned();
    assert_eq!(page.text(".secret").await.replace(char::is_whitespace, ""), secret);
    page.expect("status of 422");
    page.expect("status of 401");
    page.fill("#code", "000000").await;
    page.click("main form button").await;
    page.sees("This is not the current code").await;
    page.check("second-factor-wrong-code").await;
    page.fill("#code", &code(&secret, now())).await;
    page.click("main form button").await;
    page.sees("Save your recovery codes").await;
    page.check("recovery-codes").await;
    let file = page.script("return atob(document.querySelector('[download]').href.split(',')[1])", json!([])).await;
    let list = page.text("#list").await;
    assert!(file.as_str().is_some_and(|file| file.trim_end().ends_with(list.trim_end())), "{file}: {list}");

    page.click(".menu .who button").await;
    page.sees("You are signed out.").await;
    stage.open("/sign-in").await;
    page.fill("#email", "careful@example.com").await;
    page.fill("#password", PASSWORD).await;
    page.click("main form button").await;
    page.sees("Enter a code").await;
    page.check("sign-in-code").await;
    page.fill("#code", "123").await;
    page.click("main form button").await;
    page.sees("This code is wrong or was used before").await;
    stage.service.advance(HALF_MINUTE);
    page.fill("#code", &code(&secret, now())).await;
    page.click("main form button").await;
    page.wait("location.pathname === '/'").await;

    stage.open("/account/second-factor").await;
    page.sees("10 of your recovery codes are left").await;
    page.check("second-factor-on").await;
    stage.service.advance(HALF_MINUTE);
    page.fill("#password", PASSWORD).await;
    page.fill("#code", &code(&secret, now())).await;
    page.click("button.danger").await;
    page.sees("Two-factor authentication is off.").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

/// Fills in a form, confirms it with the password a quarter of an hour later, and gets what the form was for.
pub async fn confirming_a_step_without_script(stage: &Stage) {
    let page = &stage.page;
    sign_up(stage, "unattended@example.com").await;
    page.expect("status of 403");
    page.expect("status of 422");
    stage.open("/keys/new").await;
    stage.service.advance(Duration::from_mins(15));
    page.fill("#label", "from before").await;
    page.click("main form button").await;
    page.sees("Confirm that it is you").await;
    page.check("confirm").await;
    page.scripts(false).await;
    page.fill("#confirm_password", "wrong").await;
    page.click("main form button").await;
    page.find("#confirm_password-error").await;
    page.fill("#confirm_password", PASSWORD).await;
    page.click("main form button").await;
    page.find("#key").await;
    page.scripts(true).await;
    stage.open("/keys").await;
    page.sees("from before").await;
    stage.person().await;
    stage.service.advance(Duration::from_mins(15));
    stage.open("/keys/new").await;
    page.sees("has no password to confirm it with").await;
    page.check("confirm-without-password").await;
}
