//! What the rest of a text says about a food: who has a burger from a fast food place has its fries from there too.

use super::linker::Linker;
use super::mention::Mention;
use super::phrase::Link;
use super::places::{Place, SCHOOL};
use super::weights::Costs;
use crate::read::segment::{Segment, SegmentWord};

/// Prefers foods as a place has them, where the text says that a part of the meal is from there.
pub fn apply(linker: &Linker, costs: &Costs, segments: &[Segment], mentions: &mut [Mention]) {
    for place in [Place::FastFood, Place::School] {
        let is_said = |words: &[SegmentWord]| match place {
            Place::FastFood => linker.chains().are_said_in(words),
            Place::School => words.iter().any(|word| word.word == SCHOOL),
        };
        let is_named = segments.iter().any(|segment| is_said(&segment.words));
        // A "Big Mac" says as much as the name of the place.
        let is_from_there = |mention: &Mention| mention.links.first().is_some_and(|link| linker.is_from(link, place));
        if !is_named && (place == Place::School || !mentions.iter().any(is_from_there)) {
            continue;
        }
        for mention in mentions.iter_mut() {
            // A dish that is said to be of one place is not that of another.
            let names_place = place == Place::FastFood && is_said(&mention.words);
            let is_from =
                |link: &Link| if names_place { linker.is_from_any(link) } else { linker.is_from(link, place) };
            for link in &mut mention.links {
                link.score += if is_from(link) { costs.same_place } else { 0.0 };
            }
            mention.links.sort_by(|one, other| other.score.total_cmp(&one.score));
        }
    }
}
