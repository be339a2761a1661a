//! An opened catalog file: foods by number, id and barcode, and the index over their names.
//!
//! Opening copies the dictionary of terms and reads the manifest; everything else stays where it is. Every read is
//! bounds-checked: invalid bytes give `None`, never a panic.

use std::ops::Range;
use std::path::Path;

use super::error::CatalogError;
use super::file::{self, Bytes, Section, SectionTable};
use super::layout::{ENTRY_BYTES, SCORE_STEP, TERM_MASK, id_digest, role_of};
use super::local_names::LocalNames;
use super::manifest::Manifest;
use super::record;
use crate::codec::{u32_at, u64_at};
use crate::food::{Food, FoodSummary, LocalName, Origin, Source};
use crate::index::{Dictionary, SHAPE_PRODUCT, SHAPE_TABLE, Zone};

/// One opened catalog file.
#[derive(Debug)]
pub struct Layer {
    bytes: Bytes,
    ranges: Ranges,
    dictionary: Dictionary,
    manifest: Manifest,
    foods: u32,
}

#[derive(Debug)]
struct Ranges {
    food_offsets: Range<usize>,
    food_records: Range<usize>,
    string_offsets: Range<usize>,
    string_bytes: Range<usize>,
    ids: Range<usize>,
    gtins: Range<usize>,
    posting_offsets: Range<usize>,
    postings: Range<usize>,
    entries: Range<usize>,
    entry_terms: Range<usize>,
    densities: Range<usize>,
    products: Range<usize>,
    local_names: Range<usize>,
    fill_ins: Range<usize>,
}

/// A searchable name: its food, its score, and the position of its terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryView {
    pub food: u32,
    pub score: f32,
    pub shape: u8,
    start: u32,
    len: u8,
}

impl EntryView {
    /// Returns whether the food is neither a product nor from a table other than USDA's.
    fn is_plain(&self) -> bool {
        self.shape & (SHAPE_PRODUCT | SHAPE_TABLE) == 0
    }
}

/// A name under which a food is found.
#[derive(Clone, Debug)]
pub struct FoodName {
    /// The food's number.
    pub food: u32,
    /// How likely the food is meant, before any query.
    pub prior: f32,
    /// Its words, in order.
    pub words: Vec<NameWord>,
}

/// A word of a name.
#[derive(Clone, Copy, Debug)]
pub struct NameWord {
    /// Its number in the dictionary.
    pub word: u32,
    /// The part of the name that it is in.
    pub zone: Zone,
    /// What it costs a name if the query lacks it: little for "cooked", more for "canned", most in the main part.
    pub cost: f32,
}

