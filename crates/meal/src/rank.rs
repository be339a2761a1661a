//! How well each name of the catalog fits a phrase.

use std::collections::HashMap;
use std::rc::Rc;

use foods::catalog::Layer;

use crate::link::{Link, Linker, Phrase, Posting};
use crate::segment::{Segment, SegmentWord};

/// What a phrase's words come to, reused from phrase to phrase.
#[derive(Debug, Default)]
pub struct Scratch {
    /// What each name has gained.
    gained: Vec<f32>,
    /// The names that have gained something.
    touched: Vec<u32>,
    /// Words of the text that were looked up before.
    pub(crate) known: HashMap<String, Rc<Spelled>>,
    /// The foods of phrases that were met before, kept only for texts so long that they repeat themselves.
    pub(crate) repeated: Option<HashMap<PhraseKey, Vec<Link>>>,
}

/// What the foods of a phrase depend on: its words, heads, how many words are the first segment's, how many are wanted.
pub(crate) type PhraseKey = (Vec<SegmentWord>, Vec<usize>, usize, usize);

impl Scratch {
    /// Keeps the foods of every phrase from here on.
    pub fn expect_repeats(&mut self) {
        self.repeated.get_or_insert_default();
    }
}

/// What a word of a text stands for.
#[derive(Debug)]
pub struct Spelled {
    /// The words of names.
    pub words: Vec<u32>,
    /// How much they tell.
    pub tells: f32,
    /// What reading them so costs.
    pub penalty: f32,
}

/// A word of a phrase, looked up.
#[derive(Clone, Debug)]
struct Known {
    spelled: Rc<Spelled>,
    optional: bool,
    negated: bool,
    /// Where it stands in the phrase.
    place: usize,
    /// What a name gains that has it, by the zone it stands in.
    gains: [f32; 5],
}

/// An optional word that a name lacks costs hardly anything.
const OPTIONAL_MISSING: f32 = 0.03;

impl Linker {
    /// The names that fit a phrase best, best first.
    pub(crate) fn rank(&self, layer: &Layer, phrase: &Phrase<'_>, scratch: &mut Scratch, limit: usize) -> Vec<Link> {
        let known: Vec<Known> = phrase
            .words
            .iter()
            .enumerate()
            .map(|(place, word)| {
                let spelled = self.look_up(layer, word, scratch);
                let gains = self.gains(&spelled, word.optional);
                Known { spelled, optional: word.optional, negated: word.negated, place, gains }
            })
            .collect();
        scratch.gained.resize(self.names.len(), 0.0);
        self.gather(phrase, &known, scratch);
        let mut best = self.best_of(phrase, &known, scratch, limit + limit / 2);
        scratch.touched.clear();
        self.compare_order(&known, &mut best);
        best
    }

    /// Adds up what the names gain by each word. Names that have none of the telling words are not looked at, nor those
    /// that have none of the first segment's.
    fn gather(&self, phrase: &Phrase<'_>, known: &[Known], scratch: &mut Scratch) {
        let finds = |word: &&Known| !word.optional && !word.negated && !word.spelled.words.is_empty();
        let in_first = |word: &Known| word.place < phrase.first;
        let (is_found, is_found_first) =
            (known.iter().any(|word| finds(&word)), known.iter().any(|word| in_first(word) && finds(&word)));
        let opens = |word: &&Known| match (is_found_first, is_found) {
            (true, _) => finds(word) && in_first(word),
            (false, true) => finds(word),
            (false, false) => !word.negated,
        };
        let Scratch { gained, touched, .. } = scratch;
        for word in known.iter().filter(opens) {
            for postings in word.spelled.words.iter().map(|&number| self.postings_of(number)) {
                touched.reserve(postings.len());
                for posting in postings {
                    let gained = &mut gained[posting.name as usize];
                    if *gained == 0.0 {
                        touched.push(posting.name);
                    }
                    *gained += word.gains[usize::from(posting.zone)] + posting.cost;
                }
            }
        }
        // What is denied only tells apart what the rest has found.
        let (denied, said): (Vec<&Known>, Vec<&Known>) =
            known.iter().filter(|word| !opens(word)).partition(|word| word.negated);
        for word in said.into_iter().chain(denied) {
            for &number in &word.spelled.words {
                self.add_to_touched(word, self.postings_of(number), scratch);
            }
        }
    }

    /// Adds what a word gives to the names that others have found.
    fn add_to_touched(&self, word: &Known, postings: &[Posting], scratch: &mut Scratch) {
        let Scratch { gained, touched, .. } = scratch;
        if touched.len() * 6 < postings.len() {
            for &name in touched.iter() {
                if let Ok(at) = postings.binary_search_by_key(&name, |posting| posting.name) {
                    gained[name as usize] += self.gain(word, &postings[at]);
                }
            }
        } else {
            for posting in postings {
                let gained = &mut gained[posting.name as usize];
                if *gained != 0.0 {
                    *gained += self.gain(word, posting);
                }
            }
        }
    }

    /// What a name gains that has a word, by the zone it stands in.
    fn gains(&self, spelled: &Spelled, optional: bool) -> [f32; 5] {
        let weights = &self.weights;
        let (share, missing) =
            if optional { (weights.optional_gain, OPTIONAL_MISSING) } else { (1.0, weights.missing) };
        weights.zones.map(|zone| (zone * share + missing) * spelled.tells - spelled.penalty)
    }

