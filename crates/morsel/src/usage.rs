//! How much every key is used: counted in memory, written in batches, never on the path of a request.
//!
//! A killed program loses what it counted since the last batch, a second at most; one that is asked to stop loses nothing.

use std::collections::HashMap;
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::usage::status_class;
use store::{Count, KeyId, Store, latency};

use crate::mirror::Known;

/// What was counted and is not yet written.
#[derive(Debug, Default)]
pub struct Usage {
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    requests: HashMap<Place, (Arc<Known>, u64)>,
    last_used: HashMap<KeyId, (Timestamp, IpAddr)>,
}

/// What requests are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    day: i64,
    key: KeyId,
    route: &'static str,
    status: &'static str,
    latency: u8,
}

/// A request that was answered.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// The route, as it stands in the URL table.
    pub route: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// How long it took until the answer began.
    pub took: Duration,
    /// When.
    pub at: Timestamp,
    /// Who asked.
    pub from: IpAddr,
}

impl Usage {
    /// Counts a request.
    pub fn count(&self, known: &Arc<Known>, served: Served) {
        let place = Place {
            day: served.at.as_second().div_euclid(86_400),
            key: known.key.id.clone(),
            route: served.route,
            status: status_class(served.status),
            latency: latency::bucket_of(served.took),
        };
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.requests.entry(place).or_insert_with(|| (Arc::clone(known), 0)).1 += 1;
        match counted.last_used.get_mut(&known.key.id) {
            Some(last) => *last = (served.at, served.from),
            None => {
                counted.last_used.insert(known.key.id.clone(), (served.at, served.from));
            }
        }
    }

    /// Writes what was counted. What cannot be written is kept for the next time.
    pub async fn flush(&self, store: &Store) -> Result<(), store::Error> {
        let counted = mem::take(&mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner));
        if counted.requests.is_empty() {
            return Ok(());
        }
        let counts: Vec<Count> = counted.requests.iter().map(|(place, (known, n))| count(place, known, *n)).collect();
        if let Err(error) = store.usage().add(&counts).await {
            self.put_back(counted);
            return Err(error);
        }
        let used = |(key, (at, from)): (KeyId, (Timestamp, IpAddr))| (key, at, from.to_string());
        let last_used: Vec<_> = counted.last_used.into_iter().map(used).collect();
        store.keys().touch(&last_used).await
    }

    fn put_back(&self, unwritten: Counted) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, (known, n)) in unwritten.requests {
            counted.requests.entry(place).or_insert((known, 0)).1 += n;
        }
        for (key, last) in unwritten.last_used {
            counted.last_used.entry(key).or_insert(last);
        }
    }
}

fn count(place: &Place, known: &Known, requests: u64) -> Count {
    let day = Timestamp::from_second(place.day * 86_400).unwrap_or_default().to_zoned(TimeZone::UTC).date();
    Count {
        day,
        account: known.account.id.clone(),
        key: known.key.id.clone(),
        route: place.route.to_owned(),
        status: place.status.to_owned(),
        mode: known.key.mode,
        latency_bucket: place.latency,
        requests,
    }
}