impl Layer {
    /// Opens a catalog file after checking it.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let (bytes, table) = file::open(path)?;
        Self::new(bytes, &table, &path.display().to_string())
    }

    /// Opens a catalog that is part of the program.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, CatalogError> {
        let (bytes, table) = file::from_static(bytes)?;
        Self::new(bytes, &table, "the embedded catalog")
    }

    fn new(bytes: Bytes, table: &SectionTable, name: &str) -> Result<Self, CatalogError> {
        let corrupt = |what: &str| CatalogError::Corrupt { name: name.to_owned(), what: what.to_owned() };
        let range = |section: Section| table.range(section).ok_or_else(|| corrupt("a section is missing"));
        let terms = &bytes[range(Section::Terms)?];
        let dictionary = Dictionary::open(terms.to_vec()).ok_or_else(|| corrupt("its dictionary is damaged"))?;
        let manifest = serde_json::from_slice(&bytes[range(Section::Manifest)?])
            .map_err(|_| corrupt("its manifest cannot be read"))?;
        let ranges = Ranges {
            food_offsets: range(Section::FoodOffsets)?,
            food_records: range(Section::FoodRecords)?,
            string_offsets: range(Section::StringOffsets)?,
            string_bytes: range(Section::StringBytes)?,
            ids: range(Section::Ids)?,
            gtins: range(Section::Gtins)?,
            posting_offsets: range(Section::PostingOffsets)?,
            postings: range(Section::Postings)?,
            entries: range(Section::Entries)?,
            entry_terms: range(Section::EntryTerms)?,
            densities: range(Section::Densities)?,
            products: range(Section::Products)?,
            local_names: table.range(Section::LocalNames).unwrap_or_default(),
            fill_ins: table.range(Section::FillIns).unwrap_or_default(),
        };
        let foods = (ranges.food_offsets.len() / 4).saturating_sub(1) as u32;
        Ok(Self { bytes, ranges, dictionary, manifest, foods })
    }

    /// Returns the number of foods.
    pub fn len(&self) -> u32 {
        self.foods
    }

    /// Returns whether there are no foods.
    pub fn is_empty(&self) -> bool {
        self.foods == 0
    }

    /// Returns what the catalog was built from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the bytes of a food.
    fn record(&self, number: u32) -> Option<&[u8]> {
        slice_at(self.part(&self.ranges.food_offsets), self.part(&self.ranges.food_records), number)
    }

    /// Returns the food with this number.
    pub fn food(&self, number: u32) -> Option<Food> {
        let bytes = self.record(number)?;
        let mut food = record::decode(bytes, |number| self.string(u32::try_from(number).ok()?))?;
        if food.density.is_none() {
            food.density = food.category.as_deref().and_then(|_| self.category_density(bytes));
        }
        if food.origin.table().is_some() {
            food.local_names = self.local_names_of(number);
        }
        Some(food)
    }

    /// Returns what a search result shows of a food, without decoding the rest.
    pub fn summary(&self, number: u32) -> Option<FoodSummary<'_>> {
        record::summary(self.record(number)?, |number| self.string(u32::try_from(number).ok()?))
    }

    /// Returns the name of a food and the publisher's own where it differs, without decoding the rest.
    pub fn names_of(&self, number: u32) -> Option<(&str, Option<&str>)> {
        record::names(self.record(number)?)
    }

    /// Returns the origin of a food without decoding the rest.
    pub fn origin_of(&self, number: u32) -> Option<Origin> {
        let bytes = self.record(number)?;
        Origin::from_code(*bytes.first()?)
    }

    /// Iterates over the languages other than English that foods have names in, as codes: "de", "fr".
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.local_names().languages()
    }

    /// Iterates over the names of foods in a language, each with the food's number. The order is that of the foods, and a food's
    /// own name is before its synonyms. Names are as published, commas and all.
    pub fn names_in(&self, language: &str) -> impl Iterator<Item = (&str, u32)> {
        self.local_names().names_in(language)
    }

    /// Returns a food's own name in a language, if its table has one.
    pub fn name_in(&self, number: u32, language: &str) -> Option<&str> {
        self.local_names().of_food(number, language).next()
    }

    /// Returns the category of a food without decoding the rest.
    pub fn category_of(&self, number: u32) -> Option<&str> {
        let bytes = self.record(number)?;
        self.string(record::category(bytes)?)
    }

    /// Iterates over the names of the plain foods, best first: those of USDA and the dishes composed of them.
    pub fn plain_names(&self) -> impl Iterator<Item = FoodName> + '_ {
        let entries = (0..).map_while(|number| self.entry(number));
        entries.filter(EntryView::is_plain).map(|entry| self.name_of(&entry))
    }

    /// Iterates over the English names in other countries' tables that fill a gap of USDA's: of foods that USDA does not have,
    /// as far as names can tell.
    pub fn fill_ins(&self) -> impl Iterator<Item = FoodName> + '_ {
        let numbers = self.part(&self.ranges.fill_ins);
        let numbers = (0..numbers.len() / 4).filter_map(move |at| u32_at(numbers, at * 4));
        numbers.filter_map(|number| self.entry(number)).map(|entry| self.name_of(&entry))
    }

    fn name_of(&self, entry: &EntryView) -> FoodName {
        let roles = self.terms(entry).map(|coded| (coded & TERM_MASK, role_of(coded)));
        let words: Vec<NameWord> =
            roles.map(|(word, role)| NameWord { word, zone: role.zone(), cost: role.cost() }).collect();
        let prior = entry.score + words.iter().map(|word| word.cost).sum::<f32>();
        FoodName { food: entry.food, prior, words }
    }

    /// Returns the number of distinct words in names. Words are numbered from 0.
    pub fn word_count(&self) -> usize {
        self.dictionary.len()
    }

    /// Returns the number of a folded word; `None` if no name has it.
    pub fn word(&self, word: &str) -> Option<u32> {
        self.dictionary.get(word)
    }

    /// Passes every word of names with its number, in the order of the alphabet.
    pub fn each_word(&self, pass: impl FnMut(u32, &str)) {
        self.dictionary.each(pass);
    }

    /// Iterates over all foods, in the order of the file.
    pub fn foods(&self) -> impl Iterator<Item = Food> + '_ {
        (0..self.foods).filter_map(|number| self.food(number))
    }

    /// Returns the number of the food with this id.
    pub fn find_id(&self, id: &str) -> Option<u32> {
        let number = find(self.part(&self.ranges.ids), id_digest(id))?;
        // Two ids may share a digest; the record decides.
        let bytes = self.record(number)?;
        (record::id(bytes)? == id).then_some(number)
    }

    /// Returns the number of the food with this barcode.
    pub fn find_gtin(&self, gtin: u64) -> Option<u32> {
        find(self.part(&self.ranges.gtins), gtin)
    }

    /// Returns a digest that is equal for rows that show the same product.
    pub(crate) fn product(&self, number: u32) -> u32 {
        u32_at(self.part(&self.ranges.products), number as usize * 4).unwrap_or(0)
    }

    /// Iterates over the digests of all ids, ascending.
    pub(crate) fn id_digests(&self) -> impl Iterator<Item = u64> + '_ {
        let ids = self.part(&self.ranges.ids);
        (0..ids.len() / 12).filter_map(move |at| u64_at(ids, at * 8))
    }

    /// Iterates over the digests of ids, ascending, from the first one on for which `is_before` does not hold.
    pub(super) fn id_digests_from(&self, is_before: impl Fn(u64) -> bool) -> impl Iterator<Item = u64> + '_ {
        let ids = self.part(&self.ranges.ids);
        let count = ids.len() / 12;
        let first = partition_point(count, |at| u64_at(ids, at * 8).is_some_and(&is_before));
        (first..count).filter_map(move |at| u64_at(ids, at * 8))
    }

    /// Returns the number of the food whose id has this digest.
    pub(super) fn find_id_digest(&self, digest: u64) -> Option<u32> {
        find(self.part(&self.ranges.ids), digest)
    }

    pub(crate) fn has_id_digest(&self, digest: u64) -> bool {
        self.find_id_digest(digest).is_some()
    }

    pub(crate) fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    pub(crate) fn entry(&self, number: u32) -> Option<EntryView> {
        let at = number as usize * ENTRY_BYTES;
        let row = self.part(&self.ranges.entries).get(at..at + ENTRY_BYTES)?;
        let score = i16::from_le_bytes([row[8], row[9]]);
        let score = f32::from(score) * SCORE_STEP;
        Some(EntryView { food: u32_at(row, 0)?, start: u32_at(row, 4)?, score, len: row[10], shape: row[11] })
    }

    /// Returns the number of entries.
    pub(crate) fn entry_count(&self) -> usize {
        self.ranges.entries.len() / ENTRY_BYTES
    }

    /// Returns whether the food of an entry is from a source.
    pub(crate) fn is_from(&self, entry: &EntryView, source: Source) -> bool {
        match source {
            Source::Usda => entry.is_plain() && self.origin_of(entry.food) != Some(Origin::Dish),
            Source::Dish => entry.is_plain() && self.origin_of(entry.food) == Some(Origin::Dish),
            Source::Branded => entry.shape & SHAPE_PRODUCT != 0,
            Source::Table(table) => {
                entry.shape & SHAPE_TABLE != 0 && self.origin_of(entry.food) == Some(Origin::Table(table))
            }
        }
    }

    /// Iterates over the terms of an entry, each with its role in the upper bits.
    pub(crate) fn terms(&self, entry: &EntryView) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        let start = entry.start as usize;
        let (all, _) = self.part(&self.ranges.entry_terms).as_chunks();
        let coded = all.get(start..start + usize::from(entry.len)).unwrap_or(&[]);
        coded.iter().map(|term| u32::from_le_bytes(*term))
    }

    /// Returns the entries with a term, best first.
    pub(crate) fn postings(&self, term: u32) -> Postings<'_> {
        self.postings_of(term..term + 1)
    }

    /// Returns the entries with each of a range of terms: one list behind the other.
    pub(crate) fn postings_of(&self, terms: Range<u32>) -> Postings<'_> {
        let offsets = self.part(&self.ranges.posting_offsets);
        let bounds = u32_at(offsets, terms.start as usize * 4).zip(u32_at(offsets, terms.end as usize * 4));
        let (start, stop) = bounds.map_or((0, 0), |(start, stop)| (start as usize, stop as usize));
        let (all, _) = self.part(&self.ranges.postings).as_chunks();
        Postings(all.get(start..stop).unwrap_or(&[]))
    }

    /// Counts the names that have a word, those of products included.
    pub fn names_with(&self, word: u32) -> u32 {
        self.posting_count(word..word + 1)
    }

    /// Counts the postings of a range of terms.
    pub(crate) fn posting_count(&self, terms: Range<u32>) -> u32 {
        let offsets = self.part(&self.ranges.posting_offsets);
        let bounds = u32_at(offsets, terms.start as usize * 4).zip(u32_at(offsets, terms.end as usize * 4));
        bounds.map_or(0, |(start, stop)| stop.saturating_sub(start))
    }

    fn local_names(&self) -> LocalNames<'_> {
        LocalNames(self.part(&self.ranges.local_names))
    }

    fn local_names_of(&self, number: u32) -> Vec<LocalName> {
        let all = self.local_names();
        let in_language = |language: &'_ str| {
            let language = language.to_owned();
            all.of_food(number, &language.clone())
                .map(move |name| LocalName { language: language.clone(), name: name.to_owned() })
        };
        all.languages().flat_map(in_language).collect()
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or(&[])
    }

    fn string(&self, number: u32) -> Option<&str> {
        let bytes = slice_at(self.part(&self.ranges.string_offsets), self.part(&self.ranges.string_bytes), number)?;
        std::str::from_utf8(bytes).ok()
    }

    fn category_density(&self, record: &[u8]) -> Option<f32> {
        let category = record::category(record)?;
        let rows = self.part(&self.ranges.densities);
        let row = partition_point(rows.len() / 8, |at| u32_at(rows, at * 8).is_some_and(|number| number < category));
        let found = u32_at(rows, row * 8)? == category;
        found.then(|| u32_at(rows, row * 8 + 4).map(f32::from_bits)).flatten()
    }
}

