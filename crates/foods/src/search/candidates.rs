//! The entries that may have all words of a query.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::terms::Term;
use crate::catalog::{Layer, Postings};

/// Scoring one entry takes as long as adding this many postings to a bitset.
const POSTINGS_PER_ENTRY: u32 = 80;
/// Allocating an empty bitset takes as long as scoring this many entries.
const ENTRIES_PER_BITSET: u32 = 50;

/// The entries that have one word of a query.
pub(super) enum Filter<'a> {
    /// The word is one term: its posting list.
    Term(Postings<'a>),
    /// The word may be many terms, and so far every entry was admitted, to be looked at.
    All { layer: &'a Layer, term: &'a Term, left: u32 },
    /// The word may be many terms: a bit for each entry that has one of them.
    Bitset(Vec<u64>),
}

impl<'a> Filter<'a> {
    pub fn new(layer: &'a Layer, term: &'a Term) -> Self {
        // As soon as the looks at entries have cost as much as the bitset, it is worth its cost.
        let looks = || ENTRIES_PER_BITSET + term.weight(layer) / POSTINGS_PER_ENTRY;
        term.single(layer).map_or_else(|| Self::All { layer, term, left: looks() }, Self::Term)
    }

    /// Returns whether an entry may have the word. Call it with ascending numbers.
    #[inline]
    pub fn admits(&mut self, number: u32) -> bool {
        match self {
            Self::Term(postings) => postings.seek(number),
            Self::All { layer, term, left: 0 } => {
                *self = Self::Bitset(entries_with(layer, term));
                self.admits(number)
            }
            Self::All { left, .. } => {
                *left -= 1;
                true
            }
            Self::Bitset(bits) => bits.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1),
        }
    }
}

/// Returns whether an entry may have all words but `may_miss`. Call it with ascending numbers.
pub(super) fn has_enough(filters: &mut [Filter<'_>], number: u32, mut may_miss: usize) -> bool {
    for filter in filters {
        if !filter.admits(number) {
            if may_miss == 0 {
                return false;
            }
            may_miss -= 1;
        }
    }
    true
}

/// Returns a bit for each entry of a layer that has one of a word's terms.
fn entries_with(layer: &Layer, term: &Term) -> Vec<u64> {
    let mut bits = vec![0u64; layer.entry_count().div_ceil(64)];
    for terms in term.ranges() {
        for number in layer.postings_of(terms) {
            if let Some(word) = bits.get_mut(number as usize / 64) {
                *word |= 1 << (number % 64);
            }
        }
    }
    bits
}

/// Merges ascending lists, without duplicates.
pub(super) struct Merged<'a> {
    single: Option<Postings<'a>>,
    heap: BinaryHeap<Reverse<(u32, usize)>>,
    lists: Vec<Postings<'a>>,
    last: Option<u32>,
}

impl<'a> Merged<'a> {
    pub fn new(lists: impl Iterator<Item = Postings<'a>>) -> Self {
        let mut lists: Vec<_> = lists.collect();
        if lists.len() == 1 {
            return Self { single: lists.pop(), heap: BinaryHeap::new(), lists, last: None };
        }
        let heap = lists.iter_mut().enumerate().filter_map(|(at, list)| Some(Reverse((list.next()?, at)))).collect();
        Self { single: None, heap, lists, last: None }
    }
}

impl Iterator for Merged<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.single {
            Some(single) => single.next(),
            None => self.next_of_several(),
        }
    }
}

impl Merged<'_> {
    fn next_of_several(&mut self) -> Option<u32> {
        loop {
            let mut top = self.heap.peek_mut()?;
            let Reverse((number, at)) = *top;
            match self.lists[at].next() {
                Some(next) => *top = Reverse((next, at)),
                None => {
                    PeekMut::pop(top);
                }
            }
            if self.last != Some(number) {
                self.last = Some(number);
                return Some(number);
            }
        }
    }
}
