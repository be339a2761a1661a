//! Somebody with a browser: opens pages, sends forms, keeps the cookie.

use jiff::SignedDuration;
use store::{Account, Rng};

use crate::harness::{Call, Reply, Service};

pub struct Visitor<'a> {
    pub service: &'a Service,
    pub cookie: Option<String>,
    pub from: [u8; 4],
}

impl<'a> Visitor<'a> {
    pub fn new(service: &'a Service) -> Self {
        Self { service, cookie: None, from: [127, 0, 0, 1] }
    }

    /// Signed in with a link, as somebody without a password.
    pub async fn signed_in(service: &'a Service, account: &Account) -> Self {
        let mut visitor = Self::new(service);
        let now = service.app.now();
        let until = now + SignedDuration::from_secs(60);
        let link = service.app.store.sessions().create_link(&account.id, until, now, &mut Rng::system()).await;
        let reply = visitor.send(&format!("/sign-in/{}", link.expect("a link")), &[]).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        visitor
    }

    /// A request as a browser sends it.
    pub fn call(&self, method: &str, path: &str) -> Call<'a> {
        let call = self.service.call(method, path).no_key().from(self.from).header("accept", "text/html,*/*;q=0.8");
        let call = call.header("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
        match &self.cookie {
            Some(cookie) => call.header("cookie", cookie),
            None => call,
        }
    }

    pub async fn open(&self, path: &str) -> Reply {
        self.call("GET", path).send().await
    }

    /// Opens a page that must be there, and says what it holds.
    #[track_caller]
    pub fn page(&self, path: &str) -> impl Future<Output = String> {
        let reply = self.call("GET", path).send();
        let path = path.to_owned();
        async move {
            let reply = reply.await;
            assert_eq!(reply.status, 200, "{path}: {:?} {}", reply.header("location"), reply.text());
            reply.text()
        }
    }

    /// Sends a form of our own pages.
    pub async fn send(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = self.call("POST", path).header("sec-fetch-site", "same-origin");
        let call = call.header("content-type", "application/x-www-form-urlencoded");
        let reply = call.body(body).send().await;
        if let Some(cookie) = reply.header("set-cookie") {
            let pair = cookie.split(';').next().expect("a pair");
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        reply
    }

    /// Whether somebody is signed in.
    pub async fn is_in(&self) -> bool {
        self.open("/account").await.status == 200
    }
}

/// The value of a hidden field.
pub fn hidden(page: &str, name: &str) -> String {
    let at = page.find(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name} in {page}"));
    page[at..].split('"').nth(3).expect("a value").to_owned()
}

/// The key that a page shows.
pub fn shown_key(page: &str) -> String {
    let at = page.find("svc_").expect("a key");
    page[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}
