//! The command palette.

use serde_json::json;

use crate::stage::Stage;

/// Ctrl+K, as a keyboard sends it.
const OPEN: &str = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'k', ctrlKey: true, metaKey: /Mac/.test(navigator.platform), bubbles: true}))";

pub async fn finding_everything(stage: &Stage) {
    let page = &stage.page;
    stage.person().await;
    stage.open("/keys").await;
    page.wait("document.querySelector('.palette-open')").await;
    page.script(OPEN, json!([])).await;
    page.wait("document.activeElement.closest('.palette')").await;
    page.sees("Playground").await;
    for (query, kind, title) in [
        ("usage", "Page", "Usage"),
        ("list recipes", "Endpoint", "List recipes"),
        ("revoked", "Error", "401 revoked_key"),
        ("greek yogurt", "Food", "Greek yogurt"),
    ] {
        page.fill(".palette input", query).await;
        page.wait(format!(
            "[...document.querySelectorAll('.palette li')].some((row) => row.querySelector('.kind')?.textContent === {} && row.querySelector('.title').textContent === {})",
            json!(kind),
            json!(title)
        ))
        .await;
    }
    page.check("palette").await;
    page.fill(".palette input", "zzqqzz").await;
    page.sees("Nothing found.").await;
    // By keyboard alone: down, up, enter.
    page.fill(".palette input", "revoked").await;
    page.wait("document.querySelector('.palette li .title')?.textContent === '401 revoked_key'").await;
    page.press("\u{E015}\u{E013}\u{E007}").await;
    page.wait("location.pathname === '/docs/errors/revoked_key'").await;
    // With the mouse, and closed with escape.
    page.click(".palette-open").await;
    page.press("\u{E00C}").await;
    page.wait("!document.querySelector('.palette').open").await;
    assert_eq!(page.errors().await, Vec::<String>::new());
}

pub async fn for_visitors(stage: &Stage) {
    let page = &stage.page;
    stage.open("/docs").await;
    page.click(".palette-open").await;
    page.sees("Error codes").await;
    page.fill(".palette input", "foods").await;
    page.sees("Search foods").await;
    let kinds = "return [...document.querySelectorAll('.palette .kind')].map((kind) => kind.textContent).join()";
    let kinds = page.script(kinds, json!([])).await;
    assert!(!kinds.as_str().unwrap_or_default().contains("Food"), "{kinds}");
}
