//! The catalog of a data directory, as it changes.
//!
//! Imported foods are in one file, `catalog/imported.morsel`. An import writes a new one and renames it over the old:
//! readers that have the old one mapped keep it, and the next refresh opens the new one. A killed import leaves the old
//! file unchanged.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use super::error::CatalogError;
use super::layered::Catalog;
use super::manifest::{Manifest, ManifestSource};
use super::reader::Layer;
use super::writer::Writer;
use crate::food::Food;

/// What distinguishes one version of the file from the next.
type Stamp = Option<(SystemTime, u64)>;

/// The current catalog of a data directory.
#[derive(Debug)]
pub struct Live {
    embedded: &'static [u8],
    folder: PathBuf,
    current: RwLock<Arc<Catalog>>,
    stamp: Mutex<Stamp>,
}

impl Live {
    /// Opens the embedded foods and those imported into `data_dir`, if there are any.
    pub fn open(embedded: &'static [u8], data_dir: &Path) -> Result<Self, CatalogError> {
        let folder = data_dir.join("catalog");
        let stamp = stamp(&file_in(&folder));
        let current = RwLock::new(Arc::new(open(embedded, &folder)?));
        Ok(Self { embedded, folder, current, stamp: Mutex::new(stamp) })
    }

    /// Opens the catalog like [`Live::open`], but with the embedded foods alone if the imported ones cannot be read. Then
    /// the error says why; [`Live::refresh`] tries again when the file is replaced.
    pub fn open_without_damaged(
        embedded: &'static [u8],
        data_dir: &Path,
    ) -> Result<(Self, Option<CatalogError>), CatalogError> {
        match Self::open(embedded, data_dir) {
            Ok(live) => Ok((live, None)),
            Err(error) => {
                let folder = data_dir.join("catalog");
                let stamp = Mutex::new(stamp(&file_in(&folder)));
                let current = RwLock::new(Arc::new(Catalog::new(Layer::from_static(embedded)?, None)));
                Ok((Self { embedded, folder, current, stamp }, Some(error)))
            }
        }
    }

    /// Returns the current catalog. It stays valid for as long as it is held, whatever is imported meanwhile.
    pub fn current(&self) -> Arc<Catalog> {
        // A poisoned lock still holds a whole catalog: it is only ever replaced, never changed.
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Switches to the newest catalog; returns whether it changed. Cheap if nothing was imported, so call it regularly. On
    /// an error the catalog stays as it was, and a damaged file is not read again until it changes.
    pub fn refresh(&self) -> Result<bool, CatalogError> {
        let mut known = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&file_in(&self.folder));
        if *known == now {
            return Ok(false);
        }
        let fresh = match open(self.embedded, &self.folder) {
            Ok(fresh) => Arc::new(fresh),
            Err(error) => {
                // What cannot be read now may be readable in a moment; what is damaged stays so.
                if !matches!(error, CatalogError::Io { .. }) {
                    *known = now;
                }
                return Err(error);
            }
        };
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        *known = now;
        Ok(true)
    }
}

fn open(embedded: &'static [u8], folder: &Path) -> Result<Catalog, CatalogError> {
    let imported = match Layer::open(&file_in(folder)) {
        Ok(layer) => Some(layer),
        Err(CatalogError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    Ok(Catalog::new(Layer::from_static(embedded)?, imported))
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join("imported.morsel")
}

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// An import in progress. Dropped before [`Update::finish`], it changes nothing.
#[derive(Debug)]
pub struct Update {
    writer: Writer,
    folder: PathBuf,
    /// Held until the end; the system releases it even if the process is killed.
    _lock: File,
}

impl Update {
    /// Starts an import into a data directory. Only one can run at a time.
    pub fn begin(data_dir: &Path) -> Result<Self, CatalogError> {
        let folder = data_dir.join("catalog");
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| CatalogError::Io { path, source }
        };
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let lock_path = folder.join("import.lock");
        let lock = File::create(&lock_path).map_err(failed(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CatalogError::Busy(data_dir.to_owned())),
            Err(TryLockError::Error(source)) => return Err(CatalogError::Io { path: lock_path, source }),
        }
        sweep(&folder);
        let path = file_in(&folder);
        if path.exists() {
            // Fail now rather than after an hour of reading if the existing catalog cannot be read.
            Layer::open(&path)?;
        }
        let writer = Writer::create(&path)?;
        Ok(Self { writer, folder, _lock: lock })
    }

    /// Returns a folder for an importer's temporary files, on the same disk. The next import removes it at the latest.
    pub fn work_dir(&self) -> PathBuf {
        self.folder.join(format!("work-{}.tmp", std::process::id()))
    }

    /// Adds a food, replacing an earlier one with the same id; returns whether it did.
    pub fn add(&mut self, food: &Food) -> Result<bool, CatalogError> {
        self.writer.add(food)
    }

    /// Returns the number of foods added.
    pub fn len(&self) -> usize {
        self.writer.len()
    }

    /// Returns whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.writer.is_empty()
    }

    /// Copies the foods of earlier imports, except those that this one replaces, and moves the new catalog into place.
    /// Returns the number of foods in it.
    pub fn finish(mut self, sources: Vec<ManifestSource>) -> Result<usize, CatalogError> {
        let mut manifest = Manifest::default();
        let path = file_in(&self.folder);
        if path.exists() {
            let old = Layer::open(&path)?;
            manifest.sources.clone_from(&old.manifest().sources);
            for food in old.foods() {
                if !self.writer.contains(&food.id) {
                    self.writer.add(&food)?;
                }
            }
        }
        manifest.sources.extend(sources);
        let foods = self.writer.len();
        self.writer.finish(&manifest)?;
        sweep(&self.folder);
        Ok(foods)
    }
}

/// Removes what a killed import left behind. The lock is held, so no one else is using it.
fn sweep(folder: &Path) {
    let Ok(files) = fs::read_dir(folder) else { return };
    for path in files.flatten().map(|file| file.path()) {
        if path.extension().is_some_and(|extension| extension == "tmp") {
            // What cannot be removed now only takes up space; the next import tries again.
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}
