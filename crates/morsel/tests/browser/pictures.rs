//! The screenshots of the README, with the same made-up account every time.

use std::path::Path;

use store::{Account, NewAccount, Plan, Rng};

use crate::keys::make_traffic;
use crate::page::Look;
use crate::stage::Stage;
use test_support::email;

const WINDOW: Look = Look::of(1120, 720);

/// Takes all screenshots.
pub async fn make(stage: &Stage, folder: &Path) {
    let page = &stage.page;
    let accounts = stage.service.app.store.accounts();
    let (address, now) = (email("ada@example.com"), stage.service.app.now());
    let made =
        accounts.create(NewAccount { plan: Plan::Pro, ..NewAccount::new(address) }, now, &mut Rng::system()).await;
    let account: Account = made.expect("an account");
    make_traffic(stage, &account).await;
    stage.sign_in(&account).await;
    page.look(Look::of(1120, 900)).await;
    let keep = async |name: &str| {
        page.script("document.activeElement.blur(); scrollTo(0, 0)", serde_json::json!([])).await;
        page.picture_of_window(folder.join(format!("{name}.png"))).await;
    };
    stage.open("/playground").await;
    page.fill("#text", "150 g salmon, 1 cup of rice and half an avocado").await;
    page.click("#send").await;
    page.wait("document.querySelectorAll('.item').length === 3").await;
    page.fill("#text", "the rice was white rice, and add a green tea").await;
    page.click("#send").await;
    page.wait(
        "document.querySelectorAll('#conversation li').length === 2 && document.querySelectorAll('.item').length === 4",
    )
    .await;
    keep("playground").await;
    page.look(WINDOW).await;
    stage.open("/keys").await;
    page.sees("phone app").await;
    keep("keys").await;
    stage.open("/usage").await;
    page.sees("By endpoint").await;
    keep("usage").await;
    stage.open("/docs").await;
    page.wait("document.querySelector('.languages .copy')").await;
    keep("docs").await;
}