    /// What a name gains by a word.
    fn gain(&self, word: &Known, posting: &Posting) -> f32 {
        if word.negated {
            let [denies, has] = self.weights.denied;
            return word.spelled.tells * if posting.denied { denies } else { -has };
        }
        word.gains[usize::from(posting.zone)] + posting.cost
    }

    /// The best of the names that have gained something.
    fn best_of(&self, phrase: &Phrase<'_>, known: &[Known], scratch: &mut Scratch, limit: usize) -> Vec<Link> {
        let weights = &self.weights;
        let said = known.iter().filter(|word| !word.negated);
        let (told, lost) = said.fold((0.0, 0.0), |(told, lost), word| {
            let tells = word.spelled.tells;
            if word.optional {
                (told, lost + OPTIONAL_MISSING * tells)
            } else {
                (told + tells, lost + weights.missing * tells)
            }
        });
        let heads: Vec<u32> =
            phrase.heads.iter().filter_map(|&at| known.get(at)).flat_map(|word| word.spelled.words.clone()).collect();
        let mut best: Vec<Link> = Vec::with_capacity(limit + 1);
        // Below this no head can lift a name any more.
        let mut least = f32::NEG_INFINITY;
        for &number in &scratch.touched {
            let gained = std::mem::take(&mut scratch.gained[number as usize]);
            let mut score = gained - lost + self.bases[number as usize];
            if score < least {
                continue;
            }
            let name = &self.names[number as usize];
            score += if heads.contains(&name.head) {
                weights.head[0] + weights.head[1]
            } else if known.iter().any(|word| word.spelled.words.contains(&name.head)) {
                weights.head[0]
            } else {
                -weights.no_head
            };
            if best.len() == limit && best[limit - 1].score >= score {
                continue;
            }
            let covered = if told > 0.0 { (gained / (told * (1.0 + weights.missing))).min(1.0) } else { 0.0 };
            let place = best.partition_point(|other| other.score >= score);
            best.insert(place, Link { food: name.food, score, covered, matched: u64::MAX, name: number });
            best.truncate(limit);
            if best.len() == limit {
                least = best[limit - 1].score - weights.head[0] - weights.head[1];
            }
        }
        best
    }

    /// Prefers names in which words stand side by side as they do in the phrase. It tells which food is meant, not
    /// whether one is: the best keeps its score.
    fn compare_order(&self, known: &[Known], best: &mut [Link]) {
        let Some(score) = best.first().map(|link| link.score) else { return };
        for link in best.iter_mut() {
            link.matched = self.matched(link.name, known);
            link.score += self.weights.adjacent * self.side_by_side(link.name, known) as f32;
        }
        best.sort_by(|one, other| other.score.total_cmp(&one.score));
        let lead = best[0].score - score;
        for link in best.iter_mut() {
            link.score -= lead;
        }
    }

    /// How many neighbours of a phrase are neighbours in a name too: an "egg roll" is no "egg bread roll".
    fn side_by_side(&self, name: u32, known: &[Known]) -> usize {
        let at = name as usize;
        let range = self.sequence_starts[at] as usize..self.sequence_starts[at + 1] as usize;
        let sequence = &self.sequence[range];
        let is_pair = |pair: &&[Known]| {
            !pair[0].negated
                && !pair[1].negated
                && sequence
                    .windows(2)
                    .any(|run| pair[0].spelled.words.contains(&run[0]) && pair[1].spelled.words.contains(&run[1]))
        };
        known.windows(2).filter(is_pair).count()
    }

    /// Whether some name has a telling word of either segment.
    pub(crate) fn share_name(&self, layer: &Layer, one: &Segment, other: &Segment, scratch: &mut Scratch) -> bool {
        let mut spelled = |segment: &Segment| -> Vec<Rc<Spelled>> {
            let telling = segment.words.iter().filter(|word| !word.optional);
            telling.map(|word| self.look_up(layer, word, scratch)).collect()
        };
        let (ones, others) = (spelled(one), spelled(other));
        let numbers = |all: &[Rc<Spelled>]| -> Vec<u32> { all.iter().flat_map(|word| word.words.clone()).collect() };
        let (ones, others) = (numbers(&ones), numbers(&others));
        ones.iter().any(|&one| others.iter().any(|&other| self.meet(one, other)))
    }

    /// Whether some name has both of two words.
    fn meet(&self, one: u32, other: u32) -> bool {
        let (one, other) = (self.postings_of(one), self.postings_of(other));
        let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
        let mut many = many;
        few.iter().any(|posting| {
            // Both are in the order of the names.
            many = &many[many.partition_point(|known| known.name < posting.name)..];
            many.first().is_some_and(|known| known.name == posting.name)
        })
    }

    /// Which words of a phrase a name has.
    fn matched(&self, name: u32, known: &[Known]) -> u64 {
        let has = |number: &u32| self.postings_of(*number).binary_search_by_key(&name, |posting| posting.name).is_ok();
        let found = known.iter().filter(|word| word.spelled.words.iter().any(has));
        found.fold(0, |mask, word| mask | 1u64.checked_shl(word.place as u32).unwrap_or(0))
    }
}
