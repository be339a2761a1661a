//! Search by name, the most likely food first.
//!
//! A query is parsed into words (`query`), each word into the terms it may mean (`terms`), and the entries that have all
//! of them are scored (`score`). Entries are numbered by their score before any query ([`crate::index`]), so the walk over
//! the rarest word's posting list stops as soon as nothing that follows can be better than what was found.
//!
//! The query is tried as typed, with synonyms, and with words joined or split. Misspellings are considered only if that
//! finds nothing convincing, since they cost most; and names that lack a word of the query only if no name has all of them.

mod candidates;
mod effort;
mod query;
mod score;
mod terms;

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};

use crate::catalog::{Catalog, EntryView, Layer};
use crate::food::{Food, Origin, Source};
use crate::text;
use candidates::{Filter, Merged};
use effort::Effort;
pub use query::Synonyms;
use query::{Word, Words};
use terms::Term;

/// The most foods that one search returns.
pub const MAX_RESULTS: usize = 100;

/// The most entries that one attempt of a search visits. Only the commonest words have more.
const MAX_VISITED: usize = 20_000;
/// How many names are read at once.
const BATCH: usize = 8;
/// An attempt ends after this many matches in a row that are none of the best: they come in the order of their own score, so the
/// next ones are no better.
const PATIENCE: usize = 600;
/// A score that only plain foods with all the words reach.
const CONVINCING: f32 = -1.0;
/// This many words that are all in one name are not misspelled.
const SURE_WORDS: usize = 3;
/// The penalty of a query with synonyms.
const REWRITTEN: f32 = 0.1;
/// The penalty of words joined or split: "peanutbutter", "butter milk".
const REJOINED: f32 = 0.3;

/// A search result: the position of a food in the catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How well it fits; comparable within one search only.
    pub score: f32,
    /// The layer of the catalog.
    pub layer: usize,
    /// The food's number in that layer.
    pub food: u32,
}

impl Eq for Hit {}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_place = (other.layer, other.food).cmp(&(self.layer, self.food));
        self.score.total_cmp(&other.score).then(by_place)
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Searches catalogs by name.
///
/// ```
/// use foods::catalog::{Catalog, Layer, Manifest, Writer};
/// use foods::search::Searcher;
/// use foods::{Food, Nutrients, Origin, Source};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("catalog.morsel");
/// let mut writer = Writer::create(&path)?;
/// writer.add(&Food::new("fndds_1", Origin::Fndds2021, "White rice, cooked", Nutrients::default()))?;
/// writer.add(&Food::new("fndds_2", Origin::Fndds2021, "Rice flour", Nutrients::default()))?;
/// writer.add(&Food::new("off_3", Origin::OpenFoodFacts, "Rice Crackers", Nutrients::default()))?;
/// writer.finish(&Manifest::default())?;
/// let catalog = Catalog::new(Layer::open(&path)?, None);
///
/// let searcher = Searcher::default();
/// let names = |query, source| -> Vec<String> {
///     searcher.search(&catalog, query, 10, source).into_iter().map(|food| food.name).collect()
/// };
/// assert_eq!(names("rice", None)[0], "White rice, cooked");
/// assert_eq!(names("flour rice", None), ["Rice flour"]);
/// assert_eq!(names("rice", Some(Source::Branded)), ["Rice Crackers"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Searcher {
    synonyms: Synonyms,
}

impl Searcher {
    /// Returns the foods that match a query, best first, one row per product; at most `limit` and [`MAX_RESULTS`].
    pub fn search(&self, catalog: &Catalog, query: &str, limit: usize, source: Option<Source>) -> Vec<Food> {
        let hits = self.find(catalog, query, limit, source);
        hits.iter().filter_map(|hit| catalog.layers().get(hit.layer)?.food(hit.food)).collect()
    }

    /// Returns the positions of those foods in the catalog.
    pub fn find(&self, catalog: &Catalog, query: &str, limit: usize, source: Option<Source>) -> Vec<Hit> {
        self.find_counted(catalog, query, limit, source).0
    }

