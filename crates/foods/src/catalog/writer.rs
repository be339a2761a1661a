//! Builds a catalog file from a stream of foods.
//!
//! Records go to a spool file as they come; about a hundred bytes per food stay in memory (its terms and their numbers),
//! so two million products need about 250 MB, whatever the size of their records.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::error::CatalogError;
use super::file::{FileWriter, Section};
use super::fill_ins;
use super::layout::{ENTRY_BYTES, ROLE_SHIFT, SCORE_STEP, TERM_MASK, id_digest};
use super::local_names::LocalNamesWriter;
use super::manifest::Manifest;
use super::record;
use crate::food::Food;
use crate::index;
use crate::nutrients::Nutrient;
use crate::text;

/// The number of sections in a file.
const SECTIONS: usize = 16;
/// The limit on numbers of foods; terms and strings are fewer.
const MAX_NUMBER: usize = 1 << ROLE_SHIFT;

/// Collects foods and writes them as one catalog.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    spool: Spool,
    foods: Vec<Spooled>,
    by_id: HashMap<u64, u32>,
    strings: Interner,
    terms: Interner,
    entries: Vec<NewEntry>,
    entry_terms: Vec<u32>,
    densities: HashMap<u32, Vec<f32>>,
    local_names: LocalNamesWriter,
    record: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Spooled {
    id: u64,
    gtin: u64,
    product: u32,
    len: u32,
    alive: bool,
}

#[derive(Clone, Copy, Debug)]
struct NewEntry {
    food: u32,
    score: i16,
    start: u32,
    len: u8,
    shape: u8,
}

impl Writer {
    /// Creates a catalog that will appear at `path`, complete or not at all.
    pub fn create(path: &Path) -> Result<Self, CatalogError> {
        Ok(Self {
            path: path.to_owned(),
            spool: Spool::create(path.with_extension(format!("{}.spool.tmp", std::process::id())))?,
            foods: Vec::new(),
            by_id: HashMap::new(),
            strings: Interner::default(),
            terms: Interner::default(),
            entries: Vec::new(),
            entry_terms: Vec::new(),
            densities: HashMap::new(),
            local_names: LocalNamesWriter::default(),
            record: Vec::new(),
        })
    }

    /// Adds a food, replacing an earlier one with the same id; returns whether it did.
    pub fn add(&mut self, food: &Food) -> Result<bool, CatalogError> {
        let number = self.foods.len();
        if number >= MAX_NUMBER {
            return Err(CatalogError::TooLarge);
        }
        self.record.clear();
        record::encode(food, &mut self.record, |text| self.strings.number(text));
        self.spool.write(&self.record)?;
        self.local_names.add(number as u32, &food.local_names);
        let id = id_digest(&food.id);
        let replaced = self.by_id.insert(id, number as u32);
        if let Some(old) = replaced {
            self.foods[old as usize].alive = false;
        }
        self.foods.push(Spooled {
            id,
            gtin: food.gtin.unwrap_or(0),
            product: product_digest(food),
            len: self.record.len() as u32,
            alive: true,
        });
        for name in index::names(food) {
            let start = self.entry_terms.len() as u32;
            for (word, role) in &name.words {
                self.entry_terms.push(self.terms.number(word) | role.bits() << ROLE_SHIFT);
            }
            let score = (name.score / SCORE_STEP).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
            let len = name.words.len() as u8;
            self.entries.push(NewEntry {
                food: number as u32,
                score,
                start,
                len,
                shape: name.shape(food.origin.source()),
            });
        }
        if let (Some(category), Some(density)) = (&food.category, food.density) {
            self.densities.entry(self.strings.number(category)).or_default().push(density);
        }
        Ok(replaced.is_some())
    }

