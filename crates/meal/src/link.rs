//! From words to a food: every name of the catalog's plain foods is compared with a phrase.
//!
//! A name gains for each word of the phrase that it has, by how much the word tells ("sockeye" tells more than
//! "cooked"), and loses for words of the phrase that it lacks and for words of its own that nobody said. What the food
//! is (the head of its name) counts more than how it is. Ties go to what the tables call "not further specified".

use std::collections::HashMap;

use foods::catalog::Layer;
use foods::search::entry::Zone;
use foods::text::singular;
use foods::{Source, search::Synonyms};

use crate::lexicon::Lexicon;
use crate::segment::SegmentWord;

/// Laboratory tables have a prior below this, FNDDS above.
const LABORATORY_PRIOR: f32 = -0.55;

/// How much each part counts. Chosen on the development meals as a whole, by coordinate search.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A word found in the main part, among the details, in the words our names leave out.
    pub zones: [f32; 4],
    /// A word of the phrase that the name lacks.
    pub missing: f32,
    /// A word of the name that the phrase lacks: main part, detail.
    pub unsaid: [f32; 2],
    /// The head of the name is said; it is the head of the phrase.
    pub head: [f32; 2],
    /// The head of the name is not said at all.
    pub no_head: f32,
    /// How much the prior of a food counts.
    pub prior: f32,
    /// What a corrected spelling costs.
    pub respelled: f32,
    /// A denied word in a name that denies, and in one that does not.
    pub denied: [f32; 2],
    /// The share of its worth that an optional word is given.
    pub optional_gain: f32,
    /// What another word for the same food costs.
    pub rewritten: f32,
    /// The same where the words come from several segments: "eggs and toast" is no egg bread.
    pub rewritten_joined: f32,
    /// What an optional word that nobody said costs, of what another would.
    pub optional: f32,
    /// What a laboratory table is preferred less than what people say they eat.
    pub laboratory: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            zones: [1.0, 1.15, 0.8, 0.6],
            missing: 0.6,
            unsaid: [0.8, 1.3],
            head: [0.0, 0.12],
            no_head: 0.09,
            prior: 0.25,
            respelled: 0.2,
            denied: [2.0, 0.6],
            optional_gain: 1.2,
            rewritten: 0.25,
            rewritten_joined: 0.8,
            optional: 0.65,
            laboratory: 0.33,
        }
    }
}

/// Words that may be one food.
#[derive(Clone, Debug)]
pub struct Phrase<'a> {
    /// The words, each once.
    pub words: &'a [SegmentWord],
    /// Where those stand that may say what the food is.
    pub heads: Vec<usize>,
    /// They come from several segments.
    pub is_joined: bool,
}

/// A food that a phrase may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The food's number in the layer.
    pub food: u32,
    /// How well it fits.
    pub score: f32,
    /// The share of what the phrase tells that the name has.
    pub covered: f32,
    /// Which words of the phrase the name has, a bit each.
    pub matched: u64,
    name: u32,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    food: u32,
    prior: f32,
    /// What its words cost when none of them is said.
    unsaid: f32,
    head: u32,
    /// It says what is not there: "no", "without", "not".
    denies: bool,
}

/// One place of a word in the names.
#[derive(Clone, Copy, Debug)]
struct Posting {
    name: u32,
    zone: u8,
    /// What the name gets back because the word was said.
    cost: f32,
}

/// The names of all plain foods, by word.
#[derive(Debug)]
pub struct Linker {
    names: Vec<Name>,
    postings: Vec<Posting>,
    /// Where the postings of each word begin, and where the last end.
    starts: Vec<u32>,
    /// How much each word tells, from 0 to 1.
    tells: Vec<f32>,
    /// The share of the names with a word in which it says what the food is.
    heads: Vec<f32>,
    weights: Weights,
    synonyms: Synonyms,
}

