//! How well a name matches a query.
//!
//! The score of an entry is its own score (see [`crate::index`]) plus what the query adds: the cost of a word in the name
//! is refunded if the query has it; the head of the name counts most ("rice" means the food rice, not rice flour); words
//! found only among details, in the brand or by another spelling count less.

use super::terms::Term;
use crate::catalog::{EntryView, Layer, TERM_MASK, role_of};
use crate::index::{BRAND_COST, DETAIL_COST, MAIN_COST, Role, SHAPE_BRAND, SHAPE_MAIN, Zone};

/// The head of the name is matched by the last word of the query that is in the main part.
const HEAD: f32 = 0.6;
/// The head of the name is matched by another word of the query.
const HEAD_BY_OTHER: f32 = 0.25;
/// Query and main part of the name have the same words.
const SAME_WORDS: f32 = 0.7;
/// Two words are adjacent in both query and name.
const ADJACENT: f32 = 0.15;
/// The query names the brand.
const BRAND_NAMED: f32 = 1.4;
/// A word of the query that is only a detail of the food.
const ONLY_DETAIL: f32 = 0.35;
/// A word of the query that only the publisher's name has.
const ONLY_ASIDE: f32 = 0.4;
/// A word of the query that the name does not have.
pub(crate) const MISSING: f32 = 1.6;

/// At least the length of the longest indexed name, and at most the bits of a mask.
const MAX_TERMS: usize = 32;

/// The most that a query can add to the score of an entry, before the words of the entry are read.
pub(crate) struct Bounds {
    words: usize,
    /// By the number of words in the main part, for entries without a brand and with one. More words than the query has are
    /// all the same.
    by_main: Vec<[f32; 2]>,
}

impl Bounds {
    /// Computes the bounds of queries of so many words.
    pub fn new(words: usize) -> Self {
        let of = |main: usize| {
            let unbranded = bound_of_unbranded(words, main);
            [unbranded, unbranded.max(bound_of_branded(words, main))]
        };
        Self { words, by_main: (0..=words + 1).map(of).collect() }
    }

    /// Returns the bound of any entry.
    pub fn of_any(&self) -> f32 {
        self.by_main[self.words][1]
    }

    /// Returns the bound of this entry.
    pub fn of(&self, entry: &EntryView) -> f32 {
        let main = usize::from(entry.shape & SHAPE_MAIN).min(self.words + 1);
        self.by_main[main][usize::from(entry.shape & SHAPE_BRAND != 0)]
    }
}

/// The bound if no word of the query is in the brand. Words that the main part has no room for are details at best, since a
/// second word for one of the name costs more.
fn bound_of_unbranded(words: usize, main: usize) -> f32 {
    let in_main = words.min(main);
    let same_words = if main == words { SAME_WORDS } else { 0.0 };
    bound_of_main(in_main) + (words - in_main) as f32 * (DETAIL_COST - ONLY_DETAIL) + adjacent(words) + same_words
}

/// The bound if at least one word of the query is in the brand, so that they are not the words of the main part.
fn bound_of_branded(words: usize, main: usize) -> f32 {
    let in_main = words.saturating_sub(1).min(main);
    bound_of_main(in_main) + (words - in_main) as f32 * BRAND_COST + adjacent(words) + BRAND_NAMED
}

fn bound_of_main(in_main: usize) -> f32 {
    in_main as f32 * MAIN_COST + if in_main > 0 { HEAD } else { 0.0 }
}

fn adjacent(words: usize) -> f32 {
    words.saturating_sub(1) as f32 * ADJACENT
}

/// Computes the score of an entry for a query; `None` if it lacks more than `may_miss` words of the query.
pub(crate) fn score(layer: &Layer, entry: &EntryView, query: &[Term], may_miss: usize) -> Option<f32> {
    let coded = layer.terms(entry).take(MAX_TERMS);
    let mut total = entry.score;
    let mut missed = 0;
    let mut covered = 0u32;
    let mut previous = None;
    let mut in_main = 0;
    let mut last_main = None;
    let mut brand_named = false;
    for term in query {
        let Some((at, role, penalty)) = best_match(coded.clone(), term, covered) else {
            missed += 1;
            if missed > may_miss {
                return None;
            }
            total -= MISSING;
            previous = None;
            continue;
        };
        total -= penalty;
        if covered & (1 << at) == 0 {
            total += role.cost();
        }
        covered |= 1 << at;
        match role.zone() {
            Zone::Main => {
                in_main += 1;
                last_main = Some(at);
            }
            Zone::Detail => total -= ONLY_DETAIL,
            Zone::Brand => brand_named = true,
            Zone::Aside => total -= ONLY_ASIDE,
        }
        if at > 0 && previous == Some(at - 1) {
            total += ADJACENT;
        }
        previous = Some(at);
    }
    let matched = MainMatch { last_main, in_main, covered };
    total = matched.add_bonus(total, usize::from(entry.shape & SHAPE_MAIN), query.len());
    if brand_named {
        total += BRAND_NAMED;
    }
    Some(total)
}

/// How a query matches the main part of a name.
struct MainMatch {
    /// The position of the last word that a word of the query matched in the main part.
    last_main: Option<usize>,
    /// How many words of the query matched a word of the main part.
    in_main: usize,
    /// The matched words of the name, one bit each.
    covered: u32,
}

impl MainMatch {
    /// Adds the bonus for matching the head of the name, and for matching exactly the main part, which is at the front of the name.
    fn add_bonus(&self, total: f32, main_len: usize, query_len: usize) -> f32 {
        if main_len == 0 {
            return total;
        }
        let head = match self.last_main {
            Some(last) if last == main_len - 1 => HEAD,
            _ if self.covered & (1 << (main_len - 1)) != 0 => HEAD_BY_OTHER,
            _ => 0.0,
        };
        let is_same = self.in_main == query_len && self.covered.count_ones() as usize == main_len;
        total + head + if is_same { SAME_WORDS } else { 0.0 }
    }
}

/// Returns the position of the term that matches a word best, with its role and penalty. Prefers terms no other word has matched.
fn best_match(coded: impl Iterator<Item = u32>, term: &Term, covered: u32) -> Option<(usize, Role, f32)> {
    let mut best: Option<(usize, Role, f32)> = None;
    for (at, candidate) in coded.enumerate() {
        if let Some(mut penalty) = term.penalty(candidate & TERM_MASK) {
            if covered & (1 << at) != 0 {
                penalty += 1.0;
            }
            if penalty <= 0.0 {
                return Some((at, role_of(candidate), penalty));
            }
            if best.is_none_or(|(_, _, least)| penalty < least) {
                best = Some((at, role_of(candidate), penalty));
            }
        }
    }
    best
}
