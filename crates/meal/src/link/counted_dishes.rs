//! Dishes that are counted by what they are made of: "an omelette of 3 eggs" is three eggs' worth of omelette, and no eggs beside
//! it.

use super::mention::Mention;
use crate::lexicon::Measure;
use crate::read::segment::{Joint, Quantity, required};

/// Counts dishes by the ingredients that follow them. `is_measured_by` checks whether a word is a usual measure of what a
/// mention is.
pub(crate) fn count_by_ingredients(
    mentions: Vec<Mention>,
    is_measured_by: impl Fn(&Mention, &str) -> bool,
) -> Vec<Mention> {
    let mut kept: Vec<Mention> = Vec::with_capacity(mentions.len());
    for mention in mentions {
        let count = counted_word(&mention).map(str::to_owned);
        match (kept.last_mut(), count) {
            (Some(dish), Some(word)) if !dish.quantity.is_explicit() && is_measured_by(dish, &word) => {
                let measure = Some(Measure::Household(None));
                dish.quantity = Quantity { unit: Some(word), measure, trailing: true, ..mention.quantity };
            }
            _ => kept.push(mention),
        }
    }
    kept
}

/// Returns the word of a mention that only counts something, as a part of what is before it: "with 2 eggs".
fn counted_word(mention: &Mention) -> Option<&str> {
    let quantity = &mention.quantity;
    let is_part = matches!(mention.joint, Joint::With | Joint::Comma | Joint::Amount);
    let is_count = quantity.amount.is_some_and(|amount| amount.explicit) && quantity.unit.is_none();
    let mut words = required(&mention.words);
    let only = words.next().filter(|_| mention.words.len() == 1)?;
    (is_part && is_count && mention.named.is_none() && mention.seen.is_none()).then_some(only.word.as_str())
}
