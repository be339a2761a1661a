//! Rows on their way to the join, in files on disk.
//!
//! The tables of FoodData Central are not in a useful order, and 26 million rows do not fit in memory. They are written, as
//! compact records, to files that each have a range of ids; then one file at a time is joined in memory. Ranges rather than
//! hashes, so that foods leave in the order of their ids: of two products with the same barcode the later comes last.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::import::report::ImportError;

/// The most bytes of a text in a record; the rest is cut.
const MAX_TEXT_BYTES: usize = 1000;
/// Write buffer of one file: with 256 files, 16 MB.
const BUFFER: usize = 64 * 1024;
/// The bytes of kind, id and length of the payload.
const HEAD: usize = 7;

/// The table that a record comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum RecordKind {
    Food = 0,
    Nutrient = 1,
    Portion = 2,
    CommonName = 3,
    Code = 4,
    Label = 5,
}

impl RecordKind {
    fn from_byte(byte: u8) -> Option<Self> {
        const ALL: [RecordKind; 6] = [
            RecordKind::Food,
            RecordKind::Nutrient,
            RecordKind::Portion,
            RecordKind::CommonName,
            RecordKind::Code,
            RecordKind::Label,
        ];
        ALL.get(usize::from(byte)).copied()
    }
}

/// Builds the payload of a record.
#[derive(Default)]
pub(super) struct Payload(Vec<u8>);

impl Payload {
    pub fn start(&mut self) -> &mut Self {
        self.0.clear();
        self
    }

    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.0.push(byte);
        self
    }

    pub fn number(&mut self, number: f32) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        let cut = (0..=text.len().min(MAX_TEXT_BYTES)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        self.0.extend_from_slice(&(cut as u16).to_le_bytes());
        self.0.extend_from_slice(&text.as_bytes()[..cut]);
        self
    }
}

/// Reads the payload of a record, in the order in which it was built.
pub(super) struct RecordFields<'a>(&'a [u8]);

impl<'a> RecordFields<'a> {
    pub fn byte(&mut self) -> u8 {
        let (&byte, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        byte
    }

    pub fn number(&mut self) -> f32 {
        self.take::<4>().map_or(f32::NAN, f32::from_le_bytes)
    }

    pub fn text(&mut self) -> &'a str {
        let length = self.take::<2>().map_or(0, u16::from_le_bytes);
        let (text, rest) = self.0.split_at_checked(usize::from(length)).unwrap_or_default();
        self.0 = rest;
        std::str::from_utf8(text).unwrap_or_default()
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }
}

/// The files, which are removed when this is dropped.
pub(super) struct Spill {
    folder: PathBuf,
    /// The first id of every file but the first.
    bounds: Vec<u32>,
    files: Vec<BufWriter<File>>,
}

impl Spill {
    /// Creates a folder of its own in `work_dir` and the files in it, one more than there are bounds.
    pub fn create(work_dir: &Path, bounds: Vec<u32>) -> Result<Self, ImportError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = work_dir.join(format!("fdc-join-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|source| ImportError::io(&folder, source))?;
        let count = bounds.len() + 1;
        // Built before the files, so that whatever fails from here on removes the folder.
        let mut spill = Self { folder, bounds, files: Vec::with_capacity(count) };
        for index in 0..count {
            let path = spill.path(index);
            let file = File::create(&path).map_err(|source| ImportError::io(&path, source))?;
            spill.files.push(BufWriter::with_capacity(BUFFER, file));
        }
        Ok(spill)
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.bounds.len() + 1
    }

    /// Writes a record to the file of its id.
    pub fn write(&mut self, kind: RecordKind, id: u32, payload: &Payload) -> Result<(), ImportError> {
        let index = self.bounds.partition_point(|&bound| bound <= id);
        let Some(file) = self.files.get_mut(index) else { return Ok(()) };
        let mut head = [kind as u8, 0, 0, 0, 0, 0, 0];
        head[1..5].copy_from_slice(&id.to_le_bytes());
        head[5..7].copy_from_slice(&(payload.0.len() as u16).to_le_bytes());
        let written = file.write_all(&head).and_then(|()| file.write_all(&payload.0));
        written.map_err(|source| ImportError::io(&self.path(index), source))
    }

    /// Finishes writing.
    pub fn finish(&mut self) -> Result<(), ImportError> {
        for (index, file) in std::mem::take(&mut self.files).into_iter().enumerate() {
            file.into_inner().map_err(|error| ImportError::io(&self.path(index), error.into_error()))?;
        }
        Ok(())
    }

    /// Passes every record of a file to `each`, then removes the file.
    pub fn drain(
        &self,
        index: usize,
        mut each: impl FnMut(RecordKind, u32, RecordFields<'_>),
    ) -> Result<(), ImportError> {
        let path = self.path(index);
        let fail = |source| ImportError::io(&path, source);
        let mut file = BufReader::with_capacity(256 * 1024, File::open(&path).map_err(fail)?);
        let mut payload = Vec::new();
        let mut head = [0; HEAD];
        while read_head(&mut file, &mut head).map_err(fail)? {
            let [kind, a, b, c, d, low, high] = head;
            payload.resize(usize::from(u16::from_le_bytes([low, high])), 0);
            file.read_exact(&mut payload).map_err(fail)?;
            if let Some(kind) = RecordKind::from_byte(kind) {
                each(kind, u32::from_le_bytes([a, b, c, d]), RecordFields(&payload));
            }
        }
        std::fs::remove_file(&path).map_err(fail)
    }

    fn path(&self, index: usize) -> PathBuf {
        self.folder.join(format!("{index:03}"))
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        self.files.clear();
        // A failure cannot be reported; the folder is in the caller's work folder, where it does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Reads the head of the next record; returns `false` at the end.
fn read_head(file: &mut impl Read, head: &mut [u8; HEAD]) -> io::Result<bool> {
    let first = file.read(&mut head[..1])?;
    if first == 0 {
        return Ok(false);
    }
    file.read_exact(&mut head[1..])?;
    Ok(true)
}
