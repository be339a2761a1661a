//! Putting new words together with those that a part had: "skim" with "whole milk" is skim milk, "beef" with "grilled
//! chicken" may be grilled beef. All ways are tried, and the one that fits a food best is taken.

use super::description::FoodDescription;
use crate::engine::Engine;
use crate::lexicon::{Role, roles_in_any_language};
use crate::link::mention::Mention;
use crate::link::phrase::{Link, MatchedWords};
use crate::read::segment::SegmentWord;
use crate::run::EngineRun;

/// How much worse than the best a food may fit that is of the same category as before.
const SAME_CATEGORY_MARGIN: f32 = 0.5;

/// Checks whether an optional word still says which food it is.
pub(super) fn is_kind(word: &str) -> bool {
    roles_in_any_language(word).has(Role::Kind)
}

/// How much of what was there must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Another food may take its place.
    Nothing,
    /// The food stays what it is, and its name must have all the new words.
    Food,
}

/// New words for a mention.
pub(super) struct Correction<'a> {
    pub mention: &'a Mention,
    pub new: &'a FoodDescription,
    /// What the mention is not.
    pub denied: &'a FoodDescription,
    pub keep: Keep,
}

/// New and old words in one of the ways to put them together: the new ones first.
#[derive(Debug, PartialEq)]
pub(super) struct Rewording {
    pub words: Vec<SegmentWord>,
    pub heads: Vec<usize>,
}

/// A rewording with the foods it links to.
pub(super) struct LinkedRewording {
    pub rewording: Rewording,
    pub links: Vec<Link>,
    /// How many of the new words the name of the best food has.
    matched: usize,
}

impl LinkedRewording {
    /// Checks whether it explains more of the new words than another one, or explains them better.
    fn is_better_than(&self, other: &Self) -> bool {
        let score = |this: &Self| this.links.first().map_or(f32::MIN, |link| link.score);
        (self.matched, score(self)) > (other.matched, score(other))
    }
}

impl Correction<'_> {
    /// Checks whether it changes anything: it has a word that the mention lacks, or denies one that it has.
    pub fn is_change(&self) -> bool {
        let has_same = |word: &SegmentWord| {
            self.mention.words.iter().any(|known| known.word == word.word && known.negated == word.negated)
        };
        let adds = |word: &SegmentWord| (!word.optional || is_kind(&word.word)) && !has_same(word);
        let removes = |word: &SegmentWord| self.denied.has(&word.word) && !self.new.has(&word.word);
        self.new.words.iter().any(adds) || self.mention.words.iter().any(removes)
    }

    /// Returns the rewording that fits a food best, or `None` if none fits any.
    pub fn best(&self, engine: &EngineRun<'_>) -> Option<LinkedRewording> {
        let linked = self.rewordings().into_iter().filter_map(|rewording| self.link(engine, rewording));
        linked.reduce(|best, other| if other.is_better_than(&best) { other } else { best })
    }

    /// Returns all ways to put the words together: with everything that was there, with its heads only, and, if the new
    /// words have a head of their own, without its heads or without anything of it.
    fn rewordings(&self) -> Vec<Rewording> {
        let is_denied = |word: &SegmentWord| self.denied.has(&word.word);
        let is_head = |at: usize| self.mention.heads.contains(&at);
        let old = || self.mention.words.iter().enumerate();
        let kept: Vec<(usize, &SegmentWord)> = old().filter(|(at, word)| is_head(*at) || !is_denied(word)).collect();
        let heads: Vec<(usize, &SegmentWord)> = old().filter(|(at, word)| is_head(*at) || word.optional).collect();
        let mut out = vec![self.join(&kept, true), self.join(&heads, true)];
        let denies_head = old().any(|(at, word)| is_head(at) && is_denied(word));
        let has_own_head = self.new.head_word().is_some_and(|head| old().all(|(_, word)| word.word != head));
        if self.keep == Keep::Nothing && (denies_head || has_own_head) {
            let rest: Vec<(usize, &SegmentWord)> = kept.iter().filter(|(at, _)| !is_head(*at)).copied().collect();
            out.push(self.join(&rest, false));
            out.push(self.join(&[], false));
        }
        out
    }

    /// Puts the new words before some of the old ones.
    fn join(&self, old: &[(usize, &SegmentWord)], keeps_heads: bool) -> Rewording {
        let mut words = self.new.words.clone();
        let mut heads = Vec::new();
        for (place, word) in old {
            let at = words.iter().position(|known| known.word == word.word).unwrap_or_else(|| {
                words.push((*word).clone());
                words.len() - 1
            });
            if self.mention.heads.contains(place) {
                heads.push(at);
            }
        }
        if !keeps_heads || heads.is_empty() {
            heads = self.new.head().into_iter().collect();
        }
        Rewording { words, heads }
    }

    /// Looks up the foods of a rewording. Returns `None` if the best one lacks the new words or the head.
    fn link(&self, engine: &EngineRun<'_>, rewording: Rewording) -> Option<LinkedRewording> {
        let mut links = engine.links(&rewording.words, rewording.heads.clone());
        self.prefer_same_category(engine, &mut links);
        let first = links.first()?;
        let matched = self.count_new_words(first);
        let needed = if self.keep == Keep::Food { self.new_words().count() } else { 1 };
        let is_enough = matched >= needed && self.has_heads(engine, &rewording, first);
        is_enough.then_some(LinkedRewording { rewording, links, matched })
    }

    /// Returns the positions of the new words that say which food is meant.
    fn new_words(&self) -> impl Iterator<Item = usize> {
        let says_food = |word: &SegmentWord| !word.optional || is_kind(&word.word);
        (0..self.new.words.len()).filter(move |&at| says_food(&self.new.words[at]))
    }

    /// Counts the new words that the name of a food has.
    fn count_new_words(&self, link: &Link) -> usize {
        self.new_words().filter(|&at| link.has(at)).count()
    }

    /// Puts a food of the same category as before first, if it fits nearly as well.
    fn prefer_same_category(&self, engine: &Engine, links: &mut [Link]) {
        let Some(best) = links.first().copied() else { return };
        let Some(category) = self.mention.links.first().and_then(|link| category_of(engine, link)) else { return };
        let is_preferred = |link: &Link| {
            category_of(engine, link).is_some_and(|other| other == category)
                && link.score > best.score - SAME_CATEGORY_MARGIN
                && self.count_new_words(link) >= self.count_new_words(&best)
        };
        if let Some(at) = links.iter().position(is_preferred) {
            links[..=at].rotate_right(1);
        }
    }

    /// Checks whether the name of a food has the heads of a rewording.
    fn has_heads(&self, engine: &Engine, rewording: &Rewording, link: &Link) -> bool {
        match self.mention.links.first() {
            // Other words were looked up instead, so that the names are compared.
            Some(old) if link.matched == MatchedWords::Rewritten => {
                let has_old_head = rewording.heads.iter().any(|head| *head >= self.new.words.len());
                !has_old_head || share_a_word(engine, link, old)
            }
            _ => rewording.heads.iter().all(|&head| link.has(head)),
        }
    }
}