    /// Returns whether a food with this id was added.
    pub fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(&id_digest(id))
    }

    /// Returns the number of foods that the catalog will have.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Returns whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Writes the file and moves it into place.
    pub fn finish(mut self, manifest: &Manifest) -> Result<(), CatalogError> {
        let renumbered = self.renumber();
        self.entries.retain(|entry| renumbered[entry.food as usize] != u32::MAX);
        // Ties go to the food that came first: publishers list general foods before special ones.
        self.entries.sort_by_key(|entry| (std::cmp::Reverse(entry.score), entry.food, entry.start));
        let (term_numbers, term_map) = self.terms.sorted();
        let mut out = FileWriter::create(&self.path, SECTIONS)?;
        out.section(
            Section::Manifest,
            &serde_json::to_vec(manifest).map_err(|error| CatalogError::Manifest(error.to_string()))?[..],
        )?;
        self.write_foods(&mut out)?;
        self.write_strings(&mut out)?;
        self.write_lookups(&mut out, &renumbered)?;
        out.section(Section::Terms, &term_map[..])?;
        drop(term_map);
        self.write_entries(&mut out, &renumbered, &term_numbers)?;
        self.write_densities(&mut out)?;
        out.section(Section::LocalNames, &self.local_names.section(&renumbered)?[..])?;
        let entries: Vec<(u8, &[u32])> = self.entries.iter().map(|entry| (entry.shape, self.terms_of(entry))).collect();
        let fill_ins: Vec<u8> = fill_ins::numbers(&entries).into_iter().flat_map(u32::to_le_bytes).collect();
        out.section(Section::FillIns, &fill_ins[..])?;
        out.finish()
    }

    /// Returns the final number of every food; `u32::MAX` for replaced ones.
    fn renumber(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |food: &Spooled| {
            if !food.alive {
                return u32::MAX;
            }
            next += 1;
            next - 1
        };
        self.foods.iter().map(number).collect()
    }

    fn write_foods(&mut self, out: &mut FileWriter) -> Result<(), CatalogError> {
        let alive = self.foods.iter().filter(|food| food.alive).map(|food| food.len);
        out.section(Section::FoodOffsets, &offsets(alive)?[..])?;
        let records = LiveRecords { spool: self.spool.reader()?, foods: self.foods.iter(), left: 0 };
        out.section(Section::FoodRecords, records)
    }

    fn write_strings(&self, out: &mut FileWriter) -> Result<(), CatalogError> {
        let strings = self.strings.in_order();
        out.section(Section::StringOffsets, &offsets(strings.iter().map(|text| text.len() as u32))?[..])?;
        out.section(Section::StringBytes, strings.concat().as_bytes())
    }

    fn write_lookups(&self, out: &mut FileWriter, renumbered: &[u32]) -> Result<(), CatalogError> {
        let alive = || self.foods.iter().zip(renumbered).filter(|(food, _)| food.alive);
        out.section(Section::Ids, &lookup(alive().map(|(food, &number)| (food.id, number)))[..])?;
        let gtins = alive().filter(|(food, _)| food.gtin != 0).map(|(food, &number)| (food.gtin, number));
        out.section(Section::Gtins, &lookup(gtins)[..])?;
        let products: Vec<u8> = alive().flat_map(|(food, _)| food.product.to_le_bytes()).collect();
        out.section(Section::Products, &products[..])
    }

    fn write_entries(
        &self,
        out: &mut FileWriter,
        renumbered: &[u32],
        term_numbers: &[u32],
    ) -> Result<(), CatalogError> {
        let mut rows = Vec::with_capacity(self.entries.len() * ENTRY_BYTES);
        let mut forward = Vec::with_capacity(self.entry_terms.len() * 4);
        let mut counts = vec![0u32; term_numbers.len()];
        for entry in &self.entries {
            rows.extend_from_slice(&renumbered[entry.food as usize].to_le_bytes());
            rows.extend_from_slice(&((forward.len() / 4) as u32).to_le_bytes());
            rows.extend_from_slice(&entry.score.to_le_bytes());
            rows.extend_from_slice(&[entry.len, entry.shape]);
            for &coded in self.terms_of(entry) {
                let term = term_numbers[(coded & TERM_MASK) as usize];
                counts[term as usize] += 1;
                forward.extend_from_slice(&(term | coded & !TERM_MASK).to_le_bytes());
            }
        }
        out.section(Section::Entries, &rows[..])?;
        drop(rows);
        out.section(Section::EntryTerms, &forward[..])?;
        drop(forward);
        let mut next = Vec::with_capacity(counts.len());
        let mut total = 0u32;
        for &count in &counts {
            next.push(total);
            total += count;
        }
        let mut postings = vec![0u32; total as usize];
        for (number, entry) in self.entries.iter().enumerate() {
            for &coded in self.terms_of(entry) {
                let slot = &mut next[term_numbers[(coded & TERM_MASK) as usize] as usize];
                postings[*slot as usize] = number as u32;
                *slot += 1;
            }
        }
        out.section(Section::PostingOffsets, &offsets(counts.iter().copied())?[..])?;
        out.section(
            Section::Postings,
            &postings.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()[..],
        )
    }

    fn terms_of(&self, entry: &NewEntry) -> &[u32] {
        &self.entry_terms[entry.start as usize..entry.start as usize + usize::from(entry.len)]
    }

    fn write_densities(&mut self, out: &mut FileWriter) -> Result<(), CatalogError> {
        let mut rows: Vec<(u32, f32)> = Vec::new();
        for (&category, values) in &mut self.densities {
            values.sort_by(f32::total_cmp);
            rows.push((category, values[values.len() / 2]));
        }
        rows.sort_by_key(|(category, _)| *category);
        let mut bytes = Vec::new();
        for (category, density) in rows {
            bytes.extend_from_slice(&category.to_le_bytes());
            bytes.extend_from_slice(&density.to_le_bytes());
        }
        out.section(Section::Densities, &bytes[..])
    }
}

