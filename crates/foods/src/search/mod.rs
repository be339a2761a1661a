//! Search by name: what the person most likely means comes first.
//!
//! A query is read into words ([`query`]), each word into the terms it may stand for ([`terms`]), and the entries that
//! hold all of them are scored ([`score`]). Entries are numbered by what they are worth before anybody has asked
//! ([`entry`]), so the walk over the rarest word's postings stops as soon as nothing that follows can be better than
//! what was found. If no name has all the words, names with all but one are looked for, and so on down to half.

pub(crate) mod dictionary;
pub(crate) mod entry;
mod query;
mod score;
mod terms;

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};

use crate::catalog::{Catalog, Layer};
use crate::food::{Food, Source};
use crate::text;
use query::{Synonyms, Word, Words};
use terms::Term;

/// Most foods that one search returns.
pub const MAX_RESULTS: usize = 100;

/// Entries looked at before a search is content with what it has. Only words that a fifth of all names have reach it.
const MAX_VISITED: usize = 20_000;
/// What another way of saying the query costs.
const REWRITTEN: f32 = 0.1;
/// Two names in one, or one in two: "peanutbutter", "butter milk".
const REJOINED: f32 = 0.3;

/// A food that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The food.
    pub food: Food,
    /// How well it fits; comparable within one search only.
    pub score: f32,
}

/// Searches a catalog.
#[derive(Debug)]
pub struct Searcher {
    synonyms: Synonyms,
}

impl Default for Searcher {
    fn default() -> Self {
        Self { synonyms: Synonyms::new() }
    }
}

/// An entry that fits, before its food is read.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    score: f32,
    layer: usize,
    food: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_place = (other.layer, other.food).cmp(&(self.layer, self.food));
        self.score.total_cmp(&other.score).then(by_place)
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Searcher {
    /// The foods that fit a query best, best first, one row a product; at most `limit` (and [`MAX_RESULTS`]).
    pub fn search(&self, catalog: &Catalog, query: &str, limit: usize, source: Option<Source>) -> Vec<Hit> {
        let limit = limit.min(MAX_RESULTS);
        let mut words = query::read(query);
        self.synonyms.mark_known(&mut words);
        if words.is_empty() || limit == 0 {
            return Vec::new();
        }
        // More than are wanted, because rows of one product fall together.
        let mut best = Best::new(limit * 2 + 8);
        for (index, layer) in catalog.layers().iter().enumerate() {
            let mut walk = Walk { layer, index, best: &mut best, source, catalog };
            walk.run(&words, 0.0);
            for rewritten in self.synonyms.rewrite(&words) {
                walk.run(&rewritten, REWRITTEN);
            }
            for rejoined in rejoin(layer, &words) {
                walk.run(&rejoined, REJOINED);
            }
        }
        read_foods(catalog, best.into_sorted(), limit)
    }
}

/// Reads the foods of candidates, dropping rows that show the same product twice.
fn read_foods(catalog: &Catalog, candidates: Vec<Candidate>, limit: usize) -> Vec<Hit> {
    let mut seen_products = HashSet::new();
    let mut hits = Vec::with_capacity(limit);
    for candidate in candidates {
        let Some(food) = catalog.layers().get(candidate.layer).and_then(|layer| layer.food(candidate.food)) else {
            continue;
        };
        if catalog.is_hidden(candidate.layer, &food.id) || !seen_products.insert(product_key(&food)) {
            continue;
        }
        hits.push(Hit { food, score: candidate.score });
        if hits.len() == limit {
            break;
        }
    }
    hits
}

/// Rows with the same name, brand and energy are one product to the person who reads them.
fn product_key(food: &Food) -> (String, i32) {
    let mut words = text::words(&food.name);
    words.extend(text::words(food.brand.as_deref().unwrap_or("")));
    let energy = food.nutrients.get(crate::nutrients::Nutrient::Calories).unwrap_or(0.0);
    (words.join(" "), (energy / 5.0).round() as i32)
}

/// The query with a word that no name has split in two, or with two neighbours closed up.
fn rejoin(layer: &Layer, words: &Words) -> Vec<Words> {
    let dictionary = layer.dictionary();
    let count = |term: &str| dictionary.get(term).map_or(0, |term| layer.posting_count(term..term + 1));
    let mut out = Vec::new();
    for at in 0..words.len() {
        let term = &words[at].term;
        if at + 1 < words.len() {
            let closed = format!("{term}{}", words[at + 1].term);
            if count(&closed) > 0 {
                let mut joined = words.clone();
                joined[at] = Word::certain(closed);
                joined.remove(at + 1);
                out.push(joined);
            }
        }
        if count(term) < 3 && term.len() >= 6 && term.is_ascii() {
            let split = (3..=term.len() - 3)
                .map(|cut| (count(&term[..cut]).min(count(&text::singular(&term[cut..]))), cut))
                .max()
                .filter(|(names, _)| *names >= 20);
            if let Some((_, cut)) = split {
                let mut parts = words.clone();
                parts[at] = Word::certain(term[..cut].to_owned());
                parts.insert(at + 1, Word::certain(text::singular(&term[cut..])));
                out.push(parts);
            }
        }
    }
    out.truncate(2);
    out
}

