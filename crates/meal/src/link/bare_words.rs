//! What people mean by a bare word: "salad" is lettuce and vegetables, "tea" is hot and black. The list is a data file.

use std::collections::{HashMap, HashSet};

use foods::text::{singular, words};

use crate::lexicon::Lexicon;
use crate::read::segment::SegmentWord;

/// The words of a phrase and what it stands for.
type Meaning = (Vec<String>, Vec<String>);

/// The phrases of the list.
#[derive(Debug)]
pub struct Usual {
    /// By their first word.
    phrases: HashMap<String, Vec<Meaning>>,
    /// Measures and sizes, which say nothing of the food.
    neutral: HashSet<String>,
}

impl Usual {
    /// Reads the list.
    pub fn new(lexicon: &Lexicon) -> Self {
        let mut phrases: HashMap<String, Vec<Meaning>> = HashMap::new();
        let lines = include_str!("../../lexicon/usual.tsv").lines().filter(|line| !line.starts_with('#'));
        for (phrase, meaning) in lines.filter_map(|line| line.split_once('\t')) {
            let said = words(phrase);
            if let Some(first) = said.first() {
                phrases.entry(first.clone()).or_default().push((said, words(meaning)));
            }
        }
        Self { phrases, neutral: lexicon.measures_and_sizes().map(singular).collect() }
    }

    /// Whether a word alone stands for something.
    pub fn has(&self, word: &str) -> bool {
        self.phrases.get(word).is_some_and(|all| all.iter().any(|(phrase, _)| phrase.len() == 1))
    }

    /// What a phrase stands for if it says nothing beyond one of the list; words that need not be said are kept.
    pub fn meaning(&self, said: &[SegmentWord]) -> Option<Vec<SegmentWord>> {
        let is_said = |word: &String| said.iter().any(|known| !known.negated && known.word == *word);
        // "iced" tea is another tea.
        let tells = |phrase: &[String]| {
            let is_neutral = |word: &SegmentWord| word.optional && self.neutral.contains(&word.word);
            said.iter().all(|word| word.negated || phrase.contains(&word.word) || is_neutral(word))
        };
        let known = said.iter().filter_map(|word| self.phrases.get(&word.word)).flatten();
        let fits = known.filter(|(phrase, _)| phrase.iter().all(is_said) && tells(phrase));
        let (phrase, meaning) = fits.max_by_key(|(phrase, _)| phrase.len())?;
        let mut out: Vec<SegmentWord> =
            meaning.iter().map(|word| SegmentWord { word: word.clone(), optional: false, negated: false }).collect();
        let is_known = |word: &SegmentWord| phrase.contains(&word.word) || meaning.contains(&word.word);
        out.extend(said.iter().filter(|word| !is_known(word)).cloned());
        Some(out)
    }
}
