//! What the rest of a text says about a food: who has a burger from a fast food place has its fries from there too.

use std::collections::HashSet;

use foods::catalog::Layer;
use foods::text::words;

use crate::compose::{Costs, Mention};
use crate::link::{Link, Linker};
use crate::segment::{Segment, SegmentWord};

/// Where foods differ from those of other kitchens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A fast food place.
    FastFood,
    /// The cafeteria of a school.
    School,
}

/// The word for it.
pub const SCHOOL: &str = "school";

/// The names of places where all of a meal is fast food.
#[derive(Debug)]
pub struct Chains {
    names: Vec<Vec<String>>,
}

impl Default for Chains {
    fn default() -> Self {
        let lines = include_str!("../lexicon/chains.txt").lines().filter(|line| !line.starts_with('#'));
        Self { names: lines.map(words).filter(|name| !name.is_empty()).collect() }
    }
}

impl Chains {
    /// Whether one of them is named in a text.
    pub fn are_said_in(&self, words: &[SegmentWord]) -> bool {
        let runs = |name: &Vec<String>| {
            words.windows(name.len()).any(|run| run.iter().zip(name).all(|(word, known)| word.word == *known))
        };
        self.names.iter().any(runs)
    }

    /// The numbers of the words that name such a place alone, for names of foods: "Big Mac (McDonalds)".
    pub fn words_of_names(&self, layer: &Layer) -> HashSet<Vec<u32>> {
        let numbers = |name: &Vec<String>| name.iter().map(|word| layer.word(word)).collect();
        self.names.iter().filter_map(numbers).collect()
    }
}

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
