//! Whether the database can be written, which is what `/readyz` reports.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use store::Store;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// How long a result counts. The check is a write, and anybody may ask.
const VALID_FOR: SignedDuration = SignedDuration::from_secs(1);
/// A database that takes longer is not ready. Balancers do not wait long for an answer.
const MAX_WAIT: Duration = Duration::from_millis(700);

/// The result of the last check, shared by everybody who asks within a second.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Timestamp, Result<(), store::Error>)>>,
}

impl Readiness {
    /// Checks that the database can be written. Callers that come during a check wait for its result.
    pub async fn check(&self, store: &Store, now: Timestamp) -> Result<(), store::Error> {
        let mut last = self.last.lock().await;
        if let Some((at, result)) = &*last
            && now.duration_since(*at).abs() < VALID_FOR
        {
            return result.clone();
        }
        let result = timeout(MAX_WAIT, store.check(now)).await.unwrap_or(Err(store::Error::TimedOut));
        *last = Some((now, result.clone()));
        result
    }
}
