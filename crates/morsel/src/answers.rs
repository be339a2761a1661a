//! Answers that were given before. The engine always gives the same answer to the same text, so computing it again is a
//! waste; apps send the same breakfast every day.
//!
//! Estimates are remembered for one account only: from how fast an answer comes, nobody learns what others ate.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use foods::Source;
use meal::Part;
use moka::sync::Cache;
use store::AccountId;

use crate::api::estimate::include::Include;
use crate::api::estimate::rows::EstimateAnswer;
use crate::sight::Mark;

/// Bytes of estimates, of their requests and of search results that are remembered.
const ESTIMATES_BYTES: u64 = 64 << 20;
const LETTERS_BYTES: u64 = 32 << 20;
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
    pub version: Arc<str>,
    /// The user's messages.
    pub messages: Vec<String>,
    /// Their photos, each with the place of its message.
    pub photos: Vec<(usize, Mark)>,
}

/// A request for an estimate, to the letter: whoever sends the same again gets the same again, without being read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// Who asks.
    pub account: AccountId,
    /// The state of the caller's recipes.
    pub edition: u64,
    /// The state of catalog and program.
    pub version: Arc<str>,
    /// The parameters in the address.
    pub query: Option<String>,
    /// The body.
    pub body: Bytes,
}

/// What a search depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchKey {
    /// The state of catalog and program.
    pub version: Arc<str>,
    /// The trimmed query.
    pub query: String,
    /// How many foods are wanted.
    pub limit: usize,
    /// Of which kind.
    pub source: Option<Source>,
}

/// An estimated meal.
#[derive(Debug)]
pub struct Estimated {
    /// What it consists of.
    pub parts: Vec<Part>,
    plain: OnceLock<Bytes>,
}

impl Estimated {
    /// A meal of these parts.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts, plain: OnceLock::new() }
    }

    /// The answer with nothing but the contract's fields, which nearly everybody asks for, as JSON; written once.
    pub fn plain(&self) -> Bytes {
        let written = || {
            let answer = EstimateAnswer::from_parts(&self.parts, Include::default());
            Bytes::from(serde_json::to_vec(&answer).expect("an answer has only keys that JSON can hold"))
        };
        self.plain.get_or_init(written).clone()
    }
}

/// Remembered answers.
#[derive(Debug)]
pub struct Answers {
    /// Estimated meals.
    pub estimates: Cache<EstimateKey, Arc<Estimated>>,
    /// The bodies of estimates without photos, which could be gone the next time.
    pub letters: Cache<Letter, Bytes>,
    /// The bodies of searches.
    pub searches: Cache<SearchKey, Bytes>,
}

impl Answers {
    /// Remembers a meal, where it would be the same again.
    pub fn remember(&self, key: Option<&EstimateKey>, estimated: &Arc<Estimated>) {
        if let Some(key) = key {
            self.estimates.insert(key.clone(), Arc::clone(estimated));
        }
    }
}

impl Default for Answers {
    fn default() -> Self {
        let estimate = |key: &EstimateKey, estimated: &Arc<Estimated>| {
            let text: usize = key.messages.iter().map(String::len).sum();
            // A part carries its food and three alternatives with all their portions and nutrients.
            u32::try_from(text + estimated.parts.len() * 4_096 + 256).unwrap_or(u32::MAX)
        };
        let letter = |letter: &Letter, answer: &Bytes| {
            let query = letter.query.as_ref().map_or(0, String::len);
            u32::try_from(query + letter.body.len() + answer.len() + 256).unwrap_or(u32::MAX)
        };
        let search =
            |key: &SearchKey, body: &Bytes| u32::try_from(key.query.len() + body.len() + 256).unwrap_or(u32::MAX);
        Self {
            estimates: Cache::builder().max_capacity(ESTIMATES_BYTES).weigher(estimate).time_to_idle(IDLE).build(),
            letters: Cache::builder().max_capacity(LETTERS_BYTES).weigher(letter).time_to_idle(IDLE).build(),
            searches: Cache::builder().max_capacity(SEARCHES_BYTES).weigher(search).time_to_idle(IDLE).build(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a stranger can make long must count, or the memory for answers has no bound.
    #[test]
    fn long_addresses_and_long_bodies_count() {
        let answers = Answers::default();
        let letter = |query: &str, body: &str| Letter {
            account: AccountId::parse("acc_0000000000000000000000").expect("an id"),
            edition: 0,
            version: "1".into(),
            query: Some(query.to_owned()),
            body: Bytes::from(body.to_owned()),
        };
        let long = "x".repeat(10_000);
        let mut least = 0;
        for letter in [letter(&long, ""), letter("", &long)] {
            answers.letters.insert(letter, Bytes::new());
            answers.letters.run_pending_tasks();
            least += 10_000;
            assert!(answers.letters.weighted_size() >= least);
        }
    }
}
