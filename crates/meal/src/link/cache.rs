//! What is kept from phrase to phrase and from text to text, so that it is worked out once.
//!
//! Nothing here changes an answer: everything that is kept depends only on the catalog.

use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;

use super::phrase::{Link, Phrase};
use crate::budget::Budget;
use crate::portion::table::RowCache;

/// The most words that are kept. A text has a few dozen, and most of them are in the next one too.
const MAX_WORDS: usize = 8_192;
/// The most phrases that are kept, and the longest of them: together they stay below three megabytes.
const MAX_PHRASES: usize = 4_096;
const MAX_PHRASE_BYTES: usize = 160;
/// The steps of finding a phrase here.
const STEPS_OF_LOOKUP: usize = 300;

/// Caches and buffers that one thread uses at a time.
#[derive(Debug, Default)]
pub(crate) struct LinkCache {
    /// Buffer of ranking: what each name has gained.
    pub gained: Vec<f32>,
    /// Buffer of ranking: the names that have gained something.
    pub touched: Vec<u32>,
    /// The steps that ranking has taken since this was set to zero.
    pub steps: usize,
    /// The rows of portions that were parsed before.
    pub rows: RowCache,
    words: HashMap<String, KnownWord>,
    /// The links of phrases. People eat the same things, and long texts repeat themselves.
    phrases: HashMap<String, KnownPhrase>,
    /// Buffer for the key of a phrase.
    key: String,
}

/// What a phrase may mean.
#[derive(Clone, Debug)]
pub(crate) struct KnownPhrase {
    /// The foods, best first.
    pub links: Vec<Link>,
    /// The steps that it took to find them.
    pub steps: usize,
}

/// What the catalog knows of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownWord {
    /// The words of names that it stands for.
    pub matches: WordMatches,
    /// Some plain food has exactly this word in its name.
    pub is_exact: bool,
    /// It is a synonym of a food.
    pub is_synonym: bool,
    /// It can be the head of a name: it says what a food is, rather than how it is.
    pub is_food: bool,
    /// Its idf as it is written.
    pub idf: f32,
}

impl KnownWord {
    /// Returns what the word stands for. An optional word is not read as another spelling.
    pub fn matches_as(&self, optional: bool) -> WordMatches {
        if optional && !self.is_exact { WordMatches::UNKNOWN } else { self.matches }
    }
}

/// The words of names that a word of a text stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordMatches {
    words: [u32; WordMatches::MAX],
    /// How many of them are in use.
    len: u8,
    /// Their idf.
    pub idf: f32,
    /// The penalty for reading the word so.
    pub penalty: f32,
}

impl WordMatches {
    /// The most words of names that one word is read as.
    pub const MAX: usize = 3;

    /// Those of a word that no name has.
    pub const UNKNOWN: Self = Self { words: [0; Self::MAX], len: 0, idf: 0.5, penalty: 0.0 };

    /// Keeps the first words of a list.
    pub fn new(all: &[u32], idf: f32, penalty: f32) -> Self {
        let mut words = [0; Self::MAX];
        let len = all.len().min(Self::MAX);
        words[..len].copy_from_slice(&all[..len]);
        Self { words, len: len as u8, idf, penalty }
    }

    /// Returns the words of names.
    pub fn words(&self) -> &[u32] {
        &self.words[..usize::from(self.len)]
    }
}

impl LinkCache {
    /// Returns the links of a phrase that was met before, or else the key to keep them by.
    pub fn phrase(&mut self, phrase: &Phrase<'_>, limit: usize, budget: &Budget) -> Result<Vec<Link>, String> {
        self.key.clear();
        for word in phrase.words {
            self.key.push_str(&word.word);
            self.key.push(match (word.optional, word.negated) {
                (false, false) => ' ',
                (true, false) => '?',
                (false, true) => '-',
                (true, true) => '~',
            });
        }
        let places = phrase.heads.iter().copied().chain([phrase.first, limit]);
        // Positions are small; those of a text that is one long phrase are not kept anyway.
        self.key.extend(places.map(|place| char::from_u32(place as u32).unwrap_or(char::MAX)));
        let Some(known) = self.phrases.get(&self.key) else { return Err(self.key.clone()) };
        budget.take_once(&self.key, known.steps, STEPS_OF_LOOKUP);
        Ok(known.links.clone())
    }

    /// Keeps the links of a phrase.
    pub fn keep_phrase(&mut self, key: String, known: KnownPhrase, budget: &Budget) {
        if key.len() > MAX_PHRASE_BYTES {
            budget.take(known.steps);
            return;
        }
        budget.take_once(&key, known.steps, STEPS_OF_LOOKUP);
        if self.phrases.len() >= MAX_PHRASES {
            self.phrases.clear();
        }
        self.phrases.insert(key, known);
    }

    /// Returns what is known of a word that was looked up before.
    pub fn word(&self, word: &str) -> Option<KnownWord> {
        self.words.get(word).copied()
    }

    /// Keeps what is known of a word.
    pub fn keep_word(&mut self, word: &str, known: KnownWord) {
        if self.words.len() >= MAX_WORDS {
            self.words.clear();
        }
        self.words.insert(word.to_owned(), known);
    }
}

/// The caches that no thread is using at the moment.
#[derive(Debug, Default)]
pub(crate) struct CachePool {
    idle: Mutex<Vec<LinkCache>>,
}

impl CachePool {
    /// Lends a cache for as long as a function runs.
    pub fn with<R>(&self, work: impl FnOnce(&mut LinkCache) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut cache = taken.unwrap_or_default();
        let result = work(&mut cache);
        idle().push(cache);
        result
    }
}
