//! A moment between a refusal for lack of time and its answer. Clients that try again at once would otherwise keep the server
//! busy with refusing them, and those that are served would wait for it.

use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

/// Short for whoever comes back after the second that they are told to wait, and long compared with the work of a refusal.
const PAUSE: Duration = Duration::from_millis(50);
/// Beyond this many at once, refusals are answered immediately: each holds its connection.
const MAX_PAUSED: usize = 2_000;

/// The refusals that have not been answered yet.
#[derive(Debug)]
pub struct RefusalPause(Semaphore);

impl Default for RefusalPause {
    fn default() -> Self {
        Self(Semaphore::new(MAX_PAUSED))
    }
}

impl RefusalPause {
    /// Waits before a refusal is answered.
    pub async fn wait(&self) {
        if let Ok(_place) = self.0.try_acquire() {
            sleep(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn refusals_wait_unless_there_are_too_many() {
        let pause = RefusalPause::default();
        let mut waiting: Vec<_> = (0..MAX_PAUSED).map(|_| Box::pin(pause.wait())).collect();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        assert_eq!(pause.wait().now_or_never(), Some(()), "there is no room for another");
        drop(waiting);
        assert_eq!(pause.wait().now_or_never(), None, "they have gone");
    }
}
