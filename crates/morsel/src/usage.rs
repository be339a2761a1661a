//! How much every key is used: counted in memory, written in batches, never on the path of a request.
//!
//! A killed program loses the counts since the last batch, a second at most; one that is asked to stop loses nothing.

use std::collections::HashMap;
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::usage::status_class;
use store::{KeyId, RequestCount, Store, latency};

use crate::account_cache::KeyAndAccount;

const SECONDS_PER_DAY: i64 = 86_400;

/// Counts that are not yet written.
#[derive(Debug, Default)]
pub struct Usage {
    unwritten: Mutex<Unwritten>,
}

#[derive(Debug, Default)]
struct Unwritten {
    requests: HashMap<UsageKey, (Arc<KeyAndAccount>, u64)>,
    last_used: HashMap<KeyId, (Timestamp, IpAddr)>,
}

/// What requests are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct UsageKey {
    /// Days since 1970.
    day: i64,
    key: KeyId,
    route: &'static str,
    status: &'static str,
    latency: u8,
}

/// A request that has been answered.
#[derive(Clone, Copy, Debug)]
pub struct FinishedRequest {
    /// The name of the route.
    pub route: &'static str,
    /// The status of the response.
    pub status: u16,
    /// How long it took until the response began.
    pub took: Duration,
    /// When the response began.
    pub at: Timestamp,
    /// The address of the client.
    pub from: IpAddr,
    /// As how many requests it counts.
    pub requests: u64,
}

impl Usage {
    /// Counts a request.
    pub fn count(&self, caller: &Arc<KeyAndAccount>, request: FinishedRequest) {
        let usage_key = UsageKey {
            day: request.at.as_second().div_euclid(SECONDS_PER_DAY),
            key: caller.key.id.clone(),
            route: request.route,
            status: status_class(request.status),
            latency: latency::bucket_of(request.took),
        };
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        unwritten.requests.entry(usage_key).or_insert_with(|| (Arc::clone(caller), 0)).1 += request.requests;
        match unwritten.last_used.get_mut(&caller.key.id) {
            Some(last) => *last = (request.at, request.from),
            None => {
                unwritten.last_used.insert(caller.key.id.clone(), (request.at, request.from));
            }
        }
    }

    /// Writes all counts. Those that cannot be written are kept for the next time.
    pub async fn flush(&self, store: &Store) -> Result<(), store::Error> {
        let unwritten = mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner));
        if unwritten.requests.is_empty() {
            return Ok(());
        }
        let counts: Vec<RequestCount> =
            unwritten.requests.iter().map(|(usage_key, (caller, n))| count(usage_key, caller, *n)).collect();
        if let Err(error) = store.usage().add(&counts).await {
            self.put_back(unwritten);
            return Err(error);
        }
        let used = |(key, (at, from)): (KeyId, (Timestamp, IpAddr))| (key, at, from.to_string());
        let last_used: Vec<_> = unwritten.last_used.into_iter().map(used).collect();
        store.keys().touch(&last_used).await
    }

    fn put_back(&self, old: Unwritten) {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        for (usage_key, (caller, n)) in old.requests {
            unwritten.requests.entry(usage_key).or_insert((caller, 0)).1 += n;
        }
        for (key, last) in old.last_used {
            unwritten.last_used.entry(key).or_insert(last);
        }
    }
}

fn count(usage_key: &UsageKey, caller: &KeyAndAccount, requests: u64) -> RequestCount {
    let start = Timestamp::from_second(usage_key.day * SECONDS_PER_DAY).unwrap_or_default();
    RequestCount {
        day: start.to_zoned(TimeZone::UTC).date(),
        account: caller.account.id.clone(),
        key: caller.key.id.clone(),
        route: usage_key.route.to_owned(),
        status: usage_key.status.to_owned(),
        mode: caller.key.mode,
        latency_bucket: usage_key.latency,
        requests,
    }
}