/// The best candidates so far, each food once.
struct Best {
    heap: BinaryHeap<Reverse<Candidate>>,
    capacity: usize,
}

impl Best {
    fn new(capacity: usize) -> Self {
        Self { heap: BinaryHeap::with_capacity(capacity + 1), capacity }
    }

    /// What a candidate must reach to matter.
    fn threshold(&self) -> f32 {
        if self.heap.len() < self.capacity {
            f32::NEG_INFINITY
        } else {
            self.heap.peek().map_or(f32::NEG_INFINITY, |worst| worst.0.score)
        }
    }

    fn offer(&mut self, candidate: Candidate) {
        if candidate.score <= self.threshold() {
            return;
        }
        let same = |other: &Candidate| other.layer == candidate.layer && other.food == candidate.food;
        if let Some(known) = self.heap.iter().find(|other| same(&other.0)) {
            if known.0.score >= candidate.score {
                return;
            }
            self.heap.retain(|other| !same(&other.0));
        }
        self.heap.push(Reverse(candidate));
        if self.heap.len() > self.capacity {
            self.heap.pop();
        }
    }

    fn into_sorted(self) -> Vec<Candidate> {
        self.heap.into_sorted_vec().into_iter().map(|candidate| candidate.0).collect()
    }
}

/// One walk over the names of one layer.
struct Walk<'a> {
    layer: &'a Layer,
    index: usize,
    best: &'a mut Best,
    source: Option<Source>,
    catalog: &'a Catalog,
}

impl Walk<'_> {
    /// Looks for names with all the words; if there are none, with all but one, and so on down to half.
    fn run(&mut self, words: &Words, handicap: f32) {
        let mut terms: Vec<Term> = words.iter().map(|word| Term::resolve(self.layer, word)).collect();
        let unknown = terms.iter().filter(|term| term.is_unknown()).count();
        terms.retain(|term| !term.is_unknown());
        let most_missing = words.len() / 2;
        if terms.is_empty() || unknown > most_missing {
            return;
        }
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|&at| terms[at].weight(self.layer));
        let handicap = handicap + unknown as f32 * score::MISSING;
        for may_miss in 0..=(most_missing - unknown).min(terms.len() - 1) {
            // A name that lacks `may_miss` words has one of the `may_miss + 1` rarest.
            let drivers: Vec<&Term> = order.iter().take(may_miss + 1).map(|&at| &terms[at]).collect();
            if self.visit(&drivers, &terms, may_miss, handicap) {
                return;
            }
        }
    }

    /// Scores the names that have one of the drivers, best first; says whether any fits.
    fn visit(&mut self, drivers: &[&Term], terms: &[Term], may_miss: usize, handicap: f32) -> bool {
        let mut found = false;
        let bound = score::bound(terms.len()) - handicap;
        let lists = drivers.iter().flat_map(|term| term.terms()).map(|term| self.layer.postings(term));
        let mut visited = 0;
        for number in Merged::new(lists) {
            let Some(entry) = self.layer.entry(number) else { continue };
            visited += 1;
            let threshold = self.best.threshold();
            if entry.score + bound <= threshold || visited > MAX_VISITED {
                break;
            }
            if entry.score + score::bound_of(&entry, terms.len()) - handicap <= threshold {
                // There are enough better ones already.
                found = true;
                continue;
            }
            let Some(score) = score::score(self.layer, &entry, terms, may_miss) else { continue };
            found = true;
            let candidate = Candidate { score: score - handicap, layer: self.index, food: entry.food };
            if candidate.score > self.best.threshold() && self.is_wanted(&candidate) {
                self.best.offer(candidate);
            }
        }
        found
    }

    /// Whether the food is of the source that was asked for.
    fn is_wanted(&self, candidate: &Candidate) -> bool {
        let Some(source) = self.source else { return true };
        self.catalog.layers()[candidate.layer].origin(candidate.food).is_some_and(|origin| origin.source() == source)
    }
}

/// Several ascending lists as one, without repetitions.
struct Merged<'a> {
    single: Option<crate::catalog::Postings<'a>>,
    heap: BinaryHeap<Reverse<(u32, usize)>>,
    lists: Vec<crate::catalog::Postings<'a>>,
    last: Option<u32>,
}

impl<'a> Merged<'a> {
    fn new(lists: impl Iterator<Item = crate::catalog::Postings<'a>>) -> Self {
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

    fn next(&mut self) -> Option<u32> {
        if let Some(single) = &mut self.single {
            return single.next();
        }
        loop {
            let mut top = self.heap.peek_mut()?;
            let Reverse((number, at)) = *top;
            match self.lists[at].next() {
                Some(next) => *top = Reverse((next, at)),
                None => {
                    std::collections::binary_heap::PeekMut::pop(top);
                }
            }
            if self.last != Some(number) {
                self.last = Some(number);
                return Some(number);
            }
        }
    }
}
