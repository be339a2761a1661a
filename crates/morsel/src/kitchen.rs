//! The catalog and the engine over it, as they are now; replaced as a whole when something was imported.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::HeaderValue;
use foods::catalog::live::Live;
use foods::catalog::{Catalog, Error};
use foods::search::Searcher;
use meal::Engine;
use sha2::{Digest, Sha256};

/// The newest catalog with its engine.
#[derive(Debug)]
pub struct Kitchen {
    live: Live,
    current: RwLock<Arc<Menu>>,
}

/// One state of the catalog. Whoever holds it finishes with it, whatever is imported meanwhile.
#[derive(Debug)]
pub struct Menu {
    /// The foods.
    pub catalog: Arc<Catalog>,
    /// Finds foods by name.
    pub searcher: Searcher,
    /// Turns texts into items.
    pub engine: Engine,
    /// Changes when the same text may get another answer: the program's version and a mark of the foods.
    pub version: Arc<str>,
}

impl Menu {
    /// Whether the catalog has a product with these digits under its bars.
    pub fn has_barcode(&self, digits: &str) -> bool {
        digits.parse().is_ok_and(|gtin| self.catalog.by_gtin(gtin).is_some())
    }

    /// The version, for a header.
    pub fn version_header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.version).unwrap_or(HeaderValue::from_static("unknown"))
    }

    fn new(catalog: Arc<Catalog>) -> Self {
        let engine = Engine::new(Arc::clone(&catalog));
        let mut hash = Sha256::new();
        for layer in catalog.layers() {
            hash.update(serde_json::to_vec(layer.manifest()).unwrap_or_default());
            hash.update(layer.len().to_le_bytes());
        }
        let mut version = concat!(env!("CARGO_PKG_VERSION"), "+").to_owned();
        for byte in &hash.finalize()[..4] {
            // Writing to a string does not fail.
            let _ = write!(version, "{byte:02x}");
        }
        Self { catalog, searcher: Searcher::default(), engine, version: version.into() }
    }
}

impl Kitchen {
    /// Opens the catalog of a data directory.
    pub fn open(data_dir: &Path) -> Result<Self, Error> {
        let live = Live::open(embedded::CATALOG, data_dir)?;
        let menu = Menu::new(live.current());
        Ok(Self { live, current: RwLock::new(Arc::new(menu)) })
    }

    /// What is there now.
    pub fn menu(&self) -> Arc<Menu> {
        // A poisoned lock still holds a whole menu: it is only ever replaced.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes over what was imported since; says whether something was. Takes a moment: not for async threads.
    pub fn refresh(&self) -> Result<bool, Error> {
        if !self.live.refresh()? {
            return Ok(false);
        }
        let menu = Arc::new(Menu::new(self.live.current()));
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = menu;
        Ok(true)
    }
}
