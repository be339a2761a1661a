//! The request log of each account: collected in memory, written in batches, never on the path of a request.
//!
//! An account has as much room here as its log has requests, so that one that sends very many pushes out only its own. A
//! killed program loses the requests since the last batch, a second at most; one that is asked to stop loses nothing.
//!
//! Bodies are copied only for accounts that want it ([`body_copy`]), and `redact` removes what must never be stored, when
//! they are written.

pub mod body_copy;
mod redact;

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{Method, Uri};
use bytes::Bytes;
use jiff::Timestamp;
use store::{Account, AccountId, KeptBodies, LogEntry, LoggedRequest, Plan, Store};
use tokio::sync::{Notify, watch};

use crate::account_cache::KeyAndAccount;
use crate::live_limits::LiveLimits;
use crate::routes::Route;

/// Requests that wait to be written, at most.
const MAX_WAITING: usize = 65_536;
/// With this many the next batch is written at once. One account never has so many, however fast it sends: of what it sends in a
/// second only the last are written, since its log would forget the others right away.
const MANY: usize = MAX_WAITING / 2;
/// Bytes of bodies that wait to be written, at most; beyond that, requests are logged without them.
const MAX_BODY_BYTES: usize = 16 << 20;
/// An account's log is trimmed after this many requests.
const TRIM_EVERY: usize = 256;
/// Longer paths and parameters are cut.
const MAX_TEXT: usize = 200;

/// What the log has in place of a key for requests of the dashboard.
pub const DASHBOARD: &str = "dashboard";

/// Whose log a request is in; in the extensions of responses that are logged although they are not to a valid key.
#[derive(Clone, Debug)]
pub enum LoggedCaller {
    /// A request with a key, which need not be active.
    Key(Arc<KeyAndAccount>),
    /// A request of the dashboard, with a session.
    Dashboard(Arc<Account>),
}

impl LoggedCaller {
    /// Returns the account.
    pub fn account(&self) -> &Account {
        match self {
            Self::Key(found) => &found.account,
            Self::Dashboard(account) => account,
        }
    }

    /// Returns the id of the key, or what stands for it.
    fn key(&self) -> &str {
        match self {
            Self::Key(found) => found.key.id.as_str(),
            Self::Dashboard(_) => DASHBOARD,
        }
    }
}

/// A request that was answered.
#[derive(Debug)]
pub struct AnsweredRequest {
    /// Who sent it.
    pub caller: LoggedCaller,
    /// Its id.
    pub id: Arc<str>,
    /// Its method.
    pub method: Method,
    /// Its path and query, as far as they are stored: a copy, since a URL keeps what was read from the connection in memory.
    pub url: LoggedUrl,
    /// Its route, if the URL is one of the API's.
    pub route: Option<&'static Route>,
    /// When the response began.
    pub at: Timestamp,
    /// How long that took.
    pub took: Duration,
    /// The status of the response.
    pub status: u16,
    /// The address of the client.
    pub from: IpAddr,
    /// The code of the error.
    pub code: Option<&'static str>,
    /// The field or parameter at fault.
    pub param: Option<String>,
    /// What was sent and returned, if the account keeps it.
    pub bodies: Option<CopiedBodies>,
}

/// What the log stores of a URL, as it was sent.
#[derive(Debug, Default)]
pub struct LoggedUrl {
    /// The path, if it is not that of the route.
    path: Option<Box<str>>,
    /// The query, if the account keeps bodies.
    query: Option<Box<str>>,
}

impl LoggedUrl {
    /// Copies what is stored.
    pub fn of(uri: &Uri, route: Option<&Route>, caller: &LoggedCaller) -> Self {
        let path = Some(uri.path()).filter(|path| route.is_none_or(|route| route.path != *path));
        let query = uri.query().filter(|query| !query.is_empty() && caller.account().keeps_bodies);
        Self { path: path.map(Box::from), query: query.map(Box::from) }
    }
}

/// The bodies of a request and its response; `None` where there is none, or where it is too large or a photo.
#[derive(Debug, Default)]
pub struct CopiedBodies {
    /// What was sent.
    pub request: Option<Bytes>,
    /// What was returned.
    pub response: Option<Bytes>,
}

/// Requests on their way to the database.
#[derive(Debug)]
pub struct RequestLog {
    is_on: bool,
    waiting: Mutex<Waiting>,
    dropped: AtomicU64,
    /// Held while a batch is written, so that whoever waits for it sees all that was recorded before.
    writing: tokio::sync::Mutex<HashMap<AccountId, usize>>,
    /// Signals that there is much to write.
    many: Notify,
    /// The number of batches that were written.
    batches: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Waiting {
    by_account: HashMap<AccountId, VecDeque<AnsweredRequest>>,
    requests: usize,
    body_bytes: usize,
}

impl RequestLog {
    /// Creates a log without requests; one that is off stays so.
    pub fn new(is_on: bool) -> Self {
        Self {
            is_on,
            waiting: Mutex::default(),
            dropped: AtomicU64::new(0),
            writing: tokio::sync::Mutex::default(),
            many: Notify::new(),
            batches: watch::Sender::new(0),
        }
    }

