//! The candidates of a phrase: the foods that it may mean, as it is written and as it may be rewritten.

use foods::catalog::Layer;
use foods::{Food, Nutrient};

use super::cache::{KnownPhrase, LinkCache};
use super::linker::Linker;
use super::phrase::{Link, MatchedWords, Phrase};
use crate::budget::Budget;
use crate::lexicon::{Role, roles_in_any_language};
use crate::read::segment::SegmentWord;

/// By how much the fixed meaning of a bare word leads at least.
const MIN_BARE_LEAD: f32 = 0.1;
/// By how much it leads at most: what stands behind the word ("pizza with a thin crust") still counts.
const MAX_BARE_LEAD: f32 = 0.6;

/// By what share the calories of two foods of one name may differ if they are the same food.
const SAME_CALORIES: f32 = 0.2;

/// By how many grams in 100 g the carbs of a common food and of the tables' own food of that name may differ.
const SAME_CARBS: f32 = 12.0;

/// By how many grams in 100 g their protein, carbs and fat may differ.
const SAME_GRAMS: f32 = 3.0;

/// The steps of looking for a food of another country's table, for each word.
const STEPS_OF_FILL_IN: usize = 500;

impl Linker {
    /// Returns the foods that fit a phrase best, best first, each once.
    pub fn best(
        &self,
        layer: &Layer,
        phrase: &Phrase<'_>,
        cache: &mut LinkCache,
        budget: &Budget,
        limit: usize,
    ) -> Vec<Link> {
        match cache.phrase(phrase, limit, budget) {
            Ok(known) => known,
            Err(key) => {
                cache.steps = 0;
                let links = self.best_uncached(layer, phrase, cache, limit);
                let known = KnownPhrase { links: links.clone(), steps: cache.steps };
                cache.keep_phrase(key, known, budget);
                links
            }
        }
    }

