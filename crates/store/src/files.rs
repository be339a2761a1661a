//! Files that only we may read, and that are there completely or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Rng, base62};

/// File work blocks, so it runs beside the threads that answer requests.
pub(crate) async fn on_disk<T: Send + 'static>(
    what: impl Into<String>,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(io::Error::other(stopped))).map_err(|cause| Error::file(what, cause))
}

/// Creates the folder and those above it.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates an empty file for this user alone; `AlreadyExists` if the name is taken.
///
/// The file gets its name only after our handle on it is closed: another part of the process may open it with SQLite at
/// once, and closing a handle would drop SQLite's locks (see [`crate::wal_index::WalIndex`]).
pub(crate) fn new_private_file(path: &Path) -> io::Result<()> {
    if path.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let temporary = beside(path);
    open_private(&temporary)?;
    give_name(&temporary, path)
}

/// Writes a file for this user alone, so that after a crash it is there completely or not at all.
pub(crate) fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path);
    let written = open_private(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).and_then(|()| sync_folder_of(path)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// Creates an empty file for this user alone and returns the open handle.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A name in the same folder that nobody else uses.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", base62::random(12, &mut Rng::system())));
    path.with_file_name(name)
}

/// Moves a finished temporary file to its name, which must be free, and puts both on the disk.
pub(crate) fn give_name(temporary: &Path, path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(temporary)?.sync_all()?;
    // A link fails when the name is taken, where a rename would overwrite.
    let named = match fs::hard_link(temporary, path) {
        Err(error)
            if !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) && !path.try_exists()? =>
        {
            // A file system without links.
            return fs::rename(temporary, path).and_then(|()| sync_folder_of(path));
        }
        named => named,
    };
    fs::remove_file(temporary)?;
    named.and_then(|()| sync_folder_of(path))
}

/// A new name lasts only once its folder is on the disk.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        Some(_) if cfg!(unix) => File::open(".")?.sync_all(),
        _ => Ok(()),
    }
}
