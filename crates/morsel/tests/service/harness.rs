//! A service to send requests to.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use http_body_util::BodyExt as _;
use morsel::app::App;
use morsel::config::{Config, Settings};
use morsel::environment::{Clock, Environment, Timeouts};
use morsel::request::Peer;
use morsel::router::router;
use serde_json::Value;
use store::{Account, Key, Location, Mode, NewAccount, NewKey, Plan, Rng, Scopes};
use tower::ServiceExt as _;

use test_support::{Database, email};

/// When the clock of every service starts: in the middle of a minute.
pub const START: &str = "2026-05-04T10:20:30Z";

/// A service on a database of its own, with one account and its live key. Its clock stands still until a test moves it.
pub struct Service {
    pub app: Arc<App>,
    pub account: Account,
    pub key: String,
    pub router: Router,
}

impl Service {
    pub async fn on(database: &Database) -> Self {
        Self::with(database, Settings::default()).await
    }

    pub async fn with(database: &Database, settings: Settings) -> Self {
        Self::changed(database, settings, |_, _| {}).await
    }

    /// A service whose configuration and environment a test changes in ways that settings do not offer.
    pub async fn changed(
        database: &Database,
        settings: Settings,
        change: impl FnOnce(&mut Config, &mut Environment),
    ) -> Self {
        let app = open(database, database.folder.path(), settings, change).await;
        let router = router(Arc::clone(&app));
        let (account, key) = account_in(&app, "cook@example.com").await;
        Self { app, account, key, router }
    }

    /// Another server on the same database, with a folder of its own. It has the same account and key.
    pub async fn beside(&self, database: &Database, folder: &Path) -> Self {
        let app = open(database, folder, Settings::default(), |_, _| {}).await;
        let router = router(Arc::clone(&app));
        Self { app, account: self.account.clone(), key: self.key.clone(), router }
    }

    /// Moves the service's clock forward.
    pub fn advance(&self, by: Duration) {
        self.app.environment.clock.advance(by);
    }

    /// Another account with a live key.
    pub async fn stranger(&self) -> (Account, String) {
        account_in(&self.app, "stranger@example.com").await
    }

    /// An account that has no key yet.
    pub async fn newcomer(&self) -> Account {
        let new = NewAccount::new(email("newcomer@example.com"));
        self.app.store.accounts().create(new, self.app.now(), &mut Rng::system()).await.expect("an account")
    }

    /// A key of the account.
    pub async fn key(&self, mode: Mode, scopes: &[&str]) -> (Key, String) {
        let scopes = Scopes::from_names(scopes.iter().copied()).expect("known scopes");
        let new = NewKey { mode, label: None, scopes, expires_at: None };
        let created = self.app.store.keys().create(&self.account.id, new, self.app.now(), &mut Rng::system()).await;
        let (key, text) = created.expect("a key");
        (key, text.as_str().to_owned())
    }

    pub fn get(&self, path: &str) -> Call<'_> {
        self.call("GET", path)
    }

    #[allow(clippy::needless_pass_by_value, reason = "so that a call reads well with whatever the body is made of")]
    pub fn post(&self, path: &str, body: impl ToString) -> Call<'_> {
        Call { body: body.to_string().into_bytes(), ..self.call("POST", path) }
    }

    /// A request with the account's key.
    pub fn call(&self, method: &str, path: &str) -> Call<'_> {
        let key = Some(format!("Bearer {}", self.key));
        Call {
            service: self,
            method: method.to_owned(),
            path: path.to_owned(),
            key,
            headers: Vec::new(),
            body: Vec::new(),
            from: IpAddr::from([127, 0, 0, 1]),
        }
    }

    /// An estimate of a text, as JSON.
    pub async fn estimate(&self, text: &str) -> Value {
        let body = serde_json::json!({"messages": [{"role": "user", "content": text}]});
        self.post("/v1/estimate/sync", body).send().await.ok()
    }

    /// Saves a recipe and says its id.
    pub async fn recipe(&self, fields: Value) -> String {
        let reply = self.post("/v1/recipes", fields).send().await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["id"].as_str().expect("an id").to_owned()
    }
}

