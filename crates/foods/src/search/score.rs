//! How well a name matches a query.
//!
//! The score of an entry is its own score (see [`crate::index`]) plus what the query adds: the cost of a word in the name
//! is refunded if the query has it; the head of the name counts most ("rice" means the food rice, not rice flour); words
//! found only among details, in the brand or by another spelling count less.

use super::terms::Term;
use crate::catalog::{EntryView, Layer, TERM_MASK, role_of};
use crate::index::{DETAIL_COST, MAIN_COST, SHAPE_BRAND, SHAPE_MAIN, Zone};

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

/// Returns the most that a query of so many words can add to the score of any entry.
pub(crate) fn bound(words: usize) -> f32 {
    words as f32 * (MAIN_COST + ADJACENT) + HEAD + SAME_WORDS + BRAND_NAMED
}

/// Returns the most that a query of so many words can add to the score of this entry, before its words are read.
pub(crate) fn bound_of(entry: &EntryView, words: usize) -> f32 {
    let main = usize::from(entry.shape & SHAPE_MAIN);
    let in_main = words.min(main);
    let mut bound = in_main as f32 * MAIN_COST + (words - in_main) as f32 * DETAIL_COST;
    bound += words.saturating_sub(1) as f32 * ADJACENT + HEAD;
    if main <= words {
        bound += SAME_WORDS;
    }
    if entry.shape & SHAPE_BRAND != 0 {
        bound += BRAND_NAMED;
    }
    bound
}

/// Computes the score of an entry for a query; `None` if it lacks more than `may_miss` words of the query.
pub(crate) fn score(layer: &Layer, entry: &EntryView, query: &[Term], may_miss: usize) -> Option<f32> {
    let mut coded = [0u32; MAX_TERMS];
    let mut len = 0;
    for (slot, term) in coded.iter_mut().zip(layer.terms(entry)) {
        *slot = term;
        len += 1;
    }
    let coded = &coded[..len];
    let mut total = entry.score;
    let mut missed = 0;
    let mut covered = 0u32;
    let mut previous = None;
    let mut in_main = 0;
    let mut last_main = None;
    let mut brand_named = false;
    for term in query {
        let Some((at, penalty)) = best_match(coded, term, covered) else {
            missed += 1;
            if missed > may_miss {
                return None;
            }
            total -= MISSING;
            previous = None;
            continue;
        };
        let role = role_of(coded[at]);
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
    total = matched.add_bonus(total, coded, query.len());
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
    /// Adds the bonus for matching the head of the name, and for matching exactly the main part.
    fn add_bonus(&self, total: f32, coded: &[u32], query_len: usize) -> f32 {
        let main_len = coded.iter().take_while(|&&term| role_of(term).zone() == Zone::Main).count();
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

/// Returns the position of the term that matches a word best, and its penalty. Prefers terms no other word has matched.
fn best_match(coded: &[u32], term: &Term, covered: u32) -> Option<(usize, f32)> {
    let mut best: Option<(usize, f32)> = None;
    for (at, &candidate) in coded.iter().enumerate() {
        if let Some(mut penalty) = term.penalty(candidate & TERM_MASK) {
            if covered & (1 << at) != 0 {
                penalty += 1.0;
            }
            if best.is_none_or(|(_, least)| penalty < least) {
                best = Some((at, penalty));
            }
        }
    }
    best
}
