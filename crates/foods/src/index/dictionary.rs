//! The terms of a layer: an ordered `fst` from term to number.
//!
//! Numbers follow the alphabet, so the terms that start with a prefix are a range of numbers, and whether an entry's
//! term matches a half-typed word is one comparison. Misspelled words are found by running a Levenshtein automaton over
//! the same structure: its cost depends on the word, hardly on the number of terms.

use std::ops::Range;

use fst::{Automaton, IntoStreamer, Map, Streamer};
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder};

/// The most spellings considered for one word.
const MAX_SPELLINGS: usize = 48;

/// A term and its edit distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub term: u32,
    pub edits: u8,
    /// Whether the first letters differ; people rarely mistype the first.
    pub other_initial: bool,
}

/// The terms of one layer.
pub(crate) struct Dictionary {
    terms: Map<Vec<u8>>,
    one_edit: LevenshteinAutomatonBuilder,
    two_edits: LevenshteinAutomatonBuilder,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").field("terms", &self.terms.len()).finish_non_exhaustive()
    }
}

impl Dictionary {
    /// Opens a dictionary; `None` if the bytes are not one.
    pub fn open(bytes: Vec<u8>) -> Option<Self> {
        let terms = Map::new(bytes).ok()?;
        Some(Self {
            terms,
            one_edit: LevenshteinAutomatonBuilder::new(1, true),
            two_edits: LevenshteinAutomatonBuilder::new(2, true),
        })
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
        let builder = if max_edits < 2 { &self.one_edit } else { &self.two_edits };
        self.run(word, &builder.build_dfa(word))
    }

    /// Returns the terms that begin within one edit of a half-typed word.
    pub fn spellings_of_prefix(&self, word: &str) -> Vec<Spelling> {
        self.run(word, &self.one_edit.build_prefix_dfa(word))
    }

    fn run(&self, word: &str, dfa: &DFA) -> Vec<Spelling> {
        let initial = word.as_bytes().first();
        let mut found = Vec::new();
        let mut stream = self.terms.search_with_state(Accepting(dfa)).into_stream();
        while let Some((term, number, state)) = stream.next() {
            if let Distance::Exact(edits) = dfa.distance(state) {
                found.push(Spelling { term: number as u32, edits, other_initial: term.first() != initial });
            }
        }
        found.sort_by_key(|spelling| (spelling.edits, spelling.other_initial, spelling.term));
        found.truncate(MAX_SPELLINGS);
        found
    }
}

/// An automaton that a stream borrows while its distances are read.
struct Accepting<'a>(&'a DFA);

impl Automaton for Accepting<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != levenshtein_automata::SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}
