//! What the rest of a text says about a food: someone who has a burger from a fast food chain has the fries from there too.

use super::linker::Linker;
use super::mention::Mention;
use super::phrase::Link;
use super::places::{Place, SCHOOL};
use super::weights::JoinCosts;
use crate::read::segment::{Segment, SegmentWord};

/// Prefers the foods of a place if the text says that a part of the meal is from there.
pub(crate) fn prefer_place(linker: &Linker, costs: &JoinCosts, segments: &[Segment], mentions: &mut [Mention]) {
    for place in [Place::FastFood, Place::School] {
        let names_place = |words: &[SegmentWord]| match place {
            Place::FastFood => linker.chains.are_named_in(words),
            Place::School => words.iter().any(|word| word.word == SCHOOL),
        };
        let is_named = segments.iter().any(|segment| names_place(&segment.words));
        // A "Big Mac" says as much as the name of the chain.
        let is_from_there = |mention: &Mention| mention.links.first().is_some_and(|link| linker.is_from(link, place));
        if !is_named && (place == Place::School || !mentions.iter().any(is_from_there)) {
            continue;
        }
        for mention in mentions.iter_mut() {
            // A mention that names its chain does not mean the food of another one.
            let is_of_named_chain = place == Place::FastFood && names_place(&mention.words);
            let is_preferred = |link: &Link| {
                if is_of_named_chain { linker.is_from_any_fast_food(link) } else { linker.is_from(link, place) }
            };
            for link in &mut mention.links {
                link.score += if is_preferred(link) { costs.same_place } else { 0.0 };
            }
            mention.links.sort_by(|one, other| other.score.total_cmp(&one.score));
        }
    }
}
