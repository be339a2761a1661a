//! Responses given before. The engine always gives the same answer to the same text, so computing it again is a waste: apps
//! send the same breakfast every day.
//!
//! Estimates are cached by account, so that nobody learns from how fast an answer comes what others ate, and no account gets
//! more than its share of the memory. Equal estimates at once are computed once. What comes the first time is not cached yet:
//! most of it never comes again ([`Doorkeeper`]).

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use foods::Source;
use meal::{CorrectionPart, FoodPart, Part, Speaker};
use moka::sync::Cache;
use store::AccountId;

use crate::dialect::Dialect;
use crate::doorkeeper::Doorkeeper;
use crate::fair_cache::FairCache;
use crate::photo_reader::PhotoKey;
use crate::single_flight::SingleFlight;

/// Memory for estimates, for responses by request, and for search results of our own and of other dialects.
const MAX_ESTIMATES_BYTES: usize = 64 << 20;
const MAX_BY_REQUEST_BYTES: usize = 32 << 20;
const MAX_SEARCHES_BYTES: u64 = 32 << 20;
/// Searches that are not used for this long are dropped.
const TIME_TO_IDLE: Duration = Duration::from_hours(1);

/// What an estimate depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EstimateKey {
    /// The account that sent the request.
    pub account: AccountId,
    /// The state of the account's recipes.
    pub edition: u64,
    /// The version of the engine.
    pub version: Arc<str>,
    /// What the user's messages say.
    pub messages: Vec<Vec<PartKey>>,
    /// The language that the caller speaks.
    pub speaker: Speaker,
}

/// What identifies a piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PartKey {
    /// A text.
    Text(String),
    /// A photo.
    Photo(PhotoKey),
    /// A food by its id, or a correction of an item.
    Food {
        /// The number of the corrected item.
        item: Option<usize>,
        /// The id.
        food_id: Option<String>,
        /// The bits of the quantity.
        quantity: Option<u64>,
        /// The unit.
        unit: Option<String>,
    },
}

impl PartKey {
    /// Identifies a text.
    pub fn of_text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Identifies a food.
    pub fn of_food(part: &FoodPart) -> Self {
        let FoodPart { food_id, quantity, unit } = part.clone();
        Self::Food { item: None, food_id: Some(food_id), quantity: quantity.map(f64::to_bits), unit }
    }

    /// Identifies a correction.
    pub fn of_correction(part: &CorrectionPart) -> Self {
        let CorrectionPart { item, food_id, quantity, unit } = part.clone();
        Self::Food { item: Some(item), food_id, quantity: quantity.map(f64::to_bits), unit }
    }

    /// Returns the bytes of what a client can make long.
    fn len(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        match self {
            Self::Text(text) => text.len(),
            Self::Photo(_) => 0,
            Self::Food { food_id, unit, .. } => length(food_id) + length(unit),
        }
    }
}

/// A request for an estimate, byte for byte: when it comes again, it is answered without being parsed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawRequestKey {
    /// The account that sent the request.
    pub account: AccountId,
    /// The state of the account's recipes.
    pub edition: u64,
    /// The version of the engine.
    pub version: Arc<str>,
    /// The protocol, which says what a body means.
    pub dialect: Dialect,
    /// The query string.
    pub query: Option<String>,
    /// The body.
    pub body: Bytes,
    /// The languages that the caller understands; there are few of them.
    pub understands: Vec<String>,
}

/// What a search depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchKey {
    /// The version of the engine.
    pub version: Arc<str>,
    /// The trimmed query.
    pub query: String,
    /// The number of foods to return.
    pub limit: usize,
    /// The source that the foods must have.
    pub source: Option<Source>,
    /// The language that the caller speaks.
    pub speaker: Speaker,
}

/// What a search in the dialect of another service depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompatSearchKey {
    /// The version of the engine.
    pub version: Arc<str>,
    /// The request, without its key: the path and all parameters.
    pub request: String,
}

/// An estimated meal.
#[derive(Debug)]
pub struct Estimated {
    /// What the meal consists of.
    pub parts: Vec<Part>,
    plain: OnceLock<Bytes>,
}

impl Estimated {
    /// Wraps the parts of a meal.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts, plain: OnceLock::new() }
    }

    /// Returns the body with nothing but the contract's fields, which nearly everybody asks for; `write` writes it the
    /// first time.
    pub fn plain(&self, write: impl FnOnce(&[Part]) -> Bytes) -> Bytes {
        self.plain.get_or_init(|| write(&self.parts)).clone()
    }
}

