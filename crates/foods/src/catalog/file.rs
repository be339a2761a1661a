//! The container of a catalog: named sections with checksums.
//!
//! ```text
//! magic "MORSELFC" · format u32 · sections u32 · [id u32 · crc32 u32 · offset u64 · length u64]… · crc32 of all that
//! section bytes…
//! ```
//!
//! All numbers are little-endian and read byte by byte, so a section needs no alignment and can be anywhere: in a
//! mapped file or in the program's own read-only data. A file is written whole, synced and renamed into place, and
//! never changed afterwards.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use super::error::CatalogError;
use crate::codec::{u32_at, u64_at};

const MAGIC: &[u8; 8] = b"MORSELFC";
/// The format that this version writes.
const FORMAT: u32 = 1;
/// The formats that this version reads. A format stays here as long as possible, and `tests/stored` has a catalog of each
/// that a test opens: a new format must not make users import again.
pub const READABLE_FORMATS: &[u32] = &[FORMAT];
const FIXED: usize = 16;
const ROW: usize = 24;
const MAX_SECTIONS: u32 = 64;

/// A part of the catalog. The number is part of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Section {
    /// JSON: what went into the catalog.
    Manifest = 1,
    /// Offset of each food's record, and one past the last.
    FoodOffsets = 2,
    /// Records of foods.
    FoodRecords = 3,
    /// Offset of each shared string, and one past the last.
    StringOffsets = 4,
    /// Shared strings: categories, brands, portions.
    StringBytes = 5,
    /// Digests of ids in ascending order, each with its food.
    Ids = 6,
    /// Barcodes in ascending order, each with its food.
    Gtins = 7,
    /// The terms, as an `fst` from term to its number.
    Terms = 8,
    /// Offset of each term's postings, and one past the last.
    PostingOffsets = 9,
    /// The entries with each term, ascending.
    Postings = 10,
    /// One row per searchable name, best first: food, score, start of its terms.
    Entries = 11,
    /// The terms of each entry, each with its role in the name.
    EntryTerms = 12,
    /// The median density of each category that has one, by the number of its string.
    Densities = 13,
    /// One digest per food, equal for rows that show the same product.
    Products = 14,
    /// Names in languages other than English; files of the first release lack it.
    LocalNames = 15,
    /// The entries of other countries' tables that fill a gap of USDA's; files of the first release lack it.
    FillIns = 16,
}

/// The bytes of a catalog.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// A mapped file.
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

/// The section table of a catalog, checked against its length.
#[derive(Debug)]
pub(super) struct SectionTable {
    rows: Vec<SectionRow>,
}

#[derive(Debug)]
struct SectionRow {
    id: u32,
    crc: u32,
    range: Range<usize>,
}

impl SectionTable {
    /// Reads the table from the head of a catalog of `len` bytes.
    fn parse(head: &[u8], len: u64, name: &str) -> Result<Self, CatalogError> {
        let corrupt = |what: &str| CatalogError::Corrupt { name: name.to_owned(), what: what.to_owned() };
        if head.get(..8) != Some(MAGIC) {
            return Err(corrupt("it is not a Morsel catalog"));
        }
        let format = u32_at(head, 8).ok_or_else(|| corrupt("its header is cut short"))?;
        if !READABLE_FORMATS.contains(&format) {
            let name = name.to_owned();
            return Err(CatalogError::OtherFormat { name, found: format, readable: READABLE_FORMATS });
        }
        let count =
            u32_at(head, 12).filter(|&count| count <= MAX_SECTIONS).ok_or_else(|| corrupt("its header is damaged"))?;
        let end = FIXED + count as usize * ROW;
        let table = head.get(..end).ok_or_else(|| corrupt("its header is cut short"))?;
        if u32_at(head, end) != Some(crc32fast::hash(table)) {
            return Err(corrupt("its header is damaged"));
        }
        let mut rows = Vec::with_capacity(count as usize);
        for row in table[FIXED..].chunks_exact(ROW) {
            let (id, crc) = (u32_at(row, 0).unwrap_or(0), u32_at(row, 4).unwrap_or(0));
            let (offset, length) = (u64_at(row, 8).unwrap_or(0), u64_at(row, 16).unwrap_or(0));
            let stop =
                offset.checked_add(length).filter(|&stop| stop <= len).ok_or_else(|| corrupt("it is cut short"))?;
            rows.push(SectionRow { id, crc, range: offset as usize..stop as usize });
        }
        Ok(Self { rows })
    }

    /// Returns the range of a section.
    pub fn range(&self, section: Section) -> Option<Range<usize>> {
        self.rows.iter().find(|row| row.id == section as u32).map(|row| row.range.clone())
    }
}

/// Opens a catalog that is part of the program, without verifying its checksums.
pub(super) fn from_static(bytes: &'static [u8]) -> Result<(Bytes, SectionTable), CatalogError> {
    let table = SectionTable::parse(bytes, bytes.len() as u64, "the embedded catalog")?;
    Ok((Bytes::Static(bytes), table))
}