async fn open(
    database: &Database,
    folder: &Path,
    settings: Settings,
    change: impl FnOnce(&mut Config, &mut Environment),
) -> Arc<App> {
    let url = match &database.location {
        Location::Sqlite(path) => format!("sqlite:{}", path.display()),
        Location::Postgres(url) => url.clone(),
    };
    let settings = Settings { data_dir: Some(folder.to_owned()), database_url: Some(url), ..settings };
    let mut config = Config::new(&settings).expect("settings");
    if settings.listen.is_none() {
        // Requests come for the host `food.test`, which a server on loopback would refuse.
        config.listen = SocketAddr::from(([192, 0, 2, 1], 8080));
    }
    let clock = Clock::fixed(START.parse().expect("a time"));
    // Nobody is refused because the machine that runs the tests is slow.
    let patience = Duration::from_hours(1);
    let timeouts =
        Timeouts { text_queue: patience, photo_queue: patience, bulk_queue: patience, ..Timeouts::default() };
    let mut environment = Environment { clock, timeouts, ..Environment::default() };
    change(&mut config, &mut environment);
    Arc::new(App::open_in(config, environment).await.expect("opens"))
}

async fn account_in(app: &App, address: &str) -> (Account, String) {
    let now = app.now();
    let accounts = app.store.accounts();
    let account = accounts
        .create(NewAccount { plan: Plan::Scale, ..NewAccount::new(email(address)) }, now, &mut Rng::system())
        .await;
    let account = account.expect("an account");
    let new = NewKey { mode: Mode::Live, label: None, scopes: Scopes::all(), expires_at: None };
    let (_, key) = app.store.keys().create(&account.id, new, now, &mut Rng::system()).await.expect("a key");
    (account, key.as_str().to_owned())
}

/// A request in the making.
pub struct Call<'a> {
    service: &'a Service,
    method: String,
    path: String,
    key: Option<String>,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    from: IpAddr,
}

impl<'a> Call<'a> {
    pub fn key(self, key: &str) -> Self {
        self.authorization(&format!("Bearer {key}"))
    }

    pub fn authorization(self, value: &str) -> Self {
        Self { key: Some(value.to_owned()), ..self }
    }

    pub fn no_key(self) -> Self {
        Self { key: None, ..self }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    pub fn from(self, from: [u8; 4]) -> Self {
        Self { from: from.into(), ..self }
    }

    pub async fn send(self) -> Reply {
        let (parts, body) = self.begin().await.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// Sends a request whose body comes in pieces.
    pub async fn send_pieces(self, body: Body) -> Response {
        let (service, request) = self.request(body);
        service.router.clone().oneshot(request).await.expect("always an answer")
    }

    /// Sends the request; the body of the response is still to be read.
    pub async fn begin(mut self) -> Response {
        let body = Body::from(std::mem::take(&mut self.body));
        self.send_pieces(body).await
    }

    fn request(self, body: Body) -> (&'a Service, Request<Body>) {
        let mut request = Request::builder().method(self.method.as_str()).uri(&self.path);
        if !self.headers.iter().any(|(name, _)| name == "host") {
            request = request.header("host", "food.test");
        }
        if let Some(key) = &self.key {
            request = request.header("authorization", key);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let mut request = request.body(body).expect("a request");
        request.extensions_mut().insert(Peer(SocketAddr::new(self.from, 40_000)));
        (self.service, request)
    }
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// Checks that this is an error in the contract's form, and says its code.
    #[track_caller]
    pub fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        let sentence = body["error"].as_str().expect("a sentence");
        assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence}");
        assert_eq!(body["request_id"].as_str(), self.header("x-request-id"), "{body}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("retry-after").is_some(), matches!(status, 429 | 503 | 409), "{:?}", self.headers);
        body["code"].as_str().expect("a code").to_owned()
    }

    /// The field at fault.
    #[track_caller]
    pub fn bad(&self, status: u16) -> String {
        self.error(status);
        self.json()["param"].as_str().unwrap_or_default().to_owned()
    }
}
