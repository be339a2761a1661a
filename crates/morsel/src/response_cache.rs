//! Responses given before. The engine always gives the same answer to the same text, so computing it again is a waste: apps
//! send the same breakfast every day.
//!
//! Estimates are cached by account, so that nobody learns from how fast an answer comes what others ate.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use foods::Source;
use meal::Part;
use moka::sync::Cache;
use store::AccountId;

use crate::photo_reader::PhotoKey;

/// Memory for estimates, for responses by request, and for search results.
const MAX_ESTIMATES_BYTES: u64 = 64 << 20;
const MAX_BY_REQUEST_BYTES: u64 = 32 << 20;
const MAX_SEARCHES_BYTES: u64 = 32 << 20;
/// Entries that are not used for this long are dropped.
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
    /// The user's messages.
    pub messages: Vec<String>,
    /// Their photos, each with the index of its message.
    pub photos: Vec<(usize, PhotoKey)>,
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
    /// The query string.
    pub query: Option<String>,
    /// The body.
    pub body: Bytes,
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
    /// Estimated meals.
    pub estimates: Cache<EstimateKey, Arc<Estimated>>,
    /// Bodies of estimates by request. Without photos: those may be gone the next time.
    pub by_request: Cache<RawRequestKey, Bytes>,
    /// Bodies of searches.
    pub searches: Cache<SearchKey, Bytes>,
}

impl ResponseCache {
    /// Caches a meal, if it has a key: without one it could be estimated differently the next time.
    pub fn remember(&self, key: Option<&EstimateKey>, estimated: &Arc<Estimated>) {
        if let Some(key) = key {
            self.estimates.insert(key.clone(), Arc::clone(estimated));
        }
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        let estimate = |key: &EstimateKey, estimated: &Arc<Estimated>| {
            let text: usize = key.messages.iter().map(String::len).sum();
            // A part carries its food and three alternatives with all their portions and nutrients.
            bytes(text + estimated.parts.len() * 4_096)
        };
        let by_request = |key: &RawRequestKey, body: &Bytes| {
            bytes(key.query.as_ref().map_or(0, String::len) + key.body.len() + body.len())
        };
        let search = |key: &SearchKey, body: &Bytes| bytes(key.query.len() + body.len());
        Self {
            estimates: Cache::builder()
                .max_capacity(MAX_ESTIMATES_BYTES)
                .weigher(estimate)
                .time_to_idle(TIME_TO_IDLE)
                .build(),
            by_request: Cache::builder()
                .max_capacity(MAX_BY_REQUEST_BYTES)
                .weigher(by_request)
                .time_to_idle(TIME_TO_IDLE)
                .build(),
            searches: Cache::builder()
                .max_capacity(MAX_SEARCHES_BYTES)
                .weigher(search)
                .time_to_idle(TIME_TO_IDLE)
                .build(),
        }
    }
}

/// Returns the weight of an entry whose variable part has this many bytes.
fn bytes(variable: usize) -> u32 {
    const FIXED: usize = 256;
    u32::try_from(variable + FIXED).unwrap_or(u32::MAX)
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
            query: Some(query.to_owned()),
            body: Bytes::from(body.to_owned()),
        };
        let long = "x".repeat(10_000);
        let mut least = 0;
        for key in [key(&long, ""), key("", &long)] {
            responses.by_request.insert(key, Bytes::new());
            responses.by_request.run_pending_tasks();
            least += 10_000;
            assert!(responses.by_request.weighted_size() >= least);
        }
    }
}