/// A posting list: numbers of entries, ascending.
#[derive(Clone, Debug)]
pub(crate) struct Postings<'a>(&'a [[u8; 4]]);

impl Postings<'_> {
    /// Returns whether a number is in the list. Call it with ascending numbers: what precedes them is dropped.
    pub fn seek(&mut self, number: u32) -> bool {
        // Galloping search: doubling steps, then bisection, so that near and far numbers are both cheap.
        let precedes = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) < number;
        let mut step = 1;
        while self.0.get(step).is_some_and(precedes) {
            step *= 2;
        }
        let low = step / 2;
        let high = (step + 1).min(self.0.len());
        self.0 = &self.0[low + self.0[low..high].partition_point(precedes)..];
        self.0.first() == Some(&number.to_le_bytes())
    }
}

impl Iterator for Postings<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }
}

/// Returns the bytes between two neighboring offsets.
fn slice_at<'a>(offsets: &[u8], bytes: &'a [u8], number: u32) -> Option<&'a [u8]> {
    let at = (number as usize).checked_mul(4)?;
    let (start, stop) = (u32_at(offsets, at)?, u32_at(offsets, at + 4)?);
    bytes.get(start as usize..stop as usize)
}

/// Looks up a key in a table of sorted keys followed by their numbers.
fn find(table: &[u8], key: u64) -> Option<u32> {
    let count = table.len() / 12;
    let at = partition_point(count, |at| u64_at(table, at * 8).is_some_and(|found| found < key));
    (at < count && u64_at(table, at * 8)? == key).then(|| u32_at(table, count * 8 + at * 4)).flatten()
}

fn partition_point(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
