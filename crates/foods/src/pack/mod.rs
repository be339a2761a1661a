//! The compact form in which foods are committed and shipped: columns, compressed.
//!
//! A catalog file is made for look-ups and is ten times as large. A pack has the same foods in few enough bytes for a
//! repository; the build turns it into a catalog. Writing is deterministic: the same foods give the same bytes.
//!
//! ```text
//! magic "MORSELPK" · format u32 · foods u32 · columns u32 · [length u64 · crc32 u32]… · columns, zstd each
//! ```

pub mod assemble;
mod columns;
mod values;

use crate::codec::u32_at;
use crate::food::Food;
use columns::ColumnWriter;

const MAGIC: &[u8; 8] = b"MORSELPK";
/// The format of foods without names in other languages.
const FIRST_FORMAT: u32 = 1;
const FORMAT: u32 = 2;
const HEAD: usize = 20;
const ROW: usize = 12;
/// The most bytes that a column may decompress to, whatever a damaged file says.
const MAX_COLUMN: usize = 256 << 20;
const LEVEL: i32 = 22;

/// Why a pack cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// It is not a pack, or has another format.
    #[error("not a food pack of format {FIRST_FORMAT} or {FORMAT}")]
    NotAPack,
    /// Its bytes have changed since they were written.
    #[error("the food pack is damaged: {0}")]
    Damaged(&'static str),
    /// Compression failed.
    #[error("cannot compress the food pack: {0}")]
    Compress(std::io::Error),
}

/// Packs foods, in their order.
pub fn write(foods: &[Food]) -> Result<Vec<u8>, PackError> {
    let mut columns = ColumnWriter::default();
    for food in foods {
        columns.push(food);
    }
    // USDA's foods keep their format, so that the same files give the same bytes.
    let format = if columns.is_first_format() { FIRST_FORMAT } else { FORMAT };
    let is_written = |at: &usize| format == FORMAT || !columns::NOT_IN_FIRST.contains(at);
    let compressed: Vec<Vec<u8>> = columns
        .buffers()
        .iter()
        .enumerate()
        .filter(|(at, _)| is_written(at))
        .map(|(_, column)| zstd::bulk::compress(column, LEVEL).map_err(PackError::Compress))
        .collect::<Result<_, _>>()?;
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&format.to_le_bytes());
    out.extend_from_slice(&(foods.len() as u32).to_le_bytes());
    out.extend_from_slice(&(compressed.len() as u32).to_le_bytes());
    for column in &compressed {
        out.extend_from_slice(&(column.len() as u64).to_le_bytes());
        out.extend_from_slice(&crc32fast::hash(column).to_le_bytes());
    }
    out.extend(compressed.into_iter().flatten());
    Ok(out)
}

/// Unpacks foods, one at a time, in their order.
pub fn read(bytes: &[u8]) -> Result<impl Iterator<Item = Result<Food, PackError>>, PackError> {
    let format = u32_at(bytes, 8).filter(|format| [FIRST_FORMAT, FORMAT].contains(format));
    let Some(format) = format.filter(|_| bytes.get(..8) == Some(MAGIC)) else { return Err(PackError::NotAPack) };
    let cut_short = || PackError::Damaged("it is cut short");
    let foods = u32_at(bytes, 12).ok_or_else(cut_short)?;
    let count = u32_at(bytes, 16).ok_or_else(cut_short)? as usize;
    let missing: &[usize] = if format == FIRST_FORMAT { &columns::NOT_IN_FIRST } else { &[] };
    if count + missing.len() != columns::COUNT {
        return Err(PackError::Damaged("its columns are not those of this format"));
    }
    let mut rest = bytes.get(HEAD + count * ROW..).ok_or_else(cut_short)?;
    let mut buffers = Vec::with_capacity(columns::COUNT);
    for row in bytes[HEAD..HEAD + count * ROW].chunks_exact(ROW) {
        let len = u32_at(row, 0).ok_or_else(cut_short)? as usize;
        let (column, after) = rest.split_at_checked(len).ok_or_else(cut_short)?;
        if u32_at(row, 8) != Some(crc32fast::hash(column)) {
            return Err(PackError::Damaged("a checksum does not match"));
        }
        buffers.push(
            zstd::bulk::decompress(column, MAX_COLUMN)
                .map_err(|_| PackError::Damaged("a column does not decompress"))?,
        );
        rest = after;
    }
    for &column in missing {
        // A zero for each food: no names, no values.
        let foods = buffers.first().map_or(0, Vec::len);
        buffers.insert(column, vec![0; foods]);
    }
    let mut reader = columns::ColumnReader::new(buffers);
    Ok((0..foods).map(move |_| reader.next().ok_or(PackError::Damaged("a food is invalid"))))
}
