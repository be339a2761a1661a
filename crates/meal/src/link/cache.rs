//! What is kept from phrase to phrase and from text to text, so that it is worked out once.
//!
//! Nothing here changes an answer: whatever is kept depends only on the catalog.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::phrase::{Link, Phrase};
use crate::portion::table::RowTexts;

/// Words that are kept at most. A text has a few dozen, and most of them are in the next one too.
const MAX_WORDS: usize = 8_192;
/// Phrases that are kept at most, and the longest of them: together they stay below three megabytes.
const MAX_PHRASES: usize = 4_096;
const MAX_PHRASE_BYTES: usize = 160;

/// What a phrase's words come to, reused from phrase to phrase.
#[derive(Debug, Default)]
pub struct Scratch {
    /// What each name has gained.
    pub(crate) gained: Vec<f32>,
    /// The names that have gained something.
    pub(crate) touched: Vec<u32>,
    /// The rows of portions that were read before.
    pub(crate) rows: RowTexts,
    /// Words that were looked up before.
    known: HashMap<String, KnownWord>,
    /// The foods of phrases that were met before. People eat the same things, and long texts repeat themselves.
    phrases: HashMap<String, Vec<Link>>,
    /// The key of the phrase that is looked for.
    key: String,
}

/// What the catalog knows of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownWord {
    /// The words of names that it stands for.
    pub spelled: Spelled,
    /// Some plain food has just this word in its name.
    pub is_exact: bool,
    /// It is another word for a food.
    pub is_synonym: bool,
    /// It can say what a food is, rather than how it is.
    pub is_food: bool,
    /// How much it tells as it is written.
    pub tells: f32,
}

impl KnownWord {
    /// What the word stands for; one that need not be said is not taken for another.
    pub fn spelled_as(&self, optional: bool) -> Spelled {
        if optional && !self.is_exact { Spelled::UNKNOWN } else { self.spelled }
    }
}

/// What a word of a text stands for.
#[derive(Clone, Copy, Debug)]
pub struct Spelled {
    /// The words of names; those beyond `len` are none.
    words: [u32; Spelled::MAX],
    len: u8,
    /// How much they tell.
    pub tells: f32,
    /// What reading them so costs.
    pub penalty: f32,
}

impl Spelled {
    /// Most words of names that one word is taken for.
    pub const MAX: usize = 3;

    /// A word that no name has.
    pub const UNKNOWN: Self = Self { words: [0; Self::MAX], len: 0, tells: 0.5, penalty: 0.0 };

    /// The first words of a list.
    pub fn new(all: &[u32], tells: f32, penalty: f32) -> Self {
        let mut words = [0; Self::MAX];
        let len = all.len().min(Self::MAX);
        words[..len].copy_from_slice(&all[..len]);
        Self { words, len: len as u8, tells, penalty }
    }

    /// The words of names.
    pub fn words(&self) -> &[u32] {
        &self.words[..usize::from(self.len)]
    }
}

impl Scratch {
    /// The foods of a phrase, kept from when it was met before; else nothing, and the key to keep them by.
    pub(crate) fn phrase(&mut self, phrase: &Phrase<'_>, limit: usize) -> Result<Vec<Link>, String> {
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
        // Places are small; those of a text that is one long phrase are beyond what is kept.
        self.key.extend(places.map(|place| char::from_u32(place as u32).unwrap_or(char::MAX)));
        self.phrases.get(&self.key).cloned().ok_or_else(|| self.key.clone())
    }

    pub(crate) fn keep_phrase(&mut self, key: String, links: &[Link]) {
        if key.len() > MAX_PHRASE_BYTES {
            return;
        }
        if self.phrases.len() >= MAX_PHRASES {
            self.phrases.clear();
        }
        self.phrases.insert(key, links.to_vec());
    }

    /// What is known of a word.
    pub(crate) fn word(&self, word: &str) -> Option<KnownWord> {
        self.known.get(word).copied()
    }

    pub(crate) fn keep_word(&mut self, word: &str, known: KnownWord) {
        if self.known.len() >= MAX_WORDS {
            self.known.clear();
        }
        self.known.insert(word.to_owned(), known);
    }
}

/// The scratches that no thread uses at the moment.
#[derive(Debug, Default)]
pub(crate) struct Scratches {
    idle: Mutex<Vec<Scratch>>,
}

impl Scratches {
    /// Lends a scratch for as long as something takes.
    pub fn with<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        idle().push(scratch);
        result
    }
}
