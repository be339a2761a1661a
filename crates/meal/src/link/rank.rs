//! How well each name of the catalog fits a phrase.

use foods::catalog::Layer;

use super::cache::{LinkCache, WordMatches};
use super::linker::{Linker, Posting, ZoneTable};
use super::phrase::{Link, MatchedWords, Phrase, word_bit};
use super::states::FoodState;
use crate::lexicon::{Role, Roles, roles_in_any_language};
use crate::read::segment::{Segment, SegmentWord, required};

/// The penalty for an optional word that a name lacks: hardly anything.
const OPTIONAL_MISSING: f32 = 0.03;

/// The steps of ranking that do not depend on how many names have the words, and those of each word.
const STEPS_OF_RANKING: usize = 1_000;
const STEPS_OF_WORD: usize = 100;

/// A word of a phrase, looked up.
#[derive(Clone, Copy, Debug)]
struct PhraseWord {
    matches: WordMatches,
    optional: bool,
    negated: bool,
    /// Its position in the phrase.
    at: usize,
    /// What a name gains that has it, by the zone.
    gains: ZoneTable,
}

/// What a phrase says about the food that it means.
#[derive(Debug)]
struct PhraseFacts {
    /// The words of names that its heads stand for.
    heads: Vec<u32>,
    state: Option<FoodState>,
}

impl PhraseWord {
    /// Checks whether names are looked up by it.
    fn finds_names(&self) -> bool {
        !self.optional && !self.negated && !self.matches.words().is_empty()
    }
}

/// Adds what a word gives to all names that have it.
fn add_to_all(word: &PhraseWord, postings: &[Posting], cache: &mut LinkCache) {
    let LinkCache { gained, touched, steps, .. } = cache;
    *steps += 4 * postings.len();
    if touched.is_empty() {
        // The first word: every name that has it is new.
        touched.extend(postings.iter().map(|posting| posting.name));
        touched.dedup();
        for posting in postings {
            gained[posting.name as usize] += word.gains.get(posting.zone) + posting.cost;
        }
        return;
    }
    for posting in postings {
        let gained = &mut gained[posting.name as usize];
        if *gained == 0.0 {
            touched.push(posting.name);
        }
        *gained += word.gains.get(posting.zone) + posting.cost;
    }
}

impl Linker {
    /// Returns the names that fit a phrase best, best first.
    pub fn rank(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, limit: usize) -> Vec<Link> {
        let words = self.phrase_words(layer, phrase, cache);
        cache.gained.resize(self.names.len(), 0.0);
        cache.steps += STEPS_OF_RANKING + STEPS_OF_WORD * words.len();
        self.gather(phrase, &words, cache);
        let mut best = self.best_of(phrase, &words, cache, limit * 3);
        cache.touched.clear();
        self.compare_order(&words, &mut best);
        best
    }

    /// Adds up what the names gain by each word. Names without any required word are skipped, and so are those without
    /// a required word of the first segment.
    fn gather(&self, phrase: &Phrase<'_>, words: &[PhraseWord], cache: &mut LinkCache) {
        let in_first = |word: &PhraseWord| word.at < phrase.first;
        let is_found = words.iter().any(PhraseWord::finds_names);
        let is_found_first = words.iter().any(|word| in_first(word) && word.finds_names());
        let opens = |word: &&PhraseWord| match (is_found_first, is_found) {
            (true, _) => word.finds_names() && in_first(word),
            (false, true) => word.finds_names(),
            (false, false) => !word.negated,
        };
        for word in words.iter().filter(opens) {
            for &number in word.matches.words() {
                add_to_all(word, self.postings_of(number), cache);
            }
        }
        // Denied words come last: they only tell apart what the others have found.
        let rest = || words.iter().filter(|word| !opens(word));
        for word in rest().filter(|word| !word.negated).chain(rest().filter(|word| word.negated)) {
            for &number in word.matches.words() {
                self.add_to_touched(word, self.postings_of(number), cache);
            }
        }
    }

    /// Returns what a name loses that has none of the words.
    fn lost(&self, words: &[PhraseWord]) -> f32 {
        let positive = words.iter().filter(|word| !word.negated);
        positive.fold(0.0, |lost, word| {
            lost + if word.optional { OPTIONAL_MISSING } else { self.weights.missing } * word.matches.idf
        })
    }

