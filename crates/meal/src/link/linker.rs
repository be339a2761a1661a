//! From words to a food: every name of the catalog's plain foods is compared with a phrase.
//!
//! A name gains for each word of the phrase that it has, by how much the word tells ("sockeye" tells more than
//! "cooked"), and loses for words of the phrase that it lacks and for words of its own that nobody said. What the food
//! is (the head of its name) counts more than how it is. Ties go to what the tables call "not further specified".

use std::collections::HashMap;

use foods::catalog::{Layer, NameOfFood};
use foods::search::Synonyms;
use foods::search::entry::Zone;

use super::bare_words::Usual;
use super::cache::Scratch;
use super::catalog_dishes::Dishes;
use super::name_stats as names;
use super::phrase::{Link, Phrase};
use super::places::{Chains, Place, SCHOOL};
use super::weights::Weights;
use crate::lexicon::Lexicon;
use crate::read::dish_words;
use crate::read::segment::SegmentWord;

/// Laboratory tables have a prior below this, FNDDS above.
const LABORATORY_PRIOR: f32 = -0.55;

/// Where a word stands that only the category of a food has.
const CATEGORY_ZONE: u8 = 4;
/// No word of any name.
pub(crate) const GAP: u32 = u32::MAX;
/// By how much the usual meaning of a bare word leads.
const USUAL_LEAD: f32 = 0.1;
/// By how much it may lead: what stands behind it ("pizza with a thin crust") still counts.
const USUAL_REACH: f32 = 0.6;

/// A name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) food: u32,
    pub(crate) head: u32,
    /// It comes from a fast food place.
    pub(crate) fast: bool,
    /// The place is not said: "from fast food".
    pub(crate) any_place: bool,
    /// It comes from a school.
    pub(crate) school: bool,
}

/// One place of a word in the names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub(crate) name: u32,
    pub(crate) zone: u8,
    /// The name says that this is not there: the "skin" of "skin not eaten".
    pub(crate) denied: bool,
    /// What the name gets back because the word was said.
    pub(crate) cost: f32,
}

/// The names of all plain foods, by word.
#[derive(Debug)]
pub struct Linker {
    pub(crate) names: Vec<Name>,
    /// The prior of each name less what its words cost when none of them is said.
    pub(crate) bases: Vec<f32>,
    pub(crate) postings: Vec<Posting>,
    /// Where the postings of each word begin, and where the last end.
    pub(crate) starts: Vec<u32>,
    /// How much each word tells, from 0 to 1.
    pub(crate) tells: Vec<f32>,
    /// The share of the names with a word in which it says what the food is.
    pub(crate) heads: Vec<f32>,
    /// The words of all names, in order, each name followed by a gap and the words of its category, and where those of
    /// each begin.
    pub(crate) sequence: Vec<u32>,
    pub(crate) sequence_starts: Vec<u32>,
    /// How many names have one word right behind another.
    pub(crate) pairs: HashMap<(u32, u32), u32>,
    pub(crate) places: Chains,
    dishes: Dishes,
    pub(crate) usual: Usual,
    pub(crate) weights: Weights,
    pub(crate) synonyms: Synonyms,
}

