//! The audit trail: sign-ins, failed attempts, and changes of keys, plans and accounts.
//!
//! Every event is a line in the log at once, and a row in the database within a second: requests never wait for the trail.
//! A killed program loses the rows of the last second, but not the lines.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use store::limits::client_of;
use store::{AuditEvent, AuditKind, Store, WindowCounter};

/// Events that wait to be written, at most. Only a database that is gone for a while lets them pile up.
const MAX_WAITING: usize = 10_000;
/// An address with wrong keys is recorded once in so many seconds.
const WRONG_KEY_SECONDS: i64 = 60;
/// Addresses that are remembered for this.
const MAX_ADDRESSES: usize = 10_000;

/// Events on their way to the database.
#[derive(Debug)]
pub struct Trail {
    waiting: Mutex<Waiting>,
    wrong_keys: Mutex<WindowCounter<IpAddr>>,
}

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<AuditEvent>,
    dropped: u64,
}

impl Default for Trail {
    fn default() -> Self {
        let wrong_keys = Mutex::new(WindowCounter::new(WRONG_KEY_SECONDS, MAX_ADDRESSES));
        Self { waiting: Mutex::default(), wrong_keys }
    }
}

impl Trail {
    /// Records an event.
    pub fn record(&self, event: AuditEvent) {
        log(&event);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.events.len() >= MAX_WAITING {
            waiting.dropped += 1;
            return;
        }
        waiting.events.push_back(event);
    }

    /// Records a wrong key, at most one a minute for each address: a client with an old key sends it with every request.
    pub fn record_wrong_key(&self, event: AuditEvent, from: IpAddr) {
        debug_assert_eq!(event.kind, AuditKind::WrongKey);
        let (address, now) = (client_of(from), event.at);
        let mut seen = self.wrong_keys.lock().unwrap_or_else(PoisonError::into_inner);
        // Without room for another address, the flood itself is in the trail already.
        let Some((_, count)) = seen.entry(&address, now.as_second(), now) else { return };
        *count = count.saturating_add(1);
        let is_first = *count == 1;
        drop(seen);
        if is_first {
            self.record(event.from(from));
        }
    }

    /// Writes all events. Those that cannot be written are kept for the next time.
    pub async fn flush(&self, store: &Store) -> Result<(), store::Error> {
        let (events, dropped) = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            (Vec::from(std::mem::take(&mut waiting.events)), std::mem::take(&mut waiting.dropped))
        };
        if dropped > 0 {
            tracing::warn!(dropped, "too many events for the audit trail; these are only in the log");
        }
        if events.is_empty() {
            return Ok(());
        }
        let written = store.audit().append(&events).await;
        if written.is_err() {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            for event in events.into_iter().rev() {
                waiting.events.push_front(event);
            }
        }
        written
    }
}

fn log(event: &AuditEvent) {
    let kind = event.kind.name();
    let account = event.account.as_ref().map(store::AccountId::as_str);
    let by = event.actor.as_ref().map(store::AccountId::as_str);
    let (address, detail) = (event.address.as_deref(), event.detail.as_deref());
    if event.kind.is_failure() {
        tracing::warn!(event = kind, account, by, address, detail, "audit");
    } else {
        tracing::info!(event = kind, account, by, address, detail, "audit");
    }
}