/// Opens and maps a catalog file after verifying every checksum.
pub(super) fn open(path: &Path) -> Result<(Bytes, SectionTable), CatalogError> {
    let failed = |source| CatalogError::Io { path: path.to_owned(), source };
    let name = path.display().to_string();
    let file = File::open(path).map_err(failed)?;
    let len = file.metadata().map_err(failed)?.len();
    let mut head = Vec::new();
    (&file).take((FIXED + MAX_SECTIONS as usize * ROW + 4) as u64).read_to_end(&mut head).map_err(failed)?;
    let table = SectionTable::parse(&head, len, &name)?;
    verify(path, &table, &name)?;
    Ok((Bytes::Mapped(map(&file).map_err(failed)?), table))
}

/// Verifies the checksums by reading, not through the map, so that the pages need not stay in memory.
fn verify(path: &Path, table: &SectionTable, name: &str) -> Result<(), CatalogError> {
    use std::io::{Seek, SeekFrom};
    let failed = |source| CatalogError::Io { path: path.to_owned(), source };
    let mut reader = File::open(path).map_err(failed)?;
    let mut buffer = vec![0; 1 << 20];
    for row in &table.rows {
        reader.seek(SeekFrom::Start(row.range.start as u64)).map_err(failed)?;
        let mut left = row.range.len();
        let mut hasher = crc32fast::Hasher::new();
        while left > 0 {
            let part = left.min(buffer.len());
            reader.read_exact(&mut buffer[..part]).map_err(failed)?;
            hasher.update(&buffer[..part]);
            left -= part;
        }
        if hasher.finalize() != row.crc {
            return Err(CatalogError::Corrupt { name: name.to_owned(), what: "a checksum does not match".to_owned() });
        }
    }
    Ok(())
}

/// Maps a catalog file.
#[expect(unsafe_code, reason = "the only way to map a file; the proof is below")]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: changing or truncating the file while it is mapped would be undefined behavior. Catalog files are created
    // under a temporary name, renamed once complete, and replaced only by another rename, which leaves the mapped inode
    // unchanged. Nothing in this program opens one for writing.
    unsafe { memmap2::Mmap::map(file) }
}

/// Writes a catalog file: sections are streamed in, the table is written at the end, then the file is renamed
/// into place. Dropped before [`FileWriter::finish`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct FileWriter {
    path: PathBuf,
    temporary: PathBuf,
    out: Option<io::BufWriter<File>>,
    rows: Vec<(Section, u32, u64, u64)>,
    offset: u64,
}

impl FileWriter {
    /// Creates a file that will appear at `path`.
    pub fn create(path: &Path, sections: usize) -> Result<Self, CatalogError> {
        let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
        let failed = |source| CatalogError::Io { path: temporary.clone(), source };
        let mut out = io::BufWriter::with_capacity(1 << 20, File::create(&temporary).map_err(failed)?);
        let offset = FIXED + sections * ROW + 4;
        out.write_all(&vec![0; offset]).map_err(failed)?;
        Ok(Self { path: path.to_owned(), temporary, out: Some(out), rows: Vec::new(), offset: offset as u64 })
    }

    /// Adds a section from a reader.
    pub fn section(&mut self, section: Section, source: impl Read) -> Result<(), CatalogError> {
        let temporary = self.temporary.clone();
        let failed = |source| CatalogError::Io { path: temporary.clone(), source };
        let Some(out) = self.out.as_mut() else { return Ok(()) };
        let mut reader = BufReader::with_capacity(1 << 20, source);
        let mut hasher = crc32fast::Hasher::new();
        let mut len = 0u64;
        loop {
            use std::io::BufRead;
            let part = reader.fill_buf().map_err(failed)?;
            if part.is_empty() {
                break;
            }
            hasher.update(part);
            out.write_all(part).map_err(failed)?;
            let used = part.len();
            len += used as u64;
            reader.consume(used);
        }
        self.rows.push((section, hasher.finalize(), self.offset, len));
        self.offset += len;
        Ok(())
    }

    /// Writes the table, syncs and renames. Until then the file does not exist for others.
    pub fn finish(mut self) -> Result<(), CatalogError> {
        use std::io::{Seek, SeekFrom};
        let temporary = self.temporary.clone();
        let failed = |source| CatalogError::Io { path: temporary.clone(), source };
        let Some(mut out) = self.out.take() else { return Ok(()) };
        let mut head = Vec::new();
        head.extend_from_slice(MAGIC);
        head.extend_from_slice(&FORMAT.to_le_bytes());
        head.extend_from_slice(&(self.rows.len() as u32).to_le_bytes());
        for (section, crc, offset, len) in &self.rows {
            head.extend_from_slice(&(*section as u32).to_le_bytes());
            head.extend_from_slice(&crc.to_le_bytes());
            head.extend_from_slice(&offset.to_le_bytes());
            head.extend_from_slice(&len.to_le_bytes());
        }
        head.extend_from_slice(&crc32fast::hash(&head).to_le_bytes());
        out.seek(SeekFrom::Start(0)).and_then(|_| out.write_all(&head)).and_then(|()| out.flush()).map_err(failed)?;
        out.get_ref().sync_all().map_err(failed)?;
        drop(out);
        std::fs::rename(&self.temporary, &self.path).map_err(failed)?;
        sync_folder(&self.path).map_err(failed)
    }
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        if self.out.is_some() {
            // The import failed and the half-written file is useless. If it cannot be removed, it does no harm.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Syncs the folder of a file: only then is a rename durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