/// Hashes what a reader sees of a product: rows with the same name, brand and energy look the same.
fn product_digest(food: &Food) -> u32 {
    let mut words = text::words(&food.name);
    words.extend(text::words(food.brand.as_deref().unwrap_or("")));
    let energy = food.nutrients.get(Nutrient::Calories).unwrap_or(0.0);
    let digest = id_digest(&format!("{} {:.0}", words.join(" "), energy / 5.0));
    (digest ^ digest >> 32) as u32
}

/// Encodes running sums as little-endian numbers: the start of each part and the end of the last.
fn offsets(lengths: impl Iterator<Item = u32>) -> Result<Vec<u8>, CatalogError> {
    let mut at = 0u32;
    let mut bytes = at.to_le_bytes().to_vec();
    for length in lengths {
        at = at.checked_add(length).ok_or(CatalogError::TooLarge)?;
        bytes.extend_from_slice(&at.to_le_bytes());
    }
    Ok(bytes)
}

/// Encodes keys in ascending order, then the food of each.
fn lookup(pairs: impl Iterator<Item = (u64, u32)>) -> Vec<u8> {
    let mut pairs: Vec<(u64, u32)> = pairs.collect();
    pairs.sort_unstable();
    let mut bytes: Vec<u8> = pairs.iter().flat_map(|(key, _)| key.to_le_bytes()).collect();
    bytes.extend(pairs.iter().flat_map(|(_, food)| food.to_le_bytes()));
    bytes
}

/// Numbers distinct strings.
#[derive(Debug, Default)]
struct Interner {
    numbers: HashMap<Box<str>, u32>,
}

impl Interner {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(text.into(), number);
        number
    }

    /// Returns the strings in the order of their numbers.
    fn in_order(&self) -> Vec<&str> {
        let mut pairs: Vec<(u32, &str)> = self.numbers.iter().map(|(text, &number)| (number, &**text)).collect();
        pairs.sort_unstable();
        pairs.into_iter().map(|(_, text)| text).collect()
    }

    /// Renumbers alphabetically; returns the new number of each old one, and the dictionary.
    fn sorted(&self) -> (Vec<u32>, Vec<u8>) {
        let mut pairs: Vec<(&str, u32)> = self.numbers.iter().map(|(text, &number)| (&**text, number)).collect();
        pairs.sort_unstable();
        let mut renumbered = vec![0; pairs.len()];
        let mut builder = fst::MapBuilder::memory();
        for (new, (text, old)) in pairs.iter().enumerate() {
            renumbered[*old as usize] = new as u32;
            builder.insert(text, new as u64).expect("sorted, distinct keys in memory");
        }
        (renumbered, builder.into_inner().expect("writing to memory cannot fail"))
    }
}

/// The encoded records, in a file that is removed with the writer.
#[derive(Debug)]
struct Spool {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Spool {
    fn create(path: PathBuf) -> Result<Self, CatalogError> {
        let file = File::create(&path).map_err(|source| CatalogError::Io { path: path.clone(), source })?;
        Ok(Self { path, out: BufWriter::with_capacity(1 << 20, file) })
    }

    fn write(&mut self, record: &[u8]) -> Result<(), CatalogError> {
        self.out.write_all(record).map_err(|source| CatalogError::Io { path: self.path.clone(), source })
    }

    fn reader(&mut self) -> Result<BufReader<File>, CatalogError> {
        let opened = self.out.flush().and_then(|()| File::open(&self.path));
        opened.map(BufReader::new).map_err(|source| CatalogError::Io { path: self.path.clone(), source })
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // If it cannot be removed, the next import does it.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Reads the spooled records, skipping those that were replaced.
struct LiveRecords<'a> {
    spool: BufReader<File>,
    foods: std::slice::Iter<'a, Spooled>,
    left: usize,
}

impl Read for LiveRecords<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let Some(food) = self.foods.next() else { return Ok(0) };
            if food.alive {
                self.left = food.len as usize;
            } else {
                io::copy(&mut self.spool.by_ref().take(u64::from(food.len)), &mut io::sink())?;
            }
        }
        let want = buffer.len().min(self.left);
        let got = self.spool.read(&mut buffer[..want])?;
        if got == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= got;
        Ok(got)
    }
}
