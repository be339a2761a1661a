//! Measures the engine alone: the same texts, without HTTP, on as many threads as there are cores.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use answers::food::DEFAULT_LIMIT;
use answers::{EngineSnapshot, EstimateAnswer, Include};
use anyhow::{Context as _, Result};
use foods::catalog::Catalog;
use meal::{RecipeBook, Speaker};
use rustix::time::{ClockId, clock_gettime};

use crate::recipes;
use crate::requests::{Requests, Work};

/// Texts that each thread takes before it looks at the clock.
const BATCH: usize = 64;

/// The engine, as the service uses it, with the recipes of the account.
pub struct Engine {
    snapshot: EngineSnapshot,
    recipes: RecipeBook,
    speaker: Speaker,
}

impl Engine {
    pub fn new() -> Result<Self> {
        let catalog = Catalog::from_static(embedded::CATALOG).context("the embedded foods cannot be read")?;
        let snapshot = EngineSnapshot::new(Arc::new(catalog));
        Ok(Self { snapshot, recipes: RecipeBook::new(recipes::all().collect()), speaker: Speaker::default() })
    }

    /// Returns the CPU time per text, in microseconds, of the work behind these requests; `None` if it is not all
    /// different.
    pub fn measure(&self, requests: &Rc<Requests>, time: Duration) -> Option<f64> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // As many as a core could take at ten microseconds each.
        let most = (time.as_secs_f64() * 1e5) as usize;
        let works: Vec<Vec<Work>> =
            (0..cores).map(|_| (0..most).map_while(|_| requests.next_work()).collect()).collect();
        if works.iter().any(Vec::is_empty) {
            return None;
        }
        let (texts, busy) = std::thread::scope(|scope| {
            let threads: Vec<_> = works.iter().map(|works| scope.spawn(move || self.run(works, time))).collect();
            let done = threads.into_iter().filter_map(|thread| thread.join().ok());
            done.fold((0, Duration::ZERO), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        });
        Some(busy.as_secs_f64() * 1e6 / texts.max(1) as f64)
    }

    /// Works until the time is over; returns how many texts were done and the CPU time of this thread.
    fn run(&self, works: &[Work], time: Duration) -> (usize, Duration) {
        // What is used for the first time costs more.
        works.iter().take(BATCH).for_each(|work| self.answer(work));
        let (until, before) = (Instant::now() + time, cpu_time());
        let mut done = 0;
        for batch in works[BATCH.min(works.len())..].chunks(BATCH) {
            for work in batch {
                self.answer(work);
            }
            done += batch.len();
            if Instant::now() >= until {
                break;
            }
        }
        (done, cpu_time().saturating_sub(before))
    }

    /// Answers a text up to the JSON.
    fn answer(&self, work: &Work) {
        let Self { snapshot, recipes, speaker } = self;
        let body = match work {
            Work::Search(query) => {
                serde_json::to_vec(&snapshot.search(query, speaker, DEFAULT_LIMIT, None).answer(query))
            }
            Work::Meal(text) => {
                let messages = [text.as_str().into()];
                let include = Include::default();
                serde_json::to_vec(&EstimateAnswer::of_messages(&snapshot.engine, &messages, recipes, speaker, include))
            }
        };
        std::hint::black_box(body.ok());
    }
}

/// Returns the CPU time of this thread.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
