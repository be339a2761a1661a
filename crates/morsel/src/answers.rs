//! Answers that were given before. The engine always gives the same answer to the same text, so computing it again is a
//! waste; apps send the same breakfast every day.
//!
//! Estimates are remembered for one account only: from how fast an answer comes, nobody learns what others ate.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use foods::Source;
use meal::parts::Part;
use moka::sync::Cache;
use store::AccountId;

use crate::sight::Mark;

/// Bytes of estimates and of search results that are remembered.
const ESTIMATES_BYTES: u64 = 64 << 20;
const SEARCHES_BYTES: u64 = 32 << 20;
/// What is not asked for again within this time is forgotten.
const IDLE: Duration = Duration::from_hours(1);

/// What an estimate depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EstimateKey {
    /// Who asks.
    pub account: AccountId,
    /// The state of the caller's recipes.
    pub edition: u64,
    /// The state of catalog and program.
    pub version: String,
    /// The user's messages.
    pub messages: Vec<String>,
    /// Their photos, each with the place of its message.
    pub photos: Vec<(usize, Mark)>,
}

/// What a search depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchKey {
    /// The state of catalog and program.
    pub version: String,
    /// The trimmed query.
    pub query: String,
    /// How many foods are wanted.
    pub limit: usize,
    /// Of which kind.
    pub source: Option<Source>,
}

/// Remembered answers.
#[derive(Debug)]
pub struct Answers {
    /// The parts of estimated meals.
    pub estimates: Cache<EstimateKey, Arc<Vec<Part>>>,
    /// The bodies of searches.
    pub searches: Cache<SearchKey, Bytes>,
}

impl Answers {
    /// Remembers the parts of a meal, where they would be the same again.
    pub fn remember(&self, key: Option<&EstimateKey>, parts: &Arc<Vec<Part>>) {
        if let Some(key) = key {
            self.estimates.insert(key.clone(), Arc::clone(parts));
        }
    }
}

impl Default for Answers {
    fn default() -> Self {
        let estimate = |key: &EstimateKey, parts: &Arc<Vec<Part>>| {
            let text: usize = key.messages.iter().map(String::len).sum();
            // A part carries its food and three alternatives with all their portions and nutrients.
            u32::try_from(text + parts.len() * 4_096 + 256).unwrap_or(u32::MAX)
        };
        let search =
            |key: &SearchKey, body: &Bytes| u32::try_from(key.query.len() + body.len() + 256).unwrap_or(u32::MAX);
        Self {
            estimates: Cache::builder().max_capacity(ESTIMATES_BYTES).weigher(estimate).time_to_idle(IDLE).build(),
            searches: Cache::builder().max_capacity(SEARCHES_BYTES).weigher(search).time_to_idle(IDLE).build(),
        }
    }
}
