//! The header of SQLite's WAL-index, read from the `-shm` file, which shows whether anything was committed.
//!
//! The format is documented (<https://sqlite.org/walformat.html>): the first 48 bytes are rewritten by every transaction
//! of any process, before its commit is acknowledged. They hold a counter of transactions, the length of the log, its
//! salts and a checksum over its frames, so equal bytes mean an unchanged database. A read during a rewrite gives a
//! mixture that equals neither state; it costs a query and nothing more.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::Path;

/// The header as it was at one moment.
pub(crate) type Header = [u8; 48];

/// The version that the header starts with, in the byte order of the machine.
const VERSION: u32 = 3_007_000;

/// The open `-shm` file of a database.
///
/// It is never closed: POSIX drops **all** locks of a process on a file when the process closes **any** handle on it,
/// including those that SQLite holds to keep other processes from overwriting what it reads. A store is opened once per
/// process, so this costs one file handle.
#[derive(Debug)]
pub(crate) struct WalIndex(ManuallyDrop<File>);

impl WalIndex {
    /// Opens the index of a database that is open in this process; `None` if it cannot be read, so that every check for
    /// changes is a query.
    pub(crate) fn open(database: &Path) -> Option<Self> {
        let mut name = database.as_os_str().to_owned();
        name.push("-shm");
        File::open(Path::new(&name)).ok().map(|file| Self(ManuallyDrop::new(file)))
    }

    /// Returns the header, if SQLite still uses the file and the version is known.
    #[cfg(unix)]
    pub(crate) fn header(&self) -> Option<Header> {
        use std::os::unix::fs::{FileExt, MetadataExt};

        let mut header = [0; 48];
        self.0.read_exact_at(&mut header, 0).ok()?;
        let version = u32::from_ne_bytes(header[..4].try_into().ok()?);
        let is_initialized = header[12] != 0;
        // Somebody deleted the file under a running server: the open one is no longer updated.
        let is_in_use = self.0.metadata().ok()?.nlink() > 0;
        (version == VERSION && is_initialized && is_in_use).then_some(header)
    }

    #[cfg(not(unix))]
    pub(crate) fn header(&self) -> Option<Header> {
        None
    }
}