    /// Returns the positions of those foods, and how much work it was to find them, in steps of about a nanosecond.
    pub fn find_counted(
        &self,
        catalog: &Catalog,
        query: &str,
        limit: usize,
        source: Option<Source>,
    ) -> (Vec<Hit>, usize) {
        self.find_within(catalog, query, limit, source, usize::MAX)
    }

    /// Returns the foods that about so many steps find in each layer, and how many it took. Names that are typed as they are
    /// written are found first; other spellings of them take most of the steps.
    pub fn find_within(
        &self,
        catalog: &Catalog,
        query: &str,
        limit: usize,
        source: Option<Source>,
        max_steps: usize,
    ) -> (Vec<Hit>, usize) {
        match source {
            None => self.find_accepted(catalog, query, limit, None, max_steps),
            Some(source) => {
                let is_from = |layer: &Layer, entry: &EntryView| layer.is_from(entry, source);
                self.find_accepted(catalog, query, limit, Some(&is_from), max_steps)
            }
        }
    }

    /// Returns the positions of the foods of some origins.
    pub fn find_of_origins(&self, catalog: &Catalog, query: &str, limit: usize, origins: &[Origin]) -> Vec<Hit> {
        let is_of = |layer: &Layer, entry: &EntryView| {
            layer.origin_of(entry.food).is_some_and(|origin| origins.contains(&origin))
        };
        self.find_accepted(catalog, query, limit, Some(&is_of), usize::MAX).0
    }

    fn find_accepted(
        &self,
        catalog: &Catalog,
        query: &str,
        limit: usize,
        accepts: Option<Accepts<'_>>,
        max_steps: usize,
    ) -> (Vec<Hit>, usize) {
        let limit = limit.min(MAX_RESULTS);
        let mut words = query::read(query);
        if words.is_empty() || limit == 0 {
            return (Vec::new(), 0);
        }
        self.synonyms.mark_known(&mut words);
        let rewritten = self.synonyms.rewrite(&words);
        // More than wanted, because rows of one product are merged.
        let mut best = Best::new(limit + limit / 2 + 8);
        let mut tried = Vec::new();
        for (index, layer) in catalog.layers().iter().enumerate() {
            let mut effort = Effort::within(max_steps);
            let terms = Walk { layer, index, best: &mut best, accepts, effort: &mut effort }.run(&words, &rewritten);
            tried.push((terms, effort));
        }
        if best.is_empty() {
            // No layer has a name with all the words.
            for ((index, layer), (terms, effort)) in catalog.layers().iter().enumerate().zip(&mut tried) {
                Walk { layer, index, best: &mut best, accepts, effort }.relax(std::mem::take(terms), words.len());
            }
        }
        let steps = tried.iter().map(|(_, effort)| effort.steps()).sum();
        (one_row_a_product(catalog, best.into_sorted(), limit), steps)
    }
}

/// Drops further rows of a product, and foods that the layer above replaces.
fn one_row_a_product(catalog: &Catalog, hits: Vec<Hit>, limit: usize) -> Vec<Hit> {
    let mut products = HashSet::with_capacity(limit);
    let is_shown = |hit: &Hit| {
        let layer = &catalog.layers()[hit.layer];
        !catalog.is_hidden(hit.layer, hit.food) && products.insert(layer.product(hit.food))
    };
    hits.into_iter().filter(is_shown).take(limit).collect()
}

/// Returns the query with a rare word split in two, or with two neighbors joined.
fn rejoin(layer: &Layer, words: &Words) -> Vec<Words> {
    let dictionary = layer.dictionary();
    let count = |term: &str| dictionary.get(term).map_or(0, |term| layer.posting_count(term..term + 1) as usize);
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
        let split = if count(term) < 3 { text::split_compound(term, count, 20) } else { None };
        if let Some((first, second)) = split {
            let mut parts = words.clone();
            parts[at] = Word::certain(first);
            parts.insert(at + 1, Word::certain(second));
            out.push(parts);
        }
    }
    out.truncate(2);
    out
}