    /// Adds what a word gives to the names that others have found.
    fn add_to_touched(&self, word: &PhraseWord, postings: &[Posting], cache: &mut LinkCache) {
        let LinkCache { gained, touched, steps, .. } = cache;
        *steps += 2 * postings.len().min(touched.len() * 6);
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

    /// Returns what a name gains that has a word, by the zone it has it in.
    fn gains(&self, matches: &WordMatches, optional: bool) -> ZoneTable {
        let weights = &self.weights;
        let (share, missing) =
            if optional { (weights.optional_gain, OPTIONAL_MISSING) } else { (1.0, weights.missing) };
        ZoneTable::new(&weights.zones, |zone| (zone * share + missing) * matches.idf - matches.penalty)
    }

    /// Returns what a name gains by a word.
    fn gain(&self, word: &PhraseWord, posting: &Posting) -> f32 {
        if word.negated {
            let weights = &self.weights;
            return word.matches.idf * if posting.denied { weights.denied_by_name } else { -weights.denied_in_name };
        }
        word.gains.get(posting.zone) + posting.cost
    }

    /// Returns the best of the names that have gained something.
    fn best_of(&self, phrase: &Phrase<'_>, words: &[PhraseWord], cache: &mut LinkCache, limit: usize) -> Vec<Link> {
        let weights = &self.weights;
        let required = words.iter().filter(|word| !word.negated && !word.optional);
        let total_idf = required.fold(0.0, |sum, word| sum + word.matches.idf);
        let lost = self.lost(words);
        let facts = self.facts(phrase, words);
        let mut best: Vec<Link> = Vec::with_capacity(limit + 1);
        // Below this no head can lift a name into the list any more.
        let most_by_head = weights.head + weights.same_head;
        let mut least = f32::NEG_INFINITY;
        let LinkCache { touched, gained: all, .. } = cache;
        for &number in touched.iter() {
            let gained = std::mem::take(&mut all[number as usize]);
            let mut score = gained - lost + self.bases[number as usize];
            if score < least {
                continue;
            }
            score += self.gain_by_head(number, phrase, &facts, words);
            if best.len() == limit && best[limit - 1].score >= score {
                continue;
            }
            let covered = if total_idf > 0.0 { (gained / (total_idf * (1.0 + weights.missing))).min(1.0) } else { 0.0 };
            let place = best.partition_point(|other| other.score >= score);
            let food = self.names[number as usize].food;
            let matched = MatchedWords::Bits(0);
            best.insert(place, Link { food, score, covered, matched, name: number, common: None });
            best.truncate(limit);
            if best.len() == limit {
                least = best[limit - 1].score - most_by_head;
            }
        }
        best
    }

    /// Returns what a name gains because its head is in the phrase, or loses because it is not, because it is another kind
    /// of food, or because it is raw and the phrase says cooked.
    fn gain_by_head(&self, number: u32, phrase: &Phrase<'_>, facts: &PhraseFacts, words: &[PhraseWord]) -> f32 {
        let name = &self.names[number as usize];
        let has_head = |word: &&PhraseWord| name.head.is_some_and(|head| word.matches.words().contains(&head));
        let mut found = words.iter().filter(has_head).peekable();
        let known = self.words_of_name_and_category(number);
        let lacks_head = !facts.heads.is_empty() && !facts.heads.iter().any(|head| known.contains(head));
        let mut gain = if found.peek().is_none() {
            -self.weights.no_head - if lacks_head { self.weights.no_common_head } else { 0.0 }
        } else if found.any(|word| phrase.heads.contains(&word.at)) {
            self.weights.head + self.weights.same_head
        } else {
            self.weights.head - if lacks_head { self.weights.no_phrase_head } else { 0.0 }
        };
        let is_of_kind = |head: &u32| name.head == Some(*head) || self.kinds.fits(number, *head);
        if !facts.heads.is_empty() && !facts.heads.iter().any(is_of_kind) {
            gain -= self.weights.other_kind;
        }
        if facts.state.is_some_and(|state| name.state.is_some_and(|other| other != state)) {
            gain -= self.weights.other_state;
        }
        gain
    }

    /// Returns what a phrase says about the kind and the state of the food.
    fn facts(&self, phrase: &Phrase<'_>, words: &[PhraseWord]) -> PhraseFacts {
        // "dessert" and "drink" say less than any category of foods.
        let is_vague = |word: &PhraseWord| {
            roles_in_any_language(&phrase.words[word.at].word)
                .any(const { Roles::of(&[Role::Category, Role::Generic]) })
        };
        let is_head = |word: &&PhraseWord| {
            !is_vague(word) && word.matches.words().iter().any(|number| self.kinds.is_head(*number))
        };
        let last_head = |head: &usize| {
            let before = words.iter().filter(|word| word.at <= *head && !word.negated && !word.optional);
            before.rev().find(is_head).map(|word| word.matches.words().to_vec())
        };
        let stated = phrase.words.iter().filter(|word| !word.negated).map(|word| word.word.as_str());
        PhraseFacts {
            heads: phrase.heads.iter().filter_map(last_head).flatten().collect(),
            state: FoodState::of(stated),
        }
    }

    /// Returns the words of names that the heads of a phrase stand for.
    pub fn heads_of(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache) -> Vec<u32> {
        let words = self.phrase_words(layer, phrase, cache);
        self.facts(phrase, &words).heads
    }

    /// Looks up the words of a phrase.
    fn phrase_words(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache) -> Vec<PhraseWord> {
        let look_up = |(at, word): (usize, &SegmentWord)| {
            let matches = self.look_up(layer, word, cache);
            let gains = self.gains(&matches, word.optional);
            PhraseWord { matches, optional: word.optional, negated: word.negated, at, gains }
        };
        phrase.words.iter().enumerate().map(look_up).collect()
    }

    /// Prefers names in which words are neighbors as they are in the phrase. This decides which food is meant, not
    /// whether one is: the best keeps its score.
    fn compare_order(&self, words: &[PhraseWord], best: &mut [Link]) {
        let Some(score) = best.first().map(|link| link.score) else { return };
        for link in best.iter_mut() {
            link.matched = self.matched(link.name, words);
            link.score += self.weights.adjacent * self.count_neighbors(link, words) as f32;
        }
        best.sort_by(|one, other| other.score.total_cmp(&one.score));
        let lead = best[0].score - score;
        for link in best.iter_mut() {
            link.score -= lead;
        }
    }

    /// Counts the neighbors of a phrase that are neighbors in a name too: an "egg roll" is not an "egg bread roll".
    fn count_neighbors(&self, link: &Link, words: &[PhraseWord]) -> usize {
        let name = self.words_of_name(link.name);
        let is_pair = |pair: &&[PhraseWord]| {
            pair.iter().all(|word| !word.negated && link.has(word.at))
                && name
                    .windows(2)
                    .any(|two| pair[0].matches.words().contains(&two[0]) && pair[1].matches.words().contains(&two[1]))
        };
        words.windows(2).filter(is_pair).count()
    }

    /// Returns which words of a phrase a name has.
    fn matched(&self, name: u32, words: &[PhraseWord]) -> MatchedWords {
        let known = self.words_of_name_and_category(name);
        let is_found = |word: &&PhraseWord| word.matches.words().iter().any(|number| known.contains(number));
        MatchedWords::Bits(words.iter().filter(is_found).fold(0, |bits, word| bits | word_bit(word.at)))
    }

    /// Checks whether some name has a required word of both segments.
    pub fn share_a_name(&self, layer: &Layer, one: &Segment, other: &Segment, cache: &mut LinkCache) -> bool {
        let mut numbers = |segment: &Segment| -> Vec<u32> {
            let matches = required(&segment.words).map(|word| self.look_up(layer, word, cache));
            matches.flat_map(|matches| matches.words().to_vec()).collect()
        };
        let (ones, others) = (numbers(one), numbers(other));
        ones.iter().any(|&one| others.iter().any(|&other| self.words_share_a_name(one, other)))
    }

    /// Checks whether some name has both of two words.
    fn words_share_a_name(&self, one: u32, other: u32) -> bool {
        let (one, other) = (self.postings_of(one), self.postings_of(other));
        let (few, mut many) = if one.len() < other.len() { (one, other) } else { (other, one) };
        few.iter().any(|posting| {
            // Both lists are in the order of the names.
            many = &many[many.partition_point(|known| known.name < posting.name)..];
            many.first().is_some_and(|known| known.name == posting.name)
        })
    }
}