/// What a phrase's words come to, reused from phrase to phrase.
#[derive(Debug, Default)]
pub struct Scratch {
    gained: Vec<f32>,
    touched: Vec<u32>,
    known: HashMap<String, (Vec<u32>, f32, f32)>,
}

/// A word of a phrase, looked up.
#[derive(Clone, Debug)]
struct Known {
    words: Vec<u32>,
    tells: f32,
    optional: bool,
    negated: bool,
    penalty: f32,
    /// Where it stands in the phrase.
    place: usize,
}

impl Linker {
    /// Reads the names of a layer's plain foods.
    pub fn new(layer: &Layer, lexicon: &Lexicon, weights: Weights) -> Self {
        let mut counts = vec![0u32; layer.word_count() + 1];
        let all: Vec<_> = layer.names(Source::Usda).collect();
        for name in &all {
            for word in &name.words {
                counts[word.word as usize] += 1;
            }
        }
        let total = (all.len().max(2)) as f32;
        let tells: Vec<f32> =
            counts.iter().map(|&count| ((total / (count as f32 + 0.5)).ln() / total.ln()).clamp(0.1, 1.0)).collect();
        let mut starts = vec![0u32; counts.len() + 1];
        for (at, &count) in counts.iter().enumerate() {
            starts[at + 1] = starts[at] + count;
        }
        let mut next = starts.clone();
        let mut postings = vec![Posting { name: 0, zone: 0, cost: 0.0 }; starts[counts.len()] as usize];
        let mut names = Vec::with_capacity(all.len());
        let denials: Vec<u32> = ["no", "not", "without", "free"].iter().filter_map(|word| layer.word(word)).collect();
        // Words that need not be said need not be missed either.
        let mut lightly = vec![1.0f32; counts.len()];
        for word in lexicon.optional_words().filter_map(|word| layer.word(&singular(word))) {
            lightly[word as usize] = weights.optional;
        }
        for (number, name) in all.iter().enumerate() {
            let mut unsaid = 0.0;
            for word in &name.words {
                let scale = if word.zone == Zone::Main { weights.unsaid[0] } else { weights.unsaid[1] };
                let cost = word.cost * scale * (0.4 + tells[word.word as usize]) * lightly[word.word as usize];
                unsaid += cost;
                let slot = &mut next[word.word as usize];
                postings[*slot as usize] = Posting { name: number as u32, zone: word.zone as u8, cost };
                *slot += 1;
            }
            let head =
                name.words.iter().take_while(|word| word.zone == Zone::Main).last().map_or(u32::MAX, |word| word.word);
            let laboratory = if name.prior <= LABORATORY_PRIOR { weights.laboratory } else { 0.0 };
            let denies = name.words.iter().any(|word| denials.contains(&word.word));
            names.push(Name { food: name.food, prior: name.prior * weights.prior - laboratory, unsaid, head, denies });
        }
        let mut heads = vec![0.0f32; counts.len()];
        for name in &names {
            if let Some(heads) = heads.get_mut(name.head as usize) {
                *heads += 1.0 / counts[name.head as usize].max(1) as f32;
            }
        }
        Self { names, postings, starts, tells, heads, weights, synonyms: Synonyms::default() }
    }

