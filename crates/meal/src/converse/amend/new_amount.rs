//! Another amount for a food that is already there.

use super::description::FoodDescription;
use crate::lexicon::Measure;
use crate::link::mention::Mention;
use crate::read::amount::Amount;
use crate::read::segment::{Quantity, SegmentWord};

/// The most of anything, however often it is doubled.
pub(super) const MAX_AMOUNT: f64 = 100_000.0;
/// A number below this counts portions of a mass: "make it two" of 100 g, but "make it 200".
const MAX_COUNT_OF_MASSES: f64 = 10.0;

/// Gives a mention another amount, and the words of the new measure instead of those of the old one.
pub(super) fn set_amount(mention: &mut Mention, new: &FoodDescription) {
    let quantity = changed(&mention.quantity, &new.quantity);
    replace_amount(mention, quantity, &new.words);
}

/// Puts an amount in the place of the old one, and the words of its measure in the place of those of the old one.
pub(super) fn replace_amount(mention: &mut Mention, quantity: Quantity, words: &[SegmentWord]) {
    let old = std::mem::replace(&mut mention.quantity, quantity);
    // "a large slice" is no longer large.
    let is_outdated = |word: &SegmentWord| {
        word.optional && names_measure(&old, &word.word) && !names_measure(&mention.quantity, &word.word)
    };
    let outdated: Vec<usize> = (0..mention.words.len()).rev().filter(|&at| is_outdated(&mention.words[at])).collect();
    for at in outdated {
        remove_word(mention, at);
    }
    let of_measure = |word: &&SegmentWord| word.optional && names_measure(&mention.quantity, &word.word);
    let of_measure: Vec<&SegmentWord> = words.iter().filter(of_measure).collect();
    for word in of_measure {
        if !mention.words.iter().any(|known| known.word == word.word) {
            mention.words.push(word.clone());
        }
    }
}

/// Checks whether a word is the unit or a size of an amount.
fn names_measure(quantity: &Quantity, word: &String) -> bool {
    quantity.sizes.contains(word) || quantity.unit.as_ref() == Some(word)
}

/// Returns the amount that a correction leaves: a new unit replaces everything, a number counts in the old unit, and a size
/// leaves the number alone.
fn changed(old: &Quantity, new: &Quantity) -> Quantity {
    if new.unit.is_some() || new.container.is_some() || new.inches.is_some() {
        return new.clone();
    }
    let Some(amount) = new.amount.filter(|amount| amount.explicit) else {
        return Quantity { sizes: new.sizes.clone(), amount: old.amount.or(new.amount), ..old.clone() };
    };
    let is_count = is_in_grams(old) && amount.value < MAX_COUNT_OF_MASSES;
    let each = if is_count { old.amount.map_or(1.0, |amount| amount.value) } else { 1.0 };
    let sizes = if new.sizes.is_empty() { old.sizes.clone() } else { new.sizes.clone() };
    Quantity { amount: Some(Amount { value: (amount.value * each).min(MAX_AMOUNT), ..amount }), sizes, ..old.clone() }
}

/// Checks whether an amount is in units so small that no one eats just a few of them.
fn is_in_grams(quantity: &Quantity) -> bool {
    matches!(quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
        && matches!(quantity.unit.as_deref(), Some("g" | "ml" | "mg"))
}

/// Removes a word from a mention.
pub(super) fn remove_word(mention: &mut Mention, at: usize) {
    mention.words.remove(at);
    mention.heads.retain(|head| *head != at);
    for head in &mut mention.heads {
        *head -= usize::from(*head > at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::token::tokens;

    fn described(text: &str) -> FoodDescription {
        FoodDescription::read(&tokens(text), &Lexicon::default())
    }

    #[test]
    fn a_new_amount_takes_the_place_of_the_old() {
        for (old, new, expected) in [
            ("an egg", "two", "2   | egg"),
            ("100 g rice", "two", "200 g  | rice"),
            ("100 g rice", "200", "200 g  | rice"),
            ("a large slice of bread", "2 small pieces", "2 piece small | bread small piece"),
            ("two cups of coffee", "large", "2 cup large | coffee large"),
            ("a steak", "8 oz", "8 oz  | steak"),
        ] {
            let FoodDescription { words, quantity } = described(old);
            let mut mention = Mention { quantity, ..Mention::of_words(words) };
            set_amount(&mut mention, &described(new));
            let words: Vec<&str> = mention.words.iter().map(|word| word.word.as_str()).collect();
            let unit = mention.quantity.unit.as_deref().unwrap_or_default();
            let sizes = mention.quantity.sizes.join(" ");
            let shown = format!("{} {unit} {sizes} | {}", mention.count(), words.join(" "));
            assert_eq!(shown, expected, "{old} / {new}");
        }
    }

    #[test]
    fn heads_move_when_a_word_is_removed() {
        let mut mention = Mention { heads: vec![0, 2], ..Mention::of_words(described("beef cheese burger").words) };
        remove_word(&mut mention, 1);
        assert_eq!(mention.heads, [0, 1]);
        remove_word(&mut mention, 0);
        assert_eq!(mention.heads, [0]);
    }
}