/// The best candidates so far, each food once.
struct Best {
    heap: BinaryHeap<Reverse<Hit>>,
    capacity: usize,
}

impl Best {
    fn new(capacity: usize) -> Self {
        Self { heap: BinaryHeap::with_capacity(capacity + 1), capacity }
    }

    /// Returns the score that a candidate must exceed.
    fn threshold(&self) -> f32 {
        if self.heap.len() < self.capacity {
            f32::NEG_INFINITY
        } else {
            self.heap.peek().map_or(f32::NEG_INFINITY, |worst| worst.0.score)
        }
    }

    fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Returns whether a plain food matches, so that nothing was misspelled.
    fn is_convincing(&self) -> bool {
        self.heap.iter().any(|hit| hit.0.score >= CONVINCING)
    }

    /// Takes a candidate if it is better than another; returns whether it is.
    fn offer(&mut self, candidate: Hit) -> bool {
        if candidate.score <= self.threshold() {
            return false;
        }
        let same = |other: &Hit| other.layer == candidate.layer && other.food == candidate.food;
        if let Some(known) = self.heap.iter().find(|other| same(&other.0)) {
            if known.0.score >= candidate.score {
                return false;
            }
            self.heap.retain(|other| !same(&other.0));
        }
        self.heap.push(Reverse(candidate));
        if self.heap.len() > self.capacity {
            self.heap.pop();
        }
        true
    }

    fn into_sorted(self) -> Vec<Hit> {
        self.heap.into_sorted_vec().into_iter().map(|candidate| candidate.0).collect()
    }
}

/// Decides whether a search may return the food of an entry.
type Accepts<'a> = &'a dyn Fn(&Layer, &EntryView) -> bool;

/// A walk over the names of one layer.
struct Walk<'a> {
    layer: &'a Layer,
    index: usize,
    best: &'a mut Best,
    accepts: Option<Accepts<'a>>,
    effort: &'a mut Effort,
}

