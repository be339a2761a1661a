//! Foods of other countries' tables that USDA's lack.
//!
//! They are found by their whole names only: a phrase must have every word of the main part, one of them in no name of USDA's
//! foods, and the name must have every word of the phrase that says which food is meant.

use std::collections::{HashMap, HashSet};

use foods::catalog::{FoodName, Layer};
use foods::index::Zone;

use super::name_stats::head_of;
use super::phrase::{Link, MatchedWords, word_bit};
use super::states::{FoodState, StateWords};
use crate::lexicon::{Roles, roles_in_any_language};
use crate::read::segment::SegmentWord;

/// The penalty of a food of another country's table relative to those of USDA's surveys.
const OTHER_TABLE: f32 = 0.35;
/// The penalty for a word of the name that the phrase lacks.
const EXTRA_WORD: f32 = 0.06;
/// The penalty for a raw food if the phrase does not say so: what people name is what they eat.
const RAW: f32 = 0.12;

/// The names that fill a gap, by word.
#[derive(Debug, Default)]
pub(crate) struct FillIns {
    names: Vec<FillIn>,
    /// The names under the new words of their main part.
    by_word: HashMap<u32, Vec<u32>>,
    /// The new words that say what a food is.
    heads: HashSet<u32>,
}

#[derive(Debug)]
struct FillIn {
    food: u32,
    /// The main part, then the details.
    words: Box<[u32]>,
    main: usize,
    is_raw: bool,
}

/// A phrase, looked up.
struct SaidWords<'a> {
    words: &'a [SegmentWord],
    numbers: Vec<Option<u32>>,
}

impl FillIns {
    /// Collects the names of a layer; `is_known` tells the words that other names have.
    pub fn new(layer: &Layer, is_known: impl Fn(u32) -> bool) -> Self {
        let mut all = Self::default();
        let states = StateWords::new(layer);
        for name in layer.fill_ins() {
            all.add(&name, &states, &is_known);
        }
        all
    }

    fn add(&mut self, name: &FoodName, states: &StateWords, is_known: impl Fn(u32) -> bool) {
        let in_main = |is_main: bool| {
            let words = name.words.iter().filter(move |word| (word.zone == Zone::Main) == is_main);
            words.map(|word| word.word)
        };
        let new: Vec<u32> = in_main(true).filter(|word| !is_known(*word)).collect();
        if new.is_empty() {
            return;
        }
        self.heads.extend(head_of(name).filter(|head| new.contains(head)));
        for word in new {
            self.by_word.entry(word).or_default().push(self.names.len() as u32);
        }
        self.names.push(FillIn {
            food: name.food,
            main: in_main(true).count(),
            words: in_main(true).chain(in_main(false)).collect(),
            is_raw: states.of_name(name) == Some(FoodState::Raw),
        });
    }

    /// Checks whether a word is new: in the main part of such a name and in no other name. What a word does in a sentence counts
    /// more than that a laboratory uses it.
    pub fn has_word(&self, number: u32, word: &str) -> bool {
        self.by_word.contains_key(&number) && roles_in_any_language(word) == Roles::NONE
    }

    /// Checks whether a new word says what a food is.
    pub fn is_head(&self, word: u32) -> bool {
        self.heads.contains(&word)
    }

    /// Returns the food that a phrase names; `is_new` tells which of its new words count, `idf` how rare a word is.
    pub fn find(
        &self,
        layer: &Layer,
        words: &[SegmentWord],
        is_new: impl Fn(u32, &str) -> bool,
        idf: impl Fn(u32) -> f32,
    ) -> Option<Link> {
        let said = SaidWords { words, numbers: words.iter().map(|word| layer.word(&word.word)).collect() };
        let new = said.with_numbers().filter(|(number, word)| !word.negated && is_new(*number, &word.word));
        let listed = new.filter_map(|(number, _)| self.by_word.get(&number)).flatten();
        let fitting = listed.map(|name| &self.names[*name as usize]).filter(|name| said.are_named_by(name));
        // Names are in the order of their scores: of two that fit as well, the first is the more likely one.
        let rated = fitting.map(|name| (said.penalty(name), name));
        let (penalty, name) = rated.reduce(|one, other| if other.0 < one.0 { other } else { one })?;
        let has = |at: &usize| said.numbers[*at].is_some_and(|number| name.words.contains(&number));
        let matched = (0..words.len()).filter(has).fold(0, |bits, at| bits | word_bit(at));
        let required = said.with_numbers().filter(|(_, word)| !word.optional && !word.negated);
        let gained: f32 = required.map(|(number, _)| idf(number)).sum();
        Some(Link {
            food: name.food,
            score: gained - OTHER_TABLE - penalty,
            covered: 1.0,
            matched: MatchedWords::Bits(matched),
            name: Link::NOT_INDEXED,
            common: None,
        })
    }
}

impl SaidWords<'_> {
    fn with_numbers(&self) -> impl Iterator<Item = (u32, &SegmentWord)> {
        self.numbers.iter().zip(self.words).filter_map(|(number, word)| Some(((*number)?, word)))
    }

    fn has(&self, number: u32) -> bool {
        self.with_numbers().any(|(known, word)| known == number && !word.negated)
    }

    /// Checks whether a name has what the phrase says, and the phrase the main part of the name.
    fn are_named_by(&self, name: &FillIn) -> bool {
        let is_named = |(number, word): (&Option<u32>, &SegmentWord)| {
            let has = number.is_some_and(|number| name.words.contains(&number));
            if word.negated { !has } else { has || word.optional || says_only_how(&word.word) }
        };
        let said = self.words.iter().filter(|word| !word.negated).map(|word| word.word.as_str());
        // Steamed rice is not raw.
        let is_other_state = name.is_raw && FoodState::of(said) == Some(FoodState::Cooked);
        !is_other_state
            && name.words[..name.main].iter().all(|word| self.has(*word))
            && self.numbers.iter().zip(self.words).all(is_named)
    }

    fn penalty(&self, name: &FillIn) -> f32 {
        let says_raw = FoodState::of(self.words.iter().map(|word| word.word.as_str())) == Some(FoodState::Raw);
        let extra = name.words.iter().filter(|word| !self.has(**word)).count();
        extra as f32 * EXTRA_WORD + if name.is_raw && !says_raw { RAW } else { 0.0 }
    }
}

/// Checks whether a word says how a food is rather than which: "stewed".
fn says_only_how(word: &str) -> bool {
    FoodState::of(std::iter::once(word)).is_some() || roles_in_any_language(word) != Roles::NONE
}
