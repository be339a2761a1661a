//! Putting new words together with those that a part had: "skim" with "whole milk" is skim milk, "beef" with "grilled
//! chicken" may be grilled beef. All ways are tried, and the one that fits a food best is taken.

use super::description::FoodDescription;
use crate::engine::Engine;
use crate::lexicon::{Role, roles_in_any_language};
use crate::link::mention::Mention;
use crate::link::phrase::{Link, MatchedWords};
use crate::read::segment::SegmentWord;

/// How much worse a food may fit than the best to be taken because it is of the same kind as before.
const SAME_KIND_MARGIN: f32 = 0.5;

/// Checks whether an optional word still says which food it is.
pub(super) fn is_kind(word: &str) -> bool {
    roles_in_any_language(word).has(Role::Kind)
}

/// The ways to put the words that were said together with those that were there.
pub(super) struct Rewordings<'a> {
    pub mention: &'a Mention,
    pub said: &'a FoodDescription,
    pub gone: &'a FoodDescription,
    pub keep: Keep,
}

/// How much of what was there must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Another food may take its place.
    Nothing,
    /// The food stays what it is, and all that was said must be known of it.
    Food,
}

/// One of them.
pub(super) struct Rewording {
    words: Vec<SegmentWord>,
    heads: Vec<usize>,
}

/// A wording with the foods it links to.
pub(super) struct LinkedRewording {
    pub words: Vec<SegmentWord>,
    pub heads: Vec<usize>,
    pub links: Vec<Link>,
    /// How many of the words that were said the best food has.
    matched: usize,
}

impl LinkedRewording {
    pub fn worth(&self) -> (usize, f32) {
        (self.matched, self.links.first().map_or(f32::MIN, |link| link.score))
    }
}

impl Rewordings<'_> {
    pub fn all(&self) -> Vec<Rewording> {
        let is_gone = |word: &SegmentWord| self.gone.has(&word.word);
        let is_head = |at: usize| self.mention.heads.contains(&at);
        let old = || self.mention.words.iter().enumerate();
        let kept: Vec<(usize, &SegmentWord)> = old().filter(|(at, word)| is_head(*at) || !is_gone(word)).collect();
        let heads: Vec<(usize, &SegmentWord)> = old().filter(|(at, word)| is_head(*at) || word.optional).collect();
        let mut out = vec![self.join(&kept, true), self.join(&heads, true)];
        let is_exchanged = old().any(|(at, word)| is_head(at) && is_gone(word));
        let has_own_head = self.said.head_word().is_some_and(|head| old().all(|(_, word)| word.word != head));
        if self.keep == Keep::Nothing && (is_exchanged || has_own_head) {
            let rest: Vec<(usize, &SegmentWord)> = kept.iter().filter(|(at, _)| !is_head(*at)).copied().collect();
            out.push(self.join(&rest, false));
            out.push(self.join(&[], false));
        }
        out
    }

    /// The words that were said, then old ones.
    fn join(&self, old: &[(usize, &SegmentWord)], keeps_head: bool) -> Rewording {
        let mut words = self.said.words.clone();
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
        if !keeps_head || heads.is_empty() {
            heads = self.said.head().into_iter().collect();
        }
        Rewording { words, heads }
    }
}

impl Rewording {
    /// The foods of a wording, those of the same kind as before first where they fit nearly as well. Nothing where the
    /// best food lacks what was said.
    pub fn read(
        self,
        engine: &Engine,
        said: &FoodDescription,
        before: &Mention,
        keep: Keep,
    ) -> Option<LinkedRewording> {
        let mut links = engine.links(&self.words, self.heads.clone());
        let best = links.first()?.score;
        let new: Vec<usize> =
            (0..said.words.len()).filter(|&at| !said.words[at].optional || is_kind(&said.words[at].word)).collect();
        let matched = |link: &Link| new.iter().filter(|&&at| link.has(at)).count();
        let kind = before.links.first().and_then(|link| category(engine, link));
        let is_same_kind = |link: &Link| kind.is_some() && category(engine, link) == kind;
        if let Some(at) = links.iter().position(|link| {
            is_same_kind(link) && link.score > best - SAME_KIND_MARGIN && matched(link) >= matched(&links[0])
        }) {
            links[..=at].rotate_right(1);
        }
        let first = links.first()?;
        let keeps_heads = match before.links.first() {
            // Other words were read for these, so the names must tell.
            Some(old) if first.matched == MatchedWords::Rewritten => {
                !self.heads.iter().any(|head| *head >= said.words.len()) || share_a_word(engine, first, old)
            }
            _ => self.heads.iter().all(|&head| first.has(head)),
        };
        let matched = matched(first);
        let enough = if keep == Keep::Food { new.len() } else { 1 };
        (matched >= enough && keeps_heads).then_some(LinkedRewording {
            matched,
            words: self.words,
            heads: self.heads,
            links,
        })
    }
}

/// Returns the category of the food of a link.
fn category(engine: &Engine, link: &Link) -> Option<String> {
    engine.layer().food(link.food)?.category
}

/// Checks whether the names of two foods have a word in common.
fn share_a_word(engine: &Engine, one: &Link, other: &Link) -> bool {
    let words =
        |link: &Link| engine.layer().food(link.food).map(|food| foods::text::words(&food.name)).unwrap_or_default();
    let known = words(one);
    words(other).iter().any(|word| known.contains(word))
}