    /// The foods that fit a phrase best, best first, each once.
    pub fn top(&self, layer: &Layer, phrase: &Phrase<'_>, scratch: &mut Scratch, limit: usize) -> Vec<Link> {
        let mut found = self.rank(layer, phrase.words, &phrase.heads, scratch, limit);
        let words: Vec<String> = phrase.words.iter().map(|word| word.word.clone()).collect();
        for rewritten in self.synonyms.rewrite_words(&words) {
            let optional = |word: &String| phrase.words.iter().any(|known| known.word == *word && known.optional);
            let other: Vec<SegmentWord> = rewritten
                .into_iter()
                .map(|word| SegmentWord { optional: optional(&word), negated: false, word })
                .collect();
            let head = [other.len().saturating_sub(1)];
            let mut ranked = self.rank(layer, &other, &head, scratch, limit);
            let cost = if phrase.is_joined { self.weights.rewritten_joined } else { self.weights.rewritten };
            for link in &mut ranked {
                link.score -= cost;
                link.matched = u64::MAX;
            }
            found.extend(ranked);
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

    fn rank(
        &self,
        layer: &Layer,
        phrase: &[SegmentWord],
        heads: &[usize],
        scratch: &mut Scratch,
        limit: usize,
    ) -> Vec<Link> {
        let mut known: Vec<Known> = phrase.iter().map(|word| self.look_up(layer, word, &mut scratch.known)).collect();
        for (place, word) in known.iter_mut().enumerate() {
            word.place = place;
        }
        scratch.gained.resize(self.names.len(), 0.0);
        let head_words: Vec<u32> =
            heads.iter().filter_map(|&head| known.get(head)).flat_map(|word| word.words.clone()).collect();
        // What is denied only tells apart what the rest has found.
        known.sort_by_key(|word| word.negated);
        let mut told = 0.0;
        let mut lost = 0.0;
        for word in &known {
            if word.negated {
                for posting in word.words.iter().flat_map(|&number| self.postings_of(number)) {
                    let gained = &mut scratch.gained[posting.name as usize];
                    if *gained != 0.0 {
                        let denies = self.names[posting.name as usize].denies;
                        *gained += word.tells * if denies { self.weights.denied[0] } else { -self.weights.denied[1] };
                    }
                }
                continue;
            }
            let missing = if word.optional { 0.03 } else { self.weights.missing };
            lost += missing * word.tells;
            told += if word.optional { 0.0 } else { word.tells };
            for &number in &word.words {
                for posting in self.postings_of(number) {
                    let gained = &mut scratch.gained[posting.name as usize];
                    if *gained == 0.0 {
                        scratch.touched.push(posting.name);
                    }
                    let share = if word.optional { self.weights.optional_gain } else { 1.0 };
                    let gain = self.weights.zones[usize::from(posting.zone)] * word.tells * share - word.penalty;
                    *gained += gain + missing * word.tells + posting.cost;
                }
            }
        }
        let mut best: Vec<Link> = Vec::new();
        for &number in &scratch.touched {
            let name = &self.names[number as usize];
            let gained = std::mem::take(&mut scratch.gained[number as usize]);
            let mut score = gained - lost - name.unsaid + name.prior;
            if head_words.contains(&name.head) {
                score += self.weights.head[0] + self.weights.head[1];
            } else if known.iter().any(|word| word.words.contains(&name.head)) {
                score += self.weights.head[0];
            } else {
                score -= self.weights.no_head;
            }
            if best.len() == limit * 2 && best.last().is_some_and(|worst| worst.score >= score) {
                continue;
            }
            let covered = if told > 0.0 { (gained / (told * (1.0 + self.weights.missing))).min(1.0) } else { 0.0 };
            let place = best.partition_point(|other| other.score >= score);
            best.insert(place, Link { food: name.food, score, covered, matched: u64::MAX, name: number });
            best.truncate(limit * 2);
        }
        scratch.touched.clear();
        for link in &mut best {
            link.matched = self.matched(link.name, &known);
        }
        best
    }

    /// Which words of a phrase a name has.
    fn matched(&self, name: u32, known: &[Known]) -> u64 {
        let has = |number: &u32| self.postings_of(*number).binary_search_by_key(&name, |posting| posting.name).is_ok();
        let found = known.iter().filter(|word| word.words.iter().any(has));
        found.fold(0, |mask, word| mask | 1u64.checked_shl(word.place as u32).unwrap_or(0))
    }

    /// Whether any plain food has the word, or one spelled nearly so, in its name.
    pub fn resolves(&self, layer: &Layer, word: &SegmentWord, scratch: &mut Scratch) -> bool {
        let found = self.look_up(layer, word, &mut scratch.known);
        !found.words.is_empty() || !self.synonyms.rewrite_words(std::slice::from_ref(&word.word)).is_empty()
    }

    /// Splits words that were run together ("peanutbutter") and closes up those that were split ("cheese burger"), where
    /// the catalog has the one and not the other.
    pub fn rejoin(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        let names = |word: &str| layer.word(word).map_or(0, |number| self.postings_of(number).len());
        let mut at = 0;
        while at < words.len() {
            let word = words[at].word.clone();
            if let Some(next) = words.get(at + 1) {
                let closed = format!("{word}{}", next.word);
                if !words[at].optional && !next.optional && names(&closed) > 2 {
                    words[at].word = closed;
                    words.remove(at + 1);
                    continue;
                }
            }
            let is_synonym = || !self.synonyms.rewrite_words(std::slice::from_ref(&word)).is_empty();
            if !words[at].optional && word.len() >= 6 && word.is_ascii() && names(&word) == 0 && !is_synonym() {
                let cut = (3..=word.len() - 3)
                    .map(|cut| (names(&word[..cut]).min(names(&singular(&word[cut..]))), cut))
                    .max()
                    .filter(|(least, _)| *least >= 5);
                if let Some((_, cut)) = cut {
                    let second = SegmentWord { word: singular(&word[cut..]), ..words[at].clone() };
                    words[at].word.truncate(cut);
                    words.insert(at + 1, second);
                }
            }
            at += 1;
        }
    }

    /// Whether a word can say what a food is, rather than how it is.
    pub fn is_food(&self, layer: &Layer, word: &str) -> bool {
        let known = layer.word(word).map(|number| self.heads[number as usize]);
        match known {
            Some(share) if share > 0.0 => {
                share >= 0.12 || share * self.postings_of(layer.word(word).unwrap_or(0)).len() as f32 >= 2.5
            }
            _ => !self.synonyms.rewrite_words(&[word.to_owned()]).is_empty() || known.is_none(),
        }
    }

    /// How much a word tells.
    pub fn tells(&self, layer: &Layer, word: &str) -> f32 {
        layer.word(word).map_or(1.0, |number| self.tells[number as usize])
    }

    fn look_up(&self, layer: &Layer, word: &SegmentWord, cache: &mut HashMap<String, (Vec<u32>, f32, f32)>) -> Known {
        let known = cache.entry(word.word.clone()).or_insert_with(|| self.spelled(layer, word));
        let (words, tells, penalty) = known.clone();
        Known { words, tells, optional: word.optional, negated: word.negated, penalty, place: 0 }
    }

    /// The words of names that a word stands for, how much they tell, and what reading them so costs.
    fn spelled(&self, layer: &Layer, word: &SegmentWord) -> (Vec<u32>, f32, f32) {
        const UNKNOWN_TELLS: f32 = 0.5;
        let is_used = |number: &u32| !self.postings_of(*number).is_empty();
        if let Some(number) = layer.word(&word.word).filter(is_used) {
            return (vec![number], self.tells[number as usize], 0.0);
        }
        let unknown = (Vec::new(), UNKNOWN_TELLS, 0.0);
        let chars = word.word.chars().count();
        if word.optional || chars < 5 || word.word.contains(|c: char| c.is_ascii_digit()) {
            return unknown;
        }
        let mut words: Vec<u32> = layer.similar_words(&word.word, 1).into_iter().filter(is_used).take(3).collect();
        if words.is_empty() && chars >= 9 {
            words = layer.similar_words(&word.word, 2).into_iter().filter(is_used).take(3).collect();
        }
        match words.iter().map(|&number| self.tells[number as usize]).reduce(f32::min) {
            Some(tells) => (words, tells, self.weights.respelled),
            None => unknown,
        }
    }

    fn postings_of(&self, word: u32) -> &[Posting] {
        let at = word as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&stop)) => &self.postings[start as usize..stop as usize],
            _ => &[],
        }
    }
}