/// The caches of responses.
#[derive(Debug)]
pub struct ResponseCache {
    estimates: FairCache<EstimateKey, Arc<Estimated>>,
    /// Bodies of estimates by request. Without photos: those may be gone the next time.
    by_request: FairCache<RawRequestKey, Bytes>,
    /// Bodies of searches.
    searches: Cache<SearchKey, Bytes>,
    /// Bodies of searches in the dialects of other services.
    compat_searches: Cache<CompatSearchKey, Bytes>,
    /// What came once.
    seen_once: Doorkeeper,
    /// Estimates that are being computed.
    pub under_way: SingleFlight<EstimateKey, Arc<Estimated>>,
}

impl ResponseCache {
    /// Returns a meal that was estimated before.
    pub fn estimate(&self, key: &EstimateKey) -> Option<Arc<Estimated>> {
        self.estimates.get(key)
    }

    /// Caches a meal, if it has a key: without one it could be estimated differently the next time.
    pub fn remember(&self, key: Option<&EstimateKey>, estimated: &Arc<Estimated>) {
        let is_text = |part: &PartKey| matches!(part, PartKey::Text(_));
        // A photo takes long, and corrections are checked before they are answered: both are wanted soon.
        let is_wanted = |key: &&EstimateKey| !key.messages.iter().flatten().all(is_text) || self.seen_once.admits(key);
        if let Some(key) = key.filter(is_wanted) {
            let text: usize = key.messages.iter().flatten().map(PartKey::len).sum();
            // A part carries its food and three alternatives with all their portions and nutrients.
            let bytes = text + estimated.parts.len() * 4_096;
            self.estimates.insert(&key.account, key.clone(), Arc::clone(estimated), bytes);
        }
    }

    /// Returns the body that a request got before.
    pub fn body(&self, key: &RawRequestKey) -> Option<Bytes> {
        self.by_request.get(key)
    }

    /// Caches the body that a request got.
    pub fn remember_body(&self, key: RawRequestKey, body: Bytes) {
        if self.seen_once.admits(&key) {
            let bytes = key.query.as_ref().map_or(0, String::len) + key.body.len() + body.len();
            self.by_request.insert(&key.account.clone(), key, body, bytes);
        }
    }

    /// Returns the body that a search got before.
    pub fn search(&self, key: &SearchKey) -> Option<Bytes> {
        self.searches.get(key)
    }

    /// Caches the body that a search got.
    pub fn remember_search(&self, key: SearchKey, body: Bytes) {
        if self.seen_once.admits(&key) {
            self.searches.insert(key, body);
        }
    }

    /// Returns the body that a search in the dialect of another service got before.
    pub fn compat_search(&self, key: &CompatSearchKey) -> Option<Bytes> {
        self.compat_searches.get(key)
    }

    /// Caches the body that a search in the dialect of another service got.
    pub fn remember_compat_search(&self, key: CompatSearchKey, body: Bytes) {
        if self.seen_once.admits(&key) {
            self.compat_searches.insert(key, body);
        }
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        let weight = |key: &str, body: &Bytes| {
            const FIXED: usize = 256;
            u32::try_from(FIXED + key.len() + body.len()).unwrap_or(u32::MAX)
        };
        Self {
            estimates: FairCache::new(MAX_ESTIMATES_BYTES),
            by_request: FairCache::new(MAX_BY_REQUEST_BYTES),
            searches: Cache::builder()
                .max_capacity(MAX_SEARCHES_BYTES)
                .weigher(move |key: &SearchKey, body: &Bytes| weight(&key.query, body))
                .time_to_idle(TIME_TO_IDLE)
                .build(),
            compat_searches: Cache::builder()
                .max_capacity(MAX_SEARCHES_BYTES)
                .weigher(move |key: &CompatSearchKey, body: &Bytes| weight(&key.request, body))
                .time_to_idle(TIME_TO_IDLE)
                .build(),
            seen_once: Doorkeeper::default(),
            under_way: SingleFlight::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a client can make long must count, or the memory for responses has no bound.
    #[test]
    fn long_queries_and_long_bodies_count() {
        let responses = ResponseCache::default();
        let key = |query: &str, body: &str| RawRequestKey {
            account: AccountId::parse("acc_0000000000000000000000").expect("an id"),
            edition: 0,
            version: "1".into(),
            dialect: Dialect::Morsel,
            query: Some(query.to_owned()),
            body: Bytes::from(body.to_owned()),
            understands: Vec::new(),
        };
        let long = "x".repeat(10_000);
        let mut least = 0;
        for key in [key(&long, ""), key("", &long)] {
            for _ in 0..2 {
                responses.remember_body(key.clone(), Bytes::new());
            }
            least += 10_000;
            assert!(responses.by_request.bytes() >= least);
        }
    }
}