/// Returns the category of the food of a link.
fn category_of(engine: &Engine, link: &Link) -> Option<String> {
    engine.layer().food(link.food)?.category
}

/// Checks whether the names of two foods have a word in common.
fn share_a_word(engine: &Engine, one: &Link, other: &Link) -> bool {
    let words =
        |link: &Link| engine.layer().food(link.food).map(|food| foods::text::words(&food.name)).unwrap_or_default();
    let known = words(one);
    words(other).iter().any(|word| known.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::token::tokens;

    fn described(text: &str) -> FoodDescription {
        FoodDescription::read(&tokens(text), &Lexicon::default())
    }

    fn mention(text: &str) -> Mention {
        let words = described(text).words;
        Mention { heads: vec![words.len() - 1], ..Mention::of_words(words) }
    }

    #[test]
    fn new_words_come_before_what_stays() {
        for (old, new, denied, keep, expected) in [
            // The head stays, so that the food does.
            ("grilled chicken", "breaded", "", Keep::Food, vec!["breaded grilled chicken", "breaded chicken"]),
            // A head of its own may replace the old one.
            ("turkey sandwich", "ham", "turkey", Keep::Nothing, vec!["ham sandwich", "ham sandwich", "ham", "ham"]),
            ("apple", "pear", "apple", Keep::Nothing, vec!["pear apple", "pear apple", "pear", "pear"]),
        ] {
            let (mention, new, denied) = (mention(old), described(new), described(denied));
            let correction = Correction { mention: &mention, new: &new, denied: &denied, keep };
            let shown: Vec<String> = correction
                .rewordings()
                .iter()
                .map(|rewording| rewording.words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "))
                .collect();
            assert_eq!(shown, expected, "{old}");
        }
    }

    #[test]
    fn the_head_is_the_old_one_unless_it_goes() {
        let (mention, new, denied) = (mention("turkey sandwich"), described("ham"), described("turkey"));
        let correction = Correction { mention: &mention, new: &new, denied: &denied, keep: Keep::Nothing };
        let heads: Vec<Vec<usize>> = correction.rewordings().into_iter().map(|rewording| rewording.heads).collect();
        assert_eq!(heads, [vec![1], vec![1], vec![0], vec![0]]);
    }

    #[test]
    fn a_correction_that_says_the_same_changes_nothing() {
        for (old, new, denied, expected) in [
            ("whole milk", "skim", "", true),
            ("turkey sandwich", "sandwich", "", false),
            ("turkey sandwich", "sandwich", "turkey", true),
            ("turkey sandwich", "turkey sandwich", "turkey", false),
            ("milk", "", "", false),
        ] {
            let (mention, new_words, denied) = (mention(old), described(new), described(denied));
            let correction = Correction { mention: &mention, new: &new_words, denied: &denied, keep: Keep::Nothing };
            assert_eq!(correction.is_change(), expected, "{old} / {new}");
        }
    }
}
