//! An amount in a given unit, read as if it stood before the name of a food in a text.

use foods::{Food, text};

use super::description::FoodDescription;
use crate::lexicon::Lexicon;
use crate::read::amount::Amount;
use crate::read::segment::{Quantity, SegmentWord};
use crate::read::token::{self, Token};

/// The unit of an amount that has none.
pub(super) const SERVING: &str = "serving";

/// Returns a number as an amount.
pub(super) fn count(value: f64) -> Amount {
    Amount::explicit(value)
}

/// Reads a unit of a food: a measure ("g", "cup", "large slice"), a container ("12 fl oz can"), or a word that the food's
/// name or its portions have ("egg"). Returns `None` if it is something else.
pub(super) fn measured(lexicon: &Lexicon, food: &Food, value: f64, unit: &str) -> Option<FoodDescription> {
    let mut tokens = token::tokens(unit);
    if !matches!(tokens.first(), Some(Token::Number(..))) {
        tokens.insert(0, Token::Number(1.0, false));
    }
    let mut read = FoodDescription::read(&tokens, lexicon);
    // "3 g" is an amount of its own, and no unit.
    let is_one = read.quantity.amount.is_some_and(|amount| (amount.value - 1.0).abs() < 1e-9);
    let is_known = |word: &SegmentWord| !word.negated && (word.optional || is_word_of(food, &word.word));
    if !is_one || !says_measure(&read) || !read.words.iter().all(is_known) {
        return None;
    }
    read.quantity = Quantity { amount: Some(count(value)), trailing: false, ..read.quantity };
    Some(read)
}

/// Checks whether there is anything beside the number.
fn says_measure(read: &FoodDescription) -> bool {
    let Quantity { unit, sizes, container, inches, .. } = &read.quantity;
    unit.is_some() || !sizes.is_empty() || container.is_some() || inches.is_some() || read.names_food()
}

/// Checks whether the name of a food or one of its portions has a word.
fn is_word_of(food: &Food, word: &str) -> bool {
    let has = |line: &str| text::words(line).iter().any(|known| known == word);
    has(&food.name) || food.portions.iter().any(|portion| has(&portion.text)) || has(&food.serving.description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foods::{Nutrients, Origin, Portion};

    fn shown(unit: &str) -> Option<String> {
        let portions = [("1 cup, sliced", 150.0), ("1 pepper", 120.0)];
        let portions = portions.map(|(text, grams)| Portion::new(text.to_owned(), grams)).to_vec();
        let food = Food { portions, ..Food::new("f", Origin::Label, "Peppers, raw", Nutrients::default()) };
        let read = measured(&Lexicon::default(), &food, 2.5, unit)?;
        let value = read.quantity.amount.expect("an amount").value;
        let words: Vec<&str> = read.required().collect();
        let unit = read.quantity.unit.as_deref().unwrap_or_default();
        Some(format!("{value} {unit} {} {}", read.quantity.sizes.join(" "), words.join(" ")))
    }

    #[test]
    fn units_are_what_a_text_can_measure_a_food_in() {
        for (unit, expected) in [
            ("g", "2.5 g  "),
            ("grams", "2.5 g  "),
            ("fl oz", "2.5 fl oz  "),
            ("Cups", "2.5 cup  "),
            ("cup, sliced", "2.5 cup  sliced"),
            ("1 cup", "2.5 cup  "),
            ("slice", "2.5 slice  "),
            ("large", "2.5  large "),
            ("small pepper", "2.5  small pepper"),
            ("12 oz can", "2.5 can  "),
            ("serving", "2.5 serving  "),
        ] {
            assert_eq!(shown(unit).as_deref(), Some(expected), "{unit}");
        }
    }

    #[test]
    fn what_is_no_unit_of_the_food_is_refused() {
        for unit in ["banana", "3 g", "2", "g of sugar", "no cup", "!", "cup and a banana", "1e9", "½ cup"] {
            assert_eq!(shown(unit), None, "{unit}");
        }
    }
}
