//! Dishes that are counted by what they are made of: "an omelette with 3 eggs and cheese" is three eggs' worth of cheese omelette,
//! and no eggs beside it.

use crate::lexicon::{Measure, Role, roles_in_any_language};
use crate::read::segment::{Joint, ListOpening, Quantity, Segment, SegmentWord, required};

/// Counts dishes by the ingredients that follow them. `is_measured_by` checks whether a word is a usual measure of what words
/// name.
pub(super) fn count_by_ingredients(segments: &mut Vec<Segment>, is_measured_by: impl Fn(&[&str], &str) -> bool) {
    let mut at = 1;
    while at < segments.len() {
        let count = counted_word(&segments[at]).map(str::to_owned);
        match count.filter(|word| is_counted_by(&segments[at - 1], &segments[at], word, &is_measured_by)) {
            Some(word) => {
                let counted = segments.remove(at);
                let measure = Some(Measure::Household(None));
                segments[at - 1].quantity = Quantity { unit: Some(word), measure, trailing: true, ..counted.quantity };
                go_on_with_list(segments.get_mut(at), counted.joint);
            }
            None => at += 1,
        }
    }
}

/// Returns the word of a segment that only counts something, as a part of what is before it: "with 2 eggs".
fn counted_word(segment: &Segment) -> Option<&str> {
    let quantity = &segment.quantity;
    let is_part =
        matches!(segment.joint, Joint::With | Joint::Comma | Joint::Amount | Joint::Bracket) && !segment.negated;
    let is_count = quantity.amount.is_some_and(|amount| amount.explicit) && quantity.unit.is_none();
    let mut words = required(&segment.words);
    let only = words.next().filter(|_| segment.words.len() == 1)?;
    (is_part && is_count).then_some(only.word.as_str())
}

/// Checks whether a dish without an amount comes in so many of an ingredient. What is called like the ingredient itself must be
/// said to be made with it.
fn is_counted_by(
    dish: &Segment,
    counted: &Segment,
    word: &str,
    is_measured_by: impl Fn(&[&str], &str) -> bool,
) -> bool {
    let is_named = |word: &&SegmentWord| !word.optional && !roles_in_any_language(&word.word).has(Role::Made);
    let names: Vec<&str> = dish.words.iter().filter(is_named).map(|word| word.word.as_str()).collect();
    let is_other = counted.opens_list == Some(ListOpening::Made) || !names.contains(&word);
    !dish.negated && !dish.quantity.is_explicit() && is_other && is_measured_by(&names, word)
}

/// Lets what follows the ingredient follow the dish.
fn go_on_with_list(next: Option<&mut Segment>, joint: Joint) {
    let Some(next) = next.filter(|next| !next.starts && !next.negated && !next.quantity.is_explicit()) else { return };
    if joint == Joint::With && next.joint == Joint::And {
        next.joint = Joint::With;
        next.opens_list = Some(ListOpening::With);
    }
}
