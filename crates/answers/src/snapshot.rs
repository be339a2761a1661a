//! One state of the catalog, with its search and its engine.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use foods::catalog::{Catalog, Layer};
use foods::search::{Hit, MAX_RESULTS, Searcher};
use foods::text;
use foods::{Food, Origin, Source};
use meal::{Engine, Language, QueryInEnglish, Speaker};
use sha2::{Digest, Sha256};

use crate::food::{FoodRow, FoodsAnswer};

/// A hash of the code, its word lists and tuned numbers, and the networks: see build/engine.rs.
pub const ENGINE_HASH: &str = env!("MORSEL_ENGINE_HASH");

/// One state of the catalog. A request that holds it can finish with it, whatever is imported meanwhile.
#[derive(Debug)]
pub struct EngineSnapshot {
    /// The foods.
    pub catalog: Arc<Catalog>,
    /// Finds foods by name.
    pub searcher: Searcher,
    /// Estimates meals.
    pub engine: Engine,
    /// Changes whenever the same request may get another response: the program's version, and a hash of its engine and
    /// the foods.
    pub version: Arc<str>,
}

impl EngineSnapshot {
    /// Prepares a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        let engine = Engine::new(Arc::clone(&catalog));
        let version = engine_version(&catalog).into();
        Self { catalog, searcher: Searcher::default(), engine, version }
    }

    /// Reports whether the catalog has a product with this barcode.
    pub fn has_barcode(&self, gtin: u64) -> bool {
        self.catalog.by_gtin(gtin).is_some()
    }

    /// Searches foods by their names, in any language that is known.
    pub fn search(&self, query: &str, speaker: &Speaker, limit: usize, source: Option<Source>) -> FoundFoods<'_> {
        let find = |words: &str| self.searcher.find(&self.catalog, words, limit, source);
        self.find(query, speaker, find, 0..limit, |origin| source.is_none_or(|source| origin.source() == source))
    }

    /// Searches foods like [`Self::search`], of some origins or of all, and returns a page of those that are found. Of at most
    /// [`MAX_RESULTS`] foods, only those on the page are decoded.
    pub fn search_page(
        &self,
        query: &str,
        speaker: &Speaker,
        origins: Option<&[Origin]>,
        page: Range<usize>,
    ) -> FoundFoods<'_> {
        let find = |words: &str| match origins {
            None => self.searcher.find(&self.catalog, words, MAX_RESULTS, None),
            Some(origins) => self.searcher.find_of_origins(&self.catalog, words, MAX_RESULTS, origins),
        };
        self.find(query, speaker, find, page, |origin| origins.is_none_or(|origins| origins.contains(&origin)))
    }

    fn find(
        &self,
        query: &str,
        speaker: &Speaker,
        find: impl Fn(&str) -> Vec<Hit>,
        page: Range<usize>,
        is_wanted: impl Fn(Origin) -> bool,
    ) -> FoundFoods<'_> {
        let english = self.engine.query_in_english(query, speaker);
        let words = english.as_ref().map_or(query, |english| english.words.as_str());
        let mut hits = find(words);
        // The words may be those of many foods; the name was one. A food that is called exactly so stays first.
        let name_of = |hit: &Hit| Some(self.catalog.layers().get(hit.layer)?.names_of(hit.food)?.0);
        let is_named = |hit: &Hit| name_of(hit).is_some_and(|name| text::words(name) == text::words(words));
        let everyday = self.engine.everyday_id(words).filter(|_| !hits.first().is_some_and(is_named));
        let mut layers = self.catalog.layers().iter().enumerate().rev();
        let found = everyday.and_then(|id| layers.find_map(|(at, layer)| Some((at, layer, layer.find_id(id)?))));
        let is_wanted = |layer: &Layer, food: u32| layer.origin_of(food).is_some_and(&is_wanted);
        if let Some((layer, _, food)) = found.filter(|(_, layer, food)| is_wanted(layer, *food)) {
            hits.retain(|other| (other.layer, other.food) != (layer, food));
            hits.insert(0, Hit { score: 0.0, layer, food });
            hits.truncate(MAX_RESULTS);
        }
        let total = hits.len();
        let end = page.end.min(total);
        hits.truncate(end);
        hits.drain(..page.start.min(end));
        FoundFoods { hits, total, english, snapshot: self }
    }

    /// Returns the name of a food in a language, by the code of the language, if it has one.
    pub fn name_in(&self, food: &Food, language: &str) -> Option<String> {
        match self.engine.translator().language(language) {
            Some(language) => self.engine.local_name(food, language),
            None => food.local_names.iter().find(|local| local.language == language).map(|local| local.name.clone()),
        }
    }
}

/// Returns the version of the answers that the engine gives over a catalog.
pub fn engine_version(catalog: &Catalog) -> String {
    let mut hash = Sha256::new();
    hash.update(ENGINE_HASH);
    for layer in catalog.layers() {
        hash.update(serde_json::to_vec(layer.manifest()).unwrap_or_default());
        hash.update(layer.len().to_le_bytes());
    }
    let mut version = concat!(env!("CARGO_PKG_VERSION"), "+").to_owned();
    for byte in &hash.finalize()[..4] {
        // Writing to a string does not fail.
        let _ = write!(version, "{byte:02x}");
    }
    version
}

/// The foods that a search found, best first.
#[derive(Debug)]
pub struct FoundFoods<'s> {
    hits: Vec<Hit>,
    /// How many were found in all, of which these may be a page.
    pub total: usize,
    /// The query in English, if it is not.
    english: Option<QueryInEnglish<'s>>,
    snapshot: &'s EngineSnapshot,
}

impl FoundFoods<'_> {
    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Decodes the foods.
    pub fn foods(&self) -> Vec<Food> {
        self.each(Layer::food).collect()
    }

    fn each<'a, T>(&'a self, read: impl Fn(&'a Layer, u32) -> Option<T> + 'a) -> impl Iterator<Item = T> + 'a {
        self.hits.iter().filter_map(move |hit| read(self.snapshot.catalog.layers().get(hit.layer)?, hit.food))
    }

    /// Returns the language of the query, if it is not English.
    pub fn language(&self) -> Option<&Language> {
        self.english.as_ref().map(|english| english.language)
    }

    /// Returns the name of a food in the language of the query, if it has one.
    pub fn name_of(&self, food: &Food) -> String {
        let local = self.english.as_ref().and_then(|english| english.name_of(&self.snapshot.engine, food));
        local.unwrap_or_else(|| food.name.clone())
    }

    /// Returns the foods as rows, with their names in the language of the query.
    pub fn rows(&self) -> Vec<FoodRow> {
        if self.english.is_none() {
            return self.each(Layer::summary).map(FoodRow::from).collect();
        }
        let row = |food: Food| FoodRow { name: self.name_of(&food), ..FoodRow::from(&food) };
        self.each(Layer::food).map(row).collect()
    }

    /// Returns the response to a query.
    pub fn answer(&self, query: &str) -> FoodsAnswer {
        FoodsAnswer { foods: self.rows(), query: query.to_owned() }
    }
}
