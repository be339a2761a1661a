//! Files that only this user may read, and that exist completely or not at all.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

use crate::error::Error;

/// Runs file operations, which block, outside the threads that serve requests.
pub(crate) async fn on_disk<T: Send + 'static>(
    what: impl Into<String>,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(io::Error::other(stopped))).map_err(|cause| Error::file(what, cause))
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates an empty file; fails with `AlreadyExists` if the name is taken.
///
/// The file gets its name only after our handle on it is closed: another part of the process may open it with SQLite at
/// once, and closing a handle would drop SQLite's locks (see [`crate::wal_index::WalIndex`]).
pub(crate) fn new_private_file(path: &Path) -> io::Result<()> {
    if path.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    name_new(temporary_beside(path)?.into_temp_path(), path)
}

/// Writes a file, replacing one of the same name. After a crash it exists completely or not at all.
pub(crate) fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = temporary_beside(path)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    sync_folder_of(path)
}

/// Creates an empty file in the same folder, readable by this user alone, that is removed again unless it gets a name.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default();
    tempfile::Builder::new().prefix(name).suffix(".tmp").tempfile_in(folder_of(path))
}

/// Syncs a finished temporary file and gives it its name, which must be free.
pub(crate) fn name_new(temporary: TempPath, path: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(&temporary)?.sync_all()?;
    temporary.persist_noclobber(path)?;
    sync_folder_of(path)
}

/// Creates a file that only this user may read; fails if the name is taken.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

/// Syncs a finished file and gives it another name in the same file system, replacing a file of that name.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(from)?.sync_all()?;
    fs::rename(from, to)?;
    sync_folder_of(to)
}

/// Syncs the folder of a file: only then is a new name durable.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