impl Walk<'_> {
    /// Tries the query in every way that may be meant, the likeliest first. Returns the terms of its words.
    fn run(&mut self, words: &Words, rewritten: &[Words]) -> Vec<Term> {
        let mut terms: Vec<Term> = words.iter().map(|word| Term::typed(self.layer, word)).collect();
        let as_typed = self.visit(&terms, 0, 0.0);
        for words in rewritten {
            let terms: Vec<Term> = words.iter().map(|word| Term::typed(self.layer, word)).collect();
            self.visit(&terms, 0, REWRITTEN);
        }
        let mut rejoined = false;
        for words in rejoin(self.layer, words) {
            let terms: Vec<Term> = words.iter().map(|word| Term::typed(self.layer, word)).collect();
            rejoined |= self.visit(&terms, 0, REJOINED);
        }
        if self.best.is_convincing() || as_typed && words.len() >= SURE_WORDS {
            return terms;
        }
        // Two edits would only explain once more what two words explain: "decafcoffee".
        let max_edits = if rejoined { 1 } else { 2 };
        let mut respelled = false;
        for (term, word) in terms.iter_mut().zip(words) {
            respelled |= term.add_completions(self.layer, word);
            respelled |= term.add_spellings(self.layer, word, max_edits, self.effort);
        }
        if respelled {
            self.visit(&terms, 0, 0.0);
        }
        terms
    }

    /// Searches for names that lack one word of the query, then two, up to half of it.
    fn relax(&mut self, mut terms: Vec<Term>, words: usize) {
        terms.retain(|term| !term.is_unknown());
        let unknown = words - terms.len();
        let most_missing = words / 2;
        if terms.is_empty() || unknown > most_missing {
            return;
        }
        for may_miss in 0..=(most_missing - unknown).min(terms.len() - 1) {
            if self.visit(&terms, may_miss, unknown as f32 * score::MISSING) {
                return;
            }
        }
    }

    /// Scores the names that have all words but `may_miss`; returns whether there are any.
    fn visit(&mut self, terms: &[Term], may_miss: usize, handicap: f32) -> bool {
        if may_miss > 0 {
            // No name lacks fewer: that was tried before.
            return self.visit_names(terms, may_miss, handicap, handicap + may_miss as f32 * score::MISSING);
        }
        if terms.iter().any(Term::is_unknown) {
            return false;
        }
        let least = |terms: &[Term]| handicap + terms.iter().map(Term::least_penalty).sum::<f32>();
        let Some(at) = terms.iter().position(Term::is_word_or_other) else {
            return self.visit_names(terms, 0, handicap, least(terms));
        };
        // Names with the word as typed come first: they are few, and the others can be bounded by what reading it otherwise costs.
        let mut as_typed = terms.to_vec();
        let others = as_typed[at].split_off_others();
        let found = self.visit(&as_typed, 0, handicap);
        let least_of_others = least(terms) + others.least_penalty();
        self.visit_names(terms, 0, handicap, least_of_others) || found
    }

    /// Scores the names that have all words but `may_miss`, best first, of those that lose at least `least_penalty`; returns whether
    /// there are any.
    fn visit_names(&mut self, terms: &[Term], may_miss: usize, handicap: f32, least_penalty: f32) -> bool {
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|&at| terms[at].weight(self.layer));
        // A name that lacks `may_miss` words has one of the `may_miss + 1` rarest.
        let (drivers, others) = order.split_at(may_miss + 1);
        let lists = drivers.iter().flat_map(|&at| terms[at].terms()).map(|term| self.layer.postings(term));
        let checked = if may_miss == 0 { others } else { &order };
        let mut filters: Vec<Filter<'_>> = checked.iter().map(|&at| Filter::new(self.layer, &terms[at])).collect();
        let bounds = score::Bounds::new(terms.len() - may_miss);
        let most = |entry: &EntryView| entry.score + bounds.of(entry) - least_penalty;
        let mut numbers = Merged::new(lists);
        let mut found = false;
        let mut visited = 0;
        let mut patience = PATIENCE;
        loop {
            let mut batch = [0; BATCH];
            let mut len = 0;
            while len < BATCH
                && let Some(number) = numbers.next()
            {
                visited += 1;
                if visited > MAX_VISITED || !self.effort.visit() {
                    break;
                }
                if candidates::has_enough(&mut filters, number, may_miss) {
                    batch[len] = number;
                    len += 1;
                }
            }
            let threshold = self.best.threshold();
            let entries = read_together(self.layer, &batch[..len], |entry| most(entry) > threshold);
            for entry in entries.into_iter().flatten() {
                if self.accepts.is_some_and(|accepts| !accepts(self.layer, &entry)) {
                    continue;
                }
                let threshold = self.best.threshold();
                if entry.score + bounds.of_any() - least_penalty <= threshold {
                    return found;
                }
                if most(&entry) <= threshold {
                    // There are enough better ones already.
                    found = true;
                    continue;
                }
                if let Some(score) = score::score(self.layer, &entry, terms, may_miss) {
                    found = true;
                    let hit = Hit { score: score - handicap, layer: self.index, food: entry.food };
                    patience = if self.best.offer(hit) { PATIENCE } else { patience - 1 };
                    if patience == 0 {
                        return found;
                    }
                }
            }
            if len < BATCH {
                return found;
            }
        }
    }
}

/// Reads several names, and the words of those that are wanted. They are far apart in memory, and it takes no longer to wait for all
/// of them than for one.
fn read_together(layer: &Layer, numbers: &[u32], is_wanted: impl Fn(&EntryView) -> bool) -> [Option<EntryView>; BATCH] {
    let mut entries = [None; BATCH];
    for (entry, number) in entries.iter_mut().zip(numbers) {
        *entry = layer.entry(*number);
    }
    for entry in entries.iter().flatten().filter(|entry| is_wanted(entry)) {
        // Or the compiler drops a read whose result nobody uses.
        std::hint::black_box(layer.terms(entry).next());
    }
    entries
}
