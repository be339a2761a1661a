//! Tables in a folder, a zip archive or a gzip file.
//!
//! Importers open a table by name and get a stream. Bytes are counted as stored on disk, so that progress
//! means the same for a plain folder and for an archive.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::result::ZipError;

use super::report::ImportError;

/// A file that counts the bytes read.
pub struct Counting {
    file: File,
    read: Rc<Cell<u64>>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A stream of a table's text, already decompressed.
pub type Stream<'a> = Box<dyn Read + 'a>;

/// Opens one file, decompressing it if it begins like gzip, whatever its name.
pub fn open_file(path: &Path, read: &Rc<Cell<u64>>) -> Result<Stream<'static>, ImportError> {
    let mut file = File::open(path).map_err(|source| ImportError::io(path, source))?;
    let mut magic = [0; 2];
    let held = read_up_to(&mut file, &mut magic).map_err(|source| ImportError::io(path, source))?;
    file.seek(SeekFrom::Start(0)).map_err(|source| ImportError::io(path, source))?;
    let counting = Counting { file, read: Rc::clone(read) };
    if held == 2 && magic == [0x1F, 0x8B] {
        Ok(Box::new(MultiGzDecoder::new(BufReader::with_capacity(64 * 1024, counting))))
    } else {
        Ok(Box::new(counting))
    }
}

/// Fills a buffer as far as there is input; returns the number of bytes.
pub fn read_up_to(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

enum InputKind {
    Folder,
    Zip(Box<ZipArchive<BufReader<Counting>>>),
}

/// A folder or an archive of tables.
pub struct Input {
    path: PathBuf,
    place: InputKind,
    read: Rc<Cell<u64>>,
}

impl Input {
    /// Opens a folder, or a zip archive.
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        Self::open_counting(path, Rc::default())
    }

    /// Opens a folder or archive whose bytes are counted together with those of another.
    pub fn open_counting(path: &Path, read: Rc<Cell<u64>>) -> Result<Self, ImportError> {
        let metadata = std::fs::metadata(path).map_err(|source| ImportError::io(path, source))?;
        if metadata.is_dir() {
            return Ok(Self { path: folder_of_tables(path), place: InputKind::Folder, read });
        }
        let file = File::open(path).map_err(|source| ImportError::io(path, source))?;
        let before = read.get();
        let archive = ZipArchive::new(BufReader::new(Counting { file, read: Rc::clone(&read) }))
            .map_err(|error| zip_error(path, error))?;
        // The directory of the archive is not part of any table.
        read.set(before);
        Ok(Self { path: path.to_owned(), place: InputKind::Zip(Box::new(archive)), read })
    }

    /// Returns the counter of bytes read.
    pub fn counter(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.read)
    }

    /// Returns the path of a table for messages.
    pub fn table_path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns whether a table exists.
    pub fn has(&self, name: &str) -> bool {
        match &self.place {
            InputKind::Folder => in_folder(&self.path, name).is_some(),
            InputKind::Zip(archive) => in_archive(archive, name).is_some(),
        }
    }

    /// Returns the size of a table on disk, and roughly the size of its text.
    pub fn sizes(&self, name: &str) -> Option<(u64, u64)> {
        match &self.place {
            InputKind::Folder => {
                let path = in_folder(&self.path, name)?;
                let size = std::fs::metadata(&path).ok()?.len();
                let packed = path.extension().is_some_and(|extension| extension == "gz");
                Some((size, if packed { size.saturating_mul(6) } else { size }))
            }
            InputKind::Zip(archive) => {
                let index = in_archive(archive, name)?;
                let entry = archive.by_index_data(index).ok()?;
                Some((entry.compressed_size(), entry.size()))
            }
        }
    }

    /// Opens a table; `None` if it does not exist.
    pub fn table(&mut self, name: &str) -> Result<Option<Stream<'_>>, ImportError> {
        match &mut self.place {
            InputKind::Folder => in_folder(&self.path, name).map(|path| open_file(&path, &self.read)).transpose(),
            InputKind::Zip(archive) => {
                let Some(index) = in_archive(archive, name) else { return Ok(None) };
                let entry = archive.by_index(index).map_err(|error| zip_error(&self.path, error))?;
                Ok(Some(Box::new(entry)))
            }
        }
    }
}

/// Returns the folder itself, or the single folder inside it if an archive was unpacked with its top folder.
fn folder_of_tables(path: &Path) -> PathBuf {
    let Ok(entries) = std::fs::read_dir(path) else { return path.to_owned() };
    let mut folders = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let inner = entry.path();
        if inner.is_dir() {
            if !name.to_string_lossy().starts_with(['.', '_']) {
                folders.push(inner);
            }
        } else if [".csv", ".gz", ".txt"].iter().any(|end| name.to_string_lossy().to_lowercase().ends_with(end)) {
            return path.to_owned();
        }
    }
    match <[PathBuf; 1]>::try_from(folders) {
        Ok([only]) => only,
        Err(_) => path.to_owned(),
    }
}

/// Finds the file of a table in a folder, plain or gzipped.
fn in_folder(folder: &Path, name: &str) -> Option<PathBuf> {
    [folder.join(name), folder.join(format!("{name}.gz"))].into_iter().find(|path| path.is_file())
}

/// Finds the entry of a table in an archive at any depth; the shallowest if there are several.
fn in_archive(archive: &ZipArchive<BufReader<Counting>>, name: &str) -> Option<usize> {
    let depth = |index: usize| {
        let raw = archive.name_for_index(index)?.ok()?;
        let is_table = raw.rsplit(['/', '\\']).next() == Some(name) && !raw.starts_with("__MACOSX");
        is_table.then(|| raw.matches(['/', '\\']).count())
    };
    (0..archive.len()).filter_map(|index| depth(index).map(|depth| (depth, index))).min().map(|(_, index)| index)
}

/// Describes what is wrong with an archive, and what to do.
fn zip_error(path: &Path, error: ZipError) -> ImportError {
    match error {
        ZipError::Io(source) => ImportError::reading(path, source),
        ZipError::InvalidArchive(_) => ImportError::format(path, "is not a complete zip archive; download it again"),
        other => {
            ImportError::format(path, &format!("cannot be unpacked ({other}); unpack it and give the folder instead"))
        }
    }
}
