//! Equal work at once is done once: whoever asks while it is under way gets the same result.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

/// Work under way, by what identifies it.
#[derive(Debug)]
pub struct SingleFlight<K, V> {
    flights: Mutex<HashMap<K, Arc<OnceCell<V>>>>,
}

/// One who takes part. The last one to leave removes the entry.
struct Participant<'a, K: Eq + Hash, V> {
    flights: &'a SingleFlight<K, V>,
    key: &'a K,
    cell: Arc<OnceCell<V>>,
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// Runs a job, or waits for the one with the same key that runs already. If that one fails or its caller goes away, the
    /// next one in line runs its own.
    pub async fn run<E>(&self, key: &K, job: impl Future<Output = Result<V, E>>) -> Result<V, E> {
        let cell = Arc::clone(self.lock().entry(key.clone()).or_default());
        let participant = Participant { flights: self, key, cell };
        participant.cell.get_or_try_init(|| job).await.cloned()
    }
}

impl<K, V> SingleFlight<K, V> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Arc<OnceCell<V>>>> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self { flights: Mutex::default() }
    }
}

impl<K: Eq + Hash, V> Drop for Participant<'_, K, V> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        // One reference is the map's, one is ours; nobody can join while the lock is held.
        if Arc::strong_count(&self.cell) == 2 {
            flights.remove(self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use futures_util::future::join_all;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::task::yield_now;

    #[tokio::test]
    async fn equal_work_is_done_once_and_then_forgotten() {
        let (flights, runs) = (SingleFlight::<&str, u32>::default(), AtomicU32::new(0));
        let job = |result: Result<u32, &'static str>| {
            let runs = &runs;
            async move {
                runs.fetch_add(1, Ordering::Relaxed);
                yield_now().await;
                result
            }
        };
        let results = join_all((0..10).map(|_| flights.run(&"egg", job(Ok(7))))).await;
        assert_eq!((results, runs.load(Ordering::Relaxed)), (vec![Ok(7); 10], 1));
        assert!(flights.lock().is_empty());
        assert_eq!(flights.run(&"egg", job(Err("refused"))).await, Err("refused"));
        assert_eq!(flights.run(&"egg", job(Ok(8))).await, Ok(8), "a failure is not kept");
    }

    #[tokio::test]
    async fn if_the_first_goes_away_the_next_one_runs() {
        let flights = SingleFlight::<&str, u32>::default();
        let mut first = Box::pin(flights.run(&"egg", async {
            std::future::pending::<()>().await;
            Ok::<_, ()>(1)
        }));
        assert!((&mut first).now_or_never().is_none());
        let mut second = Box::pin(flights.run(&"egg", async { Ok::<_, ()>(2) }));
        assert!((&mut second).now_or_never().is_none(), "it waits for the first");
        drop(first);
        assert_eq!(second.await, Ok(2));
        assert!(flights.lock().is_empty());
    }
}
