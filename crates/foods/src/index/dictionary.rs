//! The terms of a layer: an ordered `fst` from term to number.
//!
//! Numbers follow the alphabet, so the terms that start with a prefix are a range of numbers, and whether an entry's
//! term matches a half-typed word is one comparison. Misspelled words are found in the same structure (`one_edit`, `nearby`).

use std::ops::Range;

use fst::{IntoStreamer, Map, Streamer};

use super::nearby::{self, Nearby, Spelling};
use super::one_edit;

/// The most spellings considered for one word.
const MAX_SPELLINGS: usize = 48;

/// The terms of one layer.
pub(crate) struct Dictionary {
    terms: Map<Vec<u8>>,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").field("terms", &self.terms.len()).finish_non_exhaustive()
    }
}

impl Dictionary {
    /// Opens a dictionary; `None` if the bytes are not one.
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        Some(Self { terms: Map::new(bytes).ok()? })
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns the number of a term.
    pub fn get(&self, term: &str) -> Option<u32> {
        self.terms.get(term).map(|number| number as u32)
    }

    /// Passes every term with its number, in the order of the alphabet.
    pub fn each(&self, mut pass: impl FnMut(u32, &str)) {
        let mut stream = self.terms.stream();
        while let Some((term, number)) = stream.next() {
            if let Ok(term) = std::str::from_utf8(term) {
                pass(number as u32, term);
            }
        }
    }

    /// Returns the terms that start with a prefix.
    pub fn prefix(&self, prefix: &str) -> Range<u32> {
        let first_at = |key: &[u8]| {
            let mut stream = self.terms.range().ge(key).into_stream();
            stream.next().map_or(self.terms.len() as u32, |(_, number)| number as u32)
        };
        let mut after = prefix.as_bytes().to_vec();
        while let Some(last) = after.last_mut() {
            if *last < u8::MAX {
                *last += 1;
                return first_at(prefix.as_bytes())..first_at(&after);
            }
            after.pop();
        }
        0..self.terms.len() as u32
    }

    /// Returns the terms within one or two edits of a word, nearest first.
    pub fn spellings(&self, word: &str, max_edits: u8) -> Vec<Spelling> {
        let terms = self.terms.as_fst();
        Self::nearest(match max_edits {
            ..=1 => one_edit::neighbors(terms, word),
            2.. => nearby::neighbors(terms, word, max_edits, Nearby::Whole),
        })
    }

    /// Returns the terms that begin within one edit of a half-typed word.
    pub fn spellings_of_prefix(&self, word: &str) -> Vec<Spelling> {
        Self::nearest(nearby::neighbors(self.terms.as_fst(), word, 1, Nearby::Prefix))
    }

    fn nearest(mut found: Vec<Spelling>) -> Vec<Spelling> {
        found.sort_unstable_by_key(|spelling| (spelling.edits, spelling.other_initial, spelling.term));
        found.truncate(MAX_SPELLINGS);
        found
    }
}