    fn best_uncached(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, limit: usize) -> Vec<Link> {
        let mut found = self.rank(layer, phrase, cache, limit);
        self.prefer_common_names(layer, phrase, cache, &mut found);
        self.add_synonyms(layer, phrase, cache, limit, &mut found);
        self.add_closed_up(layer, phrase, cache, limit, &mut found);
        self.add_bare_meaning(layer, phrase, cache, &mut found);
        self.add_fill_in(layer, phrase, cache, &mut found);
        found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.food.cmp(&other.food)));
        let mut kept: Vec<Link> = Vec::with_capacity(limit);
        for link in found {
            if kept.len() < limit && !kept.iter().any(|known| known.food == link.food) {
                kept.push(link);
            }
        }
        kept
    }

    /// Checks whether the name of a link has the words of a phrase and no others.
    pub fn has_all_words(&self, link: &Link, words: &[SegmentWord]) -> bool {
        matches!(link.matched, MatchedWords::Bits(_))
            && self.words_of_name(link.name).len() <= words.len()
            && (0..words.len()).all(|at| link.has(at))
    }

    /// Prefers everyday names that are the whole phrase: they were written down with the food that people mean. With other
    /// words beside it, a name means another food more often than not. This decides which food is meant, not whether one
    /// is: the best keeps its score.
    fn prefer_common_names(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, found: &mut Vec<Link>) {
        let heads = self.heads_of(layer, phrase, cache);
        let whole: Vec<bool> = found.iter().map(|link| self.is_whole(layer, phrase, &heads, link)).collect();
        let entry = found
            .iter()
            .zip(&whole)
            .find_map(|(link, is_whole)| self.common.number_of(link.name).filter(|_| *is_whole));
        let best = |found: &[Link]| found.iter().map(|link| link.score).fold(f32::NEG_INFINITY, f32::max);
        let before = best(found);
        // The tables' own food of this name, with portions of its own, if it is about the same.
        let is_of_tables = |link: &Link| self.common.number_of(link.name).is_none();
        let of_tables = found.iter().zip(&whole).find(|(link, is_whole)| **is_whole && is_of_tables(link));
        let of_tables = of_tables.and_then(|(link, _)| layer.food(link.food));
        for (link, is_whole) in found.iter_mut().zip(whole) {
            link.common = entry.filter(|_| is_whole);
            let Some(common) = self.common.of_name(link.name) else { continue };
            let is_known_to_tables = || {
                let of_tables = of_tables.as_ref();
                of_tables.is_some_and(|food| is_of_a_kind(layer, food, link.food, common.calories))
            };
            let has_head = self.names[link.name as usize].head.is_some_and(|head| heads.contains(&head));
            link.score += match is_whole {
                // Part of a proper name: "see you" is not pad see ew.
                false if !has_head => f32::NEG_INFINITY,
                false => -self.weights.common_part,
                true if is_known_to_tables() => 0.0,
                true => self.weights.common,
            };
        }
        found.retain(|link| link.score > f32::NEG_INFINITY);
        let lead = best(found) - before;
        for link in found.iter_mut().filter(|_| lead > 0.0) {
            link.score -= lead;
        }
    }

    /// Checks whether a name has the words of a phrase and no others, and the same head: pizza cheese is not cheese pizza.
    fn is_whole(&self, layer: &Layer, phrase: &Phrase<'_>, heads: &[u32], link: &Link) -> bool {
        let has = |at: usize| link.has(at) && !phrase.words[at].negated;
        let name = &self.names[link.name as usize];
        // "cooked rice": the food is cooked, although its everyday name does not say so.
        let is_state = |word: &str| name.state.is_some_and(|state| state.is_only(word));
        let is_denied = |word: &SegmentWord| {
            let number = self.number(layer, &word.word);
            !number.is_some_and(|number| self.is_in_own_name(link.food, number))
        };
        let may_lack = |word: &SegmentWord| {
            word.negated && is_denied(word)
                || is_state(&word.word)
                || word.optional && !roles_in_any_language(&word.word).has(Role::Kind)
        };
        let matched = (0..phrase.words.len()).filter(|&at| has(at)).count();
        matched >= self.words_of_name(link.name).len()
            && (0..phrase.words.len()).all(|at| has(at) || may_lack(&phrase.words[at]))
            && (heads.is_empty() || name.head.is_none_or(|head| heads.contains(&head)))
    }

    /// Adds the foods of the phrase with words replaced by their synonyms.
    fn add_synonyms(
        &self,
        layer: &Layer,
        phrase: &Phrase<'_>,
        cache: &mut LinkCache,
        limit: usize,
        found: &mut Vec<Link>,
    ) {
        let words: Vec<String> = phrase.words.iter().map(|word| word.word.clone()).collect();
        let penalty = if phrase.is_joined() { self.weights.rewritten_joined } else { self.weights.rewritten };
        for rewritten in self.synonyms.rewrite_words(&words) {
            let is_any = |word: &str, test: fn(&SegmentWord) -> bool| {
                phrase.words.iter().any(|known| known.word == word && test(known))
            };
            let other: Vec<SegmentWord> = rewritten
                .into_iter()
                .map(|word| SegmentWord {
                    optional: is_any(&word, |known| known.optional),
                    negated: is_any(&word, |known| known.negated),
                    word,
                })
                .collect();
            let ranked = self.rank(layer, &Phrase::of(&other), cache, limit);
            found.extend(ranked.into_iter().map(|link| rewritten_link(link, penalty)));
        }
    }

    /// Adds the foods of the phrase with neighboring words written as one: "low fat" is "lowfat" too.
    fn add_closed_up(
        &self,
        layer: &Layer,
        phrase: &Phrase<'_>,
        cache: &mut LinkCache,
        limit: usize,
        found: &mut Vec<Link>,
    ) {
        if let Some(closed) = self.closed_up(layer, phrase.words) {
            let ranked = self.rank(layer, &Phrase::of(&closed), cache, limit);
            found.extend(ranked.into_iter().map(|link| rewritten_link(link, self.weights.closed_up)));
        }
    }

    /// Adds the fixed meaning of the phrase, ahead of everything else.
    fn add_bare_meaning(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, found: &mut Vec<Link>) {
        let Some(meaning) = self.bare_words.meaning(phrase.words) else { return };
        let best = found.iter().map(|link| link.score).fold(0.0, f32::max);
        if let Some(link) = self.rank(layer, &Phrase::of(&meaning), cache, 1).first() {
            let score = link.score.clamp(best + MIN_BARE_LEAD, best + MAX_BARE_LEAD);
            // If the phrase is an everyday name of about the same food, the usual portions of that are meant.
            let everyday =
                found.iter().find_map(|known| known.common.filter(|_| is_alike(layer, known.food, link.food)));
            let matched = MatchedWords::Rewritten;
            found.push(Link { score, covered: 1.0, matched, common: everyday, ..*link });
        }
    }

    /// Adds a food of another country's table, if the phrase has a word that none of ours has.
    fn add_fill_in(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, found: &mut Vec<Link>) {
        if phrase.is_joined() {
            return;
        }
        cache.steps += STEPS_OF_FILL_IN * phrase.words.len();
        let is_new = |number: u32, word: &str| self.is_fill_in_word(number, word);
        let idf = |number: u32| self.idf.get(number as usize).copied().unwrap_or(1.0);
        found.extend(self.fill_ins.find(layer, phrase.words, is_new, idf));
    }
}

/// Checks whether two foods of a layer have about the same calories, protein, carbs and fat, as foods of one name have.
pub(crate) fn is_alike(layer: &Layer, one: u32, other: u32) -> bool {
    let Some((first, second)) = layer.food(one).zip(layer.food(other)) else { return false };
    let values = |nutrient: Nutrient| first.nutrients.get(nutrient).zip(second.nutrients.get(nutrient));
    let is_near = |nutrient: Nutrient| {
        values(nutrient).is_none_or(|(one, other)| (one - other).abs() <= SAME_GRAMS || is_about(one, other))
    };
    one == other
        || values(Nutrient::Calories).is_some_and(|(one, other)| is_about(one, other))
            && [Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat].into_iter().all(is_near)
}

/// Checks whether a food of the tables is what people mean by its name: it has about the calories that they expect, and as many carbs
/// as the common food. A hot dog comes in a bun, unlike the sausage that the tables call so.
fn is_of_a_kind(layer: &Layer, of_tables: &Food, common: u32, calories: f32) -> bool {
    let carbs = |food: &Food| food.nutrients.get(Nutrient::Carbs);
    // The food is only decoded if the calories leave it open.
    let of_both = || carbs(of_tables).zip(layer.food(common).as_ref().and_then(carbs));
    of_tables.nutrients.get(Nutrient::Calories).is_some_and(|own| is_about(own, calories))
        && of_both().is_none_or(|(own, other)| (own - other).abs() <= SAME_CARBS)
}

/// Checks whether two foods have about the same calories.
fn is_about(one: f32, other: f32) -> bool {
    (one - other).abs() <= one.max(other) * SAME_CALORIES
}

fn rewritten_link(link: Link, penalty: f32) -> Link {
    Link { score: link.score - penalty, matched: MatchedWords::Rewritten, ..link }
}