impl Linker {
    /// Reads the names of a layer's plain foods.
    pub fn new(layer: &Layer, lexicon: &Lexicon, weights: Weights) -> Self {
        let (dishes, mut all) = Dishes::apart(layer);
        let total = (all.len().max(2)) as f32;
        all.extend(dishes.names());
        let mut counts = vec![0u32; layer.word_count() + dishes.foods.len() + 1];
        for name in &all {
            for word in &name.words {
                counts[word.word as usize] += 1;
            }
        }
        let tells: Vec<f32> =
            counts.iter().map(|&count| ((total / (count as f32 + 0.5)).ln() / total.ln()).clamp(0.1, 1.0)).collect();
        let mut categories = names::Categories::default();
        let classes: Vec<Vec<u32>> = all
            .iter()
            .map(|name| {
                let words = categories.words_of(layer, name.food).iter().copied();
                words.filter(|class| !name.words.iter().any(|word| word.word == *class)).collect()
            })
            .collect();
        let mut places = counts.clone();
        for class in classes.iter().flatten() {
            places[*class as usize] += 1;
        }
        let mut starts = vec![0u32; counts.len() + 1];
        for (at, &count) in places.iter().enumerate() {
            starts[at + 1] = starts[at] + count;
        }
        let heads = names::head_shares(&all, &counts);
        let pairs = names::pairs(&all);
        let (sequence, sequence_starts) = in_sequence(&all, &classes);
        let scale = names::unsaid_scales(layer, lexicon, &weights, counts.len());
        let denials = names::Denials::new(layer);
        let school = layer.word(SCHOOL);
        let places = Chains::default();
        let chains = places.words_of_names(layer);
        let fast_food = layer.word("fast").zip(layer.word("food")).map(|(fast, food)| [fast, food]);
        let mut next = starts.clone();
        let mut postings = vec![Posting { name: 0, zone: 0, denied: false, cost: 0.0 }; starts[counts.len()] as usize];
        let mut known = Vec::with_capacity(all.len());
        let mut bases = Vec::with_capacity(all.len());
        for (number, name) in all.iter().enumerate() {
            let mut unsaid = 0.0;
            let head = names::head_of(name);
            // What a dish is made of tells nothing of its name.
            let is_plain = !dishes.foods.contains(&name.food);
            let is_compound = is_plain && names::is_compound(layer, name);
            let alternatives = if is_plain { names::alternatives(layer, name.food) } else { Vec::new() };
            for (place, word) in name.words.iter().enumerate() {
                let at = word.word as usize;
                let is_head = is_compound && word.word == head;
                let kind = if is_head { weights.unsaid_head } else { 1.0 };
                let zone = if word.zone == Zone::Main { weights.unsaid[0] } else { weights.unsaid[1] };
                let class = if place == 0 && names::is_class(layer, name) { names::MAIN_COST } else { word.cost };
                let choice = if alternatives.contains(&word.word) { weights.alternative } else { 1.0 };
                let cost = class * zone * kind * (0.4 + tells[at]) * scale[at] * choice;
                unsaid += cost;
                let denied = denials.denies(&name.words, place);
                postings[next[at] as usize] = Posting { name: number as u32, zone: word.zone as u8, denied, cost };
                next[at] += 1;
            }
            for &class in &classes[number] {
                let slot = &mut next[class as usize];
                postings[*slot as usize] =
                    Posting { name: number as u32, zone: CATEGORY_ZONE, denied: false, cost: 0.0 };
                *slot += 1;
            }
            let laboratory = if name.prior <= LABORATORY_PRIOR { weights.laboratory } else { 0.0 };
            let prior = name.prior * weights.prior - laboratory;
            let numbers: Vec<u32> = name.words.iter().map(|word| word.word).collect();
            let fast = chains.iter().any(|chain| numbers.windows(chain.len()).any(|run| run == chain));
            bases.push(prior - unsaid);
            let any_place = fast_food.as_ref().is_some_and(|words| numbers.windows(2).any(|run| run == words));
            known.push(Name {
                food: name.food,
                head,
                fast,
                any_place,
                school: numbers.iter().any(|word| Some(*word) == school),
            });
        }
        Self {
            names: known,
            bases,
            postings,
            starts,
            tells,
            heads,
            sequence,
            sequence_starts,
            pairs,
            places,
            dishes,
            usual: Usual::new(lexicon),
            weights,
            synonyms: Synonyms::default(),
        }
    }

    /// The foods that fit a phrase best, best first, each once.
    pub fn top(&self, layer: &Layer, phrase: &Phrase<'_>, scratch: &mut Scratch, limit: usize) -> Vec<Link> {
        match scratch.phrase(phrase, limit) {
            Ok(known) => known,
            Err(key) => {
                let found = self.top_anew(layer, phrase, scratch, limit);
                scratch.keep_phrase(key, &found);
                found
            }
        }
    }

