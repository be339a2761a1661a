//! How well each name of the catalog fits a phrase.

use foods::catalog::Layer;

use super::cache::{Scratch, Spelled};
use super::linker::{GAP, Linker, Posting};
use super::phrase::{Link, Phrase};
use crate::read::segment::Segment;

/// A word of a phrase, looked up.
#[derive(Clone, Copy, Debug)]
struct Known {
    spelled: Spelled,
    optional: bool,
    negated: bool,
    /// Where it stands in the phrase.
    place: usize,
    /// What a name gains that has it, by the zone it stands in.
    gains: [f32; 5],
}

/// An optional word that a name lacks costs hardly anything.
const OPTIONAL_MISSING: f32 = 0.03;

/// Adds what a word gives to all names that have it.
fn open(word: &Known, postings: &[Posting], scratch: &mut Scratch) {
    let Scratch { gained, touched, .. } = scratch;
    if touched.is_empty() {
        // The first word: whatever has it is new.
        touched.extend(postings.iter().map(|posting| posting.name));
        touched.dedup();
        for posting in postings {
            gained[posting.name as usize] += word.gains[usize::from(posting.zone)] + posting.cost;
        }
        return;
    }
    for posting in postings {
        let gained = &mut gained[posting.name as usize];
        if *gained == 0.0 {
            touched.push(posting.name);
        }
        *gained += word.gains[usize::from(posting.zone)] + posting.cost;
    }
}

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
        let finds = |word: &&Known| !word.optional && !word.negated && !word.spelled.words().is_empty();
        let in_first = |word: &Known| word.place < phrase.first;
        let (is_found, is_found_first) =
            (known.iter().any(|word| finds(&word)), known.iter().any(|word| in_first(word) && finds(&word)));
        let opens = |word: &&Known| match (is_found_first, is_found) {
            (true, _) => finds(word) && in_first(word),
            (false, true) => finds(word),
            (false, false) => !word.negated,
        };
        for word in known.iter().filter(opens) {
            for &number in word.spelled.words() {
                open(word, self.postings_of(number), scratch);
            }
        }
        // What is denied only tells apart what the rest has found.
        let rest = || known.iter().filter(|word| !opens(word));
        for word in rest().filter(|word| !word.negated).chain(rest().filter(|word| word.negated)) {
            for &number in word.spelled.words() {
                self.add_to_touched(word, self.postings_of(number), scratch);
            }
        }
    }

    /// What a name loses that has none of the words.
    fn lost(&self, known: &[Known]) -> f32 {
        let said = known.iter().filter(|word| !word.negated);
        said.fold(0.0, |lost, word| {
            lost + if word.optional { OPTIONAL_MISSING } else { self.weights.missing } * word.spelled.tells
        })
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
        let telling = known.iter().filter(|word| !word.negated && !word.optional);
        let told = telling.fold(0.0, |told, word| told + word.spelled.tells);
        let lost = self.lost(known);
        let in_heads = |word: &Known| phrase.heads.contains(&word.place);
        let mut best: Vec<Link> = Vec::with_capacity(limit + 1);
        // Below this no head can lift a name any more.
        let lift = weights.head[0] + weights.head[1];
        let mut least = f32::NEG_INFINITY;
        let Scratch { touched, gained: all, .. } = scratch;
        for &number in touched.iter() {
            let gained = std::mem::take(&mut all[number as usize]);
            let mut score = gained - lost + self.bases[number as usize];
            if score < least {
                continue;
            }
            let name = &self.names[number as usize];
            let mut is_head = known.iter().filter(|word| word.spelled.words().contains(&name.head)).peekable();
            score += if is_head.peek().is_none() {
                -weights.no_head
            } else if is_head.any(in_heads) {
                lift
            } else {
                weights.head[0]
            };
            if best.len() == limit && best[limit - 1].score >= score {
                continue;
            }
            let covered = if told > 0.0 { (gained / (told * (1.0 + weights.missing))).min(1.0) } else { 0.0 };
            let place = best.partition_point(|other| other.score >= score);
            best.insert(place, Link { food: name.food, score, covered, matched: u64::MAX, name: number });
            best.truncate(limit);
            if best.len() == limit {
                least = best[limit - 1].score - lift;
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
            link.score += self.weights.adjacent * self.side_by_side(link, known) as f32;
        }
        best.sort_by(|one, other| other.score.total_cmp(&one.score));
        let lead = best[0].score - score;
        for link in best.iter_mut() {
            link.score -= lead;
        }
    }

    /// The words of a name in order, then a gap and the words of its category.
    fn sequence(&self, name: u32) -> &[u32] {
        let at = name as usize;
        &self.sequence[self.sequence_starts[at] as usize..self.sequence_starts[at + 1] as usize]
    }

    /// How many neighbours of a phrase are neighbours in a name too: an "egg roll" is no "egg bread roll".
    fn side_by_side(&self, link: &Link, known: &[Known]) -> usize {
        let is_matched = |word: &Known| link.matched & bit(word) != 0;
        let is_pair =
            |pair: &&[Known]| {
                pair.iter().all(|word| !word.negated && is_matched(word))
                    && self.sequence(link.name).windows(2).take_while(|run| run[1] != GAP).any(|run| {
                        pair[0].spelled.words().contains(&run[0]) && pair[1].spelled.words().contains(&run[1])
                    })
            };
        known.windows(2).filter(is_pair).count()
    }

    /// Whether some name has a telling word of either segment.
    pub(crate) fn share_name(&self, layer: &Layer, one: &Segment, other: &Segment, scratch: &mut Scratch) -> bool {
        let mut numbers = |segment: &Segment| -> Vec<u32> {
            let telling = segment.words.iter().filter(|word| !word.optional);
            let spelled = telling.map(|word| self.look_up(layer, word, scratch));
            spelled.flat_map(|spelled| spelled.words().to_vec()).collect()
        };
        let (ones, others) = (numbers(one), numbers(other));
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
        let sequence = self.sequence(name);
        let is_found = |word: &&Known| word.spelled.words().iter().any(|number| sequence.contains(number));
        known.iter().filter(is_found).fold(0, |mask, word| mask | bit(word))
    }
}

/// The bit of a word of a phrase; none beyond the sixty-fourth.
fn bit(word: &Known) -> u64 {
    1u64.checked_shl(word.place as u32).unwrap_or(0)
}
