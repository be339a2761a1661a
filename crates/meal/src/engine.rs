//! What estimates are made with: a catalog, the index of its names, the lexicon, and caches.
//!
//! The same text gives the same answer, always: nothing here depends on time, chance or the order of a hash map.

use std::sync::Arc;
use std::thread;

use foods::Food;
use foods::catalog::{Catalog, Layer};
use foods::search::Searcher;

use crate::lexicon::{Lexicon, number_word};
use crate::link::cache::{Scratch, Scratches};
use crate::link::compose;
use crate::link::linker::Linker;
use crate::link::mention::Mention;
use crate::link::phrase::{Link, Phrase};
use crate::link::weights::{Costs, Weights};
use crate::read::composed_dishes::Plates;
use crate::read::dish_words;
use crate::read::segment::{Segment, SegmentWord};
use crate::read::split;
use crate::read::token::Token;

/// Estimates meals over one catalog.
#[derive(Debug)]
pub struct Engine {
    catalog: Arc<Catalog>,
    linker: Linker,
    lexicon: Lexicon,
    plates: Plates,
    costs: Costs,
    searcher: Searcher,
    scratches: Scratches,
}

impl Engine {
    /// Prepares a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with(catalog, Weights::default(), Costs::default())
    }

    /// Prepares a catalog with other weights than the usual.
    pub fn with(catalog: Arc<Catalog>, weights: Weights, costs: Costs) -> Self {
        let layer = &catalog.layers()[0];
        let lexicon = Lexicon::of(layer);
        // Each reads a part of the catalog; whoever starts the program waits for both.
        let (linker, plates) = thread::scope(|scope| {
            let plates = scope.spawn(|| Plates::new(dish_words::all(layer)));
            let linker = Linker::new(layer, &lexicon, weights);
            (linker, plates.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        Self { catalog, linker, lexicon, plates, costs, searcher: Searcher::default(), scratches: Scratches::default() }
    }

    pub(crate) fn layer(&self) -> &Layer {
        &self.catalog.layers()[0]
    }

    /// The mentions of foods in tokens, before the foods are chosen.
    pub fn mentions(&self, tokens: &[Token]) -> Vec<Mention> {
        let is_known = |word: &str| self.plain_names(word) > 0;
        let spelled_out = self.plates.spell_out(tokens, is_known, |word| self.tells_of_food(word));
        let segments = split::segments(spelled_out.as_deref().unwrap_or(tokens), &self.lexicon);
        self.scratches.with(|scratch| compose::compose(self.layer(), &self.linker, &self.costs, segments, scratch))
    }

    /// Whether a word tells which food is meant, rather than how much of it or where it is from.
    fn tells_of_food(&self, word: &str) -> bool {
        let says_amount =
            self.lexicon.unit(word).is_some() || self.lexicon.is_size(word) || number_word(word).is_some();
        !says_amount && !self.lexicon.is_aside(word) && self.plain_names(word) > 0
    }

    /// The words that are not foods.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The foods that words may mean, best first; `heads` are the places of those that say what the food is.
    pub(crate) fn links(&self, words: &[SegmentWord], heads: Vec<usize>) -> Vec<Link> {
        let phrase = Phrase { words, heads, first: words.len() };
        self.scratches.with(|scratch| self.linker.top(self.layer(), &phrase, scratch, 6))
    }

    /// Whether a word can say what a food is, rather than how it is.
    pub(crate) fn is_food(&self, word: &str) -> bool {
        self.scratches.with(|scratch| self.linker.is_food(self.layer(), word, scratch))
    }

    /// The category that the tables give a food of the plain layer.
    pub(crate) fn category(&self, food: u32) -> Option<String> {
        self.layer().food(food)?.category
    }

    /// Whether two foods of the plain layer have a word of their names in common.
    pub(crate) fn share_name(&self, one: u32, other: u32) -> bool {
        let words = |food: u32| self.layer().food(food).map(|food| foods::text::words(&food.name)).unwrap_or_default();
        let known = words(one);
        words(other).iter().any(|word| known.contains(word))
    }

    /// Whether the catalog has a product with this bar code.
    pub(crate) fn has_gtin(&self, gtin: u64) -> bool {
        self.catalog.by_gtin(gtin).is_some()
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<Food> {
        self.searcher.search(&self.catalog, query, limit, None)
    }

    pub(crate) fn segments(&self, tokens: &[Token]) -> Vec<Segment> {
        split::segments(tokens, &self.lexicon)
    }

    /// Whether a plain food has a word in its name, or one spelled nearly so.
    pub(crate) fn is_plain(&self, word: &SegmentWord) -> bool {
        self.scratches.with(|scratch| self.linker.resolves(self.layer(), word, scratch))
    }

    /// How many names of plain foods have a word.
    pub(crate) fn plain_names(&self, word: &str) -> usize {
        self.linker.names_with(self.layer(), word)
    }

    /// A plain food by its number.
    pub(crate) fn plain_food(&self, number: u32) -> Option<Food> {
        self.layer().food(number)
    }

    /// Lends a scratch for as long as something takes.
    pub(crate) fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        self.scratches.with(work)
    }

    pub(crate) fn costs(&self) -> &Costs {
        &self.costs
    }
}
