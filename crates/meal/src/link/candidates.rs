//! The candidates of a phrase: the foods that it may mean, as it is written and as it may be rewritten.

use foods::catalog::Layer;

use super::cache::LinkCache;
use super::linker::Linker;
use super::phrase::{Link, MatchedWords, Phrase};
use crate::read::segment::SegmentWord;

/// By how much the fixed meaning of a bare word leads at least.
const MIN_BARE_LEAD: f32 = 0.1;
/// By how much it leads at most: what stands behind the word ("pizza with a thin crust") still counts.
const MAX_BARE_LEAD: f32 = 0.6;

impl Linker {
    /// Returns the foods that fit a phrase best, best first, each once.
    pub fn best(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, limit: usize) -> Vec<Link> {
        match cache.phrase(phrase, limit) {
            Ok(known) => known,
            Err(key) => {
                let found = self.best_uncached(layer, phrase, cache, limit);
                cache.keep_phrase(key, &found);
                found
            }
        }
    }

    fn best_uncached(&self, layer: &Layer, phrase: &Phrase<'_>, cache: &mut LinkCache, limit: usize) -> Vec<Link> {
        let mut found = self.rank(layer, phrase, cache, limit);
        self.add_synonyms(layer, phrase, cache, limit, &mut found);
        self.add_closed_up(layer, phrase, cache, limit, &mut found);
        self.add_bare_meaning(layer, phrase, cache, &mut found);
        found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.food.cmp(&other.food)));
        let mut kept: Vec<Link> = Vec::with_capacity(limit);
        for link in found {
            if kept.len() < limit && !kept.iter().any(|known| known.food == link.food) {
                kept.push(link);
            }
        }
        kept
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
            found.push(Link { score, covered: 1.0, matched: MatchedWords::Rewritten, ..*link });
        }
    }
}

fn rewritten_link(link: Link, penalty: f32) -> Link {
    Link { score: link.score - penalty, matched: MatchedWords::Rewritten, ..link }
}