    fn top_anew(&self, layer: &Layer, phrase: &Phrase<'_>, scratch: &mut Scratch, limit: usize) -> Vec<Link> {
        let mut found = self.rank(layer, phrase, scratch, limit);
        let words: Vec<String> = phrase.words.iter().map(|word| word.word.clone()).collect();
        for rewritten in self.synonyms.rewrite_words(&words) {
            let optional = |word: &String| phrase.words.iter().any(|known| known.word == *word && known.optional);
            let negated = |word: &String| phrase.words.iter().any(|known| known.word == *word && known.negated);
            let other: Vec<SegmentWord> = rewritten
                .into_iter()
                .map(|word| SegmentWord { optional: optional(&word), negated: negated(&word), word })
                .collect();
            let mut ranked = self.rank(layer, &Phrase::of(&other), scratch, limit);
            let cost = if phrase.is_joined() { self.weights.rewritten_joined } else { self.weights.rewritten };
            for link in &mut ranked {
                link.score -= cost;
                link.matched = u64::MAX;
            }
            found.extend(ranked);
        }
        if let Some(closed) = self.closed_up(layer, phrase.words) {
            let other = Phrase { words: &closed, heads: vec![closed.len() - 1], first: closed.len() };
            for mut link in self.rank(layer, &other, scratch, limit) {
                link.score -= self.weights.closed_up;
                link.matched = u64::MAX;
                found.push(link);
            }
        }
        if let Some(meaning) = self.usual.meaning(phrase.words) {
            // Nothing fits better than what everybody means.
            let best = found.iter().map(|link| link.score).fold(0.0, f32::max);
            for mut link in self.rank(layer, &Phrase::of(&meaning), scratch, 1).into_iter().take(1) {
                link.score = link.score.clamp(best + USUAL_LEAD, best + USUAL_REACH);
                link.matched = u64::MAX;
                link.covered = 1.0;
                found.push(link);
            }
        }
        found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.food.cmp(&other.food)));
        let mut kept: Vec<Link> = Vec::with_capacity(limit);
        for link in found {
            if kept.len() < limit && !kept.iter().any(|known| known.food == link.food) {
                kept.push(link);
            }
        }
        kept
    }

    /// Whether words stand for others.
    pub(crate) fn is_rewritten(&self, words: &[SegmentWord]) -> bool {
        let said: Vec<String> = words.iter().map(|word| word.word.clone()).collect();
        self.usual.meaning(words).is_some() || !self.synonyms.rewrite_words(&said).is_empty()
    }

    /// The fast food places.
    pub fn chains(&self) -> &Chains {
        &self.places
    }

    /// Whether a food is as a place has it.
    pub fn is_from(&self, link: &Link, place: Place) -> bool {
        self.names.get(link.name as usize).is_some_and(|name| match place {
            Place::FastFood => name.fast,
            Place::School => name.school,
        })
    }

    /// Whether a food is as fast food places in general have it.
    pub fn is_from_any(&self, link: &Link) -> bool {
        self.names.get(link.name as usize).is_some_and(|name| name.any_place)
    }

    /// How many names of plain foods have a word.
    pub fn names_with(&self, layer: &Layer, word: &str) -> usize {
        self.number(layer, word).map_or(0, |number| self.postings_of(number).len())
    }

    /// The word of a dish whose name is one of these words.
    pub(crate) fn dish_called(&self, words: impl IntoIterator<Item = u32>) -> Option<u32> {
        words.into_iter().find_map(|word| self.dishes.called(word))
    }

    /// The number of a word of the catalog's names, or of one that stands for a dish.
    pub(crate) fn number(&self, layer: &Layer, word: &str) -> Option<u32> {
        match dish_words::of_word(word) {
            Some(food) => self.dishes.word(food),
            None => layer.word(word),
        }
    }

    pub(crate) fn postings_of(&self, word: u32) -> &[Posting] {
        let at = word as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&stop)) => &self.postings[start as usize..stop as usize],
            _ => &[],
        }
    }
}

/// The words of all names, each name followed by a gap and the words of its category, and where each begins.
fn in_sequence(names: &[NameOfFood], classes: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut sequence: Vec<u32> = Vec::with_capacity(names.len() * 8);
    let mut starts = vec![0u32];
    for (name, classes) in names.iter().zip(classes) {
        sequence.extend(name.words.iter().map(|word| word.word));
        sequence.push(GAP);
        sequence.extend(classes);
        starts.push(sequence.len() as u32);
    }
    (sequence, starts)
}
