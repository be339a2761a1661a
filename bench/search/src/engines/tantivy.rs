//! tantivy: one text field, fuzzy terms that must match, exact ones that count more; an index on disk, memory-mapped.

use std::path::Path;

use anyhow::Result;
use tantivy::collector::TopDocs;
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TEXT};
use tantivy::{Index, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};

use super::{Engine, RESULTS, split};
use crate::docs::{Doc, Foods};

/// The memory budget for building the index.
const WRITER_BYTES: usize = 256 << 20;
/// The boost of an exact word over one within the edit distance.
const EXACT_BOOST: f32 = 2.0;

pub fn build(foods: &Foods, folder: &Path) -> Result<()> {
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", TEXT);
    let number = schema.add_u64_field("number", FAST);
    let index = Index::create_in_dir(folder, schema.build())?;
    // One thread keeps the foods in the order of the catalog, so that ties are broken the same way in every run.
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
    for (at, food) in foods.layer()?.foods().enumerate() {
        let mut row = TantivyDocument::default();
        row.add_text(text, Doc::new(food).all_text());
        row.add_u64(number, at as u64);
        writer.add_document(row)?;
    }
    writer.commit()?;
    // One segment is the fastest to search.
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.garbage_collect_files().wait()?;
    writer.wait_merging_threads()?;
    Ok(())
}

pub struct Tantivy {
    searcher: Searcher,
    text: Field,
    /// The numbers of the foods, per segment.
    numbers: Vec<Column<u64>>,
}

impl Tantivy {
    pub fn open(folder: &Path) -> Result<Self> {
        let index = Index::open_in_dir(folder)?;
        let text = index.schema().get_field("text")?;
        let searcher = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?.searcher();
        let segments = searcher.segment_readers().iter();
        let numbers = segments.map(|segment| segment.fast_fields().u64("number")).collect::<Result<_, _>>()?;
        Ok(Self { searcher, text, numbers })
    }

    fn query(&self, words: &[String]) -> BooleanQuery {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let term = Term::from_field_text(self.text, word);
            let distance = match word.chars().count() {
                0..=2 => 0,
                3..=7 => 1,
                _ => 2,
            };
            let fuzzy = if at + 1 == words.len() {
                FuzzyTermQuery::new_prefix(term.clone(), distance, true)
            } else {
                FuzzyTermQuery::new(term.clone(), distance, true)
            };
            let exact = TermQuery::new(term, IndexRecordOption::WithFreqs);
            clauses.push((Occur::Must, Box::new(fuzzy)));
            clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(exact), EXACT_BOOST))));
        }
        BooleanQuery::new(clauses)
    }
}

impl Engine for Tantivy {
    fn search(&mut self, query: &str) -> Result<Vec<u32>> {
        let words = split(query);
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let top = self.searcher.search(&self.query(&words), &TopDocs::with_limit(RESULTS).order_by_score())?;
        let number = |address: tantivy::DocAddress| {
            self.numbers.get(address.segment_ord as usize).and_then(|column| column.first(address.doc_id))
        };
        Ok(top.into_iter().filter_map(|(_, address)| number(address)).map(|n| n as u32).collect())
    }
}
