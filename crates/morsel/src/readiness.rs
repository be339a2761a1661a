//! Whether the database can be written, which is what `/readyz` reports.

use jiff::{SignedDuration, Timestamp};
use store::Store;
use tokio::sync::Mutex;

/// How long a result counts. The check is a write, and anybody may ask.
const VALID_FOR: SignedDuration = SignedDuration::from_secs(1);

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
        let result = store.check(now).await;
        *last = Some((now, result.clone()));
        result
    }
}
