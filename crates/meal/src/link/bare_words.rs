//! What people mean by a bare word: "salad" is lettuce and vegetables, "tea" is hot and black. The list is in the lexicon.

use std::collections::{HashMap, HashSet};

use foods::text::{singular, words};

use crate::lexicon::Lexicon;
use crate::read::segment::SegmentWord;

/// The words of a phrase and its meaning.
type Meaning = (Vec<String>, Vec<String>);

/// The phrases of the list.
#[derive(Debug)]
pub(crate) struct BareWords {
    /// By their first word.
    phrases: HashMap<String, Vec<Meaning>>,
    /// Measures and sizes, which say nothing about the food.
    neutral: HashSet<String>,
}

impl BareWords {
    /// Reads the list.
    pub fn new(lexicon: &Lexicon) -> Self {
        let mut phrases: HashMap<String, Vec<Meaning>> = HashMap::new();
        for (phrase, meaning) in lexicon.usual() {
            let typed = words(phrase);
            if let Some(first) = typed.first() {
                phrases.entry(first.clone()).or_default().push((typed, words(meaning)));
            }
        }
        Self { phrases, neutral: lexicon.measures_and_sizes().map(singular).collect() }
    }

    /// Checks whether a word alone has a fixed meaning.
    pub fn has(&self, word: &str) -> bool {
        self.phrases.get(word).is_some_and(|all| all.iter().any(|(phrase, _)| phrase.len() == 1))
    }

    /// Returns the fixed meaning of a phrase that says nothing beyond an entry of the list, with its optional words.
    pub fn meaning(&self, words: &[SegmentWord]) -> Option<Vec<SegmentWord>> {
        let is_in_phrase = |word: &String| words.iter().any(|known| !known.negated && known.word == *word);
        let is_neutral = |word: &SegmentWord| word.optional && self.neutral.contains(&word.word);
        // "iced tea" is another tea.
        let covers_all =
            |entry: &[String]| words.iter().all(|word| word.negated || entry.contains(&word.word) || is_neutral(word));
        let known = words.iter().filter_map(|word| self.phrases.get(&word.word)).flatten();
        let fits = known.filter(|(entry, _)| entry.iter().all(is_in_phrase) && covers_all(entry));
        let (entry, meaning) = fits.max_by_key(|(entry, _)| entry.len())?;
        let is_known = |word: &SegmentWord| entry.contains(&word.word) || meaning.contains(&word.word);
        // Measures and sizes come first, so that none of them is taken for the head.
        let mut out: Vec<SegmentWord> = words.iter().filter(|word| !is_known(word)).cloned().collect();
        out.extend(meaning.iter().map(|word| SegmentWord::required(word.clone())));
        Some(out)
    }
}
