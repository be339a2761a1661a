//! Which names of other countries' tables fill a gap of USDA's.
//!
//! Most rows of a national table are foods that USDA has too, under nearly the same words. A name fills a gap if its main part
//! has a word that no plain food or dish has: "poutine", "sea buckthorn juice". Only these are candidates in English texts, so
//! that a row of another table never stands in for one of USDA's, and the index stays small.

use std::collections::HashSet;

use super::layout::{TERM_MASK, role_of};
use crate::index::{SHAPE_PRODUCT, SHAPE_TABLE, Zone};

/// Names with a longer main part are those of laboratories; no one types them.
const MAX_MAIN: usize = 5;

/// Returns the numbers of the entries that fill gaps, ascending. Each entry is its shape and its coded terms, in order.
pub(super) fn numbers(entries: &[(u8, &[u32])]) -> Vec<u32> {
    let is_plain = |shape: u8| shape & (SHAPE_PRODUCT | SHAPE_TABLE) == 0;
    let plain = entries.iter().filter(|(shape, _)| is_plain(*shape));
    let known: HashSet<u32> = plain.flat_map(|(_, terms)| terms.iter()).map(|coded| coded & TERM_MASK).collect();
    let fills_gap = |terms: &[u32]| {
        let mut main = terms.iter().filter(|coded| role_of(**coded).zone() == Zone::Main);
        main.clone().count() <= MAX_MAIN && main.any(|coded| !known.contains(&(coded & TERM_MASK)))
    };
    let is_gap = |(number, (shape, terms)): (usize, &(u8, &[u32]))| {
        (shape & SHAPE_TABLE != 0 && fills_gap(terms)).then_some(number as u32)
    };
    entries.iter().enumerate().filter_map(is_gap).collect()
}
