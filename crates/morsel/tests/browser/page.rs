//! The browser window as a person uses it, and the checks that every page must pass.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use crate::driver::Driver;

/// How long something may take to appear.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Records the errors of a page, starting before its first script.
const RECORDER: &str = "
    window.recordedErrors = [];
    const note = (text) => window.recordedErrors.push(text);
    addEventListener('error', (event) => note('error: ' + (event.message || event.target.outerHTML)), true);
    addEventListener('unhandledrejection', (event) => note('unhandled: ' + event.reason));
    document.addEventListener('securitypolicyviolation', (event) =>
        note(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
";

/// Finds controls without a label.
const UNLABELED: &str = "
    const name = (element) => [...(element.labels ?? [])].map((label) => label.textContent).join('')
        + (element.getAttribute('aria-label') ?? '') + (element.title ?? '')
        + (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean)
            .map((id) => document.getElementById(id)?.textContent ?? '').join('')
        + (element.tagName === 'BUTTON' ? element.textContent : '');
    return [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button')]
        .filter((element) => !name(element).trim()).map((element) => element.outerHTML);
";

/// Finds elements that are wider than the window.
const OVERFLOWING: &str = "
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (element) => { for (let at = element.parentElement; at; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') return true; return false; };
    return ['the page is ' + document.documentElement.scrollWidth + ' wide'].concat(
        [...document.body.querySelectorAll('*')]
            .filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element))
            .slice(0, 5).map((element) => element.outerHTML.slice(0, 200)));
";

/// Runs axe-core and returns its violations.
const AXE: &str = "
    const [rules, done] = arguments;
    axe.run(document, {resultTypes: ['violations'], ...rules}).then((found) => done(found.violations.map((violation) =>
        `${violation.id} (${violation.impact}): ${violation.help}: `
            + violation.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join(' | '))),
        (error) => done(['axe failed: ' + error]));
";

/// A window size and a color scheme.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    name: &'static str,
    width: u32,
    height: u32,
    scheme: &'static str,
}

impl Look {
    /// Creates a light one.
    pub const fn of(width: u32, height: u32) -> Self {
        Self { name: "window", width, height, scheme: "light" }
    }
}

const DESKTOP: Look = Look { name: "desktop-light", width: 1280, height: 900, scheme: "light" };
const DESKTOP_DARK: Look = Look { name: "desktop-dark", width: 1280, height: 900, scheme: "dark" };
const PHONE: Look = Look { name: "phone-light", width: 390, height: 844, scheme: "light" };
const PHONE_DARK: Look = Look { name: "phone-dark", width: 390, height: 844, scheme: "dark" };
const NARROW: Look = Look { name: "narrow", width: 360, height: 780, scheme: "light" };

/// The browser window.
pub struct Page {
    driver: Driver,
    axe: String,
    expected: RefCell<Vec<String>>,
}

impl Page {
    pub async fn start() -> Self {
        let path = target().join("axe-core-4.14.0/axe.min.js");
        let axe = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; run scripts/browser-tools", path.display()));
        let driver = Driver::start().await;
        driver.devtools("Page.addScriptToEvaluateOnNewDocument", json!({"source": RECORDER})).await;
        let page = Self { driver, axe, expected: RefCell::default() };
        page.look(DESKTOP).await;
        page
    }

    /// Resets cookies and recorded errors for the next test.
    pub async fn reset(&self) {
        self.clear_cookies().await;
        self.scripts(true).await;
        // Leaving a half-filled form must not open a dialog.
        let _ = self.driver.command("POST", "/url", &json!({"url": "about:blank"})).await;
        let _ = self.driver.log().await;
        self.expected.borrow_mut().clear();
        self.look(DESKTOP).await;
    }

    pub async fn stop(self) {
        self.driver.stop().await;
    }

    /// Deletes the session while the page is open.
    pub async fn clear_cookies(&self) {
        self.driver.devtools("Network.clearBrowserCookies", json!({})).await;
    }

    /// Waits for an element; works without scripts.
    pub async fn find(&self, selector: &str) {
        self.element(selector).await;
    }

    /// Sets a cookie.
    pub async fn set_cookie(&self, url: &str, name: &str, value: &str) {
        let cookie = json!({"name": name, "value": value, "url": url, "httpOnly": true, "sameSite": "Lax"});
        self.driver.devtools("Network.setCookie", cookie).await;
    }

    /// Allows an entry of the browser's log that the test provokes, such as the status of a rejected form.
    pub fn expect(&self, text: &str) {
        self.expected.borrow_mut().push(text.to_owned());
    }

    pub async fn look(&self, look: Look) {
        let size = json!({"width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": false});
        self.driver.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let features = json!([
            {"name": "prefers-color-scheme", "value": look.scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.driver.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    /// Turns scripts on or off.
    pub async fn scripts(&self, are_on: bool) {
        self.driver.devtools("Emulation.setScriptExecutionDisabled", json!({"value": !are_on})).await;
    }

    pub async fn open(&self, url: &str) {
        let opened = self.driver.command("POST", "/url", &json!({"url": url})).await;
        opened.unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    pub async fn url(&self) -> String {
        let url = self.driver.command("GET", "/url", &Value::Null).await.expect("an address");
        url.as_str().unwrap_or_default().to_owned()
    }

    /// Runs a function body in the page, with `arguments`.
    pub async fn script(&self, body: &str, arguments: Value) -> Value {
        let done = self.driver.command("POST", "/execute/sync", &json!({"script": body, "args": arguments})).await;
        done.unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    /// Waits until a JavaScript expression is true.
    #[track_caller]
    pub fn wait(&self, expression: impl Into<String>) -> impl Future<Output = ()> {
        let expression = expression.into();
        let place = std::panic::Location::caller();
        async move {
            let started = Instant::now();
            let body = format!("return Boolean({expression})");
            loop {
                let now = self.driver.command("POST", "/execute/sync", &json!({"script": body, "args": []})).await;
                if now == Ok(Value::Bool(true)) {
                    return;
                }
                if started.elapsed() > TIMEOUT {
                    let text = self.text("body").await;
                    panic!("{place}: “{expression}” did not become true ({now:?}) at {}:\n{text}", self.url().await);
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        }
    }

    /// Waits until the page shows a text.
    #[track_caller]
    pub fn sees(&self, text: &str) -> impl Future<Output = ()> {
        self.wait(format!("document.body.innerText.includes({})", json!(text)))
    }

    /// Returns the visible text of the first matching element.
    pub async fn text(&self, selector: &str) -> String {
        let text = self.script("return document.querySelector(arguments[0])?.innerText ?? ''", json!([selector])).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits for the first matching element and returns its id.
    async fn element(&self, selector: &str) -> String {
        let started = Instant::now();
        loop {
            let wanted = json!({"using": "css selector", "value": selector});
            match self.driver.command("POST", "/element", &wanted).await {
                Ok(found) => {
                    let id = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
                    return id.expect("an element").to_owned();
                }
                Err(error) if started.elapsed() > TIMEOUT => {
                    panic!("{selector} at {}: {error}\n{}", self.url().await, self.text("body").await)
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(30)).await,
            }
        }
    }

    /// Clicks an element; fails if it is hidden or covered.
    pub async fn click(&self, selector: &str) {
        let element = self.element(selector).await;
        let clicked = self.driver.command("POST", &format!("/element/{element}/click"), &json!({})).await;
        clicked.unwrap_or_else(|error| panic!("click on {selector}: {error}"));
    }

    /// Replaces the value of a field by typing. File fields take a path.
    pub async fn fill(&self, selector: &str, text: &str) {
        let element = self.element(selector).await;
        let cleared = self.driver.command("POST", &format!("/element/{element}/clear"), &json!({})).await;
        let _ = cleared;
        self.type_into(selector, text).await;
    }

    /// Types at the end of a field.
    pub async fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector).await;
        let typed = self.driver.command("POST", &format!("/element/{element}/value"), &json!({"text": text})).await;
        typed.unwrap_or_else(|error| panic!("typing into {selector}: {error}"));
    }

    /// Types over what a field has, as people do. Clearing it first would be a change of its own, which a page may answer.
    pub async fn type_over(&self, selector: &str, text: &str) {
        self.element(selector).await;
        let select = "const field = document.querySelector(arguments[0]); field.focus(); field.select()";
        self.script(select, json!([selector])).await;
        self.press(text).await;
    }

    /// Presses keys in the focused element; special keys have WebDriver's code points.
    pub async fn press(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()})))
            .collect();
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]});
        self.driver.command("POST", "/actions", &actions).await.expect("keys");
    }

    /// Presses the tab key until an element has the focus.
    pub async fn tab_to(&self, selector: &str) {
        for _ in 0..60 {
            let is_there = self.script("return document.activeElement.matches(arguments[0])", json!([selector])).await;
            if is_there == true {
                return;
            }
            self.press("\u{E004}").await;
        }
        panic!("{selector} cannot be reached with the keyboard at {}", self.url().await);
    }

    /// Checks the page in every look and saves screenshots.
    pub async fn check(&self, name: &str) {
        let mut errors = Vec::new();
        let unlabeled = self.script(UNLABELED, json!([])).await;
        errors.extend(texts(&unlabeled).map(|control| format!("no label: {control}")));
        self.script(&self.axe, json!([])).await;
        // The structure is the same in every look; visibility depends on the width, colors on the scheme.
        let (all, colors) = (json!({}), json!({"runOnly": ["color-contrast"]}));
        for (look, rules) in [(DESKTOP, &all), (DESKTOP_DARK, &colors), (PHONE, &colors), (PHONE_DARK, &all)] {
            self.look(look).await;
            let found = self.driver.command("POST", "/execute/async", &json!({"script": AXE, "args": [rules]})).await;
            let found = found.unwrap_or_else(|error| panic!("axe: {error}"));
            errors.extend(texts(&found).map(|violation| format!("{}: {violation}", look.name)));
            self.picture(&format!("{name}-{}", look.name)).await;
        }
        self.look(NARROW).await;
        let overflowing = self.script(OVERFLOWING, json!([])).await;
        errors.extend(texts(&overflowing).map(|element| format!("wider than 360 pixels: {element}")));
        self.look(DESKTOP).await;
        errors.extend(self.errors().await);
        assert!(errors.is_empty(), "{name} ({}):\n  {}", self.url().await, errors.join("\n  "));
    }

    /// Returns the errors recorded by the page and the browser.
    pub async fn errors(&self) -> Vec<String> {
        let noted = self.script("return window.recordedErrors ?? ['the recorder is missing']", json!([])).await;
        let mut errors: Vec<String> = texts(&noted).collect();
        let is_error = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
        let log = self.driver.log().await;
        errors.extend(log.iter().filter(is_error).map(|entry| entry["message"].as_str().unwrap_or("?").to_owned()));
        let expected = self.expected.borrow();
        errors.retain(|error| !expected.iter().any(|text| error.contains(text)));
        errors
    }

    /// Saves a screenshot of the whole page.
    pub async fn picture(&self, name: &str) {
        let size = self.driver.devtools("Page.getLayoutMetrics", json!({})).await;
        let size = &size["cssContentSize"];
        // Limited to a height that can still be viewed.
        let height = size["height"].as_f64().unwrap_or(900.0).min(6_000.0);
        let clip = json!({"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1});
        let asked = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        self.keep_picture(asked, target().join("screenshots").join(format!("{name}.png"))).await;
    }

    /// Saves a screenshot of the window.
    pub async fn picture_of_window(&self, path: PathBuf) {
        self.keep_picture(json!({"format": "png"}), path).await;
    }

    async fn keep_picture(&self, asked: Value, path: PathBuf) {
        let taken = self.driver.devtools("Page.captureScreenshot", asked).await;
        let data = taken["data"].as_str().unwrap_or_default();
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Returns the target folder of cargo.
fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().expect("target").to_owned()
}

fn texts(list: &Value) -> impl Iterator<Item = String> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap_or("?").to_owned())
}