    /// Reports whether requests are recorded.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Returns how many requests wait to be written.
    pub fn waiting(&self) -> usize {
        self.lock().requests
    }

    /// Returns how many requests were not recorded, since too many were waiting.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Returns a receiver that sees a new value whenever a batch was written.
    pub fn batches(&self) -> watch::Receiver<u64> {
        self.batches.subscribe()
    }

    /// Waits until there is much to write.
    pub async fn many(&self) {
        self.many.notified().await;
    }

    /// Records a request. An account has room for so many; the oldest gives way to one more.
    pub fn record(&self, mut request: AnsweredRequest, room: usize) {
        if !self.is_on {
            return;
        }
        let mut waiting = self.lock();
        let size = request.body_bytes();
        if waiting.body_bytes + size > MAX_BODY_BYTES {
            request.bodies = None;
        }
        if !waiting.push(request, room.max(1)) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        let is_many = waiting.requests == MANY;
        drop(waiting);
        if is_many {
            self.many.notify_one();
        }
    }

    /// Writes all requests. Those that cannot be written are kept for the next time, as far as there is room.
    pub async fn flush(&self, store: &Store, limits: &LiveLimits, now: Timestamp) -> Result<(), store::Error> {
        let mut untrimmed = self.writing.lock().await;
        let waiting = mem::take(&mut *self.lock());
        if waiting.requests == 0 {
            return Ok(());
        }
        let plans: HashMap<AccountId, Plan> = waiting
            .by_account
            .iter()
            .filter_map(|(account, requests)| Some((account.clone(), requests.front()?.caller.account().plan)))
            .collect();
        let logs: Vec<(AccountId, Vec<LogEntry>)> = waiting
            .by_account
            .iter()
            .map(|(account, requests)| (account.clone(), requests.iter().map(AnsweredRequest::entry).collect()))
            .collect();
        if let Err(error) = store.request_log().append(&logs).await {
            self.put_back(waiting, limits);
            return Err(error);
        }
        drop(waiting);
        for (account, entries) in logs {
            let count = untrimmed.entry(account.clone()).or_default();
            *count += entries.len();
            if *count >= TRIM_EVERY {
                untrimmed.remove(&account);
                let plan = plans.get(&account).copied().unwrap_or(Plan::Free);
                store.request_log().trim(&account, limits.of(plan).log_bounds(now)).await?;
            }
        }
        self.batches.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Deletes what is too old or too much, in the logs of all accounts; returns the number of blocks.
    pub async fn prune(&self, store: &Store, limits: &LiveLimits, now: Timestamp) -> Result<u64, store::Error> {
        let mut untrimmed = self.writing.lock().await;
        untrimmed.clear();
        let mut blocks = 0;
        for plan in Plan::ALL {
            blocks += store.request_log().prune(plan, limits.of(plan).log_bounds(now)).await?;
        }
        Ok(blocks)
    }

    fn put_back(&self, old: Waiting, limits: &LiveLimits) {
        let mut waiting = self.lock();
        let new = mem::replace(&mut *waiting, old);
        for request in new.by_account.into_values().flatten() {
            let room = limits.of(request.caller.account().plan).log_requests as usize;
            if !waiting.push(request, room) {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Adds a request; returns `false` if there is no room for it.
    fn push(&mut self, request: AnsweredRequest, room: usize) -> bool {
        let account = &request.caller.account().id;
        let requests = match self.by_account.get_mut(account) {
            Some(requests) => requests,
            None => self.by_account.entry(account.clone()).or_default(),
        };
        if requests.len() >= room
            && let Some(oldest) = requests.pop_front()
        {
            self.requests -= 1;
            self.body_bytes -= oldest.body_bytes();
        }
        if self.requests >= MAX_WAITING {
            return false;
        }
        self.requests += 1;
        self.body_bytes += request.body_bytes();
        requests.push_back(request);
        true
    }
}

impl AnsweredRequest {
    fn body_bytes(&self) -> usize {
        let length = |body: &Option<Bytes>| body.as_ref().map_or(0, Bytes::len);
        self.bodies.as_ref().map_or(0, |bodies| length(&bodies.request) + length(&bodies.response))
    }

    /// Returns what the log stores.
    fn entry(&self) -> LogEntry {
        let request = LoggedRequest {
            at: self.at,
            id: (*self.id).to_owned(),
            key: self.caller.key().to_owned(),
            method: self.method.as_str().to_owned(),
            route: self.route.map(|route| route.name.to_owned()),
            path: self.url.path.as_deref().map(|path| cut(&redact::key_texts(path))),
            status: self.status,
            micros: u64::try_from(self.took.as_micros()).unwrap_or(u64::MAX),
            address: self.from.to_canonical().to_string(),
            code: self.code.map(str::to_owned),
            param: self.param.as_deref().map(cut),
        };
        let bodies = self.bodies.as_ref().map(|bodies| KeptBodies {
            query: self.url.query.as_deref().map(redact::query),
            request: bodies.request.as_deref().and_then(redact::json),
            response: bodies.response.as_deref().and_then(redact::response),
        });
        LogEntry { request, bodies }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
