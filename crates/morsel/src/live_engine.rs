//! The catalog and the engine over it, replaced as a whole when foods are imported.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

pub use answers::EngineSnapshot;
use foods::catalog::CatalogError;
use foods::catalog::live::Live;

/// The newest catalog and its engine.
#[derive(Debug)]
pub struct LiveEngine {
    live: Live,
    current: RwLock<Arc<EngineSnapshot>>,
    /// Why the imported foods could not be read the last time.
    problem: RwLock<Option<String>>,
}

impl LiveEngine {
    /// Opens the catalog of a data directory. If the imported foods cannot be read, the embedded ones must do: a service
    /// with fewer foods is better than none.
    pub fn open(data_dir: &Path) -> Result<Self, CatalogError> {
        let (live, damage) = Live::open_without_damaged(embedded::CATALOG, data_dir)?;
        if let Some(error) = &damage {
            tracing::error!(%error, "the imported foods cannot be read; serving the built-in foods alone");
        }
        let snapshot = EngineSnapshot::new(live.current());
        let problem = RwLock::new(damage.map(|error| error.to_string()));
        Ok(Self { live, current: RwLock::new(Arc::new(snapshot)), problem })
    }

    /// Returns why the imported foods could not be read the last time, if they could not.
    pub fn problem(&self) -> Option<String> {
        self.problem.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the current state.
    pub fn snapshot(&self) -> Arc<EngineSnapshot> {
        // A poisoned lock still holds a whole snapshot: it is only ever replaced.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads foods imported since; returns whether there were any. Blocks: call it off the async threads.
    pub fn refresh(&self) -> Result<bool, CatalogError> {
        let is_new = match self.live.refresh() {
            Ok(is_new) => is_new,
            Err(error) => {
                self.set_problem(Some(error.to_string()));
                return Err(error);
            }
        };
        if !is_new {
            return Ok(false);
        }
        self.set_problem(None);
        let snapshot = Arc::new(EngineSnapshot::new(self.live.current()));
        snapshot.engine.prepare_languages();
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
        Ok(true)
    }

    /// Notes why newer foods cannot be used.
    pub fn set_problem(&self, problem: Option<String>) {
        *self.problem.write().unwrap_or_else(PoisonError::into_inner) = problem;
    }
}
