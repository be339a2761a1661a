//! The pages for owners.

use crate::stage::Stage;

pub async fn accounts_and_health(stage: &Stage) {
    let page = &stage.page;
    let owner = stage.owner().await;
    stage.sign_in(&owner).await;
    stage.open("/owner").await;
    page.sees("Catalog").await;
    page.check("owner-health").await;
    stage.open("/owner/plans").await;
    page.check("owner-plans").await;
    page.fill("#pro-log_days", "45").await;
    page.click("form[action='/owner/plans/pro'] button").await;
    page.sees("Plan saved.").await;
    page.click("form.after button").await;
    page.wait("!document.querySelector('form.after')").await;
    stage.open("/owner/accounts").await;
    page.check("owner-accounts").await;
    page.fill("#email", "invited@example.com").await;
    page.click("form[action='/owner/accounts'][method=post] button").await;
    page.sees("/sign-in/").await;
    page.check("owner-link").await;
    stage.open("/owner/accounts?q=invited").await;
    page.click("tbody a").await;
    page.sees("Details").await;
    page.check("owner-account").await;
    page.script("document.getElementById('plan').value = 'pro'", serde_json::json!([])).await;
    page.click("form[action$='/plan'] button").await;
    // The attribute, which only the server writes: the value is already what the script chose.
    page.wait("document.querySelector('#plan option[value=pro]').hasAttribute('selected')").await;
    stage.open("/owner/audit").await;
    page.sees("Plan changed").await;
    page.check("owner-audit").await;
    page.script("document.getElementById('event').value = 'plan_changed'", serde_json::json!([])).await;
    page.click(".filters button").await;
    page.sees("1 event found").await;
    stage.open("/owner/audit?address=203.0.113.9").await;
    page.sees("No events found").await;
    page.check("owner-audit-empty").await;
    stage.open("/account").await;
    page.sees("Security events").await;
    page.check("account-events").await;
    // Other users cannot open these pages.
    page.expect("status of 403");
    stage.person().await;
    stage.open("/owner/accounts").await;
    page.sees("Only owners can open this page").await;
    page.check("owners-only").await;
}
