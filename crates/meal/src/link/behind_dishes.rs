//! Foods that are said right behind a dish, with nothing between: "ham on rye light mayo". A dish is called by its whole name, so
//! that an everyday name behind it is another food.

use foods::catalog::Layer;

use super::linker::Linker;
use crate::lexicon::{Role, Roles, roles_in_any_language};
use crate::read::dish_words;
use crate::read::segment::{Joint, Segment, SegmentWord, required};

/// Words that say what kind of dish it is, and no food beside it: "feijoada stew".
const KINDS: Roles = Roles::of(&[Role::Mixture, Role::Stewed, Role::Simmered, Role::Generic, Role::Category]);

/// Sets foods apart from the dishes that they are said behind.
pub(crate) fn set_apart(layer: &Layer, linker: &Linker, segments: Vec<Segment>) -> Vec<Segment> {
    let mut out = Vec::with_capacity(segments.len());
    for mut segment in segments {
        let dish = segment.words.iter().position(|word| dish_words::of_word(&word.word).is_some());
        let behind = dish.map_or(&[][..], |dish| &segment.words[dish + 1..]);
        let is_plain = !segment.negated && !segment.quantity.trailing;
        if is_plain && is_everyday(layer, linker, behind) {
            let added = Segment { terse: segment.terse, words: behind.to_vec(), ..Segment::new(Joint::With) };
            segment.words.truncate(segment.words.len() - added.words.len());
            out.extend([segment, added]);
        } else {
            out.push(segment);
        }
    }
    out
}

/// Checks whether words are the everyday name of a food.
fn is_everyday(layer: &Layer, linker: &Linker, words: &[SegmentWord]) -> bool {
    let Some(head) = required(words).next_back() else { return false };
    let numbers: Option<Vec<u32>> = required(words).map(|word| linker.number(layer, &word.word)).collect();
    !roles_in_any_language(&head.word).any(KINDS)
        && numbers.is_some_and(|numbers| linker.common.meaning(&numbers).is_some())
}
